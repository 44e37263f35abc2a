import {
  countryOfPlace,
  type Place,
  type PlaceProblem,
  placeProblems,
  stateOf,
  zipDigits,
  zipOf,
} from '@kitlane/display/postal-address'
import { languages } from './translations/translator.ts'

type Fields = Record<string, unknown>

// What shops, spreadsheets and other services call these fields, without case, `_` and `-`.
const otherNames: Readonly<Record<string, readonly string[]>> = {
  street1: ['address1', 'addressline1', 'line1', 'street'],
  street2: ['address2', 'addressline2', 'line2'],
  addressLine1: ['street1', 'address1', 'line1', 'street'],
  addressLine2: ['street2', 'address2', 'line2'],
  state: ['province', 'provincecode', 'region', 'stateprovince', 'stateorprovince'],
  zip: ['postalcode', 'postcode', 'zipcode', 'zippostalcode'],
  country: ['countrycode', 'countryiso', 'countryiso2'],
}

/** The other names of the fields of an address, by their letters; none where fields are not those of one. */
export function addressNames(names: readonly string[]): Map<string, string> {
  const isAddress = ['city', 'zip', 'country'].every((name) => names.includes(name))
  const own = isAddress ? names : []
  return new Map(own.flatMap((name) => (otherNames[name] ?? []).map((other) => [other, name] as const)))
}

/** The text of a postcode that came as a number; undefined where it may have lost zeros, as 2134 of 02134 has. */
function postcodeOf(value: number, country: string): string | undefined {
  const text = String(value)
  return zipDigits(country) === text.length && /^[1-9]\d*$/.test(text) ? text : undefined
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** The values of an address in the form of its schema: a country by its two letters, a whole postcode as text. */
export function addressValues(fields: Fields): Fields {
  const { country, state, zip } = fields
  const place = { country: textOf(country), state: textOf(state), zip: textOf(zip) }
  const code = typeof country === 'string' ? (countryOfPlace(place) ?? country) : country
  const isNumber = typeof zip === 'number'
  if (code === country && !isNumber) return fields
  const where = typeof code === 'string' && code !== '' ? code : 'US'
  const text = isNumber ? postcodeOf(zip, where) : undefined
  return { ...fields, ...(code !== country && { country: code }), ...(text !== undefined && { zip: text }) }
}

const problems = {
  country: {
    unknown: 'No such country: send its two letters of ISO 3166-1, such as US',
    state: 'A country and a state of the US have this name: send GE for the country, or US and the state GA',
  },
  state: {
    missing: 'Is missing: addresses of this country have one',
    unknown: 'No state or province of this country: send its letters, such as NY, or its name, or another country',
  },
  zip: {
    missing: 'Is missing: addresses of this country have a postcode',
    number: 'A spreadsheet made a number of it: send the postcode as it is written on letters',
    US: 'A ZIP code has five digits, with its leading zeros, or nine: send it as 05401 or 05401-1234',
    PR: 'A ZIP code of Puerto Rico has five digits and begins with 006, 007 or 009: send it as 00901',
    CA: 'A Canadian postal code has letters and digits in turn: send it as K1A 0B1',
    place:
      'This ZIP code is of another state: correct the ZIP code or the state. APO, FPO, DPO and the islands have their own',
  },
} as const

/** What is wrong with a part of an address, and what to do. */
export function wordsOfProblem(found: PlaceProblem): string {
  if (found.problem === 'form')
    return `A postcode of this country is written like ${found.example}: send all of it, with leading zeros`
  const words: Readonly<Record<string, string>> = problems[found.field]
  return words[found.problem] ?? ''
}

/** Where a person lives, who may leave out any part of it. */
type LoosePlace = Partial<Record<keyof Place, string | undefined>>

/** A place as its country writes it, with a country named in one of our languages. */
export function loosePlace<T extends LoosePlace>(given: T): T {
  const { country = '', state, zip } = given
  const code = countryOfPlace({ country, state: state ?? '', zip: zip ?? '' }, languages)
  if (code === undefined) return given
  return {
    ...given,
    country: code,
    ...(state !== undefined && { state: stateOf(state, code) ?? state }),
    ...(zip !== undefined && { zip: zipOf(zip, code) }),
  }
}

/** What is wrong with the parts that are there. Without a country, only what a spreadsheet did to a postcode. */
export function loosePlaceProblems({ country = '', state = '', zip = '' }: LoosePlace): PlaceProblem[] {
  const found = placeProblems({ country: country || 'US', state, zip })
  return found.filter(({ problem }) => (country === '' ? problem === 'number' : problem !== 'missing'))
}
