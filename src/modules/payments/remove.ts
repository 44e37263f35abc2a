import type { Tx } from '../../platform/database/tx.ts'
import { deleteNotices } from './notice-queries.ts'
import { deletePayments } from './queries.ts'
import { deleteCounters } from './receipts/queries.ts'
import { forgetTries } from './top-ups/queries.ts'

/** Removes what a sandbox has paid, with its receipts. The settings stay; the database refuses it for live. */
export async function removePayments(tx: Tx): Promise<void> {
  await deletePayments(tx)
  await deleteCounters(tx)
  await deleteNotices(tx)
  await forgetTries(tx)
}
