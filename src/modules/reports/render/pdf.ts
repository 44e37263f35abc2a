import { LOINC_NOTICE } from '@kitlane/display/report-text'
import { openingOf } from '@kitlane/display/story'
import { upToItself } from '@kitlane/display/trend'
import { type Translator, translatorOf } from '../../../domain/translations/translator.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import { Sheet } from '../../../platform/pdf/sheet.ts'
import type { Report } from '../schema.ts'
import { inUnits } from '../units/in-units.ts'
import { drawHead, drawNote, drawNotices, drawOrigin, drawScores, drawUrgent, heading, paragraph } from './pdf-head.ts'
import {
  drawChanges,
  drawConversions,
  drawLaboratoryWords,
  drawResults,
  drawUnassessed,
  drawUnjudged,
} from './pdf-results.ts'
import { drawTrends } from './pdf-trends.ts'
import type { Printable } from './subject.ts'
import { openingWords, rangesWords } from './words.ts'

/** A report to print: A4, its fonts inside, its structure tagged for screen readers. The same report gives the same pages. */
export function draw(printable: Printable): Promise<Buffer> {
  const { business, issuedAt } = printable
  const { report, units } = inUnits(upToItself(printable.report), printable.units ?? 'conventional')
  const color = business.color ?? ink.accent
  const t = translatorOf(printable.language ?? 'en')
  const title = t('pdf.title', { report: report.id })
  const sheet = new Sheet({ title, author: business.name, at: issuedAt }, t)
  drawHead(sheet, printable, color)
  drawUrgent(sheet, report)
  paragraph(sheet, openingWords(t, openingOf(report)), ink.text, 11)
  if (t.language !== 'en') paragraph(sheet, t('report.names'))
  sheet.y += 4
  drawNotices(sheet, report)
  drawNote(sheet, report)
  drawOrigin(sheet, report)
  drawChanges(sheet, report.details)
  drawResults(sheet, report.biomarker)
  drawUnjudged(sheet, report.biomarker)
  drawUnassessed(sheet, report.unassessed)
  drawScores(sheet, report, color)
  drawLaboratoryWords(sheet, report.biomarker)
  drawConversions(sheet, units)
  if (report.suggestions.length > 0) {
    heading(sheet, t('pdf.next'), 14)
    for (const one of report.suggestions) paragraph(sheet, nextStep(t, report, one), ink.text, 8.5)
  }
  drawTrends(sheet, report.biomarker)
  const version = t('pdf.footer', { report: report.id, version: report.details.version })
  const notice = rangesWords(t, report.biomarker)
  return sheet.finish((number, count) =>
    drawFooter(sheet, [version, notice], t('pdf.page', { page: number, pages: count })),
  )
}

/** A suggestion with the names of its language; as it is kept where a result of it is no longer there. */
function nextStep(t: Translator, { biomarker }: Report, { text, biomarkers }: Report['suggestions'][number]): string {
  const entries = biomarker.filter(({ id }) => biomarkers.includes(id))
  if (t.language === 'en' || entries.length !== biomarkers.length) return String(text)
  const says = entries.some(({ finding }) => finding) ? 'pdf.next.unexpected' : 'pdf.next.outside'
  return t(says, { names: t.list(entries.map(({ label }) => t.nameOf(label))), count: entries.length })
}

function drawFooter(sheet: Sheet, [version, notice]: [string, string], number: string): void {
  const { left, right, width } = page
  sheet.doc.rect(left, 792, width, 0.5).fill(ink.line)
  const style = { width: width - 120, size: 6.5, color: ink.soft } as const
  // One line in any language.
  const fits = style.width / sheet.widthOf(notice, style.size)
  sheet.write(notice, left, 797, { ...style, size: style.size * Math.min(1, fits * 0.99) })
  sheet.write(LOINC_NOTICE, left, 806, { ...style, size: 5.5 })
  sheet.write(version, right - 120, 797, { ...style, width: 120, align: 'right' })
  sheet.write(number, right - 120, 806, { ...style, width: 120, align: 'right' })
}
