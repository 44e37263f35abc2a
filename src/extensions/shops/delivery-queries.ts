import { sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { sealedText } from '../../platform/sealing/sealed-bytes.ts'
import { keyringOf, NEVER } from '../../platform/sealing/sealed-columns.ts'

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
