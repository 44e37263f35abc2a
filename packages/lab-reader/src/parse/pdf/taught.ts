import { folded, indexOfPhrase, type Layout, startsWithPhrase, type TaughtKind } from '../layout.ts'
import { isHistory } from './by-day.ts'
import { columnsIn, knownKind } from './columns.ts'
import { mayBeResult } from './count.ts'
import { isOther, labelledSpecimen, noTitle, titleOf } from './section.ts'
import type { Cell, Line } from './text.ts'

/** The headings and labels that are known without a template. */
const heading: Record<TaughtKind, string> = {
  name: 'test',
  value: 'result',
  unit: 'unit',
  range: 'reference range',
  flag: 'flag',
  status: 'status',
  previous: 'previous',
  ignored: 'method',
}
const label = { collected: 'Date collected', patient: 'Patient name', born: 'Date of birth' } as const

export interface Translated {
  /** Every line, for what is said of the person and the sample. */
  lines: Line[]
  /** Those that tables are read from. */
  rows: Line[]
  /** Ignored lines of several cells. */
  leftOut: number
}

/** A document in the words that are known without a template: its headings, labels and ends of tables. */
export function translate(printed: readonly Line[], layout: Layout | undefined): Translated {
  if (!layout) return { lines: [...printed], rows: [...printed], leftOut: 0 }
  const lines = printed.map((line) => withLabels(withHeadings(line, layout), layout))
  const rows = lines.flatMap((line): Line[] => {
    const isIgnored = startsWithPhrase(line.text, layout.ignoredLines)
    const isEnd = startsWithPhrase(line.text, layout.endTitles)
    if ((!isIgnored && !isEnd) || mayBeResult(line)) return [line]
    // What is below an ignored heading is of no other table.
    if (isEnd || columnsIn(line)) return [{ ...line, endsTable: true }]
    return isHistory(line) || labelledSpecimen(line) || isOther(titleOf(line, noTitle)) ? [line] : []
  })
  const kept = new Set(rows.map(where))
  const leftOut = lines.filter((line) => line.cells.length > 1 && !kept.has(where(line))).length
  return { lines, rows, leftOut }
}

const where = ({ page, number }: Line) => `${page} ${number}`

const withCells = (line: Line, cells: Cell[]): Line => ({
  ...line,
  cells,
  text: cells.map(({ text }) => text).join('  '),
})

/** Characters of the longest line that can be a heading. */
const longestHeading = 500

/** A line that heads a table: it has the headings of names and of values, and no result. */
function withHeadings(line: Line, { columns }: Layout): Line {
  if (line.text.length > longestHeading) return line
  const taught = columns
    .map((column) => ({ words: folded(column.heading), is: column.is }))
    // Goals, averages and previous results are no result, whoever says so.
    .filter(({ words, is }) => !(is === 'value' && knownKind(words) === 'previous'))
    .sort((a, b) => b.words.length - a.words.length)
  const found = new Set<TaughtKind>()
  const cells = line.cells.flatMap((cell) => split(cell, taught, found))
  if (!found.has('name') && !found.has('value')) return line
  const translated = withCells(line, cells)
  return columnsIn(translated) && !mayBeResult(line) ? translated : line
}

type Taught = { words: string; is: TaughtKind }

/** A cell in pieces: each heading that is taught, as a known one at its place, and what stands between them. */
function split(cell: Cell, taught: readonly Taught[], found: Set<TaughtKind>): Cell[] {
  const text = cell.text.toLowerCase()
  const at = (index: number) => cell.x0 + ((cell.x1 - cell.x0) * index) / Math.max(text.length, 1)
  for (const { words, is } of taught) {
    const index = indexOfPhrase(text, words)
    if (index < 0) continue
    found.add(is)
    const end = index + words.length
    const before = { text: cell.text.slice(0, index).trimEnd(), x0: cell.x0, x1: at(index) }
    const lead = cell.text.length - cell.text.slice(end).trimStart().length
    const behind = { text: cell.text.slice(lead), x0: at(lead), x1: cell.x1 }
    return [
      ...(before.text === '' ? [] : split(before, taught, found)),
      { text: heading[is], x0: at(index), x1: at(end) },
      ...(behind.text === '' ? [] : split(behind, taught, found)),
    ]
  }
  return [cell]
}

function withLabels(line: Line, { labels }: Layout): Line {
  let { cells, text } = line
  for (const kind of ['collected', 'patient', 'born'] as const) {
    const words = folded(labels[kind] ?? '')
    if (words === '' || indexOfPhrase(text.toLowerCase(), words) < 0) continue
    text = labelled(text, words, label[kind])
    cells = cells.map((cell) => ({ ...cell, text: labelled(cell.text, words, label[kind]) }))
  }
  return { ...line, cells, text }
}

function labelled(text: string, words: string, known: string): string {
  const at = indexOfPhrase(text.toLowerCase(), words)
  if (at < 0) return text
  const behind = text.slice(at + words.length)
  return `${text.slice(0, at)}${known}${/^\s*:/.test(behind) ? '' : ':'}${behind}`
}
