import { sql } from 'kysely'
import { statement } from '../../platform/database/statement.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { openData, storedData, storedText } from './sealed-queries.ts'

export const TRACES = 'kitlane_traces'

const insertAs = (xact: string) => `
  with own as materialized (select kitlane_xact() as xact)
  insert into events (realm_id, id, type, order_id, kit_id, sequence, data, sealed, occurred_at, actor, xact)
  select e."realmId", e.id, e.type, e."orderId", e."kitId", e.sequence, e.data, e.sealed, $2, e.actor, ${xact}
  from json_to_recordset($1::json)
    as e("realmId" int, id text, type text, "orderId" text, "kitId" text, sequence int, data jsonb, sealed bytea, actor text)`

/** Rows as JSON, and when they happened. The transaction is asked for once: the function opens a file. */
export const insertEvents = statement<never, [string, Date]>('events_insert', insertAs('(select xact from own)'))

/**
 * The same for events of kits. A transaction that began to write before it locked a kit is older than those that changed the kit
 * meanwhile. The feed, which is in the order of transactions, shows its event with the last of theirs: nobody has read so far.
 */
export const insertEventsOfKits = statement<never, [string, Date]>(
  'events_insert_of_kits',
  insertAs(`greatest((select xact from own), (
    select p.xact from events p where p.realm_id = e."realmId" and p.kit_id = e."kitId" order by p.xact desc limit 1))`),
)

/** Notifies the webhook sender of the traces of events, once the transaction commits. */
export const notifyTraces = statement<never, [string[]]>(
  'events_notify_traces',
  `select pg_notify('${TRACES}', message) from unnest($1::text[]) message`,
)

/** Deletes the events of these orders, or all of the realm. The database refuses it for live realms. */
export function deleteEvents(tx: Tx, ofOrders: readonly string[] | 'all'): Promise<number> {
  const which = ofOrders === 'all' ? sql`` : sql`and order_id = any(${ofOrders})`
  return tx.run(sql`delete from events where realm_id = ${tx.realm.id} ${which}`)
}

/** Which of these orders this caller placed. */
export async function selectOrdersPlacedBy(tx: Tx, actor: string, orderIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select order_id as id from events
    where realm_id = ${tx.realm.id} and order_id = any(${orderIds}) and type = 'order.created' and actor = ${actor}`)
  return rows.map(({ id }) => id)
}

export interface EventData {
  id: string
  data: unknown
}

/** Writes what events say after an erasure: the one change that an event ever sees. */
export async function updateEventData(tx: Tx, changed: readonly EventData[]): Promise<void> {
  if (changed.length === 0) return
  const keys = await keyringOf(tx)
  const stored = changed.map(({ id, data }) => ({ id, ...storedData(keys, id, data) }))
  await tx.run(sql`
    update events e set data = c.data, sealed = c.sealed
    from json_to_recordset(${JSON.stringify(stored)}::json) as c(id text, data jsonb, sealed bytea)
    where e.realm_id = ${tx.realm.id} and e.id = c.id`)
}

interface FeedEvent {
  id: string
  type: string
  timestamp: Date
  data: unknown
}

interface FeedQuery {
  /** The ID of the last event that the reader has. */
  after?: string
  types: readonly string[]
  size: number
  /** The last events instead of the first. They too come oldest first, and there are none after them. */
  latest?: boolean | undefined
}

/**
 * Events in the order of their transactions, without those of a transaction while an older one is still open. A reader who
 * continues after its last event misses nothing, however late a transaction commits.
 */
export async function readFeed(
  tx: Tx,
  { after, types, size, latest = false }: FeedQuery,
): Promise<{ events: FeedEvent[]; hasMore: boolean }> {
  const from = after
    ? sql`and (e.xact, e.position) > (select a.xact, a.position from events a where a.realm_id = ${tx.realm.id} and a.id = ${after})`
    : sql``
  const rows = await tx.rows(sql<Omit<FeedEvent, 'data'> & { realmId: number; data: string }>`
    select e.realm_id as "realmId", e.id, e.type, e.occurred_at as timestamp, ${storedText('e')} as data from events e
    where e.realm_id = ${tx.realm.id} and e.xact < (select kitlane_settled()) ${from}
      and e.type = any(${types})
    ${latest ? sql`order by e.xact desc, e.position desc limit ${size}` : sql`order by e.xact, e.position limit ${size + 1}`}`)
  const page = await openData(tx, latest ? rows.toReversed() : rows.slice(0, size))
  const events = page.map(({ id, type, timestamp, data }) => ({
    id,
    type,
    timestamp,
    data: JSON.parse(data) as unknown,
  }))
  return { events, hasMore: rows.length > size }
}

export async function maybeReadEvent(tx: Tx, id: string): Promise<FeedEvent | undefined> {
  const rows = await tx.rows(sql<Omit<FeedEvent, 'data'> & { realmId: number; data: string }>`
    select e.realm_id as "realmId", e.id, e.type, e.occurred_at as timestamp, ${storedText('e')} as data
    from events e where e.realm_id = ${tx.realm.id} and e.id = ${id}`)
  const [event] = await openData(tx, rows)
  return event && { id, type: event.type, timestamp: event.timestamp, data: JSON.parse(event.data) as unknown }
}

/** Whether an ID is that of an event of the realm: a valid cursor. */
export async function isEventId(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.maybeRow(sql`select 1 from events where realm_id = ${tx.realm.id} and id = ${id}`)
  return row !== undefined
}
