import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Moves back the ends of this sandbox's half-filled registrations, by `ms` milliseconds. Returns how many ended. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ registrationDrafts: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  return tx.row(sql<{ registrationDrafts: number }>`
    with moved as (
      update registration_drafts set expires_at = expires_at - ${back} where realm_id = ${tx.realm.id}
      returning expires_at)
    select count(*)::int as "registrationDrafts" from moved
    where expires_at <= ${tx.now} and expires_at + ${back} > ${tx.now}`)
}
