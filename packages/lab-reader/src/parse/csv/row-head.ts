import { kitIdOfNumber } from '@kitlane/display/short-id'
import { type DayOrder, dayOrder, printedBirth, printedDay, type TaughtOrder } from '../date.ts'
import type { Kind } from '../headings.ts'
import { hasWordsOf, wordsOf } from '../names.ts'
import type { ParsedReport } from '../parsed.ts'
import { clean, cleaned } from '../text.ts'
import type { Row } from './row.ts'

/** Given and family name may stand in columns of their own, one of them under "Name". */
function nameOf(row: Row): string {
  const parts = (['givenName', 'patient', 'familyName'] as const).map((kind) =>
    kind === 'patient' ? (row.all(kind)[0] ?? '') : row.all(kind).join(' '),
  )
  const isHeld = (part: string, at: number) =>
    parts.some((other, index) => index !== at && other !== '' && hasWordsOf(wordsOf(other), wordsOf(part)))
  const own = parts.filter((part, at) => part !== '' && (at === 1 || !isHeld(part, at)))
  return clean(own.length > 0 ? own.join(' ') : parts.join(' '), 200)
}

export type Head = Omit<ParsedReport, 'observations' | 'status' | 'specimenErrors'>

/** Person, sample and days of a row. */
export function readRowHead(row: Row, orders: Orders): Head {
  const collectedDate = printedDay(row.cell('collected'), orders.collected)
  const collected = row.isNobodys ? undefined : cleaned(row.cell('collected'), 60)
  const resultedDate = printedDay(row.cell('resulted'), orders.resulted)
  const accession = cleaned(row.cell('accession'), 200)
  const [kitId] = [row.cell('kit'), row.cell('accession')].flatMap((text) => kitIdOfNumber(text ?? '') ?? [])
  const isNobodys = row.another !== undefined || row.isNobodys
  const name = isNobodys ? '' : nameOf(row)
  const dateOfBirth = printedBirth(row.cell('born'), orders.born)
  const said = row.cell('sex') ?? ''
  const letter = /^(?:mujer|mulher)/i.test(said) ? 'F' : /^férfi/i.test(said) ? 'M' : said.charAt(0).toUpperCase()
  const sex = letter === 'M' || letter === 'F' ? (letter as 'M' | 'F') : undefined
  const id = isNobodys ? undefined : cleaned(row.cell('patientId'), 80)
  const patient = { ...(name && { name }), ...(dateOfBirth && { dateOfBirth }), ...(sex && { sex }), ...(id && { id }) }
  return {
    ...(collectedDate && { collectedDate }),
    ...(collected && !collectedDate && { unreadDay: collected }),
    ...(resultedDate && { resultedDate }),
    ...(accession && { accession }),
    ...(kitId && { kitId }),
    ...(Object.keys(patient).length > 0 && { patient }),
  }
}

export interface Orders {
  collected: DayOrder
  resulted: DayOrder
  born: DayOrder
}

/** The order of day and month in a file; columns that could be either way borrow it from one that could not. */
export function ordersOf(rows: readonly Row[], taught?: TaughtOrder): Orders {
  const order = (kind: Kind) => dayOrder(rows.map((row) => row.cell(kind) ?? ''))
  const [collected, resulted, born] = [order('collected'), order('resulted'), order('born')]
  const proven = [collected, resulted, born].filter((one) => one !== 'unknown')
  if (taught && proven.some((one) => one !== taught))
    return { collected: 'unknown', resulted: 'unknown', born: 'unknown' }
  const common = proven[0] ?? taught ?? 'unknown'
  const or = (one: DayOrder) => (one === 'unknown' ? common : one)
  return { collected: or(collected), resulted: or(resulted), born: or(born) }
}
