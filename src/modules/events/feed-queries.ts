import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { openData, storedText } from './sealed-queries.ts'

export interface FeedEvent {
  id: string
  type: string
  timestamp: Date
  data: unknown
}

export interface FeedQuery {
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
