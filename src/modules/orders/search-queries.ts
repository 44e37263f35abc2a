import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'

// On a busy machine a round of these took a second; a statement may take five.
const BATCH = 5000

/** What an order is found by: its e-mail, the name, the last name, all in lower case. */
const termsOf = sql`cross join lateral (values (lower(o.email)), (lower(o.first_name || ' ' || o.last_name)), (lower(o.last_name))) t(term)`

/** Realms with orders that no search index knows yet. */
export async function realmsBehind(tx: SystemTx): Promise<number[]> {
  const rows = await tx.rows(sql<{ id: number }>`
    select c.realm_id as id from realm_counters c left join order_terms_done d using (realm_id)
    where c.orders > coalesce(d.seq, 0)`)
  return rows.map(({ id }) => id)
}

/** Writes the terms of the next orders of a realm. True when there are more. */
export async function indexTerms(tx: SystemTx, realmId: number): Promise<boolean> {
  // The row is the lock: two workers do not do the same.
  await tx.run(sql`insert into order_terms_done (realm_id, seq) values (${realmId}, 0) on conflict do nothing`)
  const { seq: done } = await tx.row(
    sql<{ seq: number }>`select seq from order_terms_done where realm_id = ${realmId} for update`,
  )
  // Numbers are given out one transaction after the other, so what is seen up to a number is all there is.
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

/** To whom an order was. */
export interface Addressed {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
}

/** Orders that are removed, or whose recipient is erased, are found by nobody any more. */
export async function forgetTerms(tx: Tx, orders: readonly Addressed[]): Promise<void> {
  if (orders.length === 0) return
  // Waits for the job: what it read before must not be written after.
  await tx.run(sql`insert into order_terms_done (realm_id, seq) values (${tx.realm.id}, 0) on conflict do nothing`)
  await tx.rows(sql`select seq from order_terms_done where realm_id = ${tx.realm.id} for update`)
  await tx.run(sql`
    delete from order_terms t
    using jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as o(id text, email text, "firstName" text, "lastName" text)
    where t.realm_id = ${tx.realm.id} and t.order_id = o.id
      and t.term in (lower(o.email), lower(o."firstName" || ' ' || o."lastName"), lower(o."lastName"))`)
}

/** Begins anew after orders got other numbers. */
export async function restartTerms(tx: Tx): Promise<void> {
  await tx.run(sql`delete from order_terms_done where realm_id = ${tx.realm.id}`)
}
