import type { Tx } from '../../../platform/database/tx.ts'
import { deleteReports, markReportRejected } from '../queries.ts'

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

/** Withdraws the report of a kit whose sample was rejected. The caller moves the kit. */
export function rejectReportOfKit(tx: Tx, kitId: string): Promise<void> {
  return markReportRejected(tx, kitId)
}

function assertSandbox(tx: Tx): void {
  if (tx.realm.mode !== 'sandbox') throw new Error('only reports of a sandbox can be removed')
}
