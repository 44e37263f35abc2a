import { newOpaqueId } from '../../domain/ids.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import type { EventType } from './event-types.ts'
import { deleteEvents, insertEvents, selectOrdersPlacedBy } from './queries.ts'

export interface NewEvent {
  type: EventType
  orderId?: string
  kitId?: string
  /** Gapless per kit, from 1. */
  sequence?: number
  data: unknown
  /** Who caused it; stored, but never sent in webhooks. */
  actor?: string
}

/** Records events in the transaction that caused them; a trigger derives webhook deliveries from these rows. Returns their IDs. */
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
  await tx.run(insertEvents(JSON.stringify(rows), tx.now))
  return rows.map((row) => row.id)
}

/** Removes the history of sandbox orders, or of the whole sandbox; the database refuses it for live. Returns how many events went. */
export const remove = (tx: Tx, ofOrders: readonly string[] | 'all'): Promise<number> => deleteEvents(tx, ofOrders)

/** Which of these orders this caller placed. */
export async function ordersPlacedBy(tx: Tx, actor: string, orderIds: readonly string[]): Promise<Set<string>> {
  return new Set(await selectOrdersPlacedBy(tx, actor, orderIds))
}
