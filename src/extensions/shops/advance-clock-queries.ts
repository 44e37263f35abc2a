import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Moves ahead what orders of shops in this sandbox wait for. Returns how many are tried again by it. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ shopOrders: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`
    update shops set old_secret_until = old_secret_until - ${back}
    where realm_id = ${tx.realm.id} and old_secret_until is not null`)
  return tx.row(sql<{ shopOrders: number }>`
    with moved as (
      update shop_orders o set due_at = o.due_at - ${back}, tell_due_at = o.tell_due_at - ${back}
      from (select id from shop_orders where realm_id = ${tx.realm.id} and (due_at is not null or tell_due_at is not null)
            order by id for no key update) l
      where o.realm_id = ${tx.realm.id} and o.id = l.id
      returning o.due_at)
    select count(*)::int as "shopOrders" from moved where due_at <= ${tx.now} and due_at + ${back} > ${tx.now}`)
}
