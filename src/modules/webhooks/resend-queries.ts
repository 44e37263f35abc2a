import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { orderOf } from './order-queries.ts'

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
