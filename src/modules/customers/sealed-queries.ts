import { type RawBuilder, sql } from 'kysely'
import { beginningsOf, nameWordsOf } from '../../platform/sealing/beginnings.ts'
import type { HashIn, Keyring } from '../../platform/sealing/keyring.ts'
import { NEVER, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { CorrectedField } from './schema.ts'

export interface Address {
  street1?: string | undefined
  street2?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
  country?: string | undefined
}

/** What is sealed of a customer. */
export interface Personal {
  email: string
  name: string
  firstName: string | null
  lastName: string | null
  dateOfBirth: string | null
  gender: 'M' | 'F' | 'X' | null
  phone: string | null
  address: Address | null
  race: string | null
  /** When what identifies them was last corrected: reports that were published before say so. */
  correctedAt?: Partial<Record<CorrectedField, string>>
}

const EMAIL = 'customers.email'

/** The kind of the terms that customers are found by. */
export const FINDS = 'customers.finds'

/** The texts that a customer is found by, or by how they begin; and by how any word of the name begins. */
export const findableTexts = ({ email, name, lastName }: Personal): string[] =>
  [email, name, lastName ?? /[^ ]+$/.exec(name ?? '')?.[0]].filter((text) => typeof text === 'string')

/** The terms of a customer in `customer_finds`. */
export const termsOf = (keys: Keyring, personal: Personal): string[] => [
  ...new Set(
    [...findableTexts(personal), ...nameWordsOf(nameOf(personal))].flatMap((text) => beginningsOf(keys, FINDS, text)),
  ),
]

/** All of a name: it may be given in parts that differ from the whole. */
export const nameOf = ({ name, firstName, lastName }: Personal): string =>
  [name, firstName, lastName].filter(Boolean).join(' ')

export const sealedCustomers = sealedColumns<Personal>({
  table: 'customers',
  key: { id: 'bigint' },
  clear: {
    email: 'email',
    name: 'name',
    firstName: 'first_name',
    lastName: 'last_name',
    dateOfBirth: 'date_of_birth',
    gender: 'gender',
    phone: 'phone',
    address: 'address',
    race: 'race',
    correctedAt: NEVER,
  },
  emptied: ['email', 'name', 'first_name', 'last_name', 'date_of_birth', 'gender', 'phone', 'address', 'race'],
  hashes: {
    email_hash: { type: 'bytea', of: ({ email }, keys) => (email ? keys.hash(EMAIL, email.toLowerCase()) : null) },
  },
  finds: { table: 'customer_finds', column: 'customer_id', of: (personal, keys) => termsOf(keys, personal) },
})

/** The hash by which a realm finds the customer of an e-mail address. */
export const emailHash = (hashIn: HashIn, realmId: number, email: string): Buffer =>
  hashIn(realmId, EMAIL, email.toLowerCase())

/** The condition that a customer of a realm has this e-mail address; with row-level security no index serves lower(). */
export const hasEmail = (alias: string, { hashIn, realmId }: Keyring, email: string): RawBuilder<unknown> =>
  sql`(${sql.ref(`${alias}.email_hash`)} = ${emailHash(hashIn, realmId, email)} or ${sql.ref(`${alias}.email_key`)} = lower(${email}))`

/** The numbers of the people whom these e-mails and numbers mean. */
export function peopleOf(keys: Keyring, named: readonly string[]): RawBuilder<unknown> {
  const isNumber = (key: string) => /^\d{1,15}$/.test(key)
  const numbers = named.filter(isNumber).map(Number)
  const emails = named.filter((key) => !isNumber(key))
  const ofEmails = emails.length === 0 ? sql`` : sql`or ${hasAnyEmail('c', keys, emails)}`
  return sql`select c.id from customers c where c.realm_id = ${keys.realmId} and (c.id = any(${numbers}::bigint[]) ${ofEmails})`
}

/** The condition that a customer of a realm has one of these. */
export const hasAnyEmail = (alias: string, keys: Keyring, emails: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    emails.map((email) => hasEmail(alias, keys, email)),
    sql` or `,
  )})`
