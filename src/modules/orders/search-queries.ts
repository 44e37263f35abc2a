import { type RawBuilder, sql } from 'kysely'
import { isIdLike, unionAll } from '../../platform/database/text-search.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { type Hashing, hashingOnce } from '../../platform/sealing/beginnings.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { ordersSentTo, type Recipient, sealedRecipients, termsOf, wordTermsOf } from '../kits/recipient-queries.ts'

/** The query of the IDs of orders that a text finds: by their ID or that of a kit, the caller's own identifier, the recipient. */
export async function foundOrders(tx: Tx, text: string): Promise<RawBuilder<unknown>> {
  const sent = await ordersSentTo(tx, [tx.realm.id], text)
  return foundOrdersIn(sql`${tx.realm.id}`, text, sql`select unnest(${sent.map(({ id }) => id)}::text[])`)
}

/** The same in any realm: `realm` may be a column of the query around it. `sent`: the query of those found by recipient. */
export function foundOrdersIn(
  realm: RawBuilder<unknown>,
  text: string,
  sent: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isOrder = isIdLike('id', 'O', text)
  const isKit = isIdLike('id', 'K', text)
  return unionAll([
    isOrder && sql`select id from orders where realm_id = ${realm} and ${isOrder}`,
    isKit && sql`select order_id from kits where realm_id = ${realm} and ${isKit}`,
    sql`select id from orders where realm_id = ${realm} and external_id = ${text}`,
    sent,
  ])
}

// 5 ms of the database: anyone who places an order then waits for no long statement. Realms that are behind share a batch.
const BATCH = 250
const REALMS_AT_ONCE = 100

/** Notes realms whose first orders the search index does not have yet, and which orders an earlier release put into it. */
export async function insertRealmsToIndex(tx: SystemTx): Promise<void> {
  await tx.run(sql`update order_finds_done set words_until = seq where words_until is null`)
  await tx.run(sql`
    insert into order_finds_done (realm_id, seq, words_until)
    select c.realm_id, 0, 0 from realm_counters c left join order_finds_done d using (realm_id)
    where c.orders > 0 and d.realm_id is null on conflict do nothing`)
}

/** Adds the next orders to the search index, in equal shares of the realms that are behind. False when nothing was left. */
export async function insertNextTerms(tx: SystemTx): Promise<boolean> {
  // Terms and progress are lost together, if the server fails, and written again.
  await tx.run(sql`set local synchronous_commit = off`)
  // The rows are the locks: two workers do not index the same orders.
  const behind = await tx.rows(sql<{ realmId: number; seq: number }>`
    select d.realm_id as "realmId", d.seq from order_finds_done d join realm_counters c using (realm_id)
    where c.orders > d.seq order by d.realm_id limit ${REALMS_AT_ONCE} for update of d skip locked`)
  if (behind.length === 0) return false
  // Numbers are given out one transaction after the other, so every order up to a visible number is visible.
  const next = await tx.rows(sql<Indexed>`
    select o.* from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${behind.map(({ seq }) => seq)}::bigint[]) as d(realm_id, seq)
    cross join lateral (
      select o.realm_id as "realmId", o.id, o.seq, ${sealedRecipients.of('o')} as recipient from orders o
      where o.realm_id = d.realm_id and o.seq > d.seq order by o.seq limit ${Math.ceil(BATCH / behind.length)}) o`)
  if (next.length === 0) return false
  await writeTerms(tx, next, termsOf)
  await tx.run(sql`
    update order_finds_done d set seq = n.last
    from (select realm_id, max(seq) as last
          from unnest(${next.map(({ realmId }) => realmId)}::int[], ${next.map(({ seq }) => seq)}::bigint[]) n(realm_id, seq) group by 1) n
    where d.realm_id = n.realm_id`)
  return true
}

type Indexed = { realmId: number; id: string; seq: number; recipient: Sealed<Recipient> }

