import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { isMadeUp } from '../businesses/queries.ts'
import { isSentTo } from '../kits/recipient-queries.ts'
import { isToSend } from '../labels/queries.ts'
import type { LeftParcel } from './rules.ts'
import type { Reason, State, WarehouseInput, WarehouseTest } from './schema.ts'

export interface WarehouseRow {
  id: string
  isActive: boolean
  definition: Omit<WarehouseInput, 'isActive' | 'secretKey'>
  /** Sealed. */
  secret: Buffer | null
  tested: z.output<typeof WarehouseTest> | null
  createdAt: Date
  changedAt: Date
}

export const selectWarehouses = (tx: Queries, ids?: readonly string[]): Promise<WarehouseRow[]> =>
  tx.rows(sql<WarehouseRow>`
    select id, is_active as "isActive", definition, secret, tested, created_at as "createdAt", changed_at as "changedAt"
    from warehouses where ${isOneOf(sql`id`, ids)} order by id`)

export async function saveWarehouse(tx: SystemTx, warehouse: WarehouseRow): Promise<void> {
  const { id, isActive, definition, secret, tested, createdAt, changedAt } = warehouse
  await tx.run(sql`
    insert into warehouses (id, provider, is_active, definition, secret, tested, created_at, changed_at)
    values (${id}, ${definition.provider}, ${isActive}, ${JSON.stringify(definition)}::jsonb, ${secret}::bytea,
      ${tested && JSON.stringify(tested)}::jsonb, ${createdAt}, ${changedAt})
    on conflict (id) do update set is_active = excluded.is_active, definition = excluded.definition, secret = excluded.secret,
      tested = excluded.tested, changed_at = excluded.changed_at`)
}

export interface OrderRow {
  kitId: string
  orderId: string
  warehouseId: string | null
  state: State
  reason: Reason | null
  code: string | null
  round: number
  externalId: string | null
  isReleased: boolean
  digest: Buffer | null
  carrier: string | null
  number: string | null
  serial: string | null
  lot: string | null
  /** Those that left, as the warehouse names them. */
  parcels: readonly LeftParcel[] | null
  /** Null where it was not handed over. */
  ordered: { sku: string; needsSerial: boolean } | null
  /** What the warehouse had said of the parcel before a person recorded it; null where nobody did. */
  beforeRecord: Pick<OrderRow, 'reason' | 'code' | 'carrier' | 'number' | 'serial' | 'lot' | 'parcels'> | null
  tries: number
  failures: number
  askedAt: Date | null
  dueAt: Date | null
  createdAt: Date
  changedAt: Date
}

const columns = sql`
  w.kit_id as "kitId", w.order_id as "orderId", w.warehouse_id as "warehouseId", w.state, w.reason, w.code, w.round,
  w.external_id as "externalId", w.is_released as "isReleased", w.digest, w.carrier, w.number, w.serial, w.lot, w.parcels, w.ordered,
  w.before_record as "beforeRecord", w.tries, w.failures,
  w.asked_at as "askedAt", w.due_at as "dueAt", w.created_at as "createdAt", w.changed_at as "changedAt"`

/** Locks what warehouses have of kits. Whoever locks kits too has locked them before. */
export const lockOrders = (tx: Tx, kitIds: readonly string[]): Promise<OrderRow[]> =>
  tx.rows(sql<OrderRow>`
    select ${columns} from warehouse_orders w where w.realm_id = ${tx.realm.id} and w.kit_id = any(${kitIds})
    order by w.kit_id for update`)

const ended: readonly State[] = ['shipped', 'canceled', 'released']

/** Whether a kit is not to be packed elsewhere. */
export const isThere = ({ state }: Pick<OrderRow, 'state'>): boolean => !ended.includes(state)

/** Writes an order. `changed_at` is since when its state and reason are as they are. */
export async function saveOrder(tx: Tx, row: OrderRow): Promise<void> {
  const values = sql`
    ${row.warehouseId}::text, ${row.state}, ${row.reason}::text, ${row.code}::text, ${row.round}, ${row.externalId}::text,
    ${row.isReleased}, ${row.digest}::bytea, ${row.carrier}::text, ${row.number}::text, ${row.serial}::text, ${row.lot}::text,
    ${row.parcels && JSON.stringify(row.parcels)}::jsonb,
    ${row.ordered && JSON.stringify(row.ordered)}::jsonb, ${row.beforeRecord && JSON.stringify(row.beforeRecord)}::jsonb,
    ${row.tries}, ${row.failures}, ${row.askedAt}::timestamptz, ${row.dueAt}::timestamptz, ${isThere(row)}`
  const names = sql.raw(
    'warehouse_id, state, reason, code, round, external_id, is_released, digest, carrier, number, serial, lot, parcels, ordered, before_record, tries, failures, asked_at, due_at, is_there',
  )
  await tx.run(sql`
    insert into warehouse_orders as w (realm_id, kit_id, order_id, created_at, changed_at, ${names})
    values (${tx.realm.id}, ${row.kitId}, ${row.orderId}, ${row.createdAt}, ${tx.now}, ${values})
    on conflict (realm_id, kit_id) do update set (${names}) = (${values}), changed_at =
      case when (w.state, w.reason) is distinct from (excluded.state, excluded.reason) then excluded.changed_at else w.changed_at end`)
}

