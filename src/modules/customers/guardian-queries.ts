import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import {
  keyringIn,
  keyringOf,
  keyringsOf,
  NEVER,
  type Sealed,
  sealedColumns,
} from '../../platform/sealing/sealed-columns.ts'
import type { Relation } from './schema.ts'

interface SealedGuardian {
  firstName: string
  lastName: string
  email: string
}

/** Who decides for a customer who is a minor. */
export interface Guardian extends SealedGuardian {
  relation: Relation
}

const KIND = 'guardians.email'

export const sealedGuardians = sealedColumns<SealedGuardian>({
  table: 'guardians',
  key: { customer_id: 'bigint' },
  clear: { firstName: NEVER, lastName: NEVER, email: NEVER },
  emptied: [],
  hashes: { email_hash: { type: 'bytea', of: ({ email }, keys) => keys.hash(KIND, email.toLowerCase()) } },
})

/** The last one named counts. */
export async function upsertGuardian(tx: Tx, customerId: number, { relation, ...person }: Guardian): Promise<void> {
  const keys = await keyringOf(tx)
  const sealed = sealedGuardians.seal(keys, [customerId], person)
  const { email_hash: emailHash } = sealedGuardians.hashes(keys, person)
  await tx.run(sql`
    insert into guardians (realm_id, customer_id, relation, sealed, email_hash, at)
    values (${tx.realm.id}, ${customerId}, ${relation}, ${sealed}::bytea, ${emailHash}::bytea, ${tx.now})
    on conflict (realm_id, customer_id) do update set relation = excluded.relation, sealed = excluded.sealed,
      email_hash = excluded.email_hash, at = excluded.at`)
}

interface Row {
  customerId: number
  relation: Relation
  person: Sealed<SealedGuardian>
}

export async function selectGuardian(tx: Tx, customerId: number): Promise<Guardian | undefined> {
  const row = await tx.maybeRow(sql<Row>`
    select g.customer_id as "customerId", g.relation, ${sealedGuardians.of('g')} as person
    from guardians g where g.realm_id = ${tx.realm.id} and g.customer_id = ${customerId}`)
  return row && { relation: row.relation, ...sealedGuardians.open(await keyringOf(tx), [customerId], row.person) }
}

/** Lets one registration by a guardian of this e-mail look and write at a time, until the transaction ends. */
export async function lockWards(tx: Tx, email: string): Promise<void> {
  const keys = await keyringOf(tx)
  const lock = keys.hash(KIND, email.toLowerCase()).readBigInt64BE()
  await tx.run(sql`select pg_advisory_xact_lock(${String(lock)}::bigint)`)
}

/** The customers that a guardian of this e-mail decides for. */
export async function selectWards(tx: Tx, email: string): Promise<number[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<{ id: number }>`
    select customer_id as id from guardians
    where realm_id = ${tx.realm.id} and email_hash = ${keys.hash(KIND, email.toLowerCase())}
    order by customer_id limit 50`)
  return rows.map(({ id }) => id)
}

export interface Ward {
  realm: Realm
  customerId: number
  guardian: SealedGuardian
}

/** The same at any business, with the guardian. */
export async function selectWardsAnywhere(tx: SystemTx, email: string): Promise<Ward[]> {
  const hashIn = await tx.vault.hashIn()
  const realms = await tx.rows(sql<{ id: number }>`select id from realms`)
  const ids = realms.map(({ id }) => id)
  const hashes = ids.map((id) => hashIn(id, KIND, email.toLowerCase()))
  const rows = await tx.rows(sql<Omit<Row, 'relation'> & { realmId: number; realm: Realm }>`
    select g.realm_id as "realmId", g.customer_id as "customerId", ${sealedGuardians.of('g')} as person,
           jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from unnest(${ids}::int[], ${hashes}::bytea[]) as l(realm_id, email_hash)
    join guardians g on g.realm_id = l.realm_id and g.email_hash = l.email_hash join realms r on r.id = g.realm_id
    order by g.realm_id, g.customer_id limit 20`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realm, customerId, person }) => ({
    realm,
    customerId,
    guardian: sealedGuardians.open(keyringIn(keyrings, realm.id), [customerId], person),
  }))
}

export async function deleteGuardian(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from guardians where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
