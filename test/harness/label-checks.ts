// biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is checked field by field
export type Json = Record<string, any>

export type LabelFault =
  /** Answers with this status, and does nothing. */
  | { status: number; code?: string; text?: string }
  /** Does what was asked, and ends the connection without an answer. */
  | 'lose'
  /** Ends the connection, and does nothing. */
  | 'away'
  /** Does it, and answers after that. */
  | { slowMs: number }
  /** Ends the connection, and does it after that. */
  | { lateMs: number }

export interface Sold {
  id: string
  shipment: string
  rate: string
  number: string
  carrier: string
  isReturn: boolean
  reference: string
  fileType: string
  refund: 'none' | 'submitted' | 'refunded' | 'rejected' | 'not_applicable'
}

export const services = [
  { carrier: 'USPS', service: 'GroundAdvantage', token: 'usps_ground_advantage', price: '5.57' },
  { carrier: 'USPS', service: 'Priority', token: 'usps_priority', price: '8.10' },
  { carrier: 'UPS', service: 'Ground', token: 'ups_ground', price: '9.25' },
]
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\n%%EOF\n')
export const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

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
  if (given.to_address.country === given.from_address.country) return customs && 'customs within a country'
  if (!given.to_address.phone) return 'a phone number is needed abroad'
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
  if (given.address_to.country === given.address_from.country) return customs && 'customs within a country'
  if (!given.address_to.phone) return 'a phone number is needed abroad'
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
