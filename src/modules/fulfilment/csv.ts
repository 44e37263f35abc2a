import { type Sentence, sentence } from '@kitlane/display/sentence'
import { cellText } from '@kitlane/display/sheet-cell'
import { isId, normalizeId } from '@kitlane/display/short-id'
import { WorkbookProblem, workbookOf } from '@kitlane/display/workbook-kind'
import { parse } from 'csv-parse/sync'
import { AppError } from '../../domain/errors.ts'
import { inSlices } from '../../platform/slices.ts'
import type { Packed } from './rules.ts'
import { ShipInput } from './schema.ts'

// How carriers, and the services that they are known by, stand in exports of shipping software.
const names: readonly (readonly [pattern: RegExp, carrier: string])[] = [
  [/\busps\b|priority mail|ground advantage|first[- ]class (?:mail|package)/i, 'USPS'],
  [/\bups\b/i, 'UPS'],
  [/\bfed ?ex\b/i, 'FedEx'],
  [/\broyal mail\b/i, 'Royal Mail'],
  [/\bparcelforce\b/i, 'Parcelforce'],
  [/\bcanada post\b/i, 'Canada Post'],
  [/\bdhl\b/i, 'DHL'],
  [/\bdpd\b/i, 'DPD'],
  [/\bgls\b/i, 'GLS'],
  [/\bevri\b/i, 'Evri'],
]

// The Universal Postal Union's S10: two letters, nine digits and the country of the post.
const numbers: readonly (readonly [pattern: RegExp, carrier: string])[] = [
  [/^1Z[0-9A-Z]{16}$/, 'UPS'],
  [/^(?:420\d{5}(?:\d{4})?)?9[2-5]\d{20}$|^[A-Z]{2}\d{9}US$/, 'USPS'],
  [/^[A-Z]{2}\d{9}GB$/, 'Royal Mail'],
  [/^[A-Z]{2}\d{9}CA$/, 'Canada Post'],
]