/** How many kits a warehouse has, or may have. */
export const countThere = async (tx: SystemTx, warehouseId: string): Promise<number> =>
  (
    await tx.row(sql<{ total: number }>`
      select count(*)::int as total from warehouse_orders
      where warehouse_id = ${warehouseId} and asked_at is not null and (is_there or due_at is not null)`)
  ).total

/** Forgets that no warehouse packs these kits, or any, so that it is looked at again. */
export async function forgetUnmatched(tx: Tx | SystemTx, kitIds?: readonly string[]): Promise<void> {
  const here = 'realm' in tx ? sql`and realm_id = ${tx.realm.id}` : sql``
  await tx.run(sql`
    delete from warehouse_orders where warehouse_id is null and ${isOneOf(sql`kit_id`, kitIds)} ${here}`)
}

const realmOf = sql`jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode)`

export interface KitToMatch {
  realm: Realm
  kitId: string
  orderId: string
}

/** Locks kits of these types that wait to be packed and that neither a warehouse nor a packer has, the oldest first; none of the demo's companies. */
export const lockKitsToMatch = (tx: SystemTx, kitTypes: readonly string[], limit: number): Promise<KitToMatch[]> =>
  tx.rows(sql<KitToMatch>`
    select ${realmOf} as realm, k.id as "kitId", k.order_id as "orderId"
    from kits k join realms r on r.id = k.realm_id
    where k.live and k.kit_status = 'preparing' and k.kit_type = any(${kitTypes})
      and not ${isMadeUp}
      and not exists (select from warehouse_orders w where w.realm_id = k.realm_id and w.kit_id = k.id)
      and not exists (select from pack_claims c where c.realm_id = k.realm_id and c.kit_id = k.id and c.expires_at > ${tx.now})
    order by k.created_at, k.realm_id, k.seq limit ${limit} for update of k skip locked`)

/** What is due, so many kits of each warehouse: what is handed over or canceled first, then what is asked for, the longest due first. */
export const selectDue = (tx: SystemTx, limit: number): Promise<{ realm: Realm; kitId: string }[]> =>
  tx.rows(sql<{ realm: Realm; kitId: string }>`
    select ${realmOf} as realm, d.kit_id as "kitId" from (
      select w.realm_id, w.kit_id, row_number() over (partition by w.warehouse_id
        order by w.state in ('sent', 'notCanceled', 'released', 'shipped'), w.due_at) as place from warehouse_orders w where w.due_at <= ${tx.now}) d
    join realms r on r.id = d.realm_id where d.place <= ${limit} order by d.place`)

/** Kits at warehouses that are a person's, or of orders sent to them. */
export async function selectKitsOf(
  tx: Tx,
  { email, kitIds, orderIds }: { email: string; kitIds: readonly string[]; orderIds: readonly string[] },
): Promise<string[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<{ kitId: string }>`
    select w.kit_id as "kitId" from warehouse_orders w join orders o on o.realm_id = w.realm_id and o.id = w.order_id
    where w.realm_id = ${tx.realm.id} and (w.kit_id = any(${kitIds}) or w.order_id = any(${orderIds}) or ${isSentTo(keys, email)})`)
  return rows.map(({ kitId }) => kitId)
}

/** Whether a warehouse named a tracking number for a kit of another order. Carriers reuse numbers, after a year at the earliest. */
export const isNamedElsewhere = async (tx: SystemTx, { orderId }: OrderRow, number: string): Promise<boolean> =>
  (
    await tx.row(sql<{ found: boolean }>`
      select exists (
        select from warehouse_orders w where ${number} = any(string_to_array(w.number, ', ')) and w.order_id <> ${orderId}
          and w.changed_at > ${tx.now}::timestamptz - interval '1 year') as found`)
  ).found

export interface OrderFilter {
  states?: readonly State[] | undefined
  needsAttention?: boolean | undefined
  kitIds?: readonly string[] | undefined
  page: number
  size: number
}

export type ListedOrder = OrderRow & {
  warehouseId: string
  business: { id: string; name: string }
  realm: Realm
  kitType: string
  kitStatus: string
  isToSend: boolean
}

/** Orders at warehouses of every business, those that changed last first. */
export async function selectPage(
  tx: SystemTx,
  { states, needsAttention, kitIds, page, size }: OrderFilter,
): Promise<{ rows: ListedOrder[]; total: number }> {
  const open: RawBuilder<unknown> = needsAttention ? sql`and w.is_there and w.reason is not null` : sql``
  const which = sql`w.warehouse_id is not null and ${isOneOf(sql`w.state`, states)} and ${isOneOf(sql`w.kit_id`, kitIds)} ${open}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from warehouse_orders w where ${which}`,
  )
  const rows = await tx.rows(sql<ListedOrder>`
    select ${columns}, jsonb_build_object('id', b.id, 'name', b.name) as business, ${realmOf} as realm,
           k.kit_type as "kitType", k.kit_status as "kitStatus", ${isToSend} as "isToSend"
    from warehouse_orders w join realms r on r.id = w.realm_id join businesses b on b.id = r.business_id
    join kits k on k.realm_id = w.realm_id and k.id = w.kit_id
    where ${which} order by w.changed_at desc, w.kit_id limit ${size} offset ${page * size}`)
  return { rows, total }
}
