import { type RawBuilder, sql } from 'kysely'
import { type Counted, locate, type Range } from '../../platform/database/block-counts.ts'
import type { Part } from '../../platform/database/oldest-first.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { peopleOf } from '../customers/sealed-queries.ts'
import { isSentToAny, mayBeSentToAny } from '../kits/recipient-queries.ts'
import { orderColumns, type PackedOrder } from './read-queries.ts'
import { MIXED } from './rules.ts'
import { foundOrders } from './search-queries.ts'

export interface OrderFilter {
  kitStatuses?: readonly string[] | undefined
  sampleStatuses?: readonly string[] | undefined
  createdFrom?: Date
  createdTo?: Date
  registeredFrom?: Date
  registeredTo?: Date
  /** E-mails or numbers of people that a kit is registered to. */
  registeredKeys?: readonly string[] | undefined
  customerIds?: readonly number[] | undefined
  kitTypes?: readonly string[] | undefined
  recipientEmails?: readonly string[] | undefined
  externalIds?: readonly string[] | undefined
  statuses?: readonly string[] | undefined
  /** The order or one of its kits. */
  updatedSince?: Date | undefined
  /** What a person typed to find an order. */
  text?: string
  ids?: readonly string[] | undefined
}

// `|| ''` and `+ interval '0'` keep the planner from using an index of statuses or times to find the kits of
// one order. Without statistics it would use one, and read all kits of that status for each order.
const hasKit = (where: RawBuilder<unknown>) =>
  sql`exists (select from kits k where k.realm_id = o.realm_id and k.order_id = o.id and ${where})`

// To look at an order with its kits costs about four times as much as to read that a kit changed.
const PLACED_OF_OLDER = 4

// Many orders may fit these filters: they are counted by block.
const broad = {
  statuses: (values: readonly string[]) => sql`o.status = any(${values})`,
  kitStatuses: (values: readonly string[]) => hasKit(sql`k.kit_status || '' = any(${values})`),
  sampleStatuses: (values: readonly string[]) => hasKit(sql`k.sample_status || '' = any(${values})`),
  kitTypes: (values: readonly string[]) =>
    sql`(o.sku = any(${values}) or (o.sku = ${MIXED} and exists (
      select from order_lines l where l.realm_id = o.realm_id and l.order_id = o.id and l.kit_type = any(${values}))))`,
}

/** The condition that a kit was registered as the filter asks; undefined where it does not ask. */
function registration(keys: Keyring, filter: OrderFilter) {
  const { registeredFrom, registeredTo, registeredKeys, customerIds } = filter
  const parts = [
    registeredFrom && sql`k.registered_at + interval '0' >= ${registeredFrom}`,
    registeredTo && sql`k.registered_at + interval '0' <= ${registeredTo}`,
    customerIds && sql`k.customer_id = any(${customerIds}::bigint[])`,
    registeredKeys && sql`k.customer_id = any(array(${peopleOf(keys, registeredKeys)}))`,
  ].filter((part) => typeof part === 'object')
  return parts.length === 0 ? undefined : sql.join(parts, sql` and `)
}

interface Conditions {
  /** Few orders fit these, and an index finds them. */
  narrow: RawBuilder<unknown>[]
  broad: RawBuilder<unknown>[]
}

async function conditionsOf(tx: Tx, filter: OrderFilter): Promise<Conditions> {
  const { externalIds, text, updatedSince, recipientEmails, registeredKeys, customerIds } = filter
  const all: Conditions = { narrow: [], broad: [] }
  for (const [name, condition] of Object.entries(broad)) {
    const values = filter[name as keyof typeof broad]
    if (values !== undefined) all.broad.push(condition(values))
  }
  const keys = await keyringOf(tx)
  const registered = registration(keys, filter)
  if (registered && (registeredKeys || customerIds)) {
    all.narrow.push(
      sql`o.id = any(array(select k.order_id from kits k where k.realm_id = ${tx.realm.id} and k.registered_at is not null and ${registered}))`,
    )
  } else if (registered) all.broad.push(hasKit(registered))
  if (filter.ids) all.narrow.push(sql`o.id = any(${filter.ids})`)
  if (externalIds) all.narrow.push(sql`o.external_id = any(${externalIds})`)
  if (recipientEmails) {
    const found = await mayBeSentToAny(tx, recipientEmails)
    all.narrow.push(sql`o.id = any(array(${found}))`, isSentToAny(keys, recipientEmails))
  }
  if (text) all.narrow.push(sql`o.id = any(array(${await foundOrders(tx, text)}))`)
  if (updatedSince) all.narrow.push(isUpdatedSince(tx, updatedSince))
  return all
}

const isUpdatedSince = (tx: Tx, since: Date) => sql`o.id = any(array(
  select id from orders where realm_id = ${tx.realm.id} and created_at >= ${since}
  union select id from orders where realm_id = ${tx.realm.id} and updated_at >= ${since}
  union select order_id from kits where realm_id = ${tx.realm.id} and updated_at >= ${since}))`

const dates = ({ createdFrom, createdTo }: OrderFilter) =>
  [createdFrom && sql`o.created_at >= ${createdFrom}`, createdTo && sql`o.created_at <= ${createdTo}`].filter(
    (part) => part !== undefined,
  )

const allOf = (tx: Tx, parts: readonly RawBuilder<unknown>[]) =>
  sql.join([sql`o.realm_id = ${tx.realm.id}`, ...parts], sql` and `)

