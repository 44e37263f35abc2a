import type { Client } from 'pg'

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
