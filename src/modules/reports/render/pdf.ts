import { LOINC_NOTICE, rangesNotice } from '@kitlane/display/report-text'
import { openingText } from '@kitlane/display/story'
import { upToItself } from '@kitlane/display/trend'
import { ink, page } from '../../../platform/pdf/paper.ts'
import { Sheet } from '../../../platform/pdf/sheet.ts'
import { inUnits } from '../units/in-units.ts'
import { ink, page } from './look.ts'
import { drawHead, drawNote, drawNotices, drawOrigin, drawScores, heading, paragraph } from './pdf-head.ts'
import { drawChanges, drawConversions, drawResults, drawSaid, drawUnassessed, drawUnjudged } from './pdf-results.ts'
import { drawTrends } from './pdf-trends.ts'
import type { Printable } from './subject.ts'

/** A report to print: A4, its fonts inside, its structure tagged for screen readers. The same report gives the same pages. */
export function draw(printable: Printable): Promise<Buffer> {
  const { business, issuedAt } = printable
  const { report, units } = inUnits(upToItself(printable.report), printable.units ?? 'conventional')
  const color = business.color ?? ink.accent
  const sheet = new Sheet({ title: `Laboratory report ${report.id}`, author: business.name, at: issuedAt })
  drawHead(sheet, printable, color)
  paragraph(sheet, openingText(report), ink.text, 11)
  sheet.y += 4
  drawNotices(sheet, report)
  drawNote(sheet, report)
  drawOrigin(sheet, report)
  drawChanges(sheet, report.details)
  drawResults(sheet, report.biomarker)
  drawUnjudged(sheet, report.biomarker)
  drawUnassessed(sheet, report.unassessed)
  drawScores(sheet, report.axes, color)
  drawSaid(sheet, report.biomarker)
  drawConversions(sheet, units)
  if (report.suggestions.length > 0) {
    heading(sheet, 'Next steps', 14)
    for (const { text } of report.suggestions) paragraph(sheet, text, ink.text, 8.5)
  }
  drawTrends(sheet, report.biomarker)
  const version = `${report.id}, version ${report.details.version}`
  return sheet.finish((number, count) =>
    drawFooter(sheet, [version, rangesNotice(report.biomarker)], `Page ${number} of ${count}`),
  )
}

function drawFooter(sheet: Sheet, [version, notice]: [string, string], number: string): void {
  const { left, right, width } = page
  sheet.doc.rect(left, 792, width, 0.5).fill(ink.line)
  const style = { width: width - 120, size: 6.5, color: ink.soft } as const
  sheet.write(notice, left, 797, style)
  sheet.write(LOINC_NOTICE, left, 806, { ...style, size: 5.5 })
  sheet.write(version, right - 120, 797, { ...style, width: 120, align: 'right' })
  sheet.write(number, right - 120, 806, { ...style, width: 120, align: 'right' })
}
