import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/**
 * Moves back what is due later in this sandbox, by `ms` milliseconds: retries, the end of old secrets, and since when endpoints
 * fail. Returns how many deliveries became due. Those that are locked are due, or being written by a sender: they are
 * skipped, so that no sender waits for this while this waits for the sender.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ webhookDeliveries: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const due = await tx.row(sql<{ webhookDeliveries: number }>`
    select count(*)::int as "webhookDeliveries"
    from webhook_deliveries d join webhook_endpoints w on w.realm_id = d.realm_id and w.id = d.endpoint_id
    where d.realm_id = ${realm} and d.status = 'pending' and w.enabled and d.due_at > ${tx.now}
      and d.due_at - ${back} <= ${tx.now}`)
  await tx.run(sql`
    update webhook_endpoints w
    set failing_since = w.failing_since - ${back}, old_secret_until = w.old_secret_until - ${back}
    from (select id from webhook_endpoints where realm_id = ${realm} order by id for no key update) l
    where w.realm_id = ${realm} and w.id = l.id`)
  await tx.run(sql`
    update webhook_deliveries d set due_at = d.due_at - ${back}
    from (select id from webhook_deliveries where realm_id = ${realm} and status = 'pending' for update skip locked) l
    where d.realm_id = ${realm} and d.id = l.id`)
  return due
}
