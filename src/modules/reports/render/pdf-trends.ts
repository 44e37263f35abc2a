import { unitText } from '@kitlane/display/report-text'
import { ink, page } from '../../../platform/pdf/paper.ts'
import type { Sheet } from '../../../platform/pdf/sheet.ts'
import type { Report } from '../schema.ts'
import { drawTrend } from './charts.ts'
import { heading } from './pdf-head.ts'

const PER_ROW = 3
const GAP = 14
const CELL = { width: (page.width - GAP * (PER_ROW - 1)) / PER_ROW, height: 88 }
const PLOT = { left: 32, top: 13, height: 48 }

/** A chart over time for everything that was measured at least twice. */
export function drawTrends(sheet: Sheet, entries: Report['biomarker']): void {
  const followed = entries.filter(({ historic }) => historic.length > 1)
  if (followed.length === 0) return
  heading(sheet, sheet.t('pdf.overTime'), CELL.height, sheet.t('pdf.shaded'))
  for (const [index, entry] of followed.entries()) {
    const column = index % PER_ROW
    if (column === 0) sheet.need(CELL.height)
    drawCell(sheet, page.left + column * (CELL.width + GAP), entry)
    if (column === PER_ROW - 1 || index === followed.length - 1) sheet.y += CELL.height
  }
}

function drawCell(sheet: Sheet, x: number, entry: Report['biomarker'][number]): void {
  const { displayUnit, historic, ranges } = entry
  const results = historic.map(({ result }) => result)
  const [first, last] = [historic[0], historic.at(-1)]
  const { y, t } = sheet
  const name = t.nameOf(entry.shortLabel)
  const box = { x: x + PLOT.left, y: y + PLOT.top, width: CELL.width - PLOT.left, height: PLOT.height }
  const [from = '', to = ''] = [first, last].map((point) => point && t.date(point.timestamp))
  const values = results.map(t.number).join(', ')
  sheet.figure(t('pdf.overTimeAlt', { name, from, to, values }), () => {
    const title = [name, unitText(displayUnit)].filter(Boolean).join(', ')
    sheet.write(title, x, y, { width: CELL.width, size: 7.5, font: 'bold', isOneLine: true })
    sheet.fromLeft(x, CELL.width, () => {
      drawTrend(sheet, box, historic, ranges.inRange)
      const label = { width: PLOT.left - 4, size: 6.5, color: ink.soft, align: 'right' } as const
      sheet.write(t.number(Math.max(...results)), x, box.y + 2, label)
      sheet.write(t.number(Math.min(...results)), x, box.y + box.height - 10, label)
      const date = { width: box.width / 2, size: 6.5, color: ink.soft } as const
      sheet.write(from, box.x, box.y + box.height + 2, date)
      const right = { ...date, align: 'right' } as const
      sheet.write(to, box.x + box.width / 2, box.y + box.height + 2, right)
    })
  })
}
