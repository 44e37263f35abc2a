import { cellFault, cellText } from '@kitlane/display/sheet-cell'
import { parse } from 'csv-parse/sync'
import { AppError } from '../../../domain/errors.ts'
import { normalise } from '../../../platform/http/lenient.ts'
import { issueDetails } from '../../../platform/http/validate.ts'
import { columns, Row, TakenRow } from './schema.ts'

const MAX_ROWS = 10_000
const ID_NAMES = /^(kit_?id|serial|serial_?number|barcode|external_?id)$/i
const MOVED = 'This line has more values than the first one has names: put quotes around a value with a comma'
const MUST_BE_ONCE = ['external_id', 'tracking_number', 'return_tracking_number', 'accession'] as const

/** A row of the file: `line` is that of the file, from 1. */
export type ReadRow = { line: number; externalId: string } & ({ row: TakenRow } | { problem: string })

const refusal = (sentence: string) => new AppError('VALIDATION_FAILED', sentence)

interface LineRead {
  line: number
  /** Anything at all, as JSON may hold it. */
  record: unknown
  problem?: string | undefined
}

/**
 * The kits of a CSV with a line of names, or of JSON Lines, each right or with its problems, and the names of columns that
 * nothing reads. @throws VALIDATION_FAILED for neither
 */
export function readKits(text: string): { rows: ReadRow[]; ignored: string[] } {
  if (/^\uFEFF?\s*\[/.test(text)) throw refusal('Send one object of JSON on each line, not an array')
  const records = /^\uFEFF?\s*\{/.test(text) ? linesOf(text) : rowsOf(text)
  if (records.length === 0) throw refusal('The file has no kits')
  if (records.length > MAX_ROWS) throw refusal(`Send at most ${MAX_ROWS} kits at once`)
  const ignored = new Set<string>()
  const seen = new Map<string, number>()
  const rows = records.map(({ line, record, problem }): ReadRow => {
    if (!isRecord(record)) return { line, externalId: '', problem: 'This line is no object of JSON' }
    const given = withId(record)
    for (const name of Object.keys(normalise(Row, given) as Record<string, unknown>))
      if (!columns.includes(name)) ignored.add(name)
    const externalId = String(given.external_id ?? '').slice(0, 255)
    if (problem) return { line, externalId, problem }
    const cut = Object.entries(given).find(([, value]) => typeof value === 'string' && cellFault(value))
    if (cut)
      return { line, externalId, problem: `${cut[0]}: a spreadsheet spoiled this value: format its column as text` }
    const parsed = TakenRow.safeParse(given)
    if (!parsed.success) {
      const problems = issueDetails(parsed.error).map(({ path, message }) => (path ? `${path}: ${message}` : message))
      return { line, externalId, problem: problems.join('; ') }
    }
    const row = parsed.data
    for (const name of MUST_BE_ONCE) {
      const key = row[name] === undefined ? undefined : `${name} ${row[name]}`
      const first = key && seen.get(key)
      if (first) return { line, externalId, problem: `${name}: line ${first} has the same` }
      if (key) seen.set(key, line)
    }
    return { line, externalId, row }
  })
  return { rows, ignored: [...ignored] }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A kit is named by the former vendor's ID or serial number, whatever the column is called. */
function withId(record: Record<string, unknown>): Record<string, unknown> {
  if (record.external_id) return record
  const name = Object.keys(record).find((key) => ID_NAMES.test(key.trim()) && record[key] !== '')
  if (name === undefined) return record
  const { [name]: id, ...rest } = record
  return { ...rest, external_id: typeof id === 'number' ? String(id) : id }
}

function rowsOf(text: string): LineRead[] {
  const [top = ''] = text.split(/\r\n|\n|\r/, 1)
  const delimiter = [';', '\t'].find((one) => top.split(one).length > 2) ?? ','
  let read: { record: string[]; info: { lines: number } }[]
  try {
    read = parse(text, {
      bom: true,
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_ROWS + 2,
    }) as unknown as typeof read
  } catch {
    // The library's message quotes the file.
    throw refusal('The file is not well-formed CSV: a quote is not closed')
  }
  const names = (read[0]?.record ?? []).map((name) => name.trim().replaceAll(/\s+/g, '_'))
  if (!names.some((name) => ID_NAMES.test(name)) || names.length < 2)
    throw refusal(`The first line must name the columns: ${columns.join(',')}`)
  return read.slice(1).map(({ record, info }) => ({
    line: info.lines,
    record: Object.fromEntries(names.map((name, index) => [name, cellText(record[index] ?? '')])),
    problem: record.slice(names.length).some((value) => value.trim() !== '') ? MOVED : undefined,
  }))
}

function linesOf(text: string): LineRead[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((json, index) => {
      if (json.trim() === '') return []
      try {
        return [{ line: index + 1, record: JSON.parse(json) as unknown }]
      } catch {
        throw refusal(`Line ${index + 1} is not JSON`)
      }
    })
}
