import { originFacts } from '@kitlane/display/origin'
import { ADULT_AGE } from '../../../domain/age.ts'
import type { Translator } from '../../../domain/translations/translator.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import type { Sheet } from '../../../platform/pdf/sheet.ts'
import { emptyOrigin } from '../origin/rules.ts'
import type { Report } from '../schema.ts'
import { drawRing } from './charts.ts'
import type { Owner, Printable } from './subject.ts'
import { conditionWords, isRecall, originWords, urgentOf, urgentWords } from './words.ts'

/** A section's title; `next` is the height of what must stand below it on the same page. */
export function heading(sheet: Sheet, title: string, next: number, aside = ''): void {
  sheet.need(30 + next)
  sheet.y += 10
  sheet.block('H2', 20, (y) => {
    sheet.write(title, page.left, y, { width: 300, size: 11, font: 'bold' })
    if (aside) sheet.write(aside, page.left + 300, y + 3, { width: 215, size: 7.5, color: ink.soft, align: 'right' })
  })
  sheet.artifact(() => sheet.doc.rect(page.left, sheet.y - 4, page.width, 0.75).fill(ink.line))
}

/** A paragraph over the whole width. */
export function paragraph(sheet: Sheet, text: string, color: string = ink.soft, size = 8): void {
  const height = sheet.measure(text, page.width, size)
  sheet.block('P', height + 4, (y) => sheet.write(text, page.left, y, { width: page.width, size, color }))
}

/** Who issued the report, what it is and whom it is about. */
export function drawHead(sheet: Sheet, { report, owner, business, mode }: Printable, color: string): void {
  const { details } = report
  const { t } = sheet
  const day = (date: string | undefined) => date && t.date(date)
  sheet.artifact(() => sheet.doc.rect(0, 0, 596, 10).fill(color))
  sheet.y = 30
  const nameHeight = sheet.measure(business.name, 300, 15, 'bold')
  sheet.block('P', 0, (y) => sheet.write(business.name, page.left, y, { width: 300, size: 15, font: 'bold' }))
  sheet.block('H1', Math.max(nameHeight, 30) + 10, (y) => {
    const isCorrected = details.vendorStatus === 'corrected'
    sheet.write(t(isCorrected ? 'pdf.corrected' : 'pdf.heading'), 345, y, {
      width: 210,
      size: 12,
      align: 'right',
    })
    sheet.write(report.id, 345, y + 16, { width: 210, size: 9, color: ink.soft, align: 'right' })
  })
  if (mode === 'sandbox') notice(sheet, t('pdf.sandbox'))
  const sex = owner.gender && t(({ M: 'pdf.male', F: 'pdf.female', X: 'pdf.other' } as const)[owner.gender])
  const facts: [string, string | undefined][] = [
    [t('pdf.name'), owner.name],
    [t('pdf.collected'), day(details.collectedDate)],
    [t('pdf.customer'), String(owner.id)],
    [t('pdf.resulted'), day(details.resultedDate)],
    [t('pdf.born'), bornText(t, owner, details)],
    [t('pdf.published'), day(details.publishedDate)],
    [t('pdf.sex'), sex ?? undefined],
    [t('pdf.version'), versionText(t, details)],
    [t('pdf.kit'), report.kitID],
    [t('origin.laboratory'), t(`pdf.status.${details.vendorStatus}`)],
  ]
  const { issuedDate, vendorStatus } = details
  if (issuedDate)
    facts.splice(6, 0, [t(vendorStatus === 'corrected' ? 'pdf.correctedOn' : 'pdf.updatedOn'), day(issuedDate)])
  const { approval } = report
  if (approval)
    facts.push(
      [t('pdf.approvedBy'), `${approval.provider}, NPI ${approval.npi}`],
      [t('pdf.approved'), day(approval.date.slice(0, 10))],
    )
  for (let row = 0; row < facts.length; row += 2) drawFacts(sheet, facts.slice(row, row + 2))
  sheet.y += 6
}

function bornText(t: Translator, { dateOfBirth }: Owner, { age }: Report['details']): string | undefined {
  if (dateOfBirth === null) return undefined
  const date = t.date(dateOfBirth)
  return age !== undefined && age < ADULT_AGE ? t('pdf.bornAge', { date, age }) : date
}

const versionText = (t: Translator, { version, latestVersion: latest }: Report['details']) =>
  latest === 1 ? '1' : t('pdf.versionOf', { version, latest })

function drawFacts(sheet: Sheet, facts: readonly [string, string | undefined][]): void {
  const width = 165
  const height = Math.max(
    ...facts.map(([name, value]) => Math.max(sheet.measure(name, 75, 8), sheet.measure(value ?? '–', width, 9))),
  )
  sheet.block('P', height + 4, (y) => {
    for (const [index, [name, value]] of facts.entries()) {
      const x = page.left + index * 265
      sheet.write(name, x, y + 1, { width: 75, size: 8, color: ink.soft })
      sheet.write(value ?? '–', x + 78, y, { width, size: 9 })
    }
  })
}

