import type { AddRows } from '../../domain/archives.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import { forgetVerification } from '../../platform/database/verification.ts'
import * as archiveQueries from './archive-queries.ts'

// 30 ms of the database each.
const ROWS_AT_ONCE = 2000

interface ArchivedRows {
  rows: number
  from: Date | null
  to: Date | null
}

/** Hands a month of the audit to an archive, in batches. Entries never change, so that no transaction needs to span them. */
export async function copyMonth(
  database: Database,
  actor: Actor,
  { above, below }: archiveQueries.AuditMonth,
  add: AddRows,
): Promise<ArchivedRows> {
  let [rows, from, to]: [number, Date | null, Date | null] = [0, null, null]
  for (let next = above; ; ) {
    const found = await database.asSystem(actor, (tx) =>
      archiveQueries.selectJson(tx, { above: next, below }, ROWS_AT_ONCE),
    )
    await add(
      'audit_entries',
      found.map(({ entry }) => entry),
    )
    await add(
      'audit_words',
      found.flatMap(({ words }) => (words === null ? [] : [words])),
    )
    rows += found.length
    for (const { at } of found) {
      if (!from || at < from) from = at
      if (!to || at > to) to = at
    }
    const last = found.at(-1)
    if (!last || found.length < ROWS_AT_ONCE) return { rows, from, to }
    next = last.id + 1
  }
}

/** Whether every entry of a month is sealed: only then the chain can say later what was in it. */
export const isSealed = (database: Database, actor: Actor, month: archiveQueries.AuditMonth): Promise<boolean> =>
  database.asSystem(actor, async (tx) => {
    await tx.allowMs(60_000)
    return (await archiveQueries.countUnsealed(tx, month)) === 0
  })

/**
 * Takes a month that was archived out of the database: first its lists, in batches, then its partition.
 * The last seal of each chain stays, as where verifying begins.
 */
export async function purgeMonth(database: Database, actor: Actor, month: archiveQueries.AuditMonth): Promise<void> {
  while ((await database.asSystem(actor, (tx) => archiveQueries.deleteLists(tx, month, ROWS_AT_ONCE))) > 0);
  await database.asSystem(actor, async (tx) => {
    await tx.allowMs(5 * 60_000)
    await archiveQueries.upsertArchived(tx, month.below)
    await forgetVerification(tx, 'audit')
    // Last: from here on everybody else waits for a moment.
    await archiveQueries.dropMonth(tx, month.part)
  })
}

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
    await database.asSystem(actor, (tx) => archiveQueries.addMonth(tx, monthOf(now, later)))
  await database.asSystem(actor, (tx) => archiveQueries.beginMonth(tx, monthOf(now, 0)))
}
