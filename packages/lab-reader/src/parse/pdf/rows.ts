import { isVetoed } from '../../facts/guarded-match.ts'
import type { DayOrder } from '../date.ts'
import { aboutSample, columnsByDay, isHistory, onlyCollected } from './by-day.ts'
import { type Column, columnsIn } from './columns.ts'
import { labelledDay } from './head.ts'
import { type Row, readLine, splitBeside } from './row.ts'
import { isEarlierTitle, isTitle, labelledSpecimen, speaksOfOther, titleOf } from './section.ts'
import { unfold } from './side-by-side.ts'
import type { Line } from './text.ts'

export interface Found {
  row: Row
  section: string
  specimen?: string
  collectedDate?: string
}

export interface Table {
  found: Found[]
  notes: string[]
  /** Pages with a table of which no row could be read. */
  emptyPages: number[]
}

const continued = /[,/(-]$/
/** Reads a document's lines from the top: headings, titles, results and what is printed below them. */
export function readRows(printed: readonly Line[], order: DayOrder): Table {
  const lines = unfold(printed)
  const table: Table = { found: [], notes: [], emptyPages: [] }
  let columns: Column[] | undefined
  let isByDay = false
  let section = ''
  let above: Line | undefined
  let collectedDate: string | undefined
  let last: Line | undefined
  let countAtHeading = 0
  let headingPage = 0
  let specimen: string | undefined
  const thisDay = onlyCollected(lines, order)
  const headingOf = (line: Line) => columnsByDay(line, order, thisDay) ?? columnsIn(line)
  const headings = new Map<number, number>()
  for (const [index, line] of lines.entries()) if (headingOf(line)) headings.set(line.page, index)
  for (const [index, line] of lines.entries()) {
    collectedDate = labelledDay(lines, index, 'collected', order) ?? collectedDate
    if (line.endsTable) {
      if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
      columns = undefined
      section = titleOf(line, section)
      continue
    }
    const byDay = columnsByDay(line, order, thisDay)
    const heading = byDay ?? columnsIn(line)
    if (heading) {
      if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
      columns = heading
      isByDay = byDay !== undefined
      countAtHeading = table.found.length
      headingPage = line.page
      last = undefined
      continue
    }
    const labelled = labelledSpecimen(line)
    if (labelled !== undefined) specimen = labelled
    if (isHistory(line)) {
      columns = undefined
      table.notes.push(`Page ${line.page} holds a table of earlier results, which was left out`)
      continue
    }
    if (!columns) {
      section = titleOf(line, section)
      continue
    }
    if (isByDay && aboutSample.test(line.text)) continue
    const { line: inside, beside } = splitBeside(line, columns)
    const read = readLine(inside, columns)
    const row = table.found.at(-1)?.row
    const isNext = last !== undefined && last.page === line.page && last.y - line.y < 2 * line.height
    // The top of a page that has headings of its own below is no table, unless it reads like one.
    const isTop = line.page !== headingPage && (headings.get(line.page) ?? -1) > index
    if (beside) table.found.push({ row: beside, section, ...(collectedDate && { collectedDate }) })
    const isBelowRow = isNext && last?.number === row?.line.number
    const isJoined = read.kind === 'name' && row !== undefined && isNext && isOpen(row.name)
    if (read.kind === 'name' && row && isBelowRow && !isJoined) row.alsoCalled = namesWithBelow(row, line)
    if (read.kind === 'row' && read.row.doubt === 'unreadable' && (isTop || isEarlierTitle(line.text))) {
      section = titleOf(line, section)
    } else if (read.kind === 'row') {
      table.found.push({
        row: { ...read.row, ...nameWith(above, read.row.name, line) },
        section,
        ...(specimen && { specimen }),
        ...(collectedDate && { collectedDate }),
      })
      // A title in two cells looks like a row that was not understood.
      if (read.row.doubt === 'unreadable') section = titleOf(line, section)
    } else if (read.kind === 'range' && row && isNext) row.ranges.push(read.text)
    else if (isJoined && row) row.name += ` ${read.text}`
    else if (isTitle(line) || speaksOfOther(line.text)) section = titleOf(line, section)
    else if (row && isNext && row.comments.length < 20) row.comments.push(read.text)
    above = read.kind === 'name' && !isJoined ? line : undefined
    last = line
  }
  if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
  return table
}

function noteEmpty({ notes, emptyPages }: Table, page: number): void {
  notes.push(`Page ${page} holds a table of which no row could be read`)
  emptyPages.push(page)
}

const isOpen = (name: string) => continued.test(name.trim()) || name.split('(').length > name.split(')').length
const isWrapped = (above: Line, line: Line) => above.page === line.page && above.y - line.y < 2 * line.height

/** What may be a line of a name of several lines: short, and no sentence, remark or title of another specimen. */
const isPiece = (text: string) =>
  text.length <= 40 && /^[\p{L}\d]/u.test(text) && !/[:;.]/.test(text) && text.split(' ').length <= 5 && !isVetoed(text)

/** The name of a row, and the same with the line of text above it, which may be the beginning of it. */
function nameWith(above: Line | undefined, name: string, line: Line): Pick<Row, 'name' | 'alsoCalled'> {
  if (!above || !isWrapped(above, line)) return { name: name.trim() }
  const joined = `${above.text} ${name}`.trim()
  if (isOpen(above.text) || name === '') return { name: joined }
  return isPiece(above.text) && !isVetoed(name) ? { name: name.trim(), alsoCalled: [joined] } : { name: name.trim() }
}

/** The names of a row, each also with the line of text below it. */
function namesWithBelow({ name, alsoCalled = [] }: Row, { text }: Line): string[] {
  return isPiece(text) && !isVetoed(name)
    ? [...alsoCalled, ...[name, ...alsoCalled].map((one) => `${one} ${text}`)]
    : alsoCalled
}
