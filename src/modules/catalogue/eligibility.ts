import { countryCodes, needsState, type Place, stateOf } from '@kitlane/display/postal-address'
import { countryOfPostcode, isZipOf, isZipOfState, regionsOfPostcode } from '@kitlane/display/postcodes'
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
  /** X is neither sex: a panel of one sex is not for them. */
  person?: { age?: number | undefined; sex?: Sex | 'X' | undefined; hasGuardian?: boolean | undefined }
}

/** Why it is refused. */
export type Refusal = PlaceRefusal | 'quantity' | 'age' | 'sex' | 'guardianMissing' | 'guardianUnneeded'
type PlaceRefusal = 'zip' | 'country' | 'state'

// ISO 3166 has these as countries, too, and the post takes both.
const territories = new Set(['AS', 'GU', 'MP', 'PR', 'VI'])

/** An address as codes: its country and its region. A territory of the US is both. */
function codesOf({ country, state, zip }: Place): { country: string[]; region: string[] } {
  const island = countryOfPostcode(zip, country)
  if (island) return { country: [island], region: [] }
  if (territories.has(country)) return { country: ['US', country], region: [`US-${country}`] }
  if (country === 'US' && territories.has(state)) return { country: ['US', state], region: [`US-${state}`] }
  return { country: [country], region: state ? [`${country}-${state}`] : [] }
}

/** The region of an address as ISO 3166 has it (`US-NY`, `US-PR`), or its country where none is known. */
export function regionOf(address: Place): string {
  const { country, region } = codesOf(address)
  return region[0] ?? country[0] ?? address.country
}

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
  // The post delivers by the ZIP code; a limit and a licence are of the state.
  const isOfState = providerNeeded || namesRegion(notOfferedIn) || (offeredIn !== null && namesRegion(offeredIn))
  return isOfState && !fitsZip(address) ? 'zip' : undefined
}

const isOfUs = (address: Place): boolean => codesOf(address).country.includes('US')

/** Whether a postcode may be one of the state of an address, where it says the state. */
function fitsZip({ country, state, zip }: Place): boolean {
  if (zip === '') return true
  if (isOfUs({ country, state, zip }))
    return /^\d{5}/.test(zip) && isZipOf(zip, territories.has(country) ? country : state) && isZipOfState(zip, state)
  const regions = regionsOfPostcode(zip, country)
  return state === '' || regions.length === 0 || regions.includes(state)
}

/** What somebody says of where they live, who may leave out any part of it. */
export interface Home extends Partial<Record<keyof Place, string | undefined>> {
  addressLine1?: string | undefined
  city?: string | undefined
}

/**
 * Where a person lives who was sent a kit: as they say, with the state that their ZIP code has. Where nothing says the state, it is
 * empty. Null: they say nothing, so that they live where it was sent.
 */
function homeOf({ addressLine1, city, zip = '', ...said }: Home, sentTo: Place | null): Place | null {
  const country = said.country || sentTo?.country || 'US'
  const isSaid = Boolean(addressLine1 || city || zip || said.state)
  if (!isSaid && country === (sentTo?.country ?? country)) return null
  const ofZip = regionsOfPostcode(zip, isOfUs({ country, state: '', zip }) ? 'US' : country)
  const sent = country === sentTo?.country ? sentTo.state : ''
  const known = ofZip.includes(sent) ? sent : ofZip[0]
  return {
    country,
    state: (stateOf(said.state ?? '', country) ?? said.state) || known || (needsState(country) ? '' : sent),
    zip,
  }
}

/**
 * Why a kit that was sent to an address is not for where its person says to live: a provider approved it for another state, or it is
 * not offered there. Undefined: they live where it was sent, or it is offered there.
 */
export function homeRefusal(
  rules: PanelRules,
  { home: said, sentTo, isApproved }: { home: Home; sentTo: Place | null; isApproved: boolean },
): 'approved' | 'offered' | undefined {
  const home = homeOf(said, sentTo)
  if (!home) return undefined
  const isThere = sentTo !== null && isIn([regionOf(sentTo)], home) && fitsZip(home)
  if (isThere) return undefined
  if (isApproved && sentTo) return 'approved'
  return placeRefusal({ ...rules, providerNeeded: false }, home) && 'offered'
}

function guardianRefusal({ age, hasGuardian }: NonNullable<Asked['person']>): Refusal | undefined {
  if (hasGuardian === undefined || age === undefined || age < ADULT_AGE === hasGuardian) return undefined
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
    person?.age !== undefined && (person.age < minAge || (maxAge !== null && person.age > maxAge)) && 'age',
    person?.sex && sex && person.sex !== sex && 'sex',
    person && guardianRefusal(person),
  ]
  return table.filter((one): one is Refusal => Boolean(one))
}

/** A refusal of an order, for those who order. */
export function orderRefusalSentence(refusal: Refusal, kitType: string, rules: PanelRules): string {
  if (refusal === 'quantity') return `At most ${rules.maxPerOrder} of ${kitType} can be ordered at once`
  if (refusal === 'zip') return 'The postal code of this address is of another state or province: correct one of them'
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
export function personRefusal(
  limits: PersonLimits,
  person: NonNullable<Asked['person']> & { age: number },
): PersonRefusal | undefined {
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
