import type { Tx } from '../../../platform/database/tx.ts'
import { reopenWithdrawn, withdrawAll } from '../critical/queries.ts'
import { isCriticalEntry } from '../critical/rules.ts'
import { deleteReports, markReportInReview, markReportRejected, selectReportOfKit } from '../queries.ts'

/** Removes the report of a sandbox kit that goes back to before its results. Returns the number of removed reports. */
export function removeReportOfKit(tx: Tx, kitId: string): Promise<number> {
  assertSandbox(tx)
  return deleteReports(tx, { kitId })
}

/** Removes every report of a sandbox, also those without a kit. Returns the number of removed reports. */
export function removeAllReports(tx: Tx): Promise<number> {
  assertSandbox(tx)
  return deleteReports(tx, 'all')
}

/** Withdraws the report of a kit whose sample was rejected, and its critical results. The caller moves the kit. */
export async function rejectReportOfKit(tx: Tx, kitId: string): Promise<void> {
  await markReportRejected(tx, kitId)
  await withdrawAll(tx, kitId)
}

/** Puts the report of a kit into review again after its rejection was undone, and raises what was withdrawn with it. */
export async function restoreReportOfKit(tx: Tx, kitId: string, rejectedAt: Date): Promise<void> {
  const report = await selectReportOfKit(tx, kitId)
  if (report?.status !== 'rejected') return
  await markReportInReview(tx, kitId, report.entries.some(isCriticalEntry))
  await reopenWithdrawn(tx, kitId, rejectedAt)
}

function assertSandbox(tx: Tx): void {
  if (tx.realm.mode !== 'sandbox') throw new Error('only reports of a sandbox can be removed')
}
