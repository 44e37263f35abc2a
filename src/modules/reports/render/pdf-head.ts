import { originFacts } from '@kitlane/display/origin'
import { conditionText, dateText, SCORE_NOTICE, vendorStatusText, withdrawnText } from '@kitlane/display/report-text'
import { ADULT_AGE } from '../../../domain/age.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import type { Sheet } from '../../../platform/pdf/sheet.ts'
import type { Report } from '../schema.ts'
import { drawRing } from './charts.ts'
import type { Owner, Printable } from './subject.ts'

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
  sheet.artifact(() => sheet.doc.rect(0, 0, 596, 10).fill(color))
  sheet.y = 30
  const nameHeight = sheet.measure(business.name, 300, 15, 'bold')
  sheet.block('P', 0, (y) => sheet.write(business.name, page.left, y, { width: 300, size: 15, font: 'bold' }))
  sheet.block('H1', Math.max(nameHeight, 30) + 10, (y) => {
    const isCorrected = details.vendorStatus === 'corrected'
    sheet.write(isCorrected ? 'Corrected laboratory report' : 'Laboratory report', 345, y, {
      width: 210,
      size: 12,
      align: 'right',
    })
    sheet.write(report.id, 345, y + 16, { width: 210, size: 9, color: ink.soft, align: 'right' })
  })
  if (mode === 'sandbox') notice(sheet, 'Sandbox: test data of no real person.')
  const sex = owner.gender && { M: 'male', F: 'female', X: 'other' }[owner.gender]
  const facts: [string, string | undefined][] = [
    ['Name', owner.name],
    ['Collected', dateText(details.collectedDate)],
    ['Customer', String(owner.id)],
    ['Resulted', dateText(details.resultedDate)],
    ['Date of birth', bornText(owner, details)],
    ['Published', dateText(details.publishedDate)],
    ['Sex', sex ?? undefined],
    ['Version', versionText(details)],
    ['Kit', report.kitID],
    ['Laboratory', vendorStatusText(details.vendorStatus)],
  ]
  for (let row = 0; row < facts.length; row += 2) drawFacts(sheet, facts.slice(row, row + 2))
  sheet.y += 6
}

const bornText = ({ dateOfBirth }: Owner, { age }: Report['details']) => {
  const born = dateText(dateOfBirth ?? undefined)
  return born && age !== undefined && age < ADULT_AGE ? `${born} (age ${age})` : born
}

const versionText = ({ version, latestVersion }: Report['details']) =>
  latestVersion === 1 ? '1' : `${version} of ${latestVersion}`

function drawFacts(sheet: Sheet, facts: readonly [string, string | undefined][]): void {
  const width = 165
  const height = Math.max(...facts.map(([, value]) => sheet.measure(value ?? '–', width, 9)))
  sheet.block('P', height + 4, (y) => {
    for (const [index, [name, value]] of facts.entries()) {
      const x = page.left + index * 265
      sheet.write(name, x, y + 1, { width: 75, size: 8, color: ink.soft })
      sheet.write(value ?? '–', x + 78, y, { width, size: 9 })
    }
  })
}

/** Where it was tested, of which specimen, and when: what the law asks of a laboratory's report. */
export function drawOrigin(sheet: Sheet, { origin }: Report): void {
  heading(sheet, 'Laboratory and specimen', 30)
  for (const [name, value] of originFacts(origin ?? { laboratories: [], specimens: [], notes: [] })) {
    const [x, width] = [page.left + 135, page.width - 135]
    sheet.block('P', sheet.measure(value, width, 8.5) + 3, (y) => {
      sheet.write(name, page.left, y + 0.5, { width: 130, size: 8, color: ink.soft })
      sheet.write(value, x, y, { width, size: 8.5 })
    })
  }
}

/** What a reader must know before the results. */
export function drawNotices(sheet: Sheet, { details, labParamsError }: Report): void {
  const { version, latestVersion, vendorStatus } = details
  if (version < latestVersion) {
    notice(sheet, `This is version ${version}. It was replaced by version ${latestVersion}, which counts.`)
  }
  if (version === latestVersion && vendorStatus === 'partial')
    notice(sheet, 'More results of this sample are still to come.')
  if (details.reason !== undefined) notice(sheet, `Why there is a version ${version}: ${details.reason}`)
  for (const one of details.withdrawn ?? []) notice(sheet, withdrawnText(one))
  for (const code of labParamsError) notice(sheet, conditionText(code))
}

/** What a clinician wrote to the person. */
export function drawNote(sheet: Sheet, { note, details }: Report): void {
  if (!note) return
  heading(sheet, 'A note with this report', 20)
  for (const text of note.text.split(/\n\s*\n/)) paragraph(sheet, text, ink.text, 9)
  const older = note.version < details.version ? `, about version ${note.version}` : ''
  paragraph(sheet, `${note.author}, ${dateText(note.date)}${older}`)
}

function notice(sheet: Sheet, text: string): void {
  const height = sheet.measure(text, page.width - 20, 8.5) + 8
  sheet.need(height + 5)
  sheet.artifact(() => sheet.doc.roundedRect(page.left, sheet.y, page.width, height, 3).fill(ink.warningBack))
  sheet.block('P', height + 5, (y) =>
    sheet.write(text, page.left + 10, y + 4, { width: page.width - 20, size: 8.5, color: ink.warning }),
  )
}

const PER_ROW = 5
const RING_HEIGHT = 78

/** A ring for each category. */
export function drawScores(sheet: Sheet, axes: Report['axes'], color: string): void {
  if (axes.length === 0) return
  heading(sheet, 'Categories', RING_HEIGHT, 'Scores from 0 to 100')
  const width = page.width / PER_ROW
  for (const [index, { category, result }] of axes.entries()) {
    const column = index % PER_ROW
    if (column === 0) sheet.need(RING_HEIGHT)
    const x = page.left + (column + 0.5) * width
    const top = sheet.y
    sheet.figure(`${category}: ${result === null ? 'not enough data' : `score ${result} of 100`}`, () => {
      drawRing(sheet, x, top + 26, 20, result, color)
      const text = result === null ? '–' : String(result)
      sheet.write(text, x - 20, top + 19, { width: 40, size: 12, font: 'bold', align: 'center' })
      sheet.write(category, x - width / 2, top + 52, { width, size: 7.5, align: 'center' })
      if (result !== null) return
      sheet.write('not enough data', x - width / 2, top + 62, { width, size: 6.5, color: ink.soft, align: 'center' })
    })
    if (column === PER_ROW - 1 || index === axes.length - 1) sheet.y += RING_HEIGHT
  }
  paragraph(sheet, SCORE_NOTICE, ink.soft, 7)
}
