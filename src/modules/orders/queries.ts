import { sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Tx } from '../../platform/database/tx.ts'
import type { Line } from '../credits/rules.ts'
import type { Address } from './schema.ts'

export interface NewOrderRow {
  realmId: number
  id: string
  seq: number
  createdAt: Date
  status: 'created' | 'pending'
  sku: string
  quantity: number
  firstName: string
  lastName: string
  email: string
  phone?: string
  address: Address
  externalId?: string
  externalTags: string[]
  notify: boolean
  paymentMethod: 'credits' | 'card' | 'none'
  paymentStatus: 'paid' | 'pending'
  amountMinor?: number
  currency?: string
  paymentId?: string
  items: Line[]
}

const insert = statement<never, [string]>(
  'orders_insert',
  `insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, phone, address,
     external_id, external_tags, notify, payment_method, payment_status, amount_minor, currency, payment_id, created_at)
   select g."realmId", g.id, g.seq, g.status, g.sku, g.quantity, g."firstName", g."lastName", g.email, g.phone, g.address,
     g."externalId", g."externalTags", g.notify, g."paymentMethod", g."paymentStatus", g."amountMinor", g.currency, g."paymentId", g."createdAt"
   from json_to_recordset($1::json) as g("realmId" int, id text, seq bigint, status text, sku text, quantity int,
     "firstName" text, "lastName" text, email text, phone text, address jsonb, "externalId" text, "externalTags" text[],
     notify boolean, "paymentMethod" text, "paymentStatus" text, "amountMinor" bigint, currency text, "paymentId" text, "createdAt" timestamptz)`,
)

const insertItems = statement<never, [string]>(
  'order_items_insert',
  `insert into order_items (realm_id, order_id, kit_type, quantity)
   select "realmId", "orderId", "kitType", quantity
   from json_to_recordset($1::json) as i("realmId" int, "orderId" text, "kitType" text, quantity int)`,
)

/** Queues the two statements that insert N orders with their items. */
export function insertOrders(tx: Queries, rows: readonly NewOrderRow[]): Promise<unknown>[] {
  const items = rows.flatMap(({ realmId, id, items }) => items.map((item) => ({ realmId, orderId: id, ...item })))
  const orders = rows.map(({ items: _, ...order }) => order)
  return [tx.run(insert(JSON.stringify(orders))), tx.run(insertItems(JSON.stringify(items)))]
}

export interface OrderRow {
  id: string
  createdAt: Date
  status: 'created' | 'pending' | 'canceled'
  sku: string
  quantity: number
  items: Line[]
  firstName: string | null
  lastName: string | null
  email: string | null
  phone: string | null
  address: Address | null
  externalId: string | null
  externalTags: string[]
  notify: boolean
  paymentMethod: 'credits' | 'card' | 'none'
  paymentStatus: 'paid' | 'pending' | 'refunded' | 'canceled'
  amountMinor: number | null
  currency: string | null
  /** A card is being charged for it, and the answer is not known yet. */
  settling: boolean
  kits: OrderKitRow[]
}

export interface OrderKitRow {
  id: string
  kitType: string
  kitStatus: string
  sampleStatus: string
  reportStatus: string
  registeredEmail: string | null
  registeredAt: string | null
  customerId: number | null
  updatedAt: string
  replaced: boolean
}

/** An order with its items and kits, as one row. */
const columns = `
  o.id, o.created_at as "createdAt", o.status, o.sku, o.quantity, o.first_name as "firstName", o.last_name as "lastName",
  o.email, o.phone, o.address, o.external_id as "externalId", o.external_tags as "externalTags", o.notify,
  o.payment_method as "paymentMethod", o.payment_status as "paymentStatus", o.amount_minor as "amountMinor", o.currency,
  o.status = 'pending' and o.payment_id is not null as settling,
  (select jsonb_agg(jsonb_build_object('kitType', i.kit_type, 'quantity', i.quantity) order by i.kit_type)
   from order_items i where i.realm_id = o.realm_id and i.order_id = o.id) as items,
  (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kitType', k.kit_type, 'kitStatus', k.kit_status,
     'sampleStatus', k.sample_status, 'reportStatus', k.report_status, 'registeredEmail', k.registered_email,
     'registeredAt', k.registered_at, 'customerId', k.customer_id, 'updatedAt', k.updated_at,
     'replaced', k.replaced_by is not null) order by k.seq), '[]')
   from kits k where k.realm_id = o.realm_id and k.order_id = o.id) as kits`

export const orderColumns = sql.raw(columns)

const select = statement<OrderRow & { realmId: number }, [number[], string[]]>(
  'orders_select',
  `select o.realm_id as "realmId", ${columns}
   from unnest($1::int[], $2::text[]) as w(realm_id, id) join orders o on o.realm_id = w.realm_id and o.id = w.id`,
)

export interface OrderKey {
  realmId: number
  id: string
}

/** Orders of any realms; missing ones are left out. */
export function selectOrders(tx: Queries, keys: readonly OrderKey[]): Promise<(OrderRow & { realmId: number })[]> {
  return tx.rows(
    select(
      keys.map(({ realmId }) => realmId),
      keys.map(({ id }) => id),
    ),
  )
}

export interface LockedOrder {
  id: string
  status: 'created' | 'pending' | 'canceled'
  paymentMethod: 'credits' | 'card' | 'none'
  paymentId: string | null
  amountMinor: number | null
  currency: string | null
  externalId: string | null
  notify: boolean
  email: string | null
  firstName: string | null
}

export function selectOrderForUpdate(tx: Tx, id: string): Promise<LockedOrder | undefined> {
  return tx.maybeRow(sql<LockedOrder>`
    select id, status, payment_method as "paymentMethod", payment_id as "paymentId", amount_minor as "amountMinor", currency,
           external_id as "externalId", notify, email, first_name as "firstName"
    from orders where realm_id = ${tx.realm.id} and id = ${id} for update`)
}

export function selectItems(tx: Tx, orderId: string): Promise<Line[]> {
  return tx.rows(sql<Line>`
    select kit_type as "kitType", quantity from order_items
    where realm_id = ${tx.realm.id} and order_id = ${orderId} order by kit_type`)
}

export async function updateCanceled(tx: Tx, id: string, paymentStatus: 'canceled' | 'refunded'): Promise<void> {
  await tx.run(sql`
    update orders set status = 'canceled', payment_status = ${paymentStatus}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function updatePaidWithCredits(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'credits', payment_status = 'paid', amount_minor = null, currency = null
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function updatePaidByCard(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update orders set status = 'created', payment_method = 'card', payment_status = 'paid'
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Names the payment that a pending order waits for; null where there is none. */
export async function updatePaymentUnderWay(tx: Tx, id: string, paymentId: string | null): Promise<void> {
  await tx.run(sql`update orders set payment_id = ${paymentId} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** What the placed orders of a payment cost, canceled ones included: those are refunded on their own. */
export async function sumPaidByCard(tx: Tx, paymentId: string): Promise<number> {
  const { used } = await tx.row(sql<{ used: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as used from orders
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId}`)
  return used
}
