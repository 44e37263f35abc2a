import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { newOpaqueId } from '../../platform/ids.ts'
import type { EventType } from './event-types.ts'

export interface NewEvent {
  type: EventType
  orderId?: string
  kitId?: string
  /** Gapless per kit, from 1. */
  sequence?: number
  data: unknown
}

/** Writes what happened, in the transaction that caused it; what webhooks owe follows from these rows. Returns their IDs. */
export async function record(tx: Tx, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return []
  const rows = events.map((event) => ({ id: newOpaqueId('evt'), ...event }))
  await tx.run(sql`
    insert into events (realm_id, id, type, order_id, kit_id, sequence, data, occurred_at)
    select ${tx.realm.id}, e.id, e.type, e."orderId", e."kitId", e.sequence, e.data, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e(id text, type text, "orderId" text, "kitId" text, sequence int, data jsonb)`)
  return rows.map((row) => row.id)
}

/** Removes the history of sandbox orders, or of the whole sandbox; the database refuses it for live. Returns how many events went. */
export function remove(tx: Tx, ofOrders: readonly string[] | 'all'): Promise<number> {
  const which = ofOrders === 'all' ? sql`` : sql`and order_id = any(${ofOrders})`
  return tx.run(sql`delete from events where realm_id = ${tx.realm.id} ${which}`)
}
