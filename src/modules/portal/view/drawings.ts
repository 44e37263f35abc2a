import type { PlacedStep } from '@kitlane/display/finding'
import { type Gauge, gaugeOf } from '@kitlane/display/gauge'
import { type TimedValue, trendOf } from '@kitlane/display/trend'
import type { Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'

// Shapes carry classes, not styles: the policy of the pages lets no inline style through.

const round = (value: number) => Number(value.toFixed(1))
const WIDTH = 480

/** The bands of a value with a marker on it; nothing where there is no interval. `label`: the value, written beside its marker. */
export function gauge(t: Translator, ranges: Ranges, value: number | null, words: string, label?: string): Part {
  const drawn = gaugeOf(ranges, value)
  if (!drawn) return null
  const bands = drawn.zones.map(({ zone, from, to }) => {
    // Optimal is taller: the bands can be distinguished without colors.
    const inset = zone === 'optimal' ? 0 : zone === 'good' ? 3 : 6
    return html`<rect class="z-${zone}" x="${round(from * WIDTH)}" y="${14 + inset}" width="${round((to - from) * WIDTH)}" height="${22 - 2 * inset}"/>`
  })
  if (label === undefined)
    return html`<svg class="gauge" viewBox="-8 0 ${WIDTH + 16} 42" role="img" aria-label="${words}">${bands}${marker(drawn)}</svg>`
  const at = (drawn.marker ?? 0) * WIDTH
  return html`<svg class="gauge" viewBox="-8 -24 ${WIDTH + 16} 94" role="img" aria-label="${words}">${bands}${marker(drawn)}
${drawn.marker !== undefined && html`<text class="gauge-value" x="${round(at)}" y="-6" text-anchor="${anchorAt(at)}">${label}</text>`}${limits(t, drawn, ranges.inRange)}</svg>`
}

// So near to an end, a text would leave the drawing if it were centered.
const EDGE = 60
const anchorAt = (x: number) => (x < EDGE ? 'start' : x > WIDTH - EDGE ? 'end' : 'middle')

/** The limits of the normal range in numbers, and a bracket between them: it is found without colors. */
function limits(t: Translator, { zones }: Gauge, inRange: Interval | null): Part {
  const within = zones.filter(({ zone }) => zone === 'optimal' || zone === 'good')
  const [first, last] = [within[0], within.at(-1)]
  if (!inRange || !first || !last) return null
  const [from, to] = [first.from * WIDTH, last.to * WIDTH]
  const number = (value: number | null, x: number, anchor: string) =>
    value !== null &&
    html`<text class="gauge-limit" x="${round(x)}" y="66" text-anchor="${anchor}">${t.number(value)}</text>`
  const middle = (from + to) / 2
  const isWide = to - from > 3 * EDGE
  return html`<path class="gauge-bracket" d="M${round(from + 1)} 41v6H${round(to - 1)}v-6"/>${number(inRange.low, from, from < EDGE ? 'start' : 'middle')}${
    isWide &&
    html`<text class="gauge-limit" x="${round(middle)}" y="66" text-anchor="middle">${t('value.onDrawing')}</text>`
  }${number(inRange.high, to, anchorAt(to))}`
}

/** The steps of a result that is no plain number; its own has a frame. Labels are those of the language. */
export function steps(placed: readonly PlacedStep[], words: string): Part {
  if (placed.length === 0) return null
  const drawn = placed.map(({ label, zone, isResult, from, to }) => {
    const [x, width] = [round(from * WIDTH + 2), round((to - from) * WIDTH - 4)]
    return html`<rect class="z-${zone}${isResult && ' step-here'}" x="${x}" y="4" width="${width}" height="34" rx="5"/><text class="step${isResult && ' step-here'}" x="${round(x + width / 2)}" y="26">${label}</text>`
  })
  return html`<svg class="gauge" viewBox="-8 0 ${WIDTH + 16} 42" role="img" aria-label="${words}">${drawn}</svg>`
}

function marker({ marker, beyond }: { marker?: number; beyond?: 'low' | 'high' }): Part {
  if (marker === undefined) return null
  const x = round(marker * WIDTH)
  if (beyond) {
    const side = beyond === 'low' ? -1 : 1
    return html`<path class="marker" d="M${x - side * 6} 11L${x + side * 7} 25L${x - side * 6} 39z"/>`
  }
  return html`<path class="marker" d="M${x - 8} 2h16L${x + 2.5} 13V40h-5V13z"/>`
}

/** A score of 0 to 100 as a ring; with its number. */
export function ring(score: number): Html {
  const length = 2 * Math.PI * 32
  const arc =
    score <= 0
      ? null
      : html`<circle class="ring" cx="38" cy="38" r="32" stroke-dasharray="${round((score / 100) * length)} ${round(length)}" transform="rotate(-90 38 38)"/>`
  return html`<svg viewBox="0 0 76 76" aria-hidden="true"><circle class="ring-back" cx="38" cy="38" r="32"/>${arc}<text class="ring-number" x="38" y="46">${score}</text></svg>`
}

const TREND = { left: 8, top: 8, width: WIDTH - 16, height: 90 }
const MOST_DOTS = 30

type MeasuredValue = TimedValue & { laboratory?: string | undefined }

/** Where another laboratory measured than before: values may differ for that reason alone. */
export const laboratoryChanges = <T extends MeasuredValue>(values: readonly T[]): { before: T; after: T }[] =>
  values.flatMap((after, index) => {
    const before = values[index - 1]
    const isOther = before?.laboratory && after.laboratory && before.laboratory !== after.laboratory
    return before && isOther ? [{ before, after }] : []
  })

/** Values over time in front of the normal range; a dashed line where the laboratory changed. */
export function trend(t: Translator, values: readonly MeasuredValue[], inRange: Interval | null, label: string): Part {
  const drawn = trendOf(values, inRange)
  if (!drawn) return null
  const { left, top, width, height } = TREND
  const at = (value: number) => round(top + (1 - Math.min(1, Math.max(0, drawn.height(value)))) * height)
  const points = drawn.points.map(({ x, y }) => ({ x: round(left + x * width), y: round(top + (1 - y) * height) }))
  const upper = inRange && inRange.high !== null ? at(inRange.high) : top
  const lower = inRange && inRange.low !== null ? at(inRange.low) : top + height
  const normal = inRange && lower > upper
  const dots = points.length > MOST_DOTS ? points.slice(-1) : points
  const changed = laboratoryChanges(values).map(({ before, after }) => {
    const [from, to] = [points[values.indexOf(before)], points[values.indexOf(after)]]
    const x = round(((from?.x ?? 0) + (to?.x ?? 0)) / 2)
    return html`<path class="trend-other" d="M${x} 2V104"/>`
  })
  const pointTexts = values.map(({ result, timestamp }) =>
    t('value.pointOfTime', { date: t.date(timestamp), value: t.number(result) }),
  )
  const words = t('value.drawnOverTime', { name: label, values: pointTexts.join(', ') })
  return html`<svg class="trend" viewBox="0 0 ${WIDTH} 106" role="img" aria-label="${words}">
${normal && html`<rect class="trend-normal" x="0" y="${upper}" width="${WIDTH}" height="${round(lower - upper)}"/>`}
${changed}<polyline class="trend-line" points="${points.map(({ x, y }) => `${x},${y}`).join(' ')}"/>
${dots.map(({ x, y }) => html`<circle class="trend-dot" cx="${x}" cy="${y}" r="4.5"/>`)}
</svg><p class="trend-ends small">${end(t, values[0])}${end(t, values.at(-1))}</p>`
}

const end = (t: Translator, value: TimedValue | undefined): Part =>
  value &&
  html`<span dir="${t.direction}">${t.date(value.timestamp)}<br><strong>${t.number(value.result)}</strong></span>`

/** The sign of a verdict: a circle within; outside a triangle that points to the side. */
export function verdictMark(side: 'within' | 'low' | 'high' | 'outside'): Html {
  const shapes = {
    within: html`<circle fill="currentColor" cx="7" cy="7" r="6"/>`,
    low: html`<path fill="currentColor" d="M7 13L.5 1h13z"/>`,
    high: html`<path fill="currentColor" d="M7 1l6.5 12H.5z"/>`,
    outside: html`<path fill="currentColor" d="M7 0l7 7-7 7-7-7z"/>`,
  }
  return html`<svg viewBox="0 0 14 14" aria-hidden="true">${shapes[side]}</svg>`
}
