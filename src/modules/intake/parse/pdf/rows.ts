import type { DayOrder } from '../date.ts'
import { type Column, columnsIn, isHistory } from './columns.ts'
import { labelledDay } from './head.ts'
import { type Row, readLine } from './row.ts'
import type { Line } from './text.ts'

export interface Found {
  row: Row
  section: string
  collectedDate?: string
}

export interface Table {
  found: Found[]
  notes: string[]
  /** Whether any heading with columns was there. */
  hasHeading: boolean
}

const continued = /[,/(-]$/
const urine = /\burin|\bUA\b/i
/** Only another panel's title ends a part on urine: taking one line too many as urine loses results, but no more. */
const panelTitle =
  /\b(panel|profile|cbc|metabolic|lipid|thyroid|hormones?|blood|serum|plasma|chemistry|hematology|count|comp|vitamins?|hemoglobin|cardio\w*|testosterone)\b/i

/** Reads a document's lines from the top: headings, titles, results and what is printed below them. */
export function readRows(lines: readonly Line[], order: DayOrder): Table {
  const table: Table = { found: [], notes: [], hasHeading: false }
  let columns: Column[] | undefined
  let section = ''
  let pending: Line | undefined
  let collectedDate: string | undefined
  let last: Line | undefined
  let countAtHeading = 0
  let headingPage = 0
  for (const [index, line] of lines.entries()) {
    collectedDate = labelledDay(lines, index, 'collected', order) ?? collectedDate
    const heading = columnsIn(line)
    if (heading) {
      if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
      columns = heading
      countAtHeading = table.found.length
      headingPage = line.page
      table.hasHeading = true
      last = undefined
      continue
    }
    if (isHistory(line)) {
      columns = undefined
      table.notes.push(`Page ${line.page} holds a table of earlier results, which was left out`)
      continue
    }
    if (!columns) {
      section = titleOf(line, section)
      continue
    }
    const read = readLine(line, columns)
    const row = table.found.at(-1)?.row
    const isNext = last !== undefined && last.page === line.page && last.y - line.y < 2 * line.height
    if (read.kind === 'row') {
      const name = pending && isWrapped(pending, line) ? `${pending.text} ${read.row.name}` : read.row.name
      if (name.trim() === '')
        table.notes.push(`Page ${line.page}, line ${line.number}: a result without a name was left out`)
      else
        table.found.push({ row: { ...read.row, name: name.trim() }, section, ...(collectedDate && { collectedDate }) })
    } else if (read.kind === 'unclear') {
      table.notes.push(
        `Page ${line.page}, line ${line.number}: which result is the current one is not certain; left out`,
      )
    } else if (read.kind === 'range' && row && isNext) row.ranges.push(read.text)
    else if (read.kind === 'name' && row && isNext && isOpen(row.name)) row.name += ` ${read.text}`
    else if (read.kind === 'name' && isTitle(line)) section = titleOf(line, section)
    else if (row && isNext && row.comments.length < 20) row.comments.push(read.text)
    pending = read.kind === 'name' && isOpen(line.text) ? line : undefined
    last = read.kind === 'unclear' ? undefined : line
  }
  if (columns && table.found.length === countAtHeading) noteEmpty(table, headingPage)
  return table
}

const noteEmpty = ({ notes }: Table, page: number) =>
  notes.push(`Page ${page} holds a table of which no row could be read`)

const isOpen = (name: string) => continued.test(name.trim()) || name.split('(').length > name.split(')').length
const isWrapped = (above: Line, line: Line) => above.page === line.page && above.y - line.y < 2 * line.height
const isTitle = ({ text }: Line) => text.length <= 60 && !/[.:;]|\d{3}/.test(text) && /\p{L}{2}/u.test(text)

function titleOf(line: Line, before: string): string {
  const title = line.text.replace(/\(cont\.?\)|\(continued\)/i, '').trim()
  if (urine.test(title) && title.length <= 60) return title
  if (!isTitle(line) || line.cells.length > 1) return before
  return urine.test(before) && !panelTitle.test(title) ? before : title
}
