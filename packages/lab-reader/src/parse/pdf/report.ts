import { footnoteIn, isNamedIn, speaksOfAll } from '../about.ts'
import { annuls, madeUpIn } from '../annulling.ts'
import { withTextsAround } from '../around.ts'
import { isHarmless, isVerdict, saysSomethingOfAll, withDoubt } from '../beside.ts'
import { pendingIn, pendingTest, statusUnder } from '../csv/titles.ts'
import { chooseLayout, type Layout, withLayout } from '../layout.ts'
import { noteOfLeftOut } from '../left-out.ts'
import { commasIn, isPrintedNumber } from '../number.ts'
import { impossibleTimes } from '../order-of-times.ts'
import type { Observation, ParsedFile, ParsedReport, Patient } from '../parsed.ts'
import { Refusal } from '../refusal.ts'
import { isProse, remarkOf } from '../remark.ts'
import {
  distinct,
  isOfAnother,
  specimenErrorsBeside,
  specimenErrorsIn,
  specimenErrorsOfResults,
} from '../specimen-words.ts'
import { anothersIn, statementIn } from '../statements.ts'
import { overallStatus, withNote } from '../status.ts'
import { clean, cleaned } from '../text.ts'
import { columnsIn } from './columns.ts'
import { unreadLines } from './count.ts'
import { labelledDay, orderBeside, orderIn, readHead, readPeople, unreadDayIn } from './head.ts'
import { type Block, emptyTables, type Found, rowsIn } from './page.ts'
import { readPlain } from './plain.ts'
import { readPortal } from './portal.ts'
import { printedIn, type Row, toObservation } from './row.ts'
import { readBlocks } from './rows.ts'
import { areFootnotes, labelledSpecimen } from './section.ts'
import { translate } from './taught.ts'
import { type Line, type PdfText, readLines } from './text.ts'
import { withHeadings } from './unheaded.ts'

/** A page of results has more text than this; a scan at most a stamp. */
const minTextChars = 40

/** Results of a PDF with a text layer. A scan is for a person, also one with a scanner's text behind it, and what has no row that is understood. */
export async function parsePdf(
  bytes: Uint8Array,
  { maxPages, layouts = [] }: { maxPages: number; layouts?: readonly Layout[] },
): Promise<ParsedFile> {
  const pdf = await linesOf(bytes, maxPages)
  const text = pdf.lines.map((line) => line.text).join('\n')
  if (text.replace(/\s/g, '').length < minTextChars) throw new Refusal('NEEDS_REVIEW', 'scan')
  const chosen = chooseLayout(layouts, 'pdf', text)
  return withLayout(chosen, async () => {
    const file = await parseLines(pdf, text, chosen.layout)
    const { layout } = chosen
    return { ...file, ...(layout && { layout: layout.name }), notes: [...chosen.notes, ...file.notes] }
  })
}

async function parseLines(
  { lines: printed, pages, pagesWithoutText, title, isScanned }: PdfText,
  text: string,
  layout: Layout | undefined,
): Promise<ParsedFile> {
  const { lines, rows, leftOut: ignored } = translate(printed, layout)
  const order = orderIn(text, layout?.dayOrder)
  const { blocks, found, inTables } = rowsOf(rows, order, layout)
  // Of a layout that is mostly not understood, the rest is not to be trusted either.
  const unread = found.filter(({ row }) => row.doubt === 'unreadable').length
  if (found.length === 0 || 2 * unread > found.length) throw new Refusal('NEEDS_REVIEW', 'layout')
  for (const page of new Set(found.map(({ row }) => row.line.page))) {
    if (await isScanned(page)) throw new Refusal('NEEDS_REVIEW', 'scan')
  }
  const empty = emptyTables(blocks).map(({ page }) => page)
  const notes = [
    ...blocks.flatMap(({ history, others: [line] }) =>
      history && line ? [`Page ${line.page} holds a table of earlier results, which was left out`] : [],
    ),
    ...empty.map((page) => `Page ${page} holds a table of which no row could be read`),
  ]
  if (pagesWithoutText.length > 0) {
    notes.push(`Pages without text, to be looked at: ${pagesWithoutText.slice(0, 20).join(', ')} of ${pages}`)
  }
  const reports = group(found, lines, order, { layout, title })
  reports[0]?.observations.push(
    ...empty.map((page) => unreadPart(page, 'a table of which no row could be read')),
    ...pagesWithoutText.map((page) => unreadPart(page, 'a picture without text')),
  )
  const { unread: lost, left } = unreadLines(blocks, inTables.length > 0 ? [] : found.map(({ row }) => row.line))
  notes.push(...noteOfLeftOut(left))
  reports[0]?.observations.push(...lost.map(unreadLine))
  if (reports.some(({ collectedDate }) => collectedDate === undefined))
    notes.push('No day of collection was found for certain')
  return { format: 'pdf', reports, notes: distinct(notes), leftOut: left.length + ignored }
}

interface Tables {
  blocks: Block[]
  inTables: Found[]
  found: Found[]
}

