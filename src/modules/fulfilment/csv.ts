import { parse } from 'csv-parse/sync'
import { AppError } from '../../domain/errors.ts'
import { inSlices } from '../../platform/slices.ts'
import type { Packed } from './rules.ts'
import { ShipInput } from './schema.ts'

const MAX_ROWS = 2000

// How exports of shipping software head these columns, by their letters; the first that a file has counts.
const headings: Readonly<Record<keyof ShipInput, string>> = {
  kitID: 'kitid kit kitnumber customfield customfieldone reference ordernumber',
  carrier: 'carrier carriername shippingcarrier shipmentcarrier carriercode provider carrierserviceselected service',
  outboundTrackingNumber:
    'outbound outboundtrackingnumber outboundtracking trackingnumber shipmenttrackingnumber tracking trackingcode trackingid',
  returnTrackingNumber: 'return returntrackingnumber returntracking returnlabel returntrackingcode inbound',
  returnCarrier: 'returncarrier returncarriername',
}
const fields = Object.keys(headings) as (keyof ShipInput)[]
const needed = ['kitID', 'carrier', 'outboundTrackingNumber'] as const

export interface CsvRow {
  /** 1 is the header. */
  line: number
  kitId: string
  /** Undefined where the row is wrong. */
  packed?: Packed
  problem?: string
}

const refusal = (sentence: string) => new AppError('VALIDATION_FAILED', sentence)

/** The rows of a CSV of shipments, each right or with its problem. @throws VALIDATION_FAILED for what is no such file */
export async function readShipments(text: string): Promise<CsvRow[]> {
  const [header, ...rows] = readRecords(text)
  const names = namesOf(header?.record ?? [])
  const missing = needed.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    throw refusal(
      'The first line must name the columns: kitID,carrier,outbound,return (and returnCarrier, if it is another)',
    )
  }
  if (rows.length === 0) throw refusal('The file has no row below the names of its columns')
  if (rows.length > MAX_ROWS) throw refusal(`Send at most ${MAX_ROWS} rows at once`)
  const read: CsvRow[] = []
  await inSlices(rows, ({ record, info }) => void read.push(rowOf(info.lines, record, names)))
  return read
}

/** Which field each column is. */
function namesOf(header: readonly string[]): (keyof ShipInput | undefined)[] {
  const letters = header.map((name) => name.toLowerCase().replace(/[^a-z]/g, ''))
  const places = new Map(
    fields.map((field) => {
      const first = headings[field].split(' ').find((heading) => letters.includes(heading))
      return [first === undefined ? -1 : letters.indexOf(first), field]
    }),
  )
  return letters.map((_, index) => places.get(index))
}

// What Excel writes above a file to say its delimiter; it reads no file of commas without it in many countries.
const SEPARATOR_LINE = /^\uFEFF?sep=[,;\t]\r?\n/i

interface Read {
  record: string[]
  info: { lines: number }
}

function readRecords(text: string): Read[] {
  const above = SEPARATOR_LINE.exec(text)?.[0] ?? ''
  const [names = ''] = text.slice(above.length).split(/[\r\n]/, 1)
  // A comma may be in a name, or in a number.
  const delimiter = [';', '\t'].find((one) => names.includes(one)) ?? ','
  try {
    const options = {
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      delimiter,
      trim: true,
      // ="0123" keeps the zeros of a number in Excel.
      relax_quotes: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      // A megabyte of commas is no shipment; and what follows too many rows is not read.
      max_record_size: 2000,
      to: MAX_ROWS + 2,
    }
    const read = parse(text.slice(above.length), options) as unknown as Read[]
    return above ? read.map(({ record, info }) => ({ record, info: { lines: info.lines + 1 } })) : read
  } catch {
    // The library's message quotes the file.
    throw refusal('The file is not well-formed CSV: a quote is not closed, or a line is far too long')
  }
}

function rowOf(line: number, record: readonly string[], names: readonly (keyof ShipInput | undefined)[]): CsvRow {
  const given = Object.fromEntries(
    names.flatMap((name, index) => {
      const value = record[index]?.replace(/^="(.*)"$/, '$1')
      return name && value ? [[name, value] as const] : []
    }),
  )
  const parsed = ShipInput.safeParse(given)
  const kitId = String(given.kitID ?? '').slice(0, 64)
  if (parsed.success) return { line, kitId: parsed.data.kitID, packed: packedOf(parsed.data) }
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.')
  const isMissing = where !== undefined && !(where in given)
  return { line, kitId, problem: isMissing ? `${where} is missing` : `${where}: ${issue?.message}` }
}

/** What a shipment says, in the words of the rules. */
export function packedOf(input: ShipInput): Packed {
  const { kitID: kitId, carrier, outboundTrackingNumber: outbound, returnCarrier, returnTrackingNumber } = input
  return { kitId, carrier, outbound, returnCarrier, returnNumber: returnTrackingNumber }
}