async function writeTerms(
  tx: SystemTx,
  orders: readonly Indexed[],
  of: (keys: Hashing, recipient: Recipient) => string[],
): Promise<void> {
  const keyrings = await keyringsOf(tx, orders)
  const hashings = new Map([...keyrings].map(([realmId, keys]) => [realmId, hashingOnce(keys)]))
  const termsIn = ({ realmId, id, recipient }: Indexed) => {
    const keys = keyringIn(keyrings, realmId)
    const terms = of(hashings.get(realmId) ?? keys, sealedRecipients.open(keys, [id], recipient))
    return `{${terms.join()}}`
  }
  // One array of terms for each order: a row for each term would be written by the driver one value after the other.
  await tx.run(sql`
    insert into order_finds (realm_id, term, order_id)
    select o.realm_id, t.term, o.id
    from unnest(${orders.map(({ realmId }) => realmId)}::int[], ${orders.map(({ id }) => id)}::text[], ${orders.map(termsIn)}::text[]) o(realm_id, id, terms)
    cross join lateral unnest(o.terms::bigint[]) t(term) order by 1, 2`)
}

/** Adds the words of names for orders that an earlier release put into the index. False when nothing was left. */
export async function insertNextWords(tx: SystemTx): Promise<boolean> {
  await tx.run(sql`set local synchronous_commit = off`)
  const behind = await tx.rows(sql<{ realmId: number; seq: number; until: number }>`
    select realm_id as "realmId", words_seq as seq, words_until as until from order_finds_done
    where words_seq < words_until order by realm_id limit ${REALMS_AT_ONCE} for update skip locked`)
  if (behind.length === 0) return false
  const next = await tx.rows(sql<Indexed>`
    select o.* from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${behind.map(({ seq }) => seq)}::bigint[],
      ${behind.map(({ until }) => until)}::bigint[]) as d(realm_id, seq, until)
    cross join lateral (
      select o.realm_id as "realmId", o.id, o.seq, ${sealedRecipients.of('o')} as recipient from orders o
      where o.realm_id = d.realm_id and o.seq > d.seq and o.seq <= d.until
      order by o.seq limit ${Math.ceil(BATCH / behind.length)}) o`)
  await writeTerms(tx, next, wordTermsOf)
  const reached = Map.groupBy(next, ({ realmId }) => realmId)
  const share = Math.ceil(BATCH / behind.length)
  const done = behind.map(({ realmId, until }) => {
    const orders = reached.get(realmId) ?? []
    // The last ones may have been removed.
    return orders.length < share ? until : (orders.at(-1)?.seq ?? until)
  })
  await tx.run(sql`
    update order_finds_done d set words_seq = n.seq
    from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${done}::bigint[]) n(realm_id, seq) where d.realm_id = n.realm_id`)
  return true
}

// A millisecond or two.
const DELETED_AT_ONCE = 500

/** Empties the index of versions before, which held names. False when nothing was left. */
export async function deleteOldTerms(tx: SystemTx): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from order_terms where ctid = any(array(select ctid from order_terms limit ${DELETED_AT_ONCE}))`)
  return deleted > 0
}

/** An order with its recipient. */
export interface RecipientRow extends Recipient {
  id: string
}

/** Takes orders out of the search index, because they are removed or their recipient is erased. */
export async function deleteTerms(tx: Tx, orders: readonly RecipientRow[]): Promise<void> {
  if (orders.length === 0) return
  // Waits for the job, so that it does not write afterwards what it read before.
  await lockTerms(tx)
  const keys = await keyringOf(tx)
  const terms = orders.flatMap(({ id, ...recipient }) => termsOf(keys, recipient).map((term) => ({ id, term })))
  // Anyone who shares a name shares its terms: each is read once, and not once for each order.
  await tx.run(sql`
    delete from order_finds f
    where f.realm_id = ${tx.realm.id} and f.term = any(${[...new Set(terms.map(({ term }) => term))]}::bigint[])
      and (f.term, f.order_id) in (
        select * from unnest(${terms.map(({ term }) => term)}::bigint[], ${terms.map(({ id }) => id)}::text[]))`)
}

/** Has the realm indexed from the beginning, after its orders were renumbered. */
export async function deleteIndex(tx: Tx): Promise<void> {
  await lockTerms(tx)
  await tx.run(sql`delete from order_finds where realm_id = ${tx.realm.id}`)
  await tx.run(sql`delete from order_finds_done where realm_id = ${tx.realm.id}`)
}

async function lockTerms(tx: Tx): Promise<void> {
  await tx.run(
    sql`insert into order_finds_done (realm_id, seq, words_until) values (${tx.realm.id}, 0, 0) on conflict do nothing`,
  )
  await tx.rows(sql`select seq from order_finds_done where realm_id = ${tx.realm.id} for update`)
}
