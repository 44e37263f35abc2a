import { countryCodes, stateOf } from '@kitlane/display/postal-address'

/** Where the kits of a panel may be sent, and how many in one order, as the operator set it. */
export interface OrderLimits {
  /** ISO 3166 countries and regions (`US`, `US-NY`); null: everywhere. */
  offeredIn: readonly string[] | null
  /** Wins over `offeredIn`. */
  notOfferedIn: readonly string[]
  /** Null: no limit. */
  maxPerOrder: number | null
}

/** Which field of an order breaks a limit of its panel. */
export type OrderLimit = 'state' | 'country' | 'quantity'

interface Wanted {
  country: string
  state: string
  quantity: number
}

// ISO 3166 has these as countries, too, and the post takes both.
const territories = new Set(['AS', 'GU', 'MP', 'PR', 'VI'])

/** An address as codes: its country and its region. A territory of the US is both. */
function codesOf({ country, state }: Pick<Wanted, 'country' | 'state'>): { country: string[]; region: string[] } {
  if (territories.has(country)) return { country: ['US', country], region: [`US-${country}`] }
  if (country === 'US' && territories.has(state)) return { country: ['US', state], region: [`US-${state}`] }
  return { country: [country], region: state ? [`${country}-${state}`] : [] }
}

/** What an order breaks of the limits of a panel; undefined where it may be placed. */
export function brokenLimit(
  { offeredIn, notOfferedIn, maxPerOrder }: OrderLimits,
  wanted: Wanted,
): OrderLimit | undefined {
  const { country, region } = codesOf(wanted)
  const names = (list: readonly string[], codes: readonly string[]) => codes.some((code) => list.includes(code))
  if (names(notOfferedIn, country)) return 'country'
  if (names(notOfferedIn, region)) return 'state'
  if (offeredIn && !names(offeredIn, [...country, ...region])) {
    return offeredIn.some((code) => country.some((one) => code.startsWith(`${one}-`))) ? 'state' : 'country'
  }
  // Its region is not known, so that it could be one of these.
  if (region.length === 0 && notOfferedIn.some((code) => code.startsWith(`${wanted.country}-`))) return 'state'
  return maxPerOrder !== null && wanted.quantity > maxPerOrder ? 'quantity' : undefined
}

export function limitSentence(broken: OrderLimit, kitType: string, { maxPerOrder }: OrderLimits): string {
  return broken === 'quantity'
    ? `At most ${maxPerOrder} of ${kitType} can be ordered at once`
    : `${kitType} is not offered in this ${broken}`
}

/** A country, or one of its regions, as ISO 3166 writes it; undefined for anything else. */
export function regionCode(text: string): string | undefined {
  const [country = '', ...rest] = text.trim().toUpperCase().split('-')
  if (!countryCodes.includes(country)) return undefined
  if (rest.length === 0) return country
  const state = rest.join('-')
  const known = stateOf(state, country)
  return known ? `${country}-${known}` : undefined
}
