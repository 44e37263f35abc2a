import { cellFault, cellText } from '@kitlane/display/sheet-cell'
import { parse } from 'csv-parse/sync'
import { AppError } from '../../../domain/errors.ts'
import { issueDetails } from '../../../platform/http/validate.ts'
import { columns, TakenRow } from './schema.ts'

const MAX_ROWS = 10_000
const ID_NAMES = /^(kit_?id|serial|serial_?number|barcode|external_?id)$/i
const MUST_BE_ONCE = ['external_id', 'tracking_number', 'return_tracking_number', 'accession'] as const

/** A row of the file: `line` is that of the file, from 1. */
export type ReadRow = { line: number; externalId: string } & ({ row: TakenRow } | { problem: string })

const refusal = (sentence: string) => new AppError('VALIDATION_FAILED', sentence)

/** The kits of a CSV with a line of names, or of JSON Lines, each right or with its problems. @throws VALIDATION_FAILED for neither */
export function readKits(text: string): ReadRow[] {
  const records = /^\uFEFF?\s*\{/.test(text) ? linesOf(text) : rowsOf(text)
  if (records.length === 0) throw refusal('The file has no kits')
  if (records.length > MAX_ROWS) throw refusal(`Send at most ${MAX_ROWS} kits at once`)
  const seen = new Map<string, number>()
  return records.map(({ line, record }) => {
    const given = withId(record)
    const externalId = String(given.external_id ?? '').slice(0, 255)
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
}

/** A kit is named by the former vendor's ID or serial number, whatever the column is called. */
function withId(record: Record<string, unknown>): Record<string, unknown> {
  const name = Object.keys(record).find((key) => ID_NAMES.test(key.trim()) && record[key] !== '')
  if (name === undefined || name === 'external_id') return record
  const { [name]: id, ...rest } = record
  return { ...rest, external_id: typeof id === 'number' ? String(id) : id }
}

function rowsOf(text: string): { line: number; record: Record<string, string> }[] {
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
  }))
}

function linesOf(text: string): { line: number; record: Record<string, unknown> }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((json, index) => {
      if (json.trim() === '') return []
      try {
        return [{ line: index + 1, record: JSON.parse(json) as Record<string, unknown> }]
      } catch {
        throw refusal(`Line ${index + 1} is not JSON`)
      }
    })
}