const firstOf = (list: typeof names, text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

/** Whose a service is, such as "Royal Mail Tracked 24"; undefined where no carrier is named. */
const carrierOfService = (service: string): string | undefined => firstOf(names, service)

/** Whose a tracking number is by its form; undefined where several carriers have such numbers. */
const carrierOfNumber = (number: string): string | undefined =>
  firstOf(numbers, number.toUpperCase().replace(/[^0-9A-Z]/g, ''))

const MAX_ROWS = 2000

// How exports of shipping software head these columns, by their letters: of ShipStation, Pirate Ship, Shippo, Royal Mail's
// Click & Drop and DHL's portal, and people in German, French and Spanish. Of several that a file has, the first one counts.
type Field = Exclude<keyof ShipInput, 'postage'>
const headings: Readonly<Record<Field, string>> = {
  kitID:
    'kitid kit kitnumber ordercustomfield customfield customfieldone rubberstamp reference orderreference channelreference sendungsreferenz referenz testkit ordernumber orderid order',
  carrier:
    'carrier carriername shippingcarrier shipmentcarrier carriercode provider versandunternehmen paketdienst versanddienst transporteur transportista',
  outboundTrackingNumber:
    'outbound outboundtrackingnumber outboundtracking trackingnumber shipmenttrackingnumber tracking trackingcode trackingid sendungsnummer numerodesuivi numerodeseguimiento',
  returnTrackingNumber: 'return returntrackingnumber returntracking returnlabel returntrackingcode inbound',
  returnCarrier: 'returncarrier returncarriername',
  box: 'box boxcode boxserial serialnumber seriennummer numerodeserie',
}
const fields = Object.keys(headings) as Field[]
const services =
  'carrierserviceselected service shippingservice shipmentservice servicelevel produktundservicedetails produkt'
const needed = ['kitID', 'outboundTrackingNumber'] as const
const delimiters = [';', '\t', ',', '|']
// A title, or the day of the export, may stand above the names of the columns.
const MOST_LINES_ABOVE = 10

export interface CsvRow {
  /** 1 is the header. */
  line: number
  kitId: string
  /** Undefined where the row is wrong. */
  packed?: Packed
  problem?: string
}

const refusal = (why: string | Sentence) => new AppError('VALIDATION_FAILED', why)

const noColumns = () =>
  refusal('The first line must name the columns: kitID,carrier,outbound,return (and returnCarrier, if it is another)')

// 2,000 rows take 1 MB, styles included.
const MOST_UNPACKED_BYTES = 4 * 1024 * 1024

const workbookRefusals: Readonly<Record<WorkbookProblem['reason'], Sentence>> = {
  'not a workbook': sentence('This workbook cannot be read: save it as .xlsx or as CSV, and send that'),
  'too large': sentence(
    'This workbook is too large when it is unpacked: copy the rows into a new one, or save it as CSV',
  ),
  empty: sentence('The workbook has no rows'),
}

/** The text of a CSV, or of the first sheet of a workbook, whose bytes are sent as latin1. */
async function csvOf(body: string): Promise<string> {
  const kind = workbookOf(Buffer.from(body.slice(0, 4), 'latin1'))
  if (!kind) return body
  try {
    if (kind === 'xls') throw new WorkbookProblem('not a workbook')
    // Loaded with the first workbook.
    const { csvOfWorkbook } = await import('@kitlane/display/workbook')
    return await csvOfWorkbook(Buffer.from(body, 'latin1'), { mostBytes: MOST_UNPACKED_BYTES })
  } catch (error) {
    throw error instanceof WorkbookProblem ? refusal(workbookRefusals[error.reason]) : error
  }
}

/** The rows of a CSV of shipments, each right or with its problem. @throws VALIDATION_FAILED for what is no such file */
export async function readShipments(body: string): Promise<CsvRow[]> {
  const read = readRecords(await csvOf(body))
  const top = read.slice(0, MOST_LINES_ABOVE).findIndex(({ record }) => isHeader(record))
  if (top < 0) throw noColumns()
  const columns = columnsOf(read[top]?.record ?? [])
  const rows = read.slice(top + 1)
  if (rows.length === 0) throw refusal('The file has no row below the names of its columns')
  if (rows.length > MAX_ROWS) throw refusal(`Send at most ${MAX_ROWS} rows at once`)
  const shipments: CsvRow[] = []
  await inSlices(rows, ({ record, info }) => void shipments.push(rowOf(info.lines, record, columns)))
  // Some exports have no column for it, as Pirate Ship's: then the numbers say it.
  if (!hasCarrierColumn(columns) && shipments.every(({ packed }) => !packed)) throw noColumns()
  return shipments
}

/** In which columns a field may stand, the likeliest first. */
type Columns = Readonly<Record<Field | 'service', readonly number[]>>

function columnsOf(header: readonly string[]): Columns {
  const letters = header.map((name) =>
    name
      .normalize('NFD')
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  )
  const places = (known: string) =>
    known.split(' ').flatMap((heading) => letters.flatMap((one, index) => (one === heading ? [index] : [])))
  const { kitID, carrier, outboundTrackingNumber, returnTrackingNumber, returnCarrier, box } = headings
  return {
    kitID: places(kitID),
    carrier: places(carrier),
    outboundTrackingNumber: places(outboundTrackingNumber),
    returnTrackingNumber: places(returnTrackingNumber),
    returnCarrier: places(returnCarrier),
    box: places(box),
    service: places(services),
  }
}

const hasCarrierColumn = ({ carrier, service }: Columns): boolean => carrier.length + service.length > 0

function isHeader(record: readonly string[]): boolean {
  const columns = columnsOf(record)
  return needed.every((field) => columns[field].length > 0)
}

// What Excel writes above a file to say its delimiter; it reads no file of commas without it in many countries.
const SEPARATOR_LINE = /^\uFEFF?"?sep=[,;\t|]"?\r?\n/i

interface Read {
  record: string[]
  info: { lines: number }
}

function readRecords(text: string): Read[] {
  const above = SEPARATOR_LINE.exec(text)?.[0] ?? ''
  const top = text.slice(above.length).split(/\r\n|\n|\r/, MOST_LINES_ABOVE)
  // A comma may be in a name, or in a number.
  const delimiter = delimiters.find((one) => top.some((names) => isHeader(names.split(one)))) ?? ','
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
      to: MAX_ROWS + 1 + MOST_LINES_ABOVE,
    }
    const read = parse(text.slice(above.length), options) as unknown as Read[]
    return above ? read.map(({ record, info }) => ({ record, info: { lines: info.lines + 1 } })) : read
  } catch {
    // The library's message quotes the file.
    throw refusal('The file is not well-formed CSV: a quote is not closed, or a line is far too long')
  }
}

function rowOf(line: number, record: readonly string[], columns: Columns): CsvRow {
  const valuesOf = (field: keyof Columns) =>
    columns[field].map((index) => cellText(record[index] ?? '')).filter((value) => value !== '')
  const given: Partial<Record<Field, string>> = {}
  for (const field of fields) {
    const values = valuesOf(field)
    // Which column a packer keeps the kit in, only its content says.
    const value = (field === 'kitID' && values.find((one) => isId('K', normalizeId(one)))) || values[0]
    if (value) given[field] = value
  }
  const [service] = valuesOf('service')
  const byNumber = hasCarrierColumn(columns) ? undefined : carrierOfNumber(given.outboundTrackingNumber ?? '')
  const carrier = given.carrier ?? (service && (carrierOfService(service) ?? service)) ?? byNumber
  if (carrier) given.carrier = carrier
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
  const {
    kitID: kitId,
    carrier,
    outboundTrackingNumber: outbound,
    returnCarrier,
    returnTrackingNumber,
    box,
    postage,
  } = input
  return { kitId, carrier, outbound, returnCarrier, returnNumber: returnTrackingNumber, box, postage }
}
