import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { Line } from '../credits/rules.ts'
import type { Address } from './schema.ts'

export interface NewOrderRow {
  id: string
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

/** Inserts N orders with their items in one statement; each gets the next number of the realm. */
export async function insertOrders(tx: Tx, rows: readonly NewOrderRow[]): Promise<void> {
  await tx.run(sql`
    with given as (
      select * from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as (
        id text, status text, sku text, quantity int, "firstName" text, "lastName" text, email text, phone text, address jsonb,
        "externalId" text, "externalTags" text[], notify boolean, "paymentMethod" text, "paymentStatus" text,
        "amountMinor" bigint, currency text, "paymentId" text, items jsonb))
      with ordinality as g(id, status, sku, quantity, "firstName", "lastName", email, phone, address,
        "externalId", "externalTags", notify, "paymentMethod", "paymentStatus", "amountMinor", currency, "paymentId", items, position)),
    counter as (
      update realm_counters set orders = orders + ${rows.length} where realm_id = ${tx.realm.id}
      returning orders - ${rows.length} as start),
    placed as (
      insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, phone, address,
        external_id, external_tags, notify, payment_method, payment_status, amount_minor, currency, payment_id, created_at)
      select ${tx.realm.id}, g.id, c.start + g.position, g.status, g.sku, g.quantity, g."firstName", g."lastName", g.email, g.phone,
        g.address, g."externalId", g."externalTags", g.notify, g."paymentMethod", g."paymentStatus", g."amountMinor", g.currency, g."paymentId", ${tx.now}
      from given g cross join counter c)
    insert into order_items (realm_id, order_id, kit_type, quantity)
    select ${tx.realm.id}, g.id, i."kitType", i.quantity
    from given g, jsonb_to_recordset(g.items) as i("kitType" text, quantity int)`)
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
const orderColumns = sql`
  o.id, o.created_at as "createdAt", o.status, o.sku, o.quantity, o.first_name as "firstName", o.last_name as "lastName",
  o.email, o.phone, o.address, o.external_id as "externalId", o.external_tags as "externalTags", o.notify,
  o.payment_method as "paymentMethod", o.payment_status as "paymentStatus", o.amount_minor as "amountMinor", o.currency,
  (select jsonb_agg(jsonb_build_object('kitType', i.kit_type, 'quantity', i.quantity) order by i.kit_type)
   from order_items i where i.realm_id = o.realm_id and i.order_id = o.id) as items,
  (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kitType', k.kit_type, 'kitStatus', k.kit_status,
     'sampleStatus', k.sample_status, 'reportStatus', k.report_status, 'registeredEmail', k.registered_email,
     'registeredAt', k.registered_at, 'customerId', k.customer_id, 'updatedAt', k.updated_at,
     'replaced', k.replaced_by is not null) order by k.seq), '[]')
   from kits k where k.realm_id = o.realm_id and k.order_id = o.id) as kits`

export function selectOrder(tx: Tx, id: string): Promise<OrderRow | undefined> {
  return tx.maybeRow(
    sql<OrderRow>`select ${orderColumns} from orders o where o.realm_id = ${tx.realm.id} and o.id = ${id}`,
  )
}

export interface OrderFilter {
  kitStatus?: string
  sampleStatus?: string
  createdFrom?: Date
  createdTo?: Date
  registeredFrom?: Date
  registeredTo?: Date
  registeredEmail?: string
  registeredCustomerId?: number
  kitType?: string
  externalId?: string
  status?: string
}

const conditions = {
  kitStatus: (value: unknown) =>
    sql`and exists (select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and k.kit_status = ${value})`,
  sampleStatus: (value: unknown) =>
    sql`and exists (select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and k.sample_status = ${value})`,
  createdFrom: (value: unknown) => sql`and o.created_at >= ${value}`,
  createdTo: (value: unknown) => sql`and o.created_at <= ${value}`,
  kitType: (value: unknown) =>
    sql`and exists (select from order_items i where i.realm_id = o.realm_id and i.order_id = o.id and i.kit_type = ${value})`,
  externalId: (value: unknown) => sql`and o.external_id = ${value}`,
  status: (value: unknown) => sql`and o.status = ${value}`,
}

/** One kit has to fit all that is asked of a registration. */
function registration({ registeredFrom, registeredTo, registeredEmail, registeredCustomerId }: OrderFilter) {
  const parts = [
    registeredFrom && sql`and k.registered_at >= ${registeredFrom}`,
    registeredTo && sql`and k.registered_at <= ${registeredTo}`,
    registeredEmail && sql`and lower(k.registered_email) = lower(${registeredEmail})`,
    registeredCustomerId && sql`and k.customer_id = ${registeredCustomerId}`,
  ].filter((part) => part !== undefined && part !== '' && part !== 0)
  if (parts.length === 0) return undefined
  return sql`and exists (select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and k.registered_at is not null ${sql.join(parts, sql` `)})`
}

/** One page, newest first. Without a filter it is a range of the realm's gapless numbers: as fast at any depth. */
export async function selectPage(
  tx: Tx,
  filter: OrderFilter,
  page: number,
  size: number,
): Promise<{ total: number; rows: OrderRow[] }> {
  const parts = Object.entries(conditions).flatMap(([name, condition]) => {
    const value = filter[name as keyof typeof conditions]
    return value === undefined ? [] : [condition(value)]
  })
  const registered = registration(filter)
  if (registered) parts.push(registered)
  if (parts.length === 0) return unfilteredPage(tx, page, size)
  const where = sql`o.realm_id = ${tx.realm.id} ${sql.join(parts, sql` `)}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*) as total from orders o where ${where}`)
  const rows = await tx.rows(sql<OrderRow>`
    select ${orderColumns} from orders o where ${where} order by o.seq desc limit ${size} offset ${page * size}`)
  return { total, rows }
}

async function unfilteredPage(tx: Tx, page: number, size: number): Promise<{ total: number; rows: OrderRow[] }> {
  const { total } = await tx.row(sql<{ total: number }>`
    select orders as total from realm_counters where realm_id = ${tx.realm.id}`)
  const rows = await tx.rows(sql<OrderRow>`
    select ${orderColumns} from orders o
    where o.realm_id = ${tx.realm.id} and o.seq <= ${total - page * size} order by o.seq desc limit ${size}`)
  return { total, rows }
}
