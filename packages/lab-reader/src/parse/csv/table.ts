import { type CsvError, parse } from 'csv-parse/sync'
import { columnsOf, score } from '../headings.ts'
import type { Layout } from '../layout.ts'
import { Refusal } from '../refusal.ts'

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
  return { headings, rows: body, preamble: rows.slice(0, best.at) }
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
  const scored = rows.slice(0, 25).map((row, at) => ({ at, score: score(columnsOf(row, layout)) }))
  const best = scored.sort((a, b) => b.score - a.score || a.at - b.at)[0]
  return best && best.score > 0 ? best : undefined
}
