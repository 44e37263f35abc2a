import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Personal, sealedCustomers, termsOf } from './sealed-queries.ts'

// 10 ms of the database, shared by the realms that are behind.
const BATCH = 250
const REALMS_AT_ONCE = 100

/** Notes the last customer of each realm whose terms an earlier release may have written. */
export async function insertRealmsOfWords(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    insert into customer_words (realm_id, until)
    select r.id, coalesce((select max(c.seq) from customers c where c.realm_id = r.id), 0)
    from realms r left join customer_words w on w.realm_id = r.id where w.realm_id is null on conflict do nothing`)
}

interface Indexed {
  realmId: number
  id: number
  seq: number
  personal: Sealed<Personal>
}

/** Adds the words of names for customers of earlier releases. False when nothing was left. */
export async function insertNextWords(tx: SystemTx): Promise<boolean> {
  const behind = await tx.rows(sql<{ realmId: number; seq: number; until: number }>`
    select realm_id as "realmId", seq, until from customer_words where seq < until
    order by realm_id limit ${REALMS_AT_ONCE} for update skip locked`)
  if (behind.length === 0) return false
  const share = Math.ceil(BATCH / behind.length)
  // Locked, so that nobody is erased while their terms are written.
  const next = await tx.rows(sql<Indexed>`
    select c.* from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${behind.map(({ seq }) => seq)}::bigint[],
      ${behind.map(({ until }) => until)}::bigint[]) as w(realm_id, seq, until)
    cross join lateral (
      select c.realm_id as "realmId", c.id, c.seq, ${sealedCustomers.of('c')} as personal from customers c
      where c.realm_id = w.realm_id and c.seq > w.seq and c.seq <= w.until and c.erased_at is null
      order by c.seq limit ${share} for share) c`)
  const keyrings = await keyringsOf(tx, next)
  const terms = next.flatMap(({ realmId, id, personal }) => {
    const keys = keyringIn(keyrings, realmId)
    return termsOf(keys, sealedCustomers.open(keys, [id], personal)).map((term) => ({ realm_id: realmId, term, id }))
  })
  await tx.run(sql`
    insert into customer_finds (realm_id, term, customer_id)
    select realm_id, term, id from json_to_recordset(${JSON.stringify(terms)}::json) as v(realm_id int, term bigint, id bigint)
    on conflict do nothing`)
  const reached = Map.groupBy(next, ({ realmId }) => realmId)
  const done = behind.map(({ realmId, until }) => {
    const people = reached.get(realmId) ?? []
    return people.length < share ? until : (people.at(-1)?.seq ?? until)
  })
  await tx.run(sql`
    update customer_words w set seq = n.seq
    from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${done}::bigint[]) n(realm_id, seq) where w.realm_id = n.realm_id`)
  return true
}
