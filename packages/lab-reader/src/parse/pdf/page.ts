import { annulsAbove } from '../beside.ts'
import type { Doubt } from '../parsed.ts'
import { distinct } from '../specimen-words.ts'
import type { Column } from './columns.ts'
import type { Row } from './row.ts'
import { doubtIn, isOfBlood, isOther, type Title } from './section.ts'
import type { Line } from './text.ts'

/** The columns that a heading names. */
export interface Table {
  columns: readonly Column[]
  /** One of several days is that of this sample. */
  isByDay: boolean
  /** Of all rows that print none, where the heading above the names has one: "Enzymes (U/L)". */
  unit?: string
  page: number
}

/**
 * A page is a list of blocks. A block has one title, specimen and day, and at most one table; each line of the page
 * belongs to one block, as a row or as another line. What is neither read nor accounted for by its block waits.
 */
export interface Block {
  title: Title
  specimen?: string
  collectedDate?: string
  /** Undefined in the head and foot of a page, and between tables. */
  table?: Table
  /** Columns of several days: `earlier` where none of them is that of this sample, `unsure` where that is not certain. */
  history?: 'earlier' | 'unsure'
  rows: Row[]
  /** Notes, titles, fields, and what was not understood. */
  others: Line[]
}

export interface Found {
  row: Row
  section: string
  doubt?: Doubt
  specimen?: string
  collectedDate?: string
}

/** The rows of blocks, with what their blocks say of them. */
export function rowsIn(blocks: readonly Block[]): Found[] {
  return blocks.flatMap((block, index) => {
    const { rows, title, specimen, collectedDate } = block
    const doubt = doubtIn[title.holds] ?? (isUnlike(block, blocks.slice(0, index)) ? 'otherPart' : undefined)
    const against = rows.map(({ comments }) => comments.filter(annulsAbove))
    return rows.map((row, at) => ({
      row: { ...row, comments: distinct([...row.comments, ...against.slice(at + 1).flat()]) },
      section: title.below ? `${title.text} / ${title.below}` : title.text,
      ...(doubt && { doubt }),
      ...(specimen && { specimen }),
      ...(collectedDate && { collectedDate }),
    }))
  })
}

/**
 * Whether rows stand below a title that is not known, all without a range, in a table whose rows before had ranges: they may
 * be limits, examples or those of somebody else.
 */
function isUnlike({ title, table, rows }: Block, before: readonly Block[]): boolean {
  if (!table || rows.length < 2 || isOfBlood(title) || isOther(title)) return false
  const others = before.filter((one) => one.table === table && one.title.text !== title.text).flatMap((one) => one.rows)
  const ranged = others.filter(({ ranges }) => ranges.length > 0)
  return ranged.length >= 2 && ranged.length * 2 > others.length && rows.every(isBare)
}

const isBare = ({ ranges, flag }: Row) => ranges.length === 0 && flag === undefined

/** Pages with a table of which no row could be read. */
export function emptyTables(blocks: readonly Block[]): Table[] {
  const tables = Map.groupBy(blocks, ({ table }) => table)
  return [...tables].flatMap(([table, own]) => (table && own.every(({ rows }) => rows.length === 0) ? [table] : []))
}
