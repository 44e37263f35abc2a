import type { Json } from './faulty-server.ts'

export interface Sold {
  id: string
  shipment: string
  rate: string
  number: string
  carrier: string
  isReturn: boolean
  reference: string
  fileType: string
  /** What was charged, where that is not what was offered. */
  charged?: string
  refund: 'none' | 'submitted' | 'refunded' | 'rejected' | 'not_applicable'
}

export const services: { carrier: string; service: string; token: string; price: string; currency?: string }[] = [
  { carrier: 'USPS', service: 'GroundAdvantage', token: 'usps_ground_advantage', price: '5.57' },
  { carrier: 'USPS', service: 'Priority', token: 'usps_priority', price: '8.10' },
  { carrier: 'UPS', service: 'Ground', token: 'ups_ground', price: '9.25' },
]
/** A PDF of one page, in points. `catalog`: what else its catalog has. */
export function pdfOf(width: number, height: number, catalog = ''): Buffer {
  const objects = [
    `<</Type /Catalog /Pages 2 0 R ${catalog}>>`,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources <<>>>>`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj ${object} endobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(`${text}${table}trailer <</Size 4 /Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`)
}

export const PDF = pdfOf(288, 432)
export const PDF_A6 = pdfOf(298, 420)
/** The header and the end of a PNG of 800×1200 dots. */
export const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d4948445200000320000004b00802000000000000000000000049454e44ae426082',
  'hex',
)

// From and to there the Postal Service wants a customs form; to Puerto Rico and the Virgin Islands it wants none.
const isDeclared = ({ to_address, address_to, from_address, address_from }: Json): boolean =>
  [to_address ?? address_to, from_address ?? address_from].some(
    ({ country, state, zip }) => country === 'US' && (['AA', 'AE', 'AP'].includes(state) || /^969|^96799/.test(zip)),
  )

const COUNTRY = /^[A-Z]{2}$/

function addressProblem(name: string, given: Json | undefined): string | undefined {
  if (!given || typeof given !== 'object') return `${name} is missing`
  for (const field of ['name', 'street1', 'city', 'country'])
    if (typeof given[field] !== 'string' || given[field] === '') return `${name}.${field} is missing`
  if (!COUNTRY.test(given.country)) return `${name}.country is no ISO code`
  if (given.country === 'US' && !/^[A-Z]{2}$/.test(given.state ?? '')) return `${name}.state is no code`
  if (given.country === 'US' && !/^\d{5}(-\d{4})?$/.test(given.zip ?? '')) return `${name}.zip is none`
  const known = ['name', 'company', 'street1', 'street2', 'city', 'state', 'zip', 'country', 'phone', 'email']
  const other = Object.keys(given).find((key) => !known.includes(key))
  return other && `${name}.${other} is not a field`
}

export function problemOfEasyPost(given: Json): string | undefined {
  const addresses = ['to_address', 'from_address', 'return_address'] as const
  const found = addresses.map((name) => addressProblem(name, given[name])).find(Boolean)
  if (found) return found
  const { parcel, options, customs_info: customs } = given
  for (const side of ['length', 'width', 'height'])
    if (!(parcel?.[side] > 0 && parcel[side] < 108)) return `parcel.${side} is not in inches`
  if (!(parcel.weight > 0 && parcel.weight < 1120)) return 'parcel.weight is not in ounces'
  if (!['PDF', 'PNG', 'ZPL'].includes(options?.label_format)) return 'options.label_format'
  if (options.label_size !== '4x6') return 'options.label_size'
  if (typeof given.is_return !== 'boolean') return 'is_return'
  const isAbroad = given.to_address.country !== given.from_address.country
  if (!isAbroad && !isDeclared(given)) return customs && 'customs within a country'
  if (isAbroad !== Boolean(given.to_address.phone)) return 'a phone number is needed abroad only'
  const [item] = customs?.customs_items ?? []
  if (!item) return 'customs_info is missing'
  if (customs.customs_certify !== true || !customs.customs_signer) return 'customs are not certified'
  if (!COUNTRY.test(item.origin_country)) return 'origin_country'
  if (!/^\d{6,10}$/.test(item.hs_tariff_number)) return 'hs_tariff_number'
  return item.value > 0 && item.weight > 0 && item.quantity > 0 && item.description && /^[A-Z]{3}$/.test(item.currency)
    ? undefined
    : 'customs_items'
}

export function problemOfShippo(given: Json): string | undefined {
  const found = ['address_to', 'address_from', 'address_return']
    .map((name) => addressProblem(name, given[name]))
    .find(Boolean)
  if (found) return found
  const [parcel] = given.parcels ?? []
  for (const field of ['length', 'width', 'height', 'weight'])
    if (typeof parcel?.[field] !== 'string' || !(Number(parcel[field]) > 0))
      return `parcels.${field} is no text of a number`
  if (parcel.distance_unit !== 'cm' || parcel.mass_unit !== 'g') return 'units'
  if (given.async !== false) return 'async'
  if (typeof given.metadata !== 'string' || given.metadata.length > 100) return 'metadata'
  const customs = given.customs_declaration
  const isAbroad = given.address_to.country !== given.address_from.country
  if (!isAbroad && !isDeclared(given)) return customs && 'customs within a country'
  if (isAbroad !== Boolean(given.address_to.phone)) return 'a phone number is needed abroad only'
  const [item] = customs?.items ?? []
  if (!item) return 'customs_declaration is missing'
  if (customs.certify !== true || !customs.certify_signer) return 'customs are not certified'
  if (!['MERCHANDISE', 'SAMPLE', 'GIFT', 'DOCUMENTS', 'OTHER'].includes(customs.contents_type)) return 'contents_type'
  if (!['RETURN', 'ABANDON'].includes(customs.non_delivery_option)) return 'non_delivery_option'
  if (!/^(NOEEI_30_\d\d(_\w)?|AES_ITN)$/.test(customs.eel_pfc)) return 'eel_pfc'
  if (!COUNTRY.test(item.origin_country) || item.mass_unit !== 'g') return 'customs items'
  return Number(item.value_amount) > 0 && Number(item.net_weight) > 0 && item.tariff_number
    ? undefined
    : 'customs items'
}