/** The orders after one in the order of the list; without one, from its beginning on. */
export async function selectAfter(
  tx: Tx,
  filter: OrderFilter,
  { id, size, isOldestFirst }: { id: string | undefined; size: number; isOldestFirst: boolean },
): Promise<PackedOrder[]> {
  const { narrow, broad } = await conditionsOf(tx, filter)
  const [beyond, direction] = isOldestFirst ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const after = id ? [sql`o.seq ${beyond} (select seq from orders where realm_id = ${tx.realm.id} and id = ${id})`] : []
  return tx.rows(sql<PackedOrder>`
    select ${orderColumns} from orders o where ${allOf(tx, [...after, ...dates(filter), ...narrow, ...broad])}
    order by o.seq ${direction} limit ${size}`)
}

export interface OrderPage {
  total: number
  rows: PackedOrder[]
}

/** A part, newest first, as fast at any depth; with the exact total. */
export async function selectPart(tx: Tx, filter: OrderFilter, { skip: start, size }: Part): Promise<OrderPage> {
  const { updatedSince, ...others } = filter
  if (updatedSince && Object.values(others).every((value) => value === undefined))
    return selectUpdatedPart(tx, updatedSince, start, size)
  const { narrow, broad } = await conditionsOf(tx, filter)
  if (narrow.length > 0) return selectNarrowPart(tx, [...narrow, ...broad, ...dates(filter)], start, size)
  const within = await numbersWithin(tx, filter)
  if (broad.length === 0) return selectRangePart(tx, within, start, size)
  const { registeredFrom, registeredTo } = filter
  const [status, kitStatus, sampleStatus, kitType] = [
    filter.statuses,
    filter.kitStatuses,
    filter.sampleStatuses,
    filter.kitTypes,
  ].map((values) => values?.join())
  const counted: Counted = {
    list: 'orders',
    as: 'o',
    where: sql.join(broad, sql` and `),
    filter: JSON.stringify({ status, kitStatus, sampleStatus, kitType, registeredFrom, registeredTo }),
    highest: sql`select orders from realm_counters where realm_id = ${tx.realm.id}`,
  }
  const { total, skip, from, to } = await locate(tx, counted, { within, start, size })
  // The numbers first: the columns of rows that are skipped, with their kits, would be computed as well.
  const part = sql`o.seq between ${from} and ${to}`
  const rows =
    start < total && size > 0
      ? await tx.rows(sql<PackedOrder>`
          select ${orderColumns} from orders o where o.realm_id = ${tx.realm.id} and o.seq = any(array(
            select o.seq from orders o where ${allOf(tx, [part, ...broad])} order by o.seq desc offset ${skip} limit ${size}))
          order by o.seq desc`)
      : []
  return { total, rows }
}

/** The range of numbers of a range of dates: orders are dated in the order of their numbers. */
async function numbersWithin(tx: Tx, { createdFrom, createdTo }: OrderFilter): Promise<Range> {
  const first = sql`select seq from orders where realm_id = ${tx.realm.id} and created_at >= ${createdFrom} order by created_at, seq limit 1`
  const last = sql`select seq from orders where realm_id = ${tx.realm.id} and created_at <= ${createdTo} order by created_at desc, seq desc limit 1`
  return tx.row(sql<Range>`
    select ${createdFrom ? sql`coalesce((${first}), orders + 1)` : sql`1::bigint`} as "from",
           ${createdTo ? sql`coalesce((${last}), 0)` : sql`orders`} as "to"
    from realm_counters where realm_id = ${tx.realm.id}`)
}

async function selectRangePart(tx: Tx, { from, to }: Range, start: number, size: number): Promise<OrderPage> {
  const total = Math.max(0, to - from + 1)
  if (start >= total || size === 0) return { total, rows: [] }
  const newest = to - start
  const rows = await tx.rows(sql<PackedOrder>`
    select ${orderColumns} from orders o
    where o.realm_id = ${tx.realm.id} and o.seq between ${Math.max(from, newest - size + 1)} and ${newest} order by o.seq desc`)
  return { total, rows }
}

/**
 * What was placed since a time is a range of numbers. Of what is older, each order is looked at where they are few, as when a
 * program reads everything for the first time; else what changed is.
 */
async function selectUpdatedPart(tx: Tx, since: Date, start: number, size: number): Promise<OrderPage> {
  const within = await numbersWithin(tx, { createdFrom: since })
  const placed = Math.max(0, within.to - within.from + 1)
  const older = within.from - 1
  const changed =
    older * PLACED_OF_OLDER < placed
      ? sql`(o.updated_at >= ${since} or ${hasKit(sql`k.updated_at + interval '0' >= ${since}`)})`
      : isUpdatedSince(tx, since)
  const { rows, total } = await selectNarrowPart(
    tx,
    [sql`o.seq < ${within.from}`, changed],
    Math.max(0, start - placed),
    Math.max(0, Math.min(size, start + size - placed)),
  )
  const newest = await selectRangePart(tx, within, start, size)
  return { total: placed + total, rows: [...newest.rows, ...rows] }
}

/** For filters that few orders fit: finds all of them, then takes the part. */
async function selectNarrowPart(
  tx: Tx,
  conditions: readonly RawBuilder<unknown>[],
  start: number,
  size: number,
): Promise<OrderPage> {
  const found = await tx.rows(sql<{ seq: number }>`
    select o.seq from orders o where ${allOf(tx, conditions)} order by o.seq desc`)
  const seqs = found.slice(start, start + size).map(({ seq }) => seq)
  const rows =
    seqs.length > 0
      ? await tx.rows(sql<PackedOrder>`
          select ${orderColumns} from orders o where ${allOf(tx, [sql`o.seq = any(${seqs}::bigint[])`])} order by o.seq desc`)
      : []
  return { total: found.length, rows }
}
