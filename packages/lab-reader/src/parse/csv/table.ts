import { type CsvError, parse } from 'csv-parse/sync'
import { score } from '../headings.ts'
import type { Layout } from '../layout.ts'
import { hasUsualWords } from '../order-name.ts'
import { Refusal } from '../refusal.ts'
import { isOfAnother } from '../specimen-words.ts'
import { columnsOfTable } from './columns.ts'

const maxRows = 50_000
const maxRecordChars = 200_000
const delimiters = [',', ';', '\t', '|'] as const

export interface Table {
  headings: string[]
  /** 1-based row number in the file beside its cells. */
  rows: { number: number; cells: string[] }[]
  /** Lines above the headings. */
  preamble: string[][]
}

/** Rows under the heading that is most like one, by the delimiter that gives the best heading. */
export function readTable(text: string, layout?: Layout): Table {
  const candidates = delimiters.flatMap((delimiter) => {
    const rows = readRows(text.slice(0, 64 * 1024), delimiter, true)
    const found = rows && headingOf(rows, layout)
    return found && rows ? [{ delimiter, ...found, width: rows[found.at]?.length ?? 0 }] : []
  })
  const best = candidates.sort((a, b) => b.score - a.score || b.width - a.width)[0]
  if (!best) throw new Refusal('NEEDS_REVIEW', 'layout')
  const rows = readRows(text, best.delimiter, false) ?? []
  if (rows.length > maxRows) throw new Refusal('TOO_LARGE')
  const headings = (rows[best.at] ?? []).map((cell) => cell.trim())
  const body = rows.slice(best.at + 1).map((cells, index) => ({ number: best.at + index + 2, cells }))
  return inHalves({ headings, rows: body, preamble: rows.slice(0, best.at) })
}

/**
 * Two tables with the same headings side by side, one below the other. What stands above the second one alone may say that it
 * is somebody else's, so that nothing is cut then, unless the line right above the headings has a title of a panel over each.
 */
function inHalves(table: Table): Table {
  const [left, right] = halvesOf(table.headings)
  if (!left || !right) return table
  const above = table.preamble.at(-1) ?? []
  const titles = [left, right].map(({ from, to }) => above.slice(from, to).filter((cell) => cell.trim() !== ''))
  const areTitled = titles.every(([title = '', ...others]) => others.length === 0 && isPanel(title))
  const lines = areTitled ? table.preamble.slice(0, -1) : table.preamble
  if (lines.some((cells) => cells.slice(right.from).some((cell) => cell.trim() !== ''))) return table
  const rows = [left, right].flatMap(({ from, to }, at) => [
    ...(areTitled ? [{ number: lines.length + 1, cells: titles[at] ?? [] }] : []),
    ...table.rows
      .map(({ number, cells }) => ({ number, cells: cells.slice(from, to) }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
  ])
  // More cells than headings belong to nothing that is known.
  const isWider = table.rows.some(({ cells }) => cells.slice(right.to).some((cell) => cell.trim() !== ''))
  return isWider ? table : { headings: table.headings.slice(left.from, left.to), preamble: lines, rows }
}

/** It has words of panels alone, which neither a person nor a day has. */
const isPanel = (title: string): boolean => /^[^\d:]+$/.test(title) && !isOfAnother(title) && hasUsualWords(title, /^$/)

/** Where each half begins and ends: "Test;Result;Unit;;Test;Result;Unit". */
function halvesOf(headings: readonly string[]): { from: number; to: number }[] {
  const plain = headings.map((heading) => heading.toLowerCase())
  const from = plain.indexOf(plain[0] ?? '', 1)
  const width = plain.length - from
  const isTwice = plain[0] !== '' && from >= 2 && plain.slice(0, width).every((one, at) => one === plain[from + at])
  const isGap = from >= width && plain.slice(width, from).every((one) => one === '')
  return isTwice && isGap && width >= 2 ? [0, from].map((at) => ({ from: at, to: at + width })) : []
}

/** With `start` the text may be cut off in the middle; then an open quote at its end is no error. */
function readRows(text: string, delimiter: string, start: boolean): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: maxRecordChars,
      // Exports write ="137", so that a spreadsheet keeps the text as it is.
      cast: (cell) => /^="(.*)"$/.exec(cell)?.[1] ?? cell,
      ...(start ? { to: 60, relax_quotes: true } : { to: maxRows + 1 }),
    })
  } catch (error) {
    if (start && (error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED') return readFirstLines(text, delimiter)
    if (start) return undefined
    throw new Refusal((error as CsvError).code === 'CSV_MAX_RECORD_SIZE' ? 'TOO_LARGE' : 'PARSE_FAILED')
  }
}

const readFirstLines = (text: string, delimiter: string) =>
  text
    .split(/\r\n|\r|\n/)
    .slice(0, 30)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(delimiter).map((cell) => cell.replace(/^"|"$/g, '')))

/** The heading may stand below a few lines on the laboratory or the person. */
function headingOf(rows: readonly string[][], layout: Layout | undefined): { at: number; score: number } | undefined {
  const scored = rows.slice(0, 25).map((row, at) => ({ at, score: score(columnsOfTable(row, layout)) }))
  const best = scored.sort((a, b) => b.score - a.score || a.at - b.at)[0]
  return best && best.score > 0 ? best : undefined
}
