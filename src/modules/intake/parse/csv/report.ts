import type { Commas } from '../number.ts'
import { type Observation, overallStatus, type ParsedFile, type ParsedReport } from '../parsed.ts'
import { Refusal } from '../refusal.ts'
import { distinct, specimenErrorsIn } from '../specimen-words.ts'
import { decodeText } from '../text.ts'
import { type Column, columnsOf, isByDate, isLong } from './headings.ts'
import { type Head, ordersOf, type Row, readHead, readResult, rowOf } from './row.ts'
import { readTable } from './table.ts'

const maxObservations = 20_000

interface Line {
  head: Head
  observation: Observation
  /** What tells reports apart, even where a day could not be read. */
  key: string
}

/** A table with one result per row, one column per marker or one column per day. */
export function parseCsv(bytes: Uint8Array): ParsedFile {
  const { headings, rows, commas } = readTable(decodeText(bytes))
  const columns = columnsOf(headings)
  const all = rows.map((row) => rowOf(columns, row))
  const read = isLong(columns) ? readLong : isByDate(columns) ? readByDate : readWide
  const lines = read(columns, all, commas)
  if (lines.length > maxObservations) throw new Refusal('TOO_LARGE')
  if (lines.length === 0) throw new Refusal('NOTHING_FOUND')
  const notes: string[] = []
  const isUnread = (row: Row) => Boolean(row.cell('collected')) && !readHead(row, ordersOf(all)).collectedDate
  if (all.slice(0, 100).some(isUnread)) {
    notes.push('A day of collection could not be read for certain (day and month could be either way)')
  }
  return { format: 'csv', reports: group(lines), notes }
}

function readLong(_columns: readonly Column[], rows: readonly Row[], commas: Commas): Line[] {
  const orders = ordersOf(rows)
  return rows.flatMap((row) => {
    const [name, text] = [row.cell('name') ?? '', row.cell('value') ?? '']
    if (name === '' || text === '') return []
    const printed = { name, text, unit: row.cell('unit'), rangeText: row.cell('range') || undefined }
    const head = readHead(row, orders)
    return [{ head, observation: readResult(row, printed, commas), key: keyOf(row) }]
  })
}

function readByDate(columns: readonly Column[], rows: readonly Row[], commas: Commas): Line[] {
  const orders = ordersOf(rows)
  return columns.flatMap(({ kind, day }, index) => {
    if (kind !== 'date-column' || day === undefined) return []
    return rows.flatMap((row) => {
      const [name, text] = [row.cell('name') ?? '', row.at(index)]
      if (name === '' || text === '') return []
      const printed = { name, text, unit: row.cell('unit'), rangeText: row.cell('range') || undefined }
      const head = { ...readHead(row, orders), collectedDate: day }
      return [{ head, observation: readResult(row, printed, commas), key: day }]
    })
  })
}

const unitsRow = /^\(?(units?|uom)\)?$/i

/** One sample per row; units stand in the heading ("Glucose (mg/dL)") or in a first row called Units. */
function readWide(columns: readonly Column[], rows: readonly Row[], commas: Commas): Line[] {
  const units = rows[0] && columns.some((_, index) => unitsRow.test(rows[0]?.at(index) ?? '')) ? rows[0] : undefined
  const samples = units ? rows.slice(1) : rows
  const orders = ordersOf(samples)
  return samples.flatMap((row) =>
    columns.flatMap(({ kind, heading }, index) => {
      const text = row.at(index)
      // In a wide table a plain heading such as "CO2" may also be a synonym: only unknown ones are markers.
      if (kind !== 'marker' || text === '') return []
      const { name, unit } = splitHeading(heading)
      const observation = readResult(row, { name, text, unit: units?.at(index) || unit }, commas)
      const position = `row ${row.number}, column ${index + 1}`
      return [{ head: readHead(row, orders), observation: { ...observation, position }, key: keyOf(row) }]
    }),
  )
}

function splitHeading(heading: string): { name: string; unit?: string } {
  const match = /^(.*\S)\s*[([]([^()[\]]*[/%][^()[\]]*|ratio|fL|pg|%)[)\]]$/i.exec(heading)
  if (match?.[1]) return { name: match[1].replace(/_/g, ' '), unit: match[2] }
  const tail = /^(.*\S)[,\s]\s*([\w%*^.]+\/[\w.*^]+|%)$/.exec(heading)
  return tail?.[1] ? { name: tail[1].replace(/,$/, ''), unit: tail[2] } : { name: heading.replace(/_/g, ' ') }
}

const keyOf = (row: Row) =>
  (['kit', 'accession', 'collected', 'patient', 'givenName', 'familyName', 'born'] as const)
    .map((kind) => row.cell(kind) ?? '')
    .join(' ')

function group(lines: readonly Line[]): ParsedReport[] {
  const byKey = new Map<string, Line[]>()
  for (const line of lines) {
    const same = byKey.get(line.key)
    if (same) same.push(line)
    else byKey.set(line.key, [line])
  }
  return [...byKey.values()].map((same) => {
    const observations = same.map(({ observation }) => observation)
    const words = observations.flatMap(({ value, valueText, comment }) => [
      value === undefined ? valueText : '',
      comment ?? '',
    ])
    return {
      ...Object.assign({}, ...same.map(({ head }) => head).reverse()),
      status: overallStatus(observations.map(({ status }) => status)),
      observations,
      specimenErrors: distinct(words.flatMap(specimenErrorsIn)),
    }
  })
}
