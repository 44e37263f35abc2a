import { isKnownUnit } from '../../facts/convert.ts'
import { isKnownFlag } from '../flags.ts'
import { isPrintedNumber, readRange } from '../number.ts'
import { nameAndUnit } from './row.ts'
import type { Cell, Line } from './text.ts'

/** Rows that have to stand below one another before columns without headings are believed. */
const FEWEST_ROWS = 4
/** Points by which the beginnings or ends of cells of one column may differ. */
const MOST_APART = 4

const isName = (text: string) => /^\p{L}[^:;]*$/u.test(text)
const isRange = (text: string) => (readRange(text, 'thousands') ?? readRange(text, 'decimal'))?.rest === ''
const hasUnit = (text: string) => isName(text) && nameAndUnit(text, '')[1] !== ''

/** What the cells of rows are, of which there is one order in which they can be read, and the headings that say it. */
const shapes: (readonly [heading: string, is: (text: string) => boolean])[][] = [
  [
    ['Test', isName],
    ['Result', isPrintedNumber],
    ['Units', isKnownUnit],
    ['Reference range', isRange],
  ],
  [
    ['Test', hasUnit],
    ['Result', isPrintedNumber],
    ['Reference range', isRange],
  ],
  [
    ['Test', isName],
    ['Result', isPrintedNumber],
    ['Units', isKnownUnit],
    ['Flag', isKnownFlag],
  ],
]

const isBelow = (one: Cell | undefined, other: Cell | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (Math.abs(one.x0 - other.x0) <= MOST_APART || Math.abs(one.x1 - other.x1) <= MOST_APART)

/** Lines with headings above columns that have none, on each page; undefined where nothing but a heading says what they are. */
export function withHeadings(printed: readonly Line[]): Line[] | undefined {
  const scaled = printed.filter((_, at) => isScale(printed[at + 1], printed[at + 2]))
  const lines = printed.filter((line, at) => !isScale(line, printed[at + 1]) && !isScale(printed[at - 1], line))
  for (const shape of shapes) {
    const headings = shape.map(([heading]) => heading)
    const rows = lines.filter(
      (line) =>
        line.cells.length === shape.length &&
        shape.every(([, is], at) => is(line.cells[at]?.text ?? '')) &&
        // Without an interval it may be a limit: a result has its scale below it.
        (!headings.includes('Flag') || scaled.includes(line)),
    )
    const [first] = rows
    const isColumn = (at: number) => rows.every(({ cells }) => isBelow(cells[at], first?.cells[at]))
    if (first && rows.length >= FEWEST_ROWS && shape.every((_, at) => isColumn(at)))
      return headed(lines, rows, first, headings)
  }
  return undefined
}

function headed(lines: readonly Line[], rows: readonly Line[], first: Line, headings: readonly string[]): Line[] {
  const heading = first.cells.map((cell, at) => ({ ...cell, text: headings[at] ?? '' }))
  const pages = new Set<number>()
  return lines.flatMap((line) => {
    if (pages.has(line.page) || !rows.includes(line)) return [line]
    pages.add(line.page)
    const above: Line = { ...line, number: line.number - 0.5, cells: heading, text: headings.join('  ') }
    return [above, line]
  })
}

/** "Low  Normal  High" above "0  0.27  4.20  10": the scale of a graph, whose numbers rise. */
function isScale(words: Line | undefined, numbers: Line | undefined): boolean {
  if (!words || words.page !== numbers?.page || words.cells.length < 2) return false
  const limits = numbers.cells.map(({ text }) => Number(text.replace(',', '.')))
  return (
    limits.length === words.cells.length + 1 &&
    words.cells.every(({ text }) => isKnownFlag(text)) &&
    limits.every((limit, at) => at === 0 || limit > (limits[at - 1] ?? Number.NaN))
  )
}
