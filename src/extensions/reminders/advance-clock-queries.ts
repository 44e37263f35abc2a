import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Moves back since when this sandbox's rules count, and when reminders were sent, by `ms` milliseconds. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`update reminder_rules set since = since - ${back} where realm_id = ${tx.realm.id}`)
  await tx.run(sql`update reminders set sent_at = sent_at - ${back} where realm_id = ${tx.realm.id}`)
}
