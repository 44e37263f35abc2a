import type { Client } from 'pg'
import { keepPartitionsAhead } from '../../src/modules/audit/archive.ts'
import type { Database } from '../../src/platform/database/tx.ts'

/** Writes into the audit as the owner of the database can, and the program cannot: any number, transaction and time. */
export async function asAuditOwner<T>(owner: Client, work: () => Promise<T>): Promise<T> {
  const set = (change: string) => owner.query(`reset role; alter table audit_entries ${change}`)
  await set('no force row level security')
  await set('disable trigger audit_entries_now')
  try {
    return await work()
  } finally {
    await set('enable trigger audit_entries_now')
    await set('force row level security')
    await owner.query('set role kitlane_system')
  }
}

/**
 * What waits for a lock of the audit no longer than 100 ms, called again as the job does: on a busy machine others hold it longer.
 * @throws what else goes wrong, and after a minute that it is locked
 */
export async function onceUnlocked<T>(work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + 60_000; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('lock timeout')) || Date.now() > until) throw error
    }
  }
}

export const partitionsAhead = (database: Database): Promise<void> =>
  onceUnlocked(() => keepPartitionsAhead(database, { name: 'test' }))
