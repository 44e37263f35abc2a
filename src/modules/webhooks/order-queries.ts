import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Puts in order what waits for an endpoint that had none. */
export async function orderPending(tx: Tx, endpointId: string): Promise<void> {
  await tx.run(sql`
    update webhook_deliveries d set subject = coalesce(e.kit_id, e.order_id), order_id = e.order_id, position = e.position
    from events e
    where d.realm_id = ${tx.realm.id} and d.endpoint_id = ${endpointId} and d.status = 'pending' and d.subject is null
      and e.realm_id = d.realm_id and e.id = d.event_id and coalesce(e.kit_id, e.order_id) is not null`)
}

/** A delivery that was given up on. */
export interface Given {
  endpointId: string
  /** The kit or order that others may wait in order for. */
  subject: string | null
}

/** Ends a delivery that is pending; undefined if it has ended already. */
export function giveUp(tx: Tx, id: string): Promise<Given | undefined> {
  return tx.maybeRow(sql<Given>`
    update webhook_deliveries set status = 'failed', due_at = null, finished_at = ${tx.now}, lease = null, leased_until = null
    where realm_id = ${tx.realm.id} and id = ${id} and status = 'pending'
    returning endpoint_id as "endpointId", subject`)
}

/**
 * Makes due what waits in order at an endpoint: behind one subject, or all of it. The lock of the endpoint keeps senders from
 * postponing it by what they read before.
 */
export async function releaseWaiting(tx: Tx, endpointId: string, subject?: string): Promise<void> {
  const endpoint = sql`realm_id = ${tx.realm.id}`
  const behind = subject === undefined ? sql`` : sql`and (subject = ${subject} or order_id = ${subject})`
  await tx.run(sql`select from webhook_endpoints where ${endpoint} and id = ${endpointId} for no key update`)
  await tx.run(sql`
    update webhook_deliveries set due_at = least(due_at, ${tx.now})
    where ${endpoint} and endpoint_id = ${endpointId} and status = 'pending' and attempts = 0 and subject is not null ${behind}`)
}

/** What a delivery of the event `e` to the endpoint `w` is ordered by, as its columns `subject`, `order_id` and `position`. */
export const orderOf = sql`
  case when w.ordering = 'kit' then coalesce(e.kit_id, e.order_id) end, case when w.ordering = 'kit' then e.order_id end,
  case when w.ordering = 'kit' then e.position end`
