import type { Actor, Database } from '../../platform/database/tx.ts'
import { addMonth, beginMonth } from './archive-queries.ts'

// This month and the next two: a worker may be away for two months before entries go where there is no partition.
const MONTHS_AHEAD = 2

/** `2030-12-01`: the first day of the month, so many months later. UTC. */
const monthOf = (at: Date, later: number): string =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later, 1)).toISOString().slice(0, 10)

/**
 * Keeps partitions of the audit for this month and the next ones, and lets new entries go into that of this month. Each in a
 * separate transaction, which waits for no lock longer than 100 ms: it fails instead, and is called again.
 */
export async function keepPartitionsAhead(database: Database, actor: Actor): Promise<void> {
  const now = database.now()
  for (let later = 0; later <= MONTHS_AHEAD; later++)
    await database.asSystem(actor, (tx) => addMonth(tx, monthOf(now, later)))
  await database.asSystem(actor, (tx) => beginMonth(tx, monthOf(now, 0)))
}