/** Where, on which specimen and when it was tested: what the law asks of a laboratory's report. */
export function drawOrigin(sheet: Sheet, { origin = emptyOrigin, details }: Report): void {
  const { t } = sheet
  heading(sheet, t('pdf.origin'), 30)
  for (const [name, value] of originFacts({ ...origin, collectedSaid: details.collectedSaid }, originWords(t))) {
    const [x, width] = [page.left + 135, page.width - 135]
    sheet.block('P', sheet.measure(value, width, 8.5) + 3, (y) => {
      sheet.write(name, page.left, y + 0.5, { width: 130, size: 8, color: ink.soft })
      sheet.write(value, x, y, { width, size: 8.5 })
    })
  }
}

/** What comes before all else: that the results may be wrong, and which of them a doctor must see today. */
export function drawUrgent(sheet: Sheet, report: Report): void {
  const { t } = sheet
  if (report.labParamsError.some(isRecall)) notice(sheet, t('report.recalled'), t('report.recalled.title'))
  const urgent = urgentWords(t, report)
  if (urgent) notice(sheet, urgent.text, urgent.title)
}

/** What a reader must know before the results. */
export function drawNotices(sheet: Sheet, { details, labParamsError }: Report): void {
  const { t } = sheet
  const { version, latestVersion: latest, vendorStatus, reason, personCorrected = [] } = details
  if (version < latest) notice(sheet, t('pdf.older', { version, latest }))
  if (version === latest && vendorStatus === 'partial') notice(sheet, t('report.partial'))
  if (reason !== undefined) notice(sheet, t('report.why', { version, reason: String(reason) }))
  for (const { field, date } of personCorrected) notice(sheet, t(`report.person.${field}`, { date: t.date(date) }))
  for (const { label, withdrawnDate, reason } of details.withdrawn ?? [])
    notice(sheet, t('report.withdrawn', { name: t.nameOf(label), date: t.date(withdrawnDate), reason: String(reason) }))
  for (const code of labParamsError) if (!isRecall(code)) notice(sheet, conditionWords(t, code))
}

/** What a clinician wrote to the person. */
export function drawNote(sheet: Sheet, { note, details }: Report): void {
  if (!note) return
  const { t } = sheet
  heading(sheet, t('report.note'), 20)
  for (const text of note.text.split(/\n\s*\n/)) paragraph(sheet, text, ink.text, 9)
  const by = { author: note.author, date: t.date(note.date), version: note.version }
  paragraph(sheet, t(note.version < details.version ? 'report.note.byOlder' : 'report.note.by', by))
}

function notice(sheet: Sheet, text: string, title = ''): void {
  const width = page.width - 20
  const titleHeight = title && sheet.measure(title, width, 10, 'bold') + 2
  const top = 4 + Number(titleHeight)
  const height = sheet.measure(text, width, 8.5) + top + 4
  sheet.need(height + 5)
  sheet.artifact(() => sheet.doc.roundedRect(page.left, sheet.y, page.width, height, 3).fill(ink.warningBack))
  sheet.block('P', height + 5, (y) => {
    if (title) sheet.write(title, page.left + 10, y + 4, { width, size: 10, font: 'bold', color: ink.warning })
    sheet.write(text, page.left + 10, y + top, { width, size: 8.5, color: ink.warning })
  })
}

const PER_ROW = 5
const RING_HEIGHT = 78

/** A ring for each category; one with a critical value has no number, which would hide it. */
export function drawScores(sheet: Sheet, { axes, biomarker }: Report, color: string): void {
  if (axes.length === 0) return
  const { t } = sheet
  heading(sheet, t('pdf.categories'), RING_HEIGHT, t('pdf.scale'))
  const width = page.width / PER_ROW
  const critical = new Set(urgentOf(biomarker).map(({ category }) => category.name))
  for (const [index, { category: english, result: score }] of axes.entries()) {
    const isCritical = score !== null && critical.has(english)
    const result = isCritical ? null : score
    const none = t(isCritical ? 'report.scores.critical' : 'pdf.noData')
    const category = t.nameOf(english)
    const column = index % PER_ROW
    if (column === 0) sheet.need(RING_HEIGHT)
    const x = page.left + (column + 0.5) * width
    const top = sheet.y
    const alt = result === null ? `${category}: ${none}` : t('pdf.score', { name: category, score: result })
    sheet.figure(alt, () => {
      drawRing(sheet, sheet.at(x, 0), top + 26, 20, result, color)
      const text = result === null ? '–' : String(result)
      sheet.write(text, x - 20, top + 19, { width: 40, size: 12, font: 'bold', align: 'center' })
      sheet.write(category, x - width / 2, top + 52, { width, size: 7.5, align: 'center' })
      if (result !== null) return
      sheet.write(none, x - width / 2, top + 62, { width, size: 6.5, color: ink.soft, align: 'center' })
    })
    if (column === PER_ROW - 1 || index === axes.length - 1) sheet.y += RING_HEIGHT
  }
  paragraph(sheet, t('report.scores.notice'), ink.soft, 7)
}
