import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { Relation } from '../customers/schema.ts'

/** What is sealed of a consent: who gave it, and from where. */
export interface Consenter {
  firstName: string | null
  lastName: string | null
  email: string | null
  ip: string | null
}

const EMAIL = 'consents.email'

export const sealedConsents = sealedColumns<Consenter>({
  table: 'consents',
  key: { id: 'bigint' },
  clear: { firstName: 'first_name', lastName: 'last_name', email: 'email', ip: 'ip' },
  hashes: {
    email_hash: {
      type: 'bytea',
      of: ({ email }, keys) => (email === null ? null : keys.hash(EMAIL, email.toLowerCase())),
    },
  },
})

/** The condition that a consent of a realm was given under an e-mail address. */
export const consentedBy = (alias: string, keys: Keyring, email: string): RawBuilder<unknown> =>
  sql`(${sql.ref(`${alias}.email_hash`)} = ${keys.hash(EMAIL, email.toLowerCase())}
    or lower(${sql.ref(`${alias}.email`)}) = lower(${email}))`

/** What a person agreed to, and who they are. */
export interface NewConsent {
  kitId: string
  kitType: string
  firstName: string
  lastName: string
  email: string
  /** What they are to the person tested; undefined: they are the same. */
  relation?: Relation | undefined
  /** The text's ID, or the business's own name for a text that it keeps elsewhere. */
  version: string
  language?: string | undefined
  /** Of the text; undefined: it is kept elsewhere. */
  wordsHash?: Buffer | undefined
  research: boolean
}

export async function insertConsent(tx: Tx, consent: NewConsent): Promise<void> {
  const { kitId, kitType, relation = null, version, language = null, wordsHash = null, research } = consent
  const { firstName, lastName, email } = consent
  const keys = await keyringOf(tx)
  const { id } = await tx.row(sql<{ id: number }>`select nextval('consents_id_seq') as id`)
  const person = { firstName, lastName, email, ip: tx.actor.ip ?? null }
  const { email_hash } = sealedConsents.hashes(keys, person)
  await tx.run(sql`
    insert into consents (realm_id, id, kit_id, kit_type, relation, consent_version, language, words_hash, research, at, sealed, email_hash)
      overriding system value
    values (${tx.realm.id}, ${id}, ${kitId}, ${kitType}, ${relation}, ${version}, ${language}, ${wordsHash}, ${research}, ${tx.now},
      ${sealedConsents.seal(keys, [id], person)}, ${email_hash}::bytea)`)
}

export interface StandingConsent extends Consenter {
  id: number
  research: boolean
  relation: Relation | null
}

/** The consents for a kit that were not taken back, newest first; `research` as of the last choice. */
export async function selectStandingConsents(tx: Tx, kitId: string): Promise<StandingConsent[]> {
  const rows = await tx.rows(sql<Omit<StandingConsent, keyof Consenter> & { person: Sealed<Consenter> }>`
    select c.id, c.relation, ${sealedConsents.of('c')} as person, c.research and not exists (
             select from consent_withdrawals w where w.realm_id = c.realm_id and w.kit_id = c.kit_id
               and w.last_consent >= c.id) as research
    from consents c
    where c.realm_id = ${tx.realm.id} and c.kit_id = ${kitId}
      and c.id > (select coalesce(max(w.last_consent), 0) from consent_withdrawals w
                  where w.realm_id = c.realm_id and w.kit_id = c.kit_id and w.what = 'testing')
    order by c.id desc`)
  const keys = await keyringOf(tx)
  return rows.map(({ person, ...row }) => ({ ...row, ...sealedConsents.open(keys, [row.id], person) }))
}

/** The number of the newest consent for a kit; 0 without any. */
export async function selectLastConsentId(tx: Tx, kitId: string): Promise<number> {
  const { id } = await tx.row(sql<{ id: number }>`
    select coalesce(max(id), 0) as id from consents where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
  return id
}

export interface ConsentRow extends Consenter {
  kitId: string
  kitType: string | null
  relation: Relation | null
  consentVersion: string
  language: string | null
  wordsHash: Buffer | null
  research: boolean
  at: Date
}

type StoredConsent = Omit<ConsentRow, keyof Consenter> & { id: number; person: Sealed<Consenter> }

/** Every consent for kits, oldest first. */
export async function selectConsents(tx: Tx, kitIds: readonly string[]): Promise<ConsentRow[]> {
  const rows = await tx.rows(sql<StoredConsent>`
    select id, kit_id as "kitId", kit_type as "kitType", relation, consent_version as "consentVersion", language,
           words_hash as "wordsHash", research, at, ${sealedConsents.of('consents')} as person
    from consents where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) order by id`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, person, ...row }) => ({ ...row, ...sealedConsents.open(keys, [id], person) }))
}
