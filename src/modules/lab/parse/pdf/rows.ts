import { otherSpecimen } from '../../../catalogue/name-words.ts'
import type { DayOrder } from '../date.ts'
import { specimenOf } from '../specimen.ts'
import { type Column, columnsIn, isHistory } from './columns.ts'
import { labelledDay } from './head.ts'
import { type Row, readLine, splitBeside } from './row.ts'
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
/** Only the title of another panel ends a part about another specimen: a line too many only waits for a person. */
const panelTitle =
  /\b(panel|profile|cbc|metabolic|lipid|thyroid|hormones?|blood|serum|plasma|chemistry|hematology|count|comp|vitamins?|hemoglobin|cardio\w*|testosterone)\b/i

/** Reads a document's lines from the top: headings, titles, results and what is printed below them. */
export function readRows(lines: readonly Line[], order: DayOrder): Table {
  const table: Table = { found: [], notes: [], emptyPages: [] }
  let columns: Column[] | undefined
  let section = ''
  let pending: Line | undefined
  let collectedDate: string | undefined
  let last: Line | undefined
  let countAtHeading = 0
  let headingPage = 0
  let specimen: string | undefined
  const headings = new Map<number, number>()
  for (const [index, line] of lines.entries()) if (columnsIn(line)) headings.set(line.page, index)
  for (const [index, line] of lines.entries()) {
    collectedDate = labelledDay(lines, index, 'collected', order) ?? collectedDate
    const heading = columnsIn(line)
    if (heading) {
      if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
      columns = heading
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
    const { line: inside, beside } = splitBeside(line, columns)
    const read = readLine(inside, columns)
    const row = table.found.at(-1)?.row
    const isNext = last !== undefined && last.page === line.page && last.y - line.y < 2 * line.height
    // The top of a page that has headings of its own below is no table, unless it reads like one.
    const isTop = line.page !== headingPage && (headings.get(line.page) ?? -1) > index
    if (beside) table.found.push({ row: beside, section, ...(collectedDate && { collectedDate }) })
    if (read.kind === 'row' && read.row.doubt === 'unreadable' && (isTop || isEarlierTitle(line.text))) {
      section = titleOf(line, section)
    } else if (read.kind === 'row') {
      const name = pending && isWrapped(pending, line) ? `${pending.text} ${read.row.name}` : read.row.name
      table.found.push({
        row: { ...read.row, name: name.trim() },
        section,
        ...(specimen && { specimen }),
        ...(collectedDate && { collectedDate }),
      })
      // A title in two cells looks like a row that was not understood.
      if (read.row.doubt === 'unreadable') section = titleOf(line, section)
    } else if (read.kind === 'range' && row && isNext) row.ranges.push(read.text)
    else if (read.kind === 'name' && row && isNext && isOpen(row.name)) row.name += ` ${read.text}`
    else if (isTitle(line) || speaksOfOther(line.text)) section = titleOf(line, section)
    else if (row && isNext && row.comments.length < 20) row.comments.push(read.text)
    pending = read.kind === 'name' && isOpen(line.text) ? line : undefined
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
const isTitle = ({ text }: Line) => text.length <= 60 && !/[.:;]|\d{3}/.test(text) && /\p{L}{2}/u.test(text)

/** What other titles do not end: another specimen, and what was measured before. */
const speaksOfOther = (text: string) => text.length <= 60 && (otherSpecimen.test(text) || isEarlierTitle(text))
const isEarlierTitle = (text: string) =>
  text.length <= 60 &&
  /\b(previous|prior|earlier|historical|cumulative|past) (results?|values?|reports?|data)\b|^history\b/i.test(text)

function titleOf(line: Line, before: string): string {
  const title = line.text.replace(/\(cont\.?\)|\(continued\)/i, '').trim()
  if (speaksOfOther(title)) return title
  if (!isTitle(line) || line.cells.length > 1) return before
  return speaksOfOther(before) && !panelTitle.test(title) ? before : title
}

/** "Specimen: Urine", "Material: Serum": holds until the next one. A number behind it is the sample's. */
function labelledSpecimen({ text }: Line): string | undefined {
  const said =
    /\b(?:specimen|sample|material|source)(?: (?:type|source))?\s*:\s*(\p{L}[^\d:]{2,40}?)(?=\s{2,}|$)/iu.exec(
      text,
    )?.[1]
  return said !== undefined && specimenOf(said) !== undefined ? said : undefined
}
