import { cellText } from '@kitlane/display/sheet-cell'
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

// A title, the name of a table or the day of the export may stand above the names of the columns.
const MOST_LINES_ABOVE = 10

type IsHeader = (names: readonly string[]) => boolean

/**
 * A CSV as a header and rows. The header is the first line that `isHeader`, else the first one; where it is repeated, as in
 * joined files, it is no row. The delimiter is the one that splits it into most columns.
 * @throws CsvProblem if a quotation mark is never closed: everything after it would be one cell.
 */
export function readCsv(whole: string, isHeader: IsHeader = () => true): Sheet {
  const text = whole.replace(SEPARATOR_LINE, '\n')
  const lines = recordsOf(text, delimiterOf(text, isHeader)).filter(({ record }) =>
    record.some((cell) => cellText(cell) !== ''),
  )
  const found = lines.slice(0, MOST_LINES_ABOVE).findIndex(({ record }) => isHeader(record))
  const top = Math.max(0, found)
  const header = (lines[top]?.record ?? []).map(cellText)
  const isRepeated = (record: readonly string[]) =>
    header.every((name, at) => cellText(record[at] ?? '').toUpperCase() === name.toUpperCase())
  return {
    header,
    rows: lines.slice(top + 1).flatMap(({ record, info }) => {
      if (isRepeated(record)) return []
      const fault = faultOf(record, header.length)
      return [{ cells: record, line: info.lines, ...(fault && { fault }) }]
    }),
  }
}

interface CsvRecord {
  record: string[]
  info: { lines: number }
}

// What Excel writes above a file to say its delimiter.
const SEPARATOR_LINE = /^\uFEFF?"?sep=[,;\t|]"?(\r\n|\n|\r)/i

function recordsOf(text: string, delimiter: string, to = -1): CsvRecord[] {
  const options = {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    delimiter,
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
    const line = (read > 0 ? (recordsOf(text, delimiter, read).at(-1)?.info.lines ?? 0) : 0) + 1
    throw new CsvProblem(
      t(
        'A quotation mark that opens in line {line} is never closed, so the lines after it cannot be separated. Add the missing " to that line, or remove the stray one, and choose the file again.',
        { line },
      ),
    )
  }
}

function delimiterOf(text: string, isHeader: IsHeader): string {
  const lines = text.split(/\r\n|\n|\r/, MOST_LINES_ABOVE).filter((line) => line.trim() !== '')
  const split = (line: string, delimiter: string) => line.replaceAll('"', '').split(delimiter)
  const header =
    lines.find((line) => DELIMITERS.some((delimiter) => isHeader(split(line, delimiter)))) ?? lines[0] ?? ''
  const count = (delimiter: string) => split(header, delimiter).length
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
