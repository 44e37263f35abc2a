import { sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Line } from '../../modules/credits/rules.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { LeftKit } from './gone-lines.ts'

const number = sql`k.shipment->'toUser'->>'trackingNumber'`

/** Orders of all businesses of which a parcel has left that was not sent to the shop, and that are not tried later. */
export function selectUnsent(tx: SystemTx, limit: number): Promise<{ realm: Realm; id: string }[]> {
  return tx.rows(sql<{ realm: Realm; id: string }>`
    select ${realmColumn}, o.id from shop_orders o join realms r on r.id = o.realm_id
    join shops s on s.realm_id = o.realm_id and s.id = o.shop_id
    where o.tell_open and s.access is not null and (o.tell_due_at is null or o.tell_due_at <= ${tx.now}) and exists (
      select from kits k where k.realm_id = o.realm_id and k.order_id = o.order_id and k.replacement_for is null
        and ${number} <> all(o.told))
    order by o.realm_id, o.id limit ${limit}`)
}

/** The kits of an order, but for those that replace another. */
export function selectLeftKits(tx: Tx, orderId: string): Promise<LeftKit[]> {
  return tx.rows(sql<LeftKit>`
    select k.kit_type as "kitType", ${number} as number, k.shipment->'toUser'->>'carrier' as carrier from kits k
    where k.realm_id = ${tx.realm.id} and k.order_id = ${orderId} and k.replacement_for is null
    order by k.seq`)
}

/** How many kits of an order are no longer here, by kit type; those that replace another do not count. */
export function selectGoneKits(tx: Tx, orderId: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select k.kit_type as "kitType", count(*)::int as quantity from kits k
    where k.realm_id = ${tx.realm.id} and k.order_id = ${orderId} and k.replacement_for is null
      and k.kit_status <> 'preparing'
    group by k.kit_type`)
}
