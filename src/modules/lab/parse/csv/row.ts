import { isKitId, normalizeId } from '../../../../domain/ids.ts'
import { type DayOrder, dayOrder, printedDay } from '../date.ts'
import { type Commas, flagCode, isUncertain, numberOf, rangeOf, readPrinted } from '../number.ts'
import { type Bounds, isUsable, type Observation, type ParsedReport, type ResultStatus } from '../parsed.ts'
import { clean, cleaned } from '../text.ts'
import type { Column, Kind } from './headings.ts'

export interface Row {
  number: number
  cell(kind: Kind): string | undefined
  /** The texts of all columns of a kind, each once. */
  all(kind: Kind): string[]
  at(index: number): string
}

export const rowOf = (columns: readonly Column[], { number, cells }: { number: number; cells: string[] }): Row => ({
  number,
  cell: (kind) => {
    const index = columns.findIndex((column) => column.kind === kind)
    return index < 0 ? undefined : clean(cells[index] ?? '')
  },
  all: (kind) => {
    const texts = columns.flatMap((column, index) => (column.kind === kind ? clean(cells[index] ?? '') : []))
    return [...new Set(texts.filter((text) => text !== ''))]
  },
  at: (index) => clean(cells[index] ?? ''),
})

export interface Printed {
  name: string
  text: string
  unit?: string
  rangeText?: string
  /** Two columns contradict each other. */
  hasSeveral?: boolean
}

/** The result of a row. Formulas and everything that is not a plain number stay text. */
export function readResult(
  row: Row,
  { name, text, unit, rangeText, hasSeveral }: Printed,
  commas: Commas,
): Observation {
  const printed = text.startsWith('=') ? {} : readPrinted(text, commas)
  const split = printed.value === undefined && !unit ? splitUnit(text, commas) : undefined
  const { value, comparator } = split ?? printed
  const ownUnit = split?.unit ?? cleaned(unit, 60)
  const range = boundsOf(row, rangeText, ownUnit, commas)
  const status = statusOf(row.cell('status'))
  const flag = flagCode(row.cell('flag') ?? '') ?? printed.flag
  const loinc = /^\d{1,7}-\d$/.exec(row.cell('loinc') ?? '')?.[0]
  const section = cleaned([row.cell('panel'), row.cell('specimen')].filter(Boolean).join(' / '), 200)
  const comment = cleaned(row.cell('comment'))
  const number = split ? text.slice(0, text.indexOf(' ', text.search(/\d/))) : text
  const doubt = hasSeveral ? 'severalValues' : isUncertain(number, commas, range) ? 'uncertainNumber' : undefined
  const usable = value !== undefined && !doubt && isUsable(status)
  const specimen = cleaned(row.cell('specimen'), 200)
  return {
    name,
    ...(loinc && { loinc }),
    valueText: text,
    ...(usable && { value, ...(comparator && { comparator }) }),
    ...(ownUnit && { unit: ownUnit }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(flag && { flag }),
    status,
    ...(doubt && { doubt }),
    ...(section && { section }),
    ...(specimen && { specimen }),
    ...(comment && { comment }),
    position: `row ${row.number}`,
    raw: clean([name, text, unit ?? '', rangeText ?? ''].join(' | '), 400),
  }
}

/** "5.3 mg/dL" in one cell. */
function splitUnit(text: string, commas: Commas) {
  const match = /^([<>≤≥=]*\s*[+-]?[\d.,]+)\s+([^\d\s].{0,40})$/.exec(text)
  const printed = match?.[1] === undefined ? undefined : readPrinted(match[1], commas)
  return printed?.value === undefined || !match?.[2] ? undefined : { ...printed, unit: match[2] }
}

function boundsOf(
  row: Row,
  rangeText: string | undefined,
  unit: string | undefined,
  commas: Commas,
): Bounds | undefined {
  const printed = rangeOf(rangeText, unit, commas)
  if (printed) return printed
  const [low, high] = [numberOf(row.cell('low') ?? '', commas), numberOf(row.cell('high') ?? '', commas)]
  return low === undefined && high === undefined ? undefined : { low: low ?? null, high: high ?? null }
}

function statusOf(text: string | undefined): ResultStatus {
  const word = (text ?? '').toLowerCase()
  if (/^(corrected|amended|c|corr)$/.test(word)) return 'corrected'
  if (/^(prelim|preliminary|partial|p)$/.test(word)) return 'preliminary'
  if (/^(pending|in process|i|registered)$/.test(word)) return 'pending'
  if (/^(cancel+ed|x|rejected)$/.test(word)) return 'cancelled'
  if (/^(not done|not performed|n|tnp)$/.test(word)) return 'not-done'
  return /^(entered in error|entered-in-error|d|w|deleted|wrong)$/.test(word) ? 'entered-in-error' : 'final'
}

export type Head = Omit<ParsedReport, 'observations' | 'status' | 'specimenErrors'>

/** Person, sample and days of a row. */
export function readRowHead(row: Row, orders: Orders): Head {
  const collectedDate = printedDay(row.cell('collected'), orders.collected)
  const resultedDate = printedDay(row.cell('resulted'), orders.resulted)
  const accession = cleaned(row.cell('accession'), 80)
  const kit = [row.cell('kit'), row.cell('accession')].find((text) => text !== undefined && isKitId(text))
  const name = clean(row.cell('patient') ?? `${row.cell('givenName') ?? ''} ${row.cell('familyName') ?? ''}`, 200)
  const dateOfBirth = printedDay(row.cell('born'), orders.born)
  const letter = (row.cell('sex') ?? '').charAt(0).toUpperCase()
  const sex = letter === 'M' || letter === 'F' ? (letter as 'M' | 'F') : undefined
  const id = cleaned(row.cell('patientId'), 80)
  const patient = { ...(name && { name }), ...(dateOfBirth && { dateOfBirth }), ...(sex && { sex }), ...(id && { id }) }
  return {
    ...(collectedDate && { collectedDate }),
    ...(resultedDate && { resultedDate }),
    ...(accession && { accession }),
    ...(kit && { kitId: normalizeId(kit) }),
    ...(Object.keys(patient).length > 0 && { patient }),
  }
}

export interface Orders {
  collected: DayOrder
  resulted: DayOrder
  born: DayOrder
}

/** The order of day and month in a file; columns that could be either way borrow it from one that could not. */
export function ordersOf(rows: readonly Row[]): Orders {
  const order = (kind: Kind) => dayOrder(rows.map((row) => row.cell(kind) ?? ''))
  const [collected, resulted, born] = [order('collected'), order('resulted'), order('born')]
  const common = [collected, resulted, born].find((one) => one !== 'unknown') ?? 'unknown'
  const or = (one: DayOrder) => (one === 'unknown' ? common : one)
  return { collected: or(collected), resulted: or(resulted), born: or(born) }
}
