import { type RawBuilder, sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Recipient } from '../../modules/orders/request.ts'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { ShopOrder } from './rules.ts'
import type { ShopOrderStatus } from './schema.ts'

/** What a shop says of an order, and what a person put right. Null once the person was erased. */
interface OrderContent {
  order: ShopOrder | null
  corrected: Recipient | null
}

export const sealedShopOrders = sealedColumns<OrderContent>({
  table: 'shop_orders',
  key: { id: 'text' },
  clear: { order: NEVER, corrected: NEVER },
  emptied: [],
  hashes: {
    email_hash: {
      type: 'bytea',
      of: ({ order, corrected }, keys) => {
        const email = corrected?.email ?? order?.buyer.email
        return email ? emailHash(keys, email) : null
      },
    },
  },
})

const emailHash = (keys: Keyring, email: string): Buffer => keys.hash('shop_orders.email', email.toLowerCase())

export interface ShopOrderRow extends OrderContent {
  id: string
  shopId: string
  externalId: string
  number: string
  status: ShopOrderStatus
  reason: string | null
  orderId: string | null
  paymentId: string | null
  attempts: number
  dueAt: Date | null
  erased: boolean
  /** A person asked for it, so it may be old or closed. */
  isRequested: boolean
  /** The doubts that a person decided. */
  released: string[]
  told: string[]
  tellOpen: boolean
  tellDueAt: Date | null
  tellAttempts: number
  tellCode: string | null
  createdAt: Date
  changedAt: Date
}

// An order that waits for its payment here waits no more once it is paid or canceled, regardless of who did that.
const isSettled = sql`(o.reason = 'payment_pending' and exists (
  select from orders p where p.realm_id = o.realm_id and p.id = o.order_id and p.status <> 'pending'))`
const status = sql`case when ${isSettled} then 'placed' else o.status end`
/** A condition on `shop_orders o`: it waits for a person. */
export const isWaiting = sql<boolean>`(o.status in ('waiting', 'failed') and not ${isSettled})`

const columns = sql`
  o.id, o.shop_id as "shopId", o.external_id as "externalId", o.number, ${status} as status,
  case when ${isSettled} then null else o.reason end as reason, o.order_id as "orderId",
  o.released,
  o.payment_id as "paymentId", o.attempts, o.due_at as "dueAt", o.erased,
  o.requested as "isRequested", o.told, o.tell_open as "tellOpen",
  o.tell_due_at as "tellDueAt", o.tell_attempts as "tellAttempts", o.tell_code as "tellCode", o.created_at as "createdAt",
  o.changed_at as "changedAt", ${sealedShopOrders.of('o')} as sealed`

type Unopened = Omit<ShopOrderRow, keyof OrderContent> & { sealed: Sealed<OrderContent> }

async function selectWhere(tx: Tx, rest: RawBuilder<unknown>): Promise<ShopOrderRow[]> {
  const rows = await tx.rows(
    sql<Unopened>`select ${columns} from shop_orders o where o.realm_id = ${tx.realm.id} and ${rest}`,
  )
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedShopOrders.open(keys, [row.id], sealed) }))
}

type Lock = 'none' | 'update'
const forUpdate = (lock: Lock) => (lock === 'update' ? sql`for update` : sql``)

export async function selectShopOrder(tx: Tx, id: string, lock: Lock = 'none'): Promise<ShopOrderRow | undefined> {
  const [row] = await selectWhere(tx, sql`o.id = ${id} ${forUpdate(lock)}`)
  return row
}

/** The order of a shop, made where it is not known yet, and locked: of all that tell of it, one goes on at a time. */
export async function lockShopOrder(
  tx: Tx,
  { id, shopId, externalId, number }: Pick<ShopOrderRow, 'id' | 'shopId' | 'externalId' | 'number'>,
): Promise<ShopOrderRow> {
  await tx.run(sql`
    insert into shop_orders (realm_id, id, shop_id, external_id, number, status, created_at, changed_at)
    values (${tx.realm.id}, ${id}, ${shopId}, ${externalId}, ${number}, 'unpaid', ${tx.now}, ${tx.now})
    on conflict (realm_id, shop_id, external_id) do nothing`)
  const [row] = await selectWhere(tx, sql`o.shop_id = ${shopId} and o.external_id = ${externalId} for update`)
  if (!row) throw new Error('a shop order that was just made is not there')
  return row
}

/** Writes what changes of an order that is locked. */
export async function updateShopOrder(tx: Tx, row: ShopOrderRow): Promise<void> {
  const keys = await keyringOf(tx)
  const content = { order: row.order, corrected: row.corrected }
  const sealed = row.erased ? null : sealedShopOrders.seal(keys, [row.id], content)
  await tx.run(sql`
    update shop_orders set number = ${row.number}, status = ${row.status}, reason = ${row.reason}, order_id = ${row.orderId},
      payment_id = ${row.paymentId}, attempts = ${row.attempts}, due_at = ${row.dueAt}, erased = ${row.erased},
      requested = ${row.isRequested}, released = ${row.released}, told = ${row.told}, tell_open = ${row.tellOpen}, tell_due_at = ${row.tellDueAt}, tell_attempts = ${row.tellAttempts},
      tell_code = ${row.tellCode}, sealed = ${sealed}::bytea,
      email_hash = ${row.erased ? null : sealedShopOrders.hashes(keys, content).email_hash}::bytea, changed_at = ${tx.now}
    where realm_id = ${tx.realm.id} and id = ${row.id}`)
}