/** The results of tables with headings, of layouts without any, or of columns that are plain without them. */
function rowsOf(rows: readonly Line[], order: DayOrder, layout: Layout | undefined): Tables {
  const blocks = readBlocks(rows, order)
  const inTables = rowsIn(blocks)
  const found = inTables.length > 0 ? inTables : withoutTable(rows, order, layout)
  const isHeaded = layout || rows.some((line) => columnsIn(line))
  const headed = found.length > 0 || isHeaded ? undefined : withHeadings(rows)
  return headed ? rowsOf(headed, order, layout) : { blocks, inTables, found }
}

/**
 * The reading that finds more: of cards and brackets, or of results that each fill a line. Lines below headings, or of a layout
 * that somebody taught, mean what those say.
 */
function withoutTable(rows: readonly Line[], order: DayOrder, layout: Layout | undefined): Found[] {
  const cards = readPortal(rows, order)
  const plain = layout || rows.some((line) => columnsIn(line)) ? [] : readPlain(rows, order)
  return plain.length > cards.length ? plain : cards
}

/** A part of a document that could not be read: it may hold anything. */
const unreadPart = (page: number, what: string): Observation => ({
  name: `Page ${page}: ${what}`,
  valueText: '',
  status: 'final',
  doubt: 'unreadable',
  position: `page ${page}`,
  raw: '',
})

/** A line that looks like a result and stands outside of what was read. */
const unreadLine = ({ cells, text, page, number }: Line): Observation => ({
  name: clean(cells[0]?.text ?? '', 200),
  valueText: clean(text.slice(cells[0]?.text.length ?? 0), 200),
  status: 'final',
  doubt: 'unreadable',
  position: `page ${page}, line ${number}`,
  raw: clean(text, 400),
})

async function linesOf(bytes: Uint8Array, maxPages: number) {
  try {
    return await readLines(bytes, maxPages)
  } catch (error) {
    // Messages of pdf.js may quote the file.
    throw error instanceof Refusal ? error : new Refusal('PARSE_FAILED')
  }
}

interface Part {
  day: string
  patient: Patient | undefined
  observations: Observation[]
}

type DayOrder = ReturnType<typeof orderIn>
type IsOwn = (row: Row) => (comment: string) => boolean

/** One report per day of collection and person. What is printed before the first day belongs to it. */
function group(
  found: readonly Found[],
  lines: readonly Line[],
  printedOrder: DayOrder,
  { layout, title }: { layout: Layout | undefined; title: string },
): ParsedReport[] {
  const commas = commasIn(
    found.flatMap(({ row }) => printedIn(row)),
    layout?.decimalSign,
  )
  const order = layout?.dayOrder ? printedOrder : orderBeside(commas, lines, printedOrder)
  const days = (label: 'collected' | 'received' | 'resulted') =>
    lines.flatMap((_, index) => labelledDay(lines, index, label, order) ?? [])
  const [firstDay] = days('collected')
  const unreadDay = cleaned(unreadDayIn(lines, order), 60)
  const [received, resultedDate] = (['received', 'resulted'] as const).map((label) => days(label).sort().at(-1))
  const head = readHead(lines, order)
  const people = readPeople(lines, order)
  const byDay = new Map<string, Part>()
  const others = (row: Row) => found.flatMap((one) => (one.row.name === row.name ? [] : one.row.name))
  const isOwn: IsOwn = (row) => (comment) =>
    isNamedIn(comment, row.name) || !others(row).some((name) => isNamedIn(comment, name))
  const noted = found.filter(({ row }) => isPrintedNumber(row.text))
  const ofOthers = noted.flatMap(({ row }) => row.comments.filter((note) => !isOwn(row)(note) && !annuls(note)))
  for (const one of found) {
    const day = one.collectedDate ?? firstDay ?? ''
    const patient = people.isOfSeveral ? people.of(one.row.line.page) : head.patient
    const key = `${day} ${people.isOfSeveral ? JSON.stringify(patient) : ''}`
    const part = byDay.get(key) ?? { day, patient, observations: [] }
    const named = ofOthers.filter((comment) => isNamedIn(comment, one.row.name))
    const own = { ...one.row, comments: [...one.row.comments.filter(isOwn(one.row)), ...named] }
    part.observations.push(toObservation(own, one, commas))
    byDay.set(key, part)
  }
  const standings = new Set(lines.map(({ text }) => withNote('final', text)))
  const isCorrected =
    standings.has('corrected') || lines.some(({ text }) => /\b(corrected|amended) (report|result)\b/i.test(text))
  const isPreliminary = lines.some(({ text }) =>
    /\b(preliminary|partial) report\b|report status:?\s*(prelim|partial)/i.test(text),
  )
  const around = textsAround(found, lines, isOwn)
  const pending = distinct([...pendingAround(around), ...found.flatMap(({ row }) => row.comments.flatMap(pendingIn))])
  // A watermark may stand in the row that it crosses.
  const marks = [title, ...lines.map(({ text }) => text)].flatMap(madeUpIn)
  // Beside the name: "Species: Canine", "Sample: control material".
  const cells = lines.flatMap((line) => line.cells.map(({ text }) => text))
  const fields = cells.filter((text) => statementIn(text) && anothersIn(text))
  const texts = distinct([...around.filter((text) => pendingIn(text).length === 0), ...fields, ...marks])
  const said = texts.filter((text) => isVerdict(text) || saysSomethingOfAll(text))
  // What stands below the last row of a page may be about that row, or about all of them.
  const below = new Set(paragraphsOf(lastLines(found, lines, isOwn)).filter(isProse))
  return [...byDay.values()].map(({ day, patient, observations: read }) => {
    const named = new Set(read.map(({ name }) => name))
    const toCome = pending.filter((name) => !named.has(name)).map(pendingTest)
    const saysMore = (text: string) => saysSomethingOfAll(text) || (below.has(text) && remarkOf(text) === 'unknown')
    const wrong = impossibleTimes({ collected: day || undefined, received, reported: resultedDate })
    const timed = wrong ? read.map((one) => withDoubt(one, 'impossibleTimes', wrong)) : read
    const observations = [...withTextsAround(timed, texts, saysMore), ...toCome]
    const words = observations.flatMap((one) => [one.value === undefined ? one.valueText : '', one.comment ?? ''])
    return {
      ...(day && { collectedDate: day }),
      ...(unreadDay && !day && { unreadDay }),
      ...(resultedDate && { resultedDate }),
      ...head,
      ...(patient && { patient }),
      ...(people.isOfSeveral && { isOfSeveral: true }),
      status: isCorrected
        ? 'corrected'
        : isPreliminary
          ? 'preliminary'
          : overallStatus(observations.map(({ status }) => status)),
      observations,
      specimenErrors: distinct([
        ...[...words, ...texts].flatMap((text) => specimenErrorsIn(text)),
        ...specimenErrorsBeside(observations),
        ...specimenErrorsOfResults(observations),
      ]),
      ...(said.length > 0 && { origin: { laboratories: [], specimens: [], notes: distinct(said) } }),
    }
  })
}

