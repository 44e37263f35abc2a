import { type RawBuilder, sql } from 'kysely'
import { isIdLike, unionAll } from '../../platform/database/text-search.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { ordersSentTo } from '../kits/search-queries.ts'

/** The IDs of orders that a text finds: by their ID or that of a kit, the caller's own identifier, the recipient. */
export const foundOrders = (tx: Tx, text: string): RawBuilder<unknown> => foundOrdersIn(sql`${tx.realm.id}`, text)

/** The same in any realm; `realm` may be a column of the query around it. */
export function foundOrdersIn(realm: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const isOrder = isIdLike('id', 'O', text)
  const isKit = isIdLike('id', 'K', text)
  return unionAll([
    isOrder && sql`select id from orders where realm_id = ${realm} and ${isOrder}`,
    isKit && sql`select order_id from kits where realm_id = ${realm} and ${isKit}`,
    sql`select id from orders where realm_id = ${realm} and external_id = ${text}`,
    ordersSentTo(realm, text),
  ])
}

// On a busy machine a batch takes a second; a statement may take five.
const BATCH = 5000

/** The texts that an order is found by: e-mail, name and last name, in lower case. */
const termsOf = sql`cross join lateral (values (lower(o.email)), (lower(o.first_name || ' ' || o.last_name)), (lower(o.last_name))) t(term)`

/** Realms with orders that the search index does not have yet. */
export async function selectRealmsToIndex(tx: SystemTx): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select c.realm_id as id from realm_counters c left join order_terms_done d using (realm_id)
    where c.orders > coalesce(d.seq, 0)`)
  return rows.map(({ id }) => id)
}

/** Adds the next orders of a realm to the search index. True when there are more. */
export async function insertNextTerms(tx: SystemTx, realmId: number): Promise<boolean> {
  // The row is the lock: two workers do not index the same orders.
  await tx.run(sql`insert into order_terms_done (realm_id, seq) values (${realmId}, 0) on conflict do nothing`)
  const { seq: done } = await tx.row(
    sql<{ seq: number }>`select seq from order_terms_done where realm_id = ${realmId} for update`,
  )
  // Numbers are given out one transaction after the other, so every order up to a visible number is visible.
  const { last, count } = await tx.row(sql<{ last: number | null; count: number }>`
    select max(seq) as last, count(*) as count from (
      select seq from orders where realm_id = ${realmId} and seq > ${done} order by seq limit ${BATCH}) o`)
  if (last === null) return false
  await tx.run(sql`
    insert into order_terms (realm_id, term, order_id)
    select distinct ${realmId}::int, t.term, o.id from orders o ${termsOf}
    where o.realm_id = ${realmId} and o.seq > ${done} and o.seq <= ${last} and t.term is not null order by t.term
    on conflict do nothing`)
  await tx.run(sql`update order_terms_done set seq = ${last} where realm_id = ${realmId}`)
  return count === BATCH
}

/** An order with its recipient. */
export interface RecipientRow {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
}

/** Takes orders out of the search index: they are removed, or their recipient is erased. */
export async function deleteTerms(tx: Tx, orders: readonly RecipientRow[]): Promise<void> {
  if (orders.length === 0) return
  // Waits for the job, so that it does not write afterwards what it read before.
  await tx.run(sql`insert into order_terms_done (realm_id, seq) values (${tx.realm.id}, 0) on conflict do nothing`)
  await tx.rows(sql`select seq from order_terms_done where realm_id = ${tx.realm.id} for update`)
  await tx.run(sql`
    delete from order_terms t
    using jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as o(id text, email text, "firstName" text, "lastName" text)
    where t.realm_id = ${tx.realm.id} and t.order_id = o.id
      and t.term in (lower(o.email), lower(o."firstName" || ' ' || o."lastName"), lower(o."lastName"))`)
}

/** Has the realm indexed from the beginning, after its orders were renumbered. */
export async function deleteIndexProgress(tx: Tx): Promise<void> {
  await tx.run(sql`delete from order_terms_done where realm_id = ${tx.realm.id}`)
}
