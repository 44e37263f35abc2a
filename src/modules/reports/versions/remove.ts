import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { reopenWithdrawn, withdrawAll } from '../critical/queries.ts'
import { isCriticalEntry } from '../critical/rules.ts'
import { deleteReports, lockReport, markReportInReview, markReportRejected, selectReportOfKit } from '../queries.ts'
import { endHold } from '../review/hold-queries.ts'
import { closeUnassessedOfReport, selectWaitingOfReport } from '../unassessed/queries.ts'
import { reportNotFound } from './publish.ts'

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
  await markReportRejected(tx, { kitId })
  await withdrawAll(tx, kitId)
}

/**
 * Rejects a report in review that is of no kit: nobody reads it, and its critical results and what waits with it are closed. The
 * audit has the reason. What is sent for it later is reviewed again.
 * @throws REPORT_NOT_FOUND; ILLEGAL_TRANSITION of a kit, whose sample is rejected instead, and if it is not in review
 */
export async function rejectReviewedReport(tx: Tx, reportId: string, reason: string): Promise<void> {
  const report = await lockReport(tx, reportId)
  if (!report) throw reportNotFound()
  if (report.kitId !== null || report.status !== 'inReview')
    throw new AppError('ILLEGAL_TRANSITION', report.kitId === null ? NOT_IN_REVIEW : OF_KIT, {
      extra: { current: report.status, allowed: [] },
    })
  await markReportRejected(tx, { id: reportId })
  await endHold(tx, reportId)
  await withdrawAll(tx, reportId)
  const waiting = await selectWaitingOfReport(tx, reportId, report.version)
  await closeUnassessedOfReport(tx, reportId, waiting, 'The report was rejected')
  await audit.record(tx, [{ action: 'report.rejected', objectType: 'report', objectId: reportId, words: { reason } }])
}

const NOT_IN_REVIEW = 'Only a report that is in review can be rejected'
const OF_KIT = 'This report is of a kit: reject its sample instead'

/** Puts the report of a kit into review again after its rejection was undone, if it was, and raises what was withdrawn with it. */
export async function restoreReportOfKit(
  tx: Tx,
  kitId: string,
  { rejectedAt, isReviewed }: { rejectedAt: Date; isReviewed: boolean },
): Promise<void> {
  const report = await selectReportOfKit(tx, kitId)
  if (report?.status === 'rejected' && isReviewed)
    await markReportInReview(tx, kitId, report.entries.some(isCriticalEntry))
  await reopenWithdrawn(tx, kitId, rejectedAt)
}

function assertSandbox(tx: Tx): void {
  if (tx.realm.mode !== 'sandbox') throw new Error('only reports of a sandbox can be removed')
}
