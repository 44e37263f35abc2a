import { isCritical } from '@kitlane/display/interpretation'
import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as events from '../../events/service.ts'
import { setReportStatus } from '../../kits/move.ts'
import { markReportPublished, selectEntries, selectReport, selectReportOfKit } from '../queries.ts'
import type { Publishing } from '../schema.ts'
import { closeUnassessedOfReport, hasCriticalUnassessed } from '../unassessed/queries.ts'

export const reportNotFound = () => new AppError('REPORT_NOT_FOUND', 'There is no such report')

/**
 * Publishes a report that is in review, also on its kit, and closes the unassessed results that came with it: who
 * publishes it has seen them.
 * @throws REPORT_NOT_FOUND; ILLEGAL_TRANSITION if it is not in review, so also the second time; CRITICAL_NOT_TOLD if it has
 * critical results, judged or not, and `told` is missing
 */
export async function publishReviewedReport(tx: Tx, reportId: string, { told }: Publishing = {}): Promise<void> {
  const report = await selectReport(tx, reportId)
  if (!report) throw reportNotFound()
  if (report.status !== 'inReview') throw notInReview(report.status)
  const entries = await selectEntries(tx, reportId, report.version)
  if (entries.some(({ interpretation }) => isCritical(interpretation)) || (await hasCriticalUnassessed(tx, reportId))) {
    if (!told) throw criticalNotTold()
    const details = { who: told.who, at: told.at, version: report.version }
    await audit.record(tx, [{ action: 'report.critical_told', objectType: 'report', objectId: reportId, details }])
  }
  // The kit is locked before the report, as `receiveResults` does: two at once cannot deadlock.
  if (report.kitId !== null) await setReportStatus(tx, report.kitId, 'published')
  if (!(await markReportPublished(tx, reportId))) throw notInReview('published')
  await closeUnassessedOfReport(tx, reportId)
  await announceReport(tx, report)
}

/** Publishes the report of a mock kit if it is in review: there is nobody to tell. @throws REPORT_NOT_FOUND if the kit has none */
export async function publishReportOfKit(tx: Tx, kitId: string): Promise<void> {
  const report = await selectReportOfKit(tx, kitId)
  if (!report) throw reportNotFound()
  const told = { who: 'sandbox', at: tx.now.toISOString() }
  if (report.status === 'inReview') await publishReviewedReport(tx, report.id, { told })
}

interface AnnouncedReport {
  id: string
  customerId: number
  kitId: string | null
  orderId: string | null
  version: number
  /** Catalogue IDs of the results that this version withdraws. */
  withdrawn?: readonly string[]
}

/** Records that a report, or a new version of it, can be read from now on. */
export async function announceReport(tx: Tx, published: AnnouncedReport): Promise<void> {
  const { id, customerId, kitId, orderId, version, withdrawn = [] } = published
  const publishedDate = tx.now.toISOString()
  await events.record(tx, [
    {
      type: 'report.published',
      ...(orderId !== null && { orderId }),
      ...(kitId !== null && { kitId }),
      data: {
        reportID: id,
        ...(kitId !== null && { kitID: kitId }),
        customerID: customerId,
        publishedDate,
        version,
        ...(withdrawn.length > 0 && { withdrawn }),
      },
    },
  ])
  await audit.record(tx, [{ action: 'report.published', objectType: 'report', objectId: id, details: { version } }])
}

const criticalNotTold = () =>
  new AppError(
    'CRITICAL_NOT_TOLD',
    'This report has critical results. Say in `told` who was told of them, and when, to publish it',
  )

function notInReview(current: string): AppError {
  return new AppError('ILLEGAL_TRANSITION', 'Only a report that is in review can be published', {
    extra: { current, allowed: [] },
  })
}
