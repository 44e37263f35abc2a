import { XLSX } from '@kitlane/display/workbook-kind'
import type { Tx } from '../database/tx.ts'
import type { RealmPorts } from '../ports/realm-ports.ts'
import { preferred } from './accept.ts'
import type { Document, Parts } from './answer.ts'
import { commaParameter } from './fields.ts'

export const CSV = 'text/csv'
/** How the description of a list mentions it. */
export const CSV_WORDS = '`Accept: text/csv` gives the whole filtered list.'

// Rows per part: reading, shaping and writing them takes about 10 ms of the event loop.
const PART = 200

export type Cell = string | number | boolean | undefined

/** The columns of a file: a name, and the cell of a row. */
export type Columns<R> = Record<string, (row: R) => Cell>

/** A parameter that says which columns a file has. */
export const csvColumns = commaParameter(50).optional().describe('Which columns a file has; several by comma.')

/** The columns that were asked for; all of them where none of these is there. */
export function chosen<R>(columns: Columns<R>, names: readonly string[] | undefined): Columns<R> {
  const picked = (names ?? []).flatMap((name) => {
    const cell = Object.hasOwn(columns, name) ? columns[name] : undefined
    return cell ? [[name, cell] as const] : []
  })
  return picked.length > 0 ? Object.fromEntries(picked) : columns
}

/** Which file the caller wants, of a list that is a workbook too; undefined for JSON. */
export function wantedTable(accept: string): typeof CSV | typeof XLSX | undefined {
  const wanted = preferred(accept, ['application/json', CSV, XLSX])
  return wanted === 'application/json' ? undefined : wanted
}

/** Whether the caller wants a file rather than JSON. */
export const wantsCsv = (accept: string): boolean => preferred(accept, ['application/json', CSV]) === CSV

// OWASP, CSV injection: a spreadsheet takes such a text for a formula. A number is written as one.
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

export function csvCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The byte order mark tells Excel that the file is UTF-8. */
const headOf = <R>(columns: Columns<R>) => `\uFEFF${Object.keys(columns).map(csvCell).join(',')}\r\n`
const linesOf = <R>(columns: Columns<R>, rows: readonly R[]): string => {
  const cells = Object.values(columns)
  return rows.map((row) => `${cells.map((cell) => csvCell(cell(row))).join(',')}\r\n`).join('')
}

const fileOf = (name: string, body: string | Parts): Document => ({
  status: 200,
  document: { contentType: `${CSV}; charset=utf-8`, body },
  headers: { vary: 'Accept', 'content-disposition': `attachment; filename="${name}.csv"` },
})

/** Rows that are at hand as a file of RFC 4180. */
export const csvOf = <R>(name: string, columns: Columns<R>, rows: readonly R[]): Document =>
  fileOf(name, headOf(columns) + linesOf(columns, rows))

/**
 * A list as a file of RFC 4180, read and sent in parts. `read` returns the rows after the last one, fewer than
 * `size` at the end.
 */
export function csvFile<R>(
  name: string,
  columns: Columns<R>,
  read: (tx: Tx, last: R | undefined, size: number) => Promise<R[]>,
): Document {
  async function* body(ports: RealmPorts) {
    yield headOf(columns)
    let rows: R[] = []
    do {
      const last = rows.at(-1)
      rows = await ports.open((tx) => read(tx, last, PART))
      if (rows.length > 0) yield linesOf(columns, rows)
    } while (rows.length === PART)
  }
  return fileOf(name, body)
}
