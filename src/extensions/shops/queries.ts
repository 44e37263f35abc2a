import { sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { isWaiting } from './order-queries.ts'
import type { ShopItem, ShopKind } from './schema.ts'

export interface ShopRow {
  id: string
  kind: ShopKind
  url: string
  enabled: boolean
  items: ShopItem[]
  countries: string[] | null
  notify: boolean
  notifyBuyer: boolean
  paymentMethod: 'credits' | 'card' | null
  createdAt: Date
  /** When it was last connected; null: a release wrote it that did not keep it. */
  connectedAt: Date | null
  heardAt: Date | null
  /** Sealed; null once it was disconnected. */
  secret: Buffer | null
  oldSecret: Buffer | null
  oldSecretUntil: Date | null
  /** Sealed. */
  access: Buffer | null
}

const columns = sql`
  s.id, s.kind, s.url, s.enabled, s.items, s.countries, s.notify, s.notify_buyer as "notifyBuyer",
  s.payment_method as "paymentMethod", s.created_at as "createdAt",
  s.connected_at as "connectedAt", s.heard_at as "heardAt", s.secret,
  s.old_secret as "oldSecret", s.old_secret_until as "oldSecretUntil", s.access`

/** With the number of orders that wait for a person. */
export function selectShops(tx: Tx): Promise<(ShopRow & { waiting: number })[]> {
  return tx.rows(sql<ShopRow & { waiting: number }>`
    select ${columns}, (select count(*)::int from shop_orders o
      where o.realm_id = s.realm_id and o.shop_id = s.id and ${isWaiting}) as waiting
    from shops s where s.realm_id = ${tx.realm.id} order by s.created_at, s.id`)
}

export function selectShop(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<ShopRow | undefined> {
  return tx.maybeRow(sql<ShopRow>`
    select ${columns} from shops s where s.realm_id = ${tx.realm.id} and s.id = ${id}
    ${lock === 'update' ? sql`for update` : sql``}`)
}

/** One request at a time connects a shop of this realm, until its transaction ends. */
export async function takeTurn(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('connecting shops'), ${tx.realm.id})`)
}

export function selectShopAt(tx: Tx, kind: ShopKind, url: string): Promise<ShopRow | undefined> {
  return tx.maybeRow(sql<ShopRow>`
    select ${columns} from shops s where s.realm_id = ${tx.realm.id} and s.kind = ${kind} and s.url = ${url} for update`)
}

/** The shop of a hook, of any business. */
export function selectShopOfHook(tx: SystemTx, id: string): Promise<(ShopRow & { realm: Realm }) | undefined> {
  return tx.maybeRow(sql<ShopRow & { realm: Realm }>`
    select ${columns}, ${realmColumn} from shops s join realms r on r.id = s.realm_id where s.id = ${id}`)
}

/** Writes a shop, new or changed. */
export async function upsertShop(tx: Tx, shop: ShopRow): Promise<void> {
  await tx.run(sql`
    insert into shops (realm_id, id, kind, url, enabled, items, countries, notify, notify_buyer, payment_method, created_at,
      connected_at, secret, old_secret, old_secret_until, access)
    values (${tx.realm.id}, ${shop.id}, ${shop.kind}, ${shop.url}, ${shop.enabled}, ${JSON.stringify(shop.items)}::jsonb,
      ${shop.countries}, ${shop.notify}, ${shop.notifyBuyer}, ${shop.paymentMethod}, ${shop.createdAt}, ${shop.connectedAt}::timestamptz, ${shop.secret}::bytea,
      ${shop.oldSecret}::bytea, ${shop.oldSecretUntil}::timestamptz, ${shop.access}::bytea)
    on conflict (realm_id, id) do update set enabled = excluded.enabled, items = excluded.items,
      countries = excluded.countries, notify = excluded.notify, notify_buyer = excluded.notify_buyer,
      payment_method = excluded.payment_method, connected_at = excluded.connected_at, secret = excluded.secret, old_secret = excluded.old_secret,
      old_secret_until = excluded.old_secret_until, access = excluded.access`)
}

export async function updateHeard(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update shops set heard_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
}

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

export interface ConnectedShop {
  id: string
  kind: ShopKind
  url: string
  secret: Buffer
  realm: Realm
  isSilent: boolean
}

/** Shops that are connected, of all businesses. */
export const selectConnected = (tx: SystemTx, limit: number): Promise<ConnectedShop[]> =>
  tx.rows(sql<ConnectedShop>`
    select s.id, s.kind, s.url, s.secret, s.heard_at is null as "isSilent", ${realmColumn}
    from shops s join realms r on r.id = s.realm_id where s.secret is not null and s.enabled order by s.created_at limit ${limit}`)

/** The newest sandbox with a panel, and one of its kit types. */
export const selectSandbox = (tx: SystemTx): Promise<{ realm: Realm; kitType: string } | undefined> =>
  tx.maybeRow(sql<{ realm: Realm; kitType: string }>`
    select ${realmColumn}, (select min(p.kit_type) from realm_panels p where p.realm_id = r.id) as "kitType"
    from realms r where r.mode = 'sandbox' and exists (select from realm_panels p where p.realm_id = r.id)
    order by r.id desc limit 1`)

/** What became of the order of a shop. */
export const selectOutcome = (
  tx: Tx,
  shopId: string,
  externalId: string,
): Promise<{ status: string; reason: string | null } | undefined> =>
  tx.maybeRow(sql<{ status: string; reason: string | null }>`
    select status, reason from shop_orders
    where realm_id = ${tx.realm.id} and shop_id = ${shopId} and external_id = ${externalId}`)
