import type { Tx } from '../../../platform/database/tx.ts'
import { deleteReports, markReportRejected } from '../queries.ts'

/** Removes the report of a sandbox kit that goes back before its results. Returns how many went. */
export function removeReportOfKit(tx: Tx, kitId: string): Promise<number> {
  onlyInSandbox(tx)
  return deleteReports(tx, { kitId })
}

/** Removes every report of a sandbox, those without a kit too. Returns how many went. */
export function removeAllReports(tx: Tx): Promise<number> {
  onlyInSandbox(tx)
  return deleteReports(tx, 'all')
}

/** Takes back the report of a kit whose sample was rejected after all. The kit itself is moved by the caller. */
export function rejectReportOfKit(tx: Tx, kitId: string): Promise<void> {
  return markReportRejected(tx, kitId)
}

function onlyInSandbox(tx: Tx): void {
  if (tx.realm.mode !== 'sandbox') throw new Error('only reports of a sandbox can be removed')
}
