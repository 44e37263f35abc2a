import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'

/**
 * Moves back the deadlines of this sandbox's open critical results, and when they were raised, by `ms` milliseconds. Returns
 * for how many the next contact has to be notified.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ criticalResults: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const open = sql`realm_id = ${realm} and acknowledged_at is null and withdrawn_at is null`
  const due = await tx.row(sql<{ criticalResults: number }>`
    select count(*)::int as "criticalResults" from critical_results
    where ${open} and due_at > ${tx.now} and due_at - ${back} <= ${tx.now}`)
  await tx.run(sql`
    update critical_results c
    set raised_at = c.raised_at - ${back}, deadline_at = c.deadline_at - ${back}, due_at = c.due_at - ${back}
    from (select id from critical_results where ${open} order by id for no key update) l
    where c.realm_id = ${realm} and c.id = l.id`)
  return due
}
