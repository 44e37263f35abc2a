import type { PlacedStep } from '@kitlane/display/finding'
import { gaugeOf } from '@kitlane/display/gauge'
import { type TimedValue, trendOf } from '@kitlane/display/trend'
import type { Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import { ink } from '../../../platform/pdf/paper.ts'
import type { Sheet } from '../../../platform/pdf/sheet.ts'
import { stepColors, zoneColors } from './look.ts'

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A score of 0 to 100 as a ring that begins at the top; dashed without a score. */
export function drawRing({ doc }: Sheet, x: number, y: number, radius: number, score: number | null, color: string) {
  doc.lineWidth(5)
  if (score === null) {
    doc.lineWidth(1.5).dash(2, { space: 2 }).circle(x, y, radius).stroke(ink.faint).undash()
    return
  }
  doc.circle(x, y, radius).stroke(ink.line)
  if (score >= 100) doc.circle(x, y, radius).stroke(color)
  else if (score > 0) {
    const angle = (score / 100) * 2 * Math.PI
    const [endX, endY] = [x + radius * Math.sin(angle), y - radius * Math.cos(angle)]
    const isLong = score > 50 ? 1 : 0
    doc.path(`M ${x} ${y - radius} A ${radius} ${radius} 0 ${isLong} 1 ${endX} ${endY}`).stroke(color)
  }
}

const legend = [
  ['optimal', 'report.key.best'],
  ['good', 'report.key.normal'],
  ['fair', 'report.key.slight'],
  ['poor', 'report.key.outside'],
] as const

/** What the colors of the gauges mean, in the line of the first title. */
export function drawLegend(sheet: Sheet, from: number): void {
  sheet.figure(sheet.t('pdf.bands'), () => {
    let x = from
    const y = sheet.y - 15
    for (const [zone, key] of legend) {
      const words = sheet.t(key)
      const width = sheet.widthOf(words, 7) + 1
      sheet.doc.rect(sheet.at(x, 7), y, 7, 7).fill(zoneColors[zone])
      sheet.write(words, x + 10, y - 0.8, { width, size: 7, color: ink.soft })
      x += width + 20
    }
  })
}

/** The bands of a result with a marker on its value; a grey line where nothing is known. */
export function drawGauge(sheet: Sheet, { y, width, height, ...box }: Box, ranges: Ranges, value: number | null) {
  const { doc } = sheet
  const x = sheet.at(box.x, width)
  const gauge = gaugeOf(ranges, value)
  if (!gauge) {
    doc.rect(x, y + height / 2 - 0.5, width, 1).fill(ink.line)
    return
  }
  for (const { zone, from, to } of gauge.zones) {
    // Optimal is taller: the bands can be distinguished in a grey print.
    const inset = zone === 'optimal' ? 0 : zone === 'good' ? 1 : 2
    doc.rect(x + from * width, y + inset, (to - from) * width, height - 2 * inset).fill(zoneColors[zone])
  }
  if (gauge.marker === undefined) return
  const at = x + gauge.marker * width
  if (gauge.beyond) {
    const side = gauge.beyond === 'low' ? -1 : 1
    doc.polygon([at - side * 2, y - 2], [at + side * 6, y + height / 2], [at - side * 2, y + height + 2]).fill(ink.text)
  } else {
    doc.rect(at - 1, y - 2.5, 2, height + 5).fill(ink.text)
    doc.polygon([at - 3.5, y - 5.5], [at + 3.5, y - 5.5], [at, y - 1]).fill(ink.text)
  }
}

/** The steps of a result that is no plain number; its own stands out by a frame and bold text. */
export function drawSteps(sheet: Sheet, { x, y, width, height }: Box, steps: readonly PlacedStep[]) {
  for (const { label, zone, isResult, from, to } of steps) {
    const [start, wide] = [x + from * width, (to - from) * width - 2]
    const left = sheet.at(start, wide)
    sheet.doc.roundedRect(left, y, wide, height, 2).fill(stepColors[zone])
    if (isResult) sheet.doc.lineWidth(1.2).roundedRect(left, y, wide, height, 2).stroke(ink.text)
    const font = isResult ? 'bold' : 'regular'
    const size = Math.min(6.5, (6.5 * (wide - 2)) / sheet.widthOf(label, 6.5, font))
    const style = {
      width: wide,
      size,
      align: 'center',
      isOneLine: true,
      color: isResult ? ink.text : ink.soft,
    } as const
    sheet.write(label, start, y + (height - size) / 2 - 0.5, { ...style, font })
  }
}

/** A small line of earlier values, the last one marked. */
export function drawSparkline(sheet: Sheet, { y, width, height, ...box }: Box, values: readonly TimedValue[]) {
  const { doc } = sheet
  const x = sheet.at(box.x, width)
  const trend = trendOf(values)
  if (!trend) return
  const points = trend.points.map((point) => [x + point.x * width, y + (1 - point.y) * height] as const)
  points.forEach(([left, top], index) => void (index === 0 ? doc.moveTo(left, top) : doc.lineTo(left, top)))
  doc.lineWidth(1).stroke(ink.soft)
  const last = points.at(-1)
  if (last) doc.circle(last[0], last[1], 1.8).fill(ink.text)
}

const MOST_DOTS = 20

/** Values over time in front of the reference interval. */
export function drawTrend({ doc }: Sheet, box: Box, values: readonly TimedValue[], inRange: Interval | null) {
  const { x, y, width, height } = box
  const trend = trendOf(values, inRange)
  if (!trend) return
  const top = (value: number) => y + (1 - Math.min(1, Math.max(0, trend.height(value)))) * height
  if (inRange) {
    const upper = inRange.high === null ? y : top(inRange.high)
    const lower = inRange.low === null ? y + height : top(inRange.low)
    if (lower > upper) doc.rect(x, upper, width, lower - upper).fill('#e4f3eb')
  }
  doc.lineWidth(0.5).rect(x, y, width, height).stroke(ink.line)
  const points = trend.points.map((point) => [x + 4 + point.x * (width - 8), y + (1 - point.y) * height] as const)
  points.forEach(([left, above], index) => void (index === 0 ? doc.moveTo(left, above) : doc.lineTo(left, above)))
  doc.lineWidth(1.2).stroke(ink.accent)
  // Dots that would touch are left out, but for the last one.
  const dots = points.length > MOST_DOTS ? points.slice(-1) : points
  for (const [left, above] of dots) doc.circle(left, above, 1.9)
  doc.fill(ink.accent)
}
