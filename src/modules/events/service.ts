import { sql } from 'kysely'
import { newOpaqueId } from '../../domain/ids.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import type { EventType } from './event-types.ts'

export interface NewEvent {
  type: EventType
  orderId?: string
  kitId?: string
  /** Gapless per kit, from 1. */
  sequence?: number
  data: unknown
  /** Who said it; kept for whoever asks, sent to nobody. */
  actor?: string
}

const insert = statement<never, [string, Date]>(
  'events_insert',
  `insert into events (realm_id, id, type, order_id, kit_id, sequence, data, occurred_at, actor)
   select e."realmId", e.id, e.type, e."orderId", e."kitId", e.sequence, e.data, $2, e.actor
   from json_to_recordset($1::json)
     as e("realmId" int, id text, type text, "orderId" text, "kitId" text, sequence int, data jsonb, actor text)`,
)

/** Writes what happened, in the transaction that caused it; what webhooks owe follows from these rows. Returns their IDs. */
export function record(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  return recordIn(
    tx,
    events.map((event) => ({ ...event, realm: tx.realm, actor: tx.actor.name })),
  )
}

/** The same for events that name their realm. */
export async function recordIn(tx: Queries, events: readonly (NewEvent & { realm: Realm })[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map(({ realm, ...event }) => ({ id: newOpaqueId('evt'), realmId: realm.id, ...event }))
  await tx.run(insert(JSON.stringify(rows), tx.now))
  return rows.map((row) => row.id)
}

/** Removes the history of sandbox orders, or of the whole sandbox; the database refuses it for live. Returns how many events went. */
export function remove(tx: Tx, ofOrders: readonly string[] | 'all'): Promise<number> {
  const which = ofOrders === 'all' ? sql`` : sql`and order_id = any(${ofOrders})`
  return tx.run(sql`delete from events where realm_id = ${tx.realm.id} ${which}`)
}

/** Which of these orders this caller placed. */
export async function ordersPlacedBy(tx: Tx, actor: string, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select order_id as id from events
    where realm_id = ${tx.realm.id} and order_id = any(${orderIds}) and type = 'order.created' and actor = ${actor}`)
  return new Set(rows.map(({ id }) => id))
}
