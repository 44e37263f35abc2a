import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'

/** Moves back when this sandbox's people asked for their data, and were answered, by `ms` milliseconds. */
export async function advanceClock(tx: Tx, ms: number): Promise<void> {
  const back = sql`${ms} * interval '1 millisecond'`
  await tx.run(sql`
    update data_requests set requested_at = requested_at - ${back}, closed_at = closed_at - ${back}
    where realm_id = ${tx.realm.id}`)
}
