import { sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'

/** The live order of this ID, of any business: one look into the index of each realm. */
export function selectPlaceOfOrder(
  tx: SystemTx,
  orderId: string,
): Promise<{ realm: Realm; businessName: string } | undefined> {
  return tx.maybeRow(sql<{ realm: Realm; businessName: string }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm, b.name as "businessName"
    from realms r join businesses b on b.id = r.business_id cross join lateral (
      select id from orders where realm_id = r.id and id = ${orderId} offset 0) o
    where r.mode = 'live'`)
}

export interface OrderEvent {
  type: 'order.created' | 'order.updated' | 'order.canceled'
  at: Date
}

/** What happened to an order itself, oldest first. */
export function selectOrderEvents(tx: Tx, orderId: string): Promise<OrderEvent[]> {
  return tx.rows(sql<OrderEvent>`
    select type, occurred_at as at from events
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and type in ('order.created', 'order.updated', 'order.canceled')
    order by position`)
}
