import { type Difference, differencesOfRegistered } from '@kitlane/lab-reader/parse/person'
import type { CustomerRow } from './queries.ts'
import { type Correction, correctedFields } from './schema.ts'
import type { Address, Personal } from './sealed-queries.ts'

// RFC 2606: no mail server can ever have this name.
const NO_ADDRESS = '@guardian.invalid'

/** What stands for the e-mail of a person who has none: their guardian's reaches them. `key` is unique. */
export const noAddress = (key: string): string => `${key}${NO_ADDRESS}`

/** The e-mail of a customer as it is shown: empty for a person who has none. */
export const shownEmail = (email: string): string => (email.endsWith(NO_ADDRESS) ? '' : email)

/** What a kit's registration tells about a person. */
export interface RegisteredPerson {
  email: string
  firstName: string
  lastName: string
  dateOfBirth: string
  sex: 'M' | 'F'
  phone?: string | undefined
  address?: Address | undefined
  race?: string | undefined
  /** Left out: the earlier value stays. */
  research?: boolean | undefined
  externalId?: string | undefined
}

/** The same as a new customer. */
export function newPerson(given: RegisteredPerson): Omit<CustomerRow, 'id' | 'createdAt'> {
  const { email, firstName, lastName, dateOfBirth, sex, phone, address, race, research, externalId } = given
  return {
    email,
    firstName,
    lastName,
    dateOfBirth,
    name: `${firstName} ${lastName}`,
    gender: sex,
    phone: phone ?? null,
    address: addressOf(address),
    race: race ?? null,
    research: research ?? false,
    externalId: externalId ?? null,
    customTags: [],
  }
}

/** The customer who was found, or made, for a registration. */
export interface FoundPerson {
  id: number
  created: boolean
  /** In what a known one cannot be this person. */
  differences: Difference[]
}

type Known = Pick<CustomerRow, 'name' | 'dateOfBirth' | 'gender'>

/** What tells a customer apart from others. X and what is not known contradict nothing. */
export const identityOf = ({ name, dateOfBirth, gender }: Known) => ({
  name,
  ...(dateOfBirth !== null && { dateOfBirth }),
  ...((gender === 'M' || gender === 'F') && { sex: gender }),
})

/** In what a registered person cannot be a customer: families share an e-mail, and twins a birthday. */
export const differencesFrom = (
  known: Known,
  { firstName, lastName, dateOfBirth, sex }: Pick<RegisteredPerson, 'firstName' | 'lastName' | 'dateOfBirth' | 'sex'>,
): Difference[] => differencesOfRegistered({ name: `${firstName} ${lastName}`, dateOfBirth, sex }, identityOf(known))

/** A customer with what was lacking. Nothing is overwritten, except the latest word on research. */
export function filled(known: CustomerRow, given: RegisteredPerson): CustomerRow {
  const person = newPerson(given)
  const isSameName = known.name.toLowerCase() === person.name.toLowerCase()
  return {
    ...known,
    firstName: known.firstName ?? (isSameName ? person.firstName : null),
    lastName: known.lastName ?? (isSameName ? person.lastName : null),
    dateOfBirth: given.dateOfBirth,
    research: given.research ?? known.research,
    gender: known.gender ?? person.gender,
    phone: known.phone ?? person.phone,
    address: known.address ?? person.address,
    race: known.race ?? person.race,
    externalId: known.externalId ?? person.externalId,
  }
}

/** When what identifies a customer was last corrected. What was not known before was not corrected. */
export function correctedAt(before: CustomerRow, changed: readonly string[], at: Date): Pick<Personal, 'correctedAt'> {
  const fields = correctedFields.filter((field) => changed.includes(field) && before[field] !== null)
  const now = Object.fromEntries(fields.map((field) => [field, at.toISOString()]))
  return fields.length > 0 ? { correctedAt: { ...before.correctedAt, ...now } } : {}
}

/** A customer as a correction leaves them. Of another name it is not known which part is which. */
export function corrected(before: CustomerRow, { external_id, customTags, ...change }: Correction): CustomerRow {
  const { name, parts = { firstName: null, lastName: null }, address, ...rest } = change
  return {
    ...before,
    ...(rest satisfies Partial<Personal>),
    ...(name !== undefined && { name, ...parts }),
    address: addressOf(address) ?? before.address,
    externalId: external_id ?? before.externalId,
    customTags: customTags ?? before.customTags,
  }
}

/** An address without a country is in the one that is known. */
export function withCountry({ address }: CustomerRow, { address: given, ...change }: Correction): Correction {
  const country = given?.country ?? address?.country
  return given ? { ...change, address: { ...given, ...(country && { country }) } } : change
}

function addressOf(address: Address | undefined): Address | null {
  return address && Object.values(address).some((part) => part !== undefined) ? address : null
}
