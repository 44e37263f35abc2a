import { areRangesSigned, LOINC_NOTICE } from '@kitlane/display/report-text'
import { openingOf } from '@kitlane/display/story'
import { upToItself } from '@kitlane/display/trend'
import { type Language, pdfLanguages, type Translator, translatorOf } from '../../../domain/translations/translator.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import { Sheet } from '../../../platform/pdf/sheet.ts'
import { inUnits } from '../units/in-units.ts'
import { drawHead, drawNote, drawNotices, drawOrigin, drawScores, heading, paragraph } from './pdf-head.ts'
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
import { openingWords } from './words.ts'

/** A report to print: A4, its fonts inside, its structure tagged for screen readers. The same report gives the same pages. */
export function draw(printable: Printable): Promise<Buffer> {
  const { business, issuedAt } = printable
  const { report, units } = inUnits(upToItself(printable.report), printable.units ?? 'conventional')
  const color = business.color ?? ink.accent
  const wanted = printable.language ?? 'en'
  const t = translatorOf(pdfLanguages.includes(wanted) ? wanted : 'en')
  const title = t('pdf.title', { report: report.id })
  const sheet = new Sheet({ title, author: business.name, at: issuedAt }, t)
  drawHead(sheet, printable, color)
  paragraph(sheet, openingWords(t, openingOf(report)), ink.text, 11)
  if (wanted !== 'en') paragraph(sheet, languageNotice(t, wanted))
  sheet.y += 4
  drawNotices(sheet, report)
  drawNote(sheet, report)
  drawOrigin(sheet, report)
  drawChanges(sheet, report.details)
  drawResults(sheet, report.biomarker)
  drawUnjudged(sheet, report.biomarker)
  drawUnassessed(sheet, report.unassessed)
  drawScores(sheet, report.axes, color)
  drawLaboratoryWords(sheet, report.biomarker)
  drawConversions(sheet, units)
  if (report.suggestions.length > 0) {
    heading(sheet, t('pdf.next'), 14)
    for (const { text } of report.suggestions) paragraph(sheet, String(text), ink.text, 8.5)
  }
  drawTrends(sheet, report.biomarker)
  const version = t('pdf.footer', { report: report.id, version: report.details.version })
  const notice = t(areRangesSigned(report.biomarker) ? 'report.rangesSigned' : 'report.rangesUnsigned')
  return sheet.finish((number, count) =>
    drawFooter(sheet, [version, notice], t('pdf.page', { page: number, pages: count })),
  )
}

/** What is not in the language that was wanted. */
const languageNotice = (t: Translator, wanted: Language): string =>
  t.language === wanted ? t('report.english') : t('pdf.inEnglish', { language: t.languageName(wanted) })

function drawFooter(sheet: Sheet, [version, notice]: [string, string], number: string): void {
  const { left, right, width } = page
  sheet.doc.rect(left, 792, width, 0.5).fill(ink.line)
  const style = { width: width - 120, size: 6.5, color: ink.soft } as const
  // One line in any language.
  const fits = style.width / sheet.doc.font('regular', style.size).widthOfString(notice)
  sheet.write(notice, left, 797, { ...style, size: style.size * Math.min(1, fits * 0.99) })
  sheet.write(LOINC_NOTICE, left, 806, { ...style, size: 5.5 })
  sheet.write(version, right - 120, 797, { ...style, width: 120, align: 'right' })
  sheet.write(number, right - 120, 806, { ...style, width: 120, align: 'right' })
}
