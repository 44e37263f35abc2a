import { sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Line } from '../../modules/credits/rules.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { sealedText } from '../../platform/sealing/sealed-bytes.ts'
import { keyringOf, NEVER } from '../../platform/sealing/sealed-columns.ts'
import type { ShopLine } from './rules.ts'

/** What a shop sent, as it came: it names the buyer. */
export const sealedShopDeliveries = sealedText({
  table: 'shop_deliveries',
  key: { shop_id: 'text', id: 'text' },
  clear: NEVER,
  emptied: [],
})

export interface ShopDelivery {
  shopId: string
  id: string
  topic: string
}

/** Keeps what a shop sent. False: it was kept before. */
export async function insertDelivery(tx: Tx, { shopId, id, topic }: ShopDelivery, rawBody: Buffer): Promise<boolean> {
  const sealed = await sealedShopDeliveries.sealText(await keyringOf(tx), [shopId, id], rawBody.toString())
  const inserted = await tx.run(sql`
    insert into shop_deliveries (realm_id, shop_id, id, topic, sealed, received_at)
    values (${tx.realm.id}, ${shopId}, ${id}, ${topic}, ${sealed}, ${tx.now})
    on conflict (realm_id, shop_id, id) do nothing`)
  return inserted === 1
}

/** What is still to be worked on, locked; undefined where another worker did it. */
export async function lockDelivery(tx: Tx, shopId: string, id: string) {
  const row = await tx.maybeRow(sql<{ topic: string; sealed: Buffer }>`
    select topic, sealed from shop_deliveries
    where realm_id = ${tx.realm.id} and shop_id = ${shopId} and id = ${id} and sealed is not null for update`)
  if (!row) return undefined
  const text = await sealedShopDeliveries.openText(await keyringOf(tx), [shopId, id], row.sealed)
  return { topic: row.topic, body: JSON.parse(text) as unknown }
}

/** Nothing stays of it but that it came. */
export async function emptyDelivery(tx: Tx, shopId: string, id: string): Promise<void> {
  await tx.run(sql`
    update shop_deliveries set sealed = null where realm_id = ${tx.realm.id} and shop_id = ${shopId} and id = ${id}`)
}

/** What a crash left behind, of all businesses. */
export function selectLeftDeliveries(
  tx: SystemTx,
  before: Date,
  limit: number,
): Promise<(ShopDelivery & { realm: Realm })[]> {
  return tx.rows(sql<ShopDelivery & { realm: Realm }>`
    select ${realmColumn}, d.shop_id as "shopId", d.id, d.topic from shop_deliveries d join realms r on r.id = d.realm_id
    where d.sealed is not null and d.received_at < ${before} order by d.received_at limit ${limit}`)
}

/** Forgets that deliveries came: an order that is known makes their replay harmless. */
export function deleteOldDeliveries(tx: SystemTx, before: Date, limit: number): Promise<number> {
  return tx.run(sql`
    delete from shop_deliveries where (realm_id, shop_id, id) in (
      select realm_id, shop_id, id from shop_deliveries where sealed is null and received_at < ${before} limit ${limit})`)
}

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

export interface LeftKit {
  kitType: string
  number: string | null
  carrier: string | null
}

export interface LeftLine {
  line: ShopLine
  /** How many of it are gone: in parcels of ours, or fulfilled by the shop before its order was placed here. */
  gone: number
}

/** How many kits of an order are no longer here, by kit type; those that replace another do not count. */
export function selectGoneKits(tx: Tx, orderId: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select k.kit_type as "kitType", count(*)::int as quantity from kits k
    where k.realm_id = ${tx.realm.id} and k.order_id = ${orderId} and k.replacement_for is null
      and k.kit_status <> 'preparing'
    group by k.kit_type`)
}
