import { type RawBuilder, sql } from 'kysely'
import type { Queries, Tx } from '../../platform/database/tx.ts'
import type { HashIn, Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { OPERATOR } from '../../platform/sealing/vault.ts'
import type { KitState } from './rules.ts'

/** The sealed value of a kit: its registration. */
export interface RegisteredPerson {
  registeredEmail: string | null
  /** As it was given. */
  registration: unknown
}

const EMAIL = 'kits.registered_email'
const BIRTH = 'kits.birth'

const birthOf = (registration: unknown): string | undefined => {
  const { dateOfBirth } = (registration ?? {}) as { dateOfBirth?: unknown }
  return typeof dateOfBirth === 'string' ? dateOfBirth : undefined
}

export const sealedKits = sealedColumns<RegisteredPerson>({
  table: 'kits',
  key: { id: 'text' },
  clear: { registeredEmail: 'registered_email', registration: 'registration' },
  hashes: {
    registered_hash: {
      type: 'bytea',
      of: ({ registeredEmail }, keys) =>
        registeredEmail === null ? null : keys.hash(EMAIL, registeredEmail.toLowerCase()),
    },
    birth_hash: {
      type: 'bytea',
      of({ registration }, { hashIn }) {
        const born = birthOf(registration)
        return born === undefined ? null : birthHash(hashIn, born)
      },
    },
  },
})

/** Of a kit with a problem: apart from the registration, because it comes and goes with each move. */
export interface KitReason {
  /** Why it has one. */
  reason: string | null
  /** Of a rejected sample: where the kit was before. */
  beforeRejection?: KitState | null
}

export const sealedReasons = sealedColumns<KitReason>({
  table: 'kits',
  column: 'sealed_reason',
  key: { id: 'text' },
  clear: { reason: 'exception_reason', beforeRejection: NEVER },
  emptied: ['exception_reason'],
})

/** The sealed columns of a kit, to be written from JSON. */
export function sealKit(keys: Keyring, id: string, person: RegisteredPerson) {
  const { registeredEmail, registration } = person
  if (registeredEmail === null && registration === null) {
    return { sealed: null, registered_hash: null, birth_hash: null }
  }
  return { sealed: sealedKits.seal(keys, [id], { registeredEmail, registration }), ...sealedKits.hashes(keys, person) }
}

/** The kits of a realm with their registrations. */
export async function openKits<Row extends { id: string; sealed: Sealed<RegisteredPerson> }>(
  tx: Tx,
  rows: readonly Row[],
): Promise<(Omit<Row, 'sealed'> & RegisteredPerson)[]> {
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedKits.open(keys, [row.id], sealed) }))
}

/** The same in all realms: a laboratory's message names no business. */
const birthHash = (hashIn: HashIn, dateOfBirth: string): Buffer => hashIn(OPERATOR, BIRTH, dateOfBirth)

/** Realm and ID of the kits of all realms that are registered to somebody who was born on a day. */
export async function kitsOfBirth(tx: Queries, dateOfBirth: string): Promise<RawBuilder<unknown>> {
  const hash = birthHash(await tx.vault.hashIn(), dateOfBirth)
  return sql`(
    select k.realm_id, k.id from kits k where k.birth_hash = ${hash}
    union all select k.realm_id, k.id from kits k where k.registration->>'dateOfBirth' = ${dateOfBirth})`
}

/** The condition that a kit of a realm was registered to an e-mail address. */
export const isRegisteredTo = (alias: string, keys: Keyring, email: string): RawBuilder<unknown> =>
  sql`(${sql.ref(`${alias}.registered_hash`)} = ${keys.hash(EMAIL, email.toLowerCase())}
    or lower(${sql.ref(`${alias}.registered_email`)}) = lower(${email}))`
