import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { t } from '../../../language/t.ts'

const DELIMITERS = [',', ';', '\t', '|'] as const

export interface SheetLine {
  cells: string[]
  /** Where the line ends in the file, counted from 1. */
  line: number
  /** Why the cells may be in the wrong columns. */
  fault?: string
}

export interface Sheet {
  header: string[]
  rows: SheetLine[]
}

/** Why a file cannot be read as rows, in words for its author. */
export class CsvProblem extends Error {}

/**
 * A CSV as a header and rows; the delimiter is the one that splits the first line into most columns.
 * @throws CsvProblem if a quotation mark is never closed: everything after it would be one cell.
 */
export function readCsv(text: string): Sheet {
  const lines = recordsOf(text).filter(({ record }) => record.some((cell) => cell.trim() !== ''))
  const [first, ...rest] = lines
  const header = (first?.record ?? []).map((name) => name.trim())
  return {
    header,
    rows: rest.map(({ record, info }) => {
      const fault = faultOf(record, header.length)
      return { cells: record, line: info.lines, ...(fault && { fault }) }
    }),
  }
}

interface CsvRecord {
  record: string[]
  info: { lines: number }
}

function recordsOf(text: string, to = -1): CsvRecord[] {
  const options = {
    bom: true,
    delimiter: delimiterOf(text),
    relax_quotes: true,
    relax_column_count: true,
    info: true,
    to,
  }
  try {
    return parse(text, options) as unknown as CsvRecord[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED')
      throw new CsvProblem(t('This file cannot be read as CSV: {message}.', { message: error.message }))
    const read = Number(error.records)
    const line = (read > 0 ? (recordsOf(text, read).at(-1)?.info.lines ?? 0) : 0) + 1
    throw new CsvProblem(
      t(
        'A quotation mark that opens in line {line} is never closed, so the lines after it cannot be separated. Add the missing " to that line, or remove the stray one, and choose the file again.',
        { line },
      ),
    )
  }
}

function delimiterOf(text: string): string {
  const line = text.slice(0, text.search(/\r?\n|\r|$/))
  const count = (delimiter: string) => line.split(delimiter).length
  return [...DELIMITERS].sort((a, b) => count(b) - count(a))[0] ?? ','
}

function faultOf(record: readonly string[], columns: number): string | undefined {
  const extra = record.slice(columns).some((cell) => cell.trim() !== '')
  if (extra)
    return t('{cells} cells, but the header has {columns}: a value that contains a comma needs quotation marks', {
      cells: record.length,
      columns,
    })
  if (record.length < columns)
    return t('{cells} cells, but the header has {columns}: is one missing?', { cells: record.length, columns })
  if (record.some((cell) => /[\r\n]/.test(cell.trim())))
    return t('a cell contains a line break: is a quotation mark missing?')
  return undefined
}
