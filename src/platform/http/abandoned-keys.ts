import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../database/tx.ts'

// Longer than any request may take, including a call to the card gateway or the reading of a file.
const LEFT_AFTER_MS = 5 * 60_000
// How far back a round looks, so that it sees each key many times. Older keys expire by themselves.
const LOOKED_AT_MS = 3600_000

/**
 * Frees keys that were claimed by a request which died before its answer: the caller may send it again. `held` selects
 * realm_id and key of those whose work a job still finishes.
 */
export async function freeLeftKeys(tx: SystemTx, held: RawBuilder<unknown>): Promise<void> {
  const until = new Date(tx.now.getTime() - LEFT_AFTER_MS)
  const from = new Date(until.getTime() - LOOKED_AT_MS)
  await tx.run(sql`
    delete from idempotency_keys k
    where k.status is null and k.created_at >= ${from} and k.created_at < ${until}
      and not exists (select from (${held}) h where h.realm_id = k.realm_id and h.key = k.key)`)
}