/** Tests that are listed as still to come: behind such words, or each on a line below such a title. */
function pendingAround(texts: readonly string[]): string[] {
  let isBelow = false
  return texts.flatMap((text) => {
    const isName = text.split(' ').length <= 4 && /^\p{L}[^:.]+$/u.test(text) && !isVerdict(text) && !isHarmless(text)
    const isBegin = statusUnder({ text, holds: 'elsewhere' }) === 'pending'
    const found = isBelow && isName && !isBegin ? [text] : pendingIn(text)
    isBelow = isBegin || (isBelow && isName)
    return found
  })
}

/**
 * Lines of text that are no row may speak of all of it, and so may notes below the last row of a page, unless they say why it
 * has no value. A note below a row that is not its own speaks of the one that it names.
 */
function textsAround(found: readonly Found[], lines: readonly Line[], isOwn: IsOwn): string[] {
  const last = new Map(found.map(({ row }) => [row.line.page, row]))
  const isOfAll = (row: Row) => last.get(row.line.page) === row && isPrintedNumber(row.text)
  const ofRows = new Set(found.flatMap(({ row }) => (isOfAll(row) ? [] : row.comments.filter(isOwn(row)))))
  const rows = new Set(found.map(({ row }) => `${row.line.page} ${row.line.number}`))
  const end = lines.findLastIndex(({ page, number }) => rows.has(`${page} ${number}`))
  const kept = lines.filter((line, at) => {
    const { page, number, text } = line
    // Titles of others' results and a specimen count for what stands below them.
    const isTitle = !annuls(text) && (isOfAnother(text) || (at < end && labelledSpecimen(line) !== undefined))
    return !isTitle && !rows.has(`${page} ${number}`) && !ofRows.has(text)
  })
  return paragraphsOf(kept)
}

/** The lines that were read as notes of the last row of their page. */
function lastLines(found: readonly Found[], lines: readonly Line[], isOwn: IsOwn): Line[] {
  const isOfMore = (row: Row) => (note: string) => isOwn(row)(note) || speaksOfAll(note)
  const last = new Map(found.map(({ row }) => [row.line.page, row.comments.filter(isOfMore(row))]))
  return lines.filter(({ page, text }) => last.get(page)?.includes(text))
}

/** Lines of text that is broken anywhere, as one text: "Results above belong to" and "another patient." */
function paragraphsOf(lines: readonly Line[]): string[] {
  const paragraphs: string[] = []
  let before: Line | undefined
  for (const line of lines) {
    if (areFootnotes(line)) paragraphs.push(...line.cells.map(({ text }) => clean(text)))
    else if (before && isContinued(before, line)) paragraphs.push(`${paragraphs.pop()} ${clean(line.text)}`)
    else paragraphs.push(clean(line.text))
    before = line
  }
  return paragraphs
}

/** A sentence goes on with a small letter on the line right below. */
const isContinued = (before: Line, line: Line): boolean =>
  line.page === before.page &&
  line.number === before.number + 1 &&
  before.y - line.y < 2 * line.height &&
  line.cells.length === 1 &&
  before.cells.length === 1 &&
  !/[.:;!?]$/.test(before.text.trim()) &&
  footnoteIn(line.text) === undefined &&
  /^\p{Ll}/u.test(line.text.trim())
