import { type Observation, overallStatus, type ParsedFile, type ParsedReport } from '../parsed.ts'
import { Refusal } from '../refusal.ts'
import { distinct, specimenErrorsIn } from '../specimen-words.ts'
import { isUnitedStatesLab, labelledDay, orderIn, readHead } from './head.ts'
import { readPortal } from './portal.ts'
import { toObservation } from './row.ts'
import { type Found, readRows } from './rows.ts'
import { type Line, readLines } from './text.ts'

/** A page of results has more text than this; a scan at most a stamp. */
const minTextChars = 40

/** Results of a PDF with a text layer. A scan is for a person, also one with a scanner's text behind it; a known laboratory without any row is a failure. */
export async function parsePdf(bytes: Uint8Array, { maxPages }: { maxPages: number }): Promise<ParsedFile> {
  const { lines, pages, pagesWithoutText, isScanned } = await linesOf(bytes, maxPages)
  const text = lines.map((line) => line.text).join('\n')
  if (text.replace(/\s/g, '').length < minTextChars) throw new Refusal('NEEDS_REVIEW', 'scan')
  const order = orderIn(text)
  const table = readRows(lines, order)
  const found = table.found.length > 0 ? table.found : readPortal(lines)
  if (found.length === 0) {
    if (table.hasHeading || isUnitedStatesLab(text)) throw new Refusal('PARSE_FAILED')
    throw new Refusal('NEEDS_REVIEW', 'layout')
  }
  for (const page of new Set(found.map(({ row }) => row.line.page))) {
    if (await isScanned(page)) throw new Refusal('NEEDS_REVIEW', 'scan')
  }
  const notes = [...table.notes]
  if (pagesWithoutText.length > 0) {
    notes.push(`Pages without text, to be looked at: ${pagesWithoutText.slice(0, 20).join(', ')} of ${pages}`)
  }
  const reports = group(found, lines, order)
  if (reports.some(({ collectedDate }) => collectedDate === undefined))
    notes.push('No day of collection was found for certain')
  return { format: 'pdf', reports, notes: distinct(notes) }
}

async function linesOf(bytes: Uint8Array, maxPages: number) {
  try {
    return await readLines(bytes, maxPages)
  } catch (error) {
    // What pdf.js says may quote the file.
    throw error instanceof Refusal ? error : new Refusal('PARSE_FAILED')
  }
}

/** One report per day of collection; what stands before the first day belongs to it. */
function group(found: readonly Found[], lines: readonly Line[], order: ReturnType<typeof orderIn>): ParsedReport[] {
  const days = (label: 'collected' | 'resulted') =>
    lines.flatMap((_, index) => labelledDay(lines, index, label, order) ?? [])
  const [firstDay] = days('collected')
  const resultedDate = days('resulted').sort().at(-1)
  const head = readHead(lines, order)
  const byDay = new Map<string, Observation[]>()
  for (const { row, section, collectedDate = firstDay ?? '' } of found) {
    byDay.set(collectedDate, [...(byDay.get(collectedDate) ?? []), toObservation(row, section)])
  }
  const isCorrected = lines.some(({ text }) => /\b(corrected|amended) (report|result)\b/i.test(text))
  const isPreliminary = lines.some(({ text }) =>
    /\b(preliminary|partial) report\b|report status:?\s*(prelim|partial)/i.test(text),
  )
  return [...byDay].map(([day, observations]) => {
    const words = observations.flatMap(({ value, valueText, comment }) => [
      value === undefined ? valueText : '',
      comment ?? '',
    ])
    return {
      ...(day && { collectedDate: day }),
      ...(resultedDate && { resultedDate }),
      ...head,
      status: isCorrected
        ? 'corrected'
        : isPreliminary
          ? 'preliminary'
          : overallStatus(observations.map(({ status }) => status)),
      observations,
      specimenErrors: distinct(words.flatMap(specimenErrorsIn)),
    }
  })
}
