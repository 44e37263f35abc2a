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
interface Given {
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

/** Lets the failed deliveries of a stretch of time that wait for their next attempt be sent now. Returns how many. */
export function hurryFailed(tx: Tx, endpointId: string, since: Date, until: Date): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries d set due_at = ${tx.now}
    from events e where e.realm_id = d.realm_id and e.id = d.event_id
      and d.realm_id = ${tx.realm.id} and d.endpoint_id = ${endpointId} and d.status = 'pending' and d.attempts > 0
      and d.due_at > ${tx.now} and e.occurred_at >= ${since} and e.occurred_at <= ${until}`)
}

/** Re-enqueues the endpoint's undelivered events of a time range. Returns how many. */
export function insertFailed(tx: Tx, endpointId: string, since: Date, until: Date): Promise<number> {
  return tx.run(sql`
    insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at, subject, order_id, position)
    select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', ${tx.now}, ${tx.now}, ${orderOf}
    from events e join webhook_endpoints w on w.realm_id = e.realm_id and w.id = ${endpointId} join (
      select event_id from webhook_deliveries where realm_id = ${tx.realm.id} and endpoint_id = ${endpointId}
      group by event_id having bool_and(status = 'failed')) failed on failed.event_id = e.id
    where e.realm_id = ${tx.realm.id} and e.occurred_at >= ${since} and e.occurred_at <= ${until}`)
}
