import { isKnownUnit } from '../../facts/convert.ts'
import { isPrintedNumber, readRange } from '../number.ts'
import type { Cell, Line } from './text.ts'

/** Rows that have to stand below one another before columns without headings are believed. */
const FEWEST_ROWS = 4
/** Points by which the beginnings or ends of cells of one column may differ. */
const MOST_APART = 4

/** A name, a number, a known unit and an interval: there is one order in which they can be read. */
function isWholeRow({ cells: [name, value, unit, range, ...rest] }: Line): boolean {
  return (
    rest.length === 0 &&
    name !== undefined &&
    /^\p{L}[^:;]*$/u.test(name.text) &&
    isPrintedNumber(value?.text ?? '') &&
    isKnownUnit(unit?.text ?? '') &&
    (readRange(range?.text ?? '', 'thousands') ?? readRange(range?.text ?? '', 'decimal'))?.rest === ''
  )
}

const isBelow = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (Math.abs(one.x0 - other.x0) <= MOST_APART || Math.abs(one.x1 - other.x1) <= MOST_APART)

const headings = ['Test', 'Result', 'Units', 'Reference range']

/** Lines with headings above columns that have none, on each page; undefined where nothing but a heading says what they are. */
export function withHeadings(lines: readonly Line[]): Line[] | undefined {
  const rows = lines.filter(isWholeRow)
  const [first] = rows
  const isColumn = (at: number) => rows.every(({ cells }) => isBelow(cells[at], first?.cells[at]))
  if (!first || rows.length < FEWEST_ROWS || ![0, 1, 2, 3].every(isColumn)) return undefined
  const heading = first.cells.map((cell, at) => ({ ...cell, text: headings[at] ?? '' }))
  const pages = new Set<number>()
  return lines.flatMap((line) => {
    if (pages.has(line.page) || !rows.includes(line)) return [line]
    pages.add(line.page)
    const above: Line = { ...line, number: line.number - 0.5, cells: heading, text: headings.join('  ') }
    return [above, line]
  })
}
