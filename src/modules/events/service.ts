import { newDatedId } from '../../domain/ids.ts'
import type { Queries, Realm, Tx } from '../../platform/database/tx.ts'
import { keyringIn, keyringsOf } from '../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../platform/slices.ts'
import { traceparent } from '../../platform/tracing.ts'
import type { EventType } from './event-types.ts'
import { deleteEvents, insertEvents, insertEventsOfKits, notifyTraces, selectOrdersPlacedBy } from './queries.ts'
import { withoutPerson } from './rules.ts'
import { storedData } from './sealed-queries.ts'

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

// A notification holds 8,000 bytes, an ID about 30.
const AT_ONCE = 150

/** Messages with the trace of these events: the trace, then the events. */
function tracesOf(trace: string, eventIds: readonly string[]): string[] {
  const count = Math.ceil(eventIds.length / AT_ONCE)
  return Array.from({ length: count }, (_, n) => [trace, ...eventIds.slice(n * AT_ONCE, (n + 1) * AT_ONCE)].join(' '))
}

/** The same for events that name their realm. */
export async function recordIn(tx: Queries, events: readonly (NewEvent & { realm: Realm })[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map(({ realm, ...event }) => ({ id: newDatedId('evt', tx.now), realmId: realm.id, ...event }))
  // Events of orders tell of nobody: their statement is queued at once.
  const stored = rows.some(({ data }) => withoutPerson(data)) ? await sealed(tx, rows) : rows
  const ids = rows.map((row) => row.id)
  const trace = traceparent()
  const insert = rows.some(({ kitId }) => kitId !== undefined) ? insertEventsOfKits : insertEvents
  await Promise.all([
    tx.run(insert(JSON.stringify(stored), tx.now)),
    ...(trace === undefined ? [] : [tx.run(notifyTraces(tracesOf(trace, ids)))]),
  ])
  return ids
}

async function sealed<Row extends { realmId: number; id: string; data: unknown }>(tx: Queries, rows: readonly Row[]) {
  const keys = await keyringsOf(tx, rows)
  return mapInSlices(rows, (row) => ({ ...row, ...storedData(keyringIn(keys, row.realmId), row.id, row.data) }))
}

/** Removes the history of sandbox orders, or of the whole sandbox; the database refuses it for live. Returns how many events went. */
export const remove = (tx: Tx, ofOrders: readonly string[] | 'all'): Promise<number> => deleteEvents(tx, ofOrders)

/** Which of these orders this caller placed. */
export async function ordersPlacedBy(tx: Tx, actor: string, orderIds: readonly string[]): Promise<Set<string>> {
  return new Set(await selectOrdersPlacedBy(tx, actor, orderIds))
}
