import { countryCodes, type Place, stateOf } from '@kitlane/display/postal-address'
import { isZipOfState } from '@kitlane/display/postcodes'
import type { Sex } from '@kitlane/lab-reader/facts/schema'
import { ADULT_AGE } from '../../domain/age.ts'

/** Where the kits of a panel may be sent, and how many in one order, as the operator set it. */
export interface OrderLimits {
  /** ISO 3166 countries and regions (`US`, `US-NY`); null: everywhere. */
  offeredIn: readonly string[] | null
  /** Wins over `offeredIn`. */
  notOfferedIn: readonly string[]
  /** Null: no limit. */
  maxPerOrder: number | null
}

/** Whom a panel is for. */
export interface PersonLimits {
  minAge: number
  maxAge: number | null
  /** Null: everyone. */
  sex: Sex | null
}

/** Who may order a panel and be tested with it. */
export interface PanelRules extends OrderLimits, PersonLimits {
  /** A provider who is licensed where the recipient lives approves each order. */
  providerNeeded: boolean
}

/** What an order or a registration asks for, as far as it is known. */
export interface Asked {
  address?: Place | null | undefined
  quantity?: number
  person?: { age: number; sex?: Sex | undefined; hasGuardian?: boolean | undefined }
}

/** Why it is refused. */
export type Refusal = PlaceRefusal | 'quantity' | 'age' | 'sex' | 'guardianMissing' | 'guardianUnneeded'
type PlaceRefusal = 'zip' | 'country' | 'state'

// ISO 3166 has these as countries, too, and the post takes both.
const territories = new Set(['AS', 'GU', 'MP', 'PR', 'VI'])

/** An address as codes: its country and its region. A territory of the US is both. */
function codesOf({ country, state }: Place): { country: string[]; region: string[] } {
  if (territories.has(country)) return { country: ['US', country], region: [`US-${country}`] }
  if (country === 'US' && territories.has(state)) return { country: ['US', state], region: [`US-${state}`] }
  return { country: [country], region: state ? [`${country}-${state}`] : [] }
}

/** The region of an address as ISO 3166 has it (`US-NY`, `US-PR`), or its country where none is known. */
export const regionOf = (address: Place): string => codesOf(address).region[0] ?? address.country

/** Whether a list of ISO 3166 codes has the country of an address, or its region. */
export function isIn(list: readonly string[], address: Place): boolean {
  const { country, region } = codesOf(address)
  return [...country, ...region].some((code) => list.includes(code))
}

function placeRefusal(
  { offeredIn, notOfferedIn, providerNeeded }: PanelRules,
  address: Place,
): PlaceRefusal | undefined {
  const { country, region } = codesOf(address)
  const names = (list: readonly string[], codes: readonly string[]) => codes.some((code) => list.includes(code))
  const namesRegion = (list: readonly string[]) =>
    list.some((code) => country.some((one) => code.startsWith(`${one}-`)))
  if (names(notOfferedIn, country)) return 'country'
  if (names(notOfferedIn, region)) return 'state'
  if (offeredIn && !isIn(offeredIn, address)) return namesRegion(offeredIn) ? 'state' : 'country'
  // Its region is not known, so that it could be one of these.
  if (region.length === 0 && namesRegion(notOfferedIn)) return 'state'
  // The post delivers by the ZIP code; a licence is one of the state.
  return providerNeeded && country.includes('US') && !isZipOfState(address.zip, address.state) ? 'zip' : undefined
}

function guardianRefusal({ age, hasGuardian }: NonNullable<Asked['person']>): Refusal | undefined {
  if (hasGuardian === undefined || age < ADULT_AGE === hasGuardian) return undefined
  return hasGuardian ? 'guardianUnneeded' : 'guardianMissing'
}

/**
 * Why an order or a registration is refused, at most one refusal of each row; none: it is allowed. What is not asked for or not
 * known refuses nothing. Everything that orders, replaces or registers asks this.
 */
export function refusalsOf(rules: PanelRules, { address, quantity, person }: Asked): Refusal[] {
  const { minAge, maxAge, maxPerOrder, sex } = rules
  const table: readonly (Refusal | false | null | undefined)[] = [
    address && placeRefusal(rules, address),
    quantity !== undefined && maxPerOrder !== null && quantity > maxPerOrder && 'quantity',
    person && (person.age < minAge || (maxAge !== null && person.age > maxAge)) && 'age',
    person?.sex && sex && person.sex !== sex && 'sex',
    person && guardianRefusal(person),
  ]
  return table.filter((one): one is Refusal => Boolean(one))
}

/** A refusal of an order, for those who order. */
export function orderRefusalSentence(refusal: Refusal, kitType: string, rules: PanelRules): string {
  if (refusal === 'quantity') return `At most ${rules.maxPerOrder} of ${kitType} can be ordered at once`
  if (refusal === 'zip') return 'The ZIP code of this address is of another state: correct the ZIP code or the state'
  if (refusal === 'country' || refusal === 'state') return `${kitType} is not offered in this ${refusal}`
  return refusal === 'sex' ? forSex(rules) : forAges(rules)
}

const codes = {
  age: 'AGE_NOT_ALLOWED',
  sex: 'SEX_NOT_ALLOWED',
  guardianMissing: 'GUARDIAN_REQUIRED',
  guardianUnneeded: 'VALIDATION_FAILED',
} as const

export interface PersonRefusal {
  code: (typeof codes)[keyof typeof codes]
  field: 'dateOfBirth' | 'sex'
  /** For the person who registers. */
  sentence: string
}

/** Why a person cannot be registered like this; undefined if they can. */
export function personRefusal(limits: PersonLimits, person: NonNullable<Asked['person']>): PersonRefusal | undefined {
  const anywhere = { offeredIn: null, notOfferedIn: [], maxPerOrder: null, providerNeeded: false }
  const [refusal] = refusalsOf({ ...anywhere, ...limits }, { person })
  if (refusal === undefined || !(refusal in codes)) return undefined
  const is = refusal as keyof typeof codes
  const { age } = person
  const sentences: Record<keyof typeof codes, string> = {
    age: `${forAges(limits)}. On the day of the sample, this person is ${age}.`,
    sex: `${forSex(limits)}.`,
    guardianMissing: `This person is ${age}. A parent or guardian registers a person under ${ADULT_AGE}.`,
    guardianUnneeded: `This person is ${age}, and registers without a guardian: from ${ADULT_AGE} on, it is theirs to decide.`,
  }
  return { code: codes[is], field: is === 'sex' ? 'sex' : 'dateOfBirth', sentence: sentences[is] }
}

const forSex = ({ sex }: PersonLimits): string => `This test is for people of ${sex === 'F' ? 'female' : 'male'} sex`

/** For whom a panel is, as a sentence without its stop. */
function forAges({ minAge, maxAge }: PersonLimits): string {
  if (maxAge === null) return `This test is for people from the age of ${minAge}`
  return minAge === 0
    ? `This test is for people up to the age of ${maxAge}`
    : `This test is for people from the age of ${minAge} to ${maxAge}`
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