export interface ShopOrderFilter {
  statuses?: readonly ShopOrderStatus[] | undefined
  /** As the shop numbers them. */
  numbers?: readonly string[] | undefined
  orderIds?: readonly string[] | undefined
  page: number
  size: number
}

/** One page of a shop's orders, newest first, with the exact total. */
export async function selectShopOrders(
  tx: Tx,
  { shopId, statuses, numbers, orderIds, page, size }: ShopOrderFilter & { shopId: string },
) {
  const where = sql`o.shop_id = ${shopId} and ${isOneOf(status, statuses)} and ${isOneOf(sql`o.number`, numbers)}
    and ${isOneOf(sql`o.order_id`, orderIds)}`
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from shop_orders o where o.realm_id = ${tx.realm.id} and ${where}`)
  const rows = await selectWhere(
    tx,
    sql`${where} order by o.created_at desc, o.id desc offset ${page * size} limit ${size}`,
  )
  return { total, rows }
}

/** How many orders of a shop wait for a person. */
export async function countWaiting(tx: Tx, shopId: string): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from shop_orders o
    where o.realm_id = ${tx.realm.id} and o.shop_id = ${shopId} and ${isWaiting}`)
  return total
}

/** How many orders of all shops of this realm wait for a person, and the shop of the oldest. */
export function countAllWaiting(tx: Tx): Promise<{ count: number; example: string | null }> {
  return tx.row(sql<{ count: number; example: string | null }>`
    select count(*)::int as count, (array_agg(o.shop_id order by o.changed_at, o.id))[1] as example
    from shop_orders o where o.realm_id = ${tx.realm.id} and ${isWaiting}`)
}

/** Has what waits for one of these reasons looked at again. Returns how many. */
export function makeDue(tx: Tx, shopId: string, reasons: readonly string[]): Promise<number> {
  return tx.run(sql`
    update shop_orders set due_at = ${tx.now}
    where realm_id = ${tx.realm.id} and shop_id = ${shopId} and status = 'waiting' and order_id is null
      and reason = any(${reasons})`)
}

/** Orders for an e-mail address, and those that made one of some orders. */
export async function selectIdsFor(tx: Tx, email: string, orderIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select o.id from shop_orders o
    where o.realm_id = ${tx.realm.id} and (o.order_id = any(${orderIds}) or ${await isForEmail(tx, email)})`)
  return rows.map(({ id }) => id)
}

/** A condition on `shop_orders o`: for this e-mail address. */
async function isForEmail(tx: Tx, email: string): Promise<RawBuilder<boolean>> {
  return sql<boolean>`o.email_hash = ${emailHash(await keyringOf(tx), email)}`
}

/** Orders for an e-mail address, and those that made one of some orders; locked. */
export async function lockShopOrdersFor(tx: Tx, email: string, orderIds: readonly string[]): Promise<ShopOrderRow[]> {
  const isTheirs = sql`(${await isForEmail(tx, email)} or o.order_id = any(${orderIds}))`
  return selectWhere(tx, sql`${isTheirs} order by o.created_at, o.id for update`)
}

/** Orders of a shop by the shop's IDs, or for an e-mail address; locked. */
export async function lockOrdersNamed(
  tx: Tx,
  shopId: string,
  { externalIds, email }: { externalIds: readonly string[]; email: string },
): Promise<ShopOrderRow[]> {
  const isFor = email === '' ? sql`false` : await isForEmail(tx, email)
  return selectWhere(
    tx,
    sql`o.shop_id = ${shopId} and (o.external_id = any(${externalIds}) or ${isFor}) order by o.created_at, o.id for update`,
  )
}

/** Orders of a shop that no order was placed for, and that still say something of their buyer; locked. */
export const lockUnplaced = (tx: Tx, shopId: string): Promise<ShopOrderRow[]> =>
  selectWhere(
    tx,
    sql`o.shop_id = ${shopId} and o.order_id is null and o.payment_id is null and not o.erased order by o.created_at, o.id for update`,
  )

export async function selectShopOrdersFor(tx: Tx, email: string): Promise<ShopOrderRow[]> {
  return selectWhere(tx, sql`${await isForEmail(tx, email)} order by o.created_at, o.id`)
}

/** Orders of all businesses that are due. */
export function selectDue(tx: SystemTx, limit: number): Promise<{ realm: Realm; id: string }[]> {
  return tx.rows(sql<{ realm: Realm; id: string }>`
    select ${realmColumn}, o.id from shop_orders o join realms r on r.id = o.realm_id
    where o.due_at <= ${tx.now} order by o.due_at, o.id limit ${limit}`)
}

/** With the sandbox that they are in. The database refuses it for live ones. */
export async function deleteShopOrders(tx: Tx): Promise<void> {
  await tx.run(sql`delete from shop_deliveries where realm_id = ${tx.realm.id}`)
  await tx.run(sql`delete from shop_orders where realm_id = ${tx.realm.id}`)
}
