import type { Tx } from '../../../platform/database/tx.ts'
import { sumReportTallies } from '../../businesses/tally-queries.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import type { ListedReport } from '../schema.ts'
import { countReports, type ListedReportRow, type ReportFilter, selectReports } from './list-queries.ts'

/** What the caller may see of a report in a list. */
export interface ReportSight {
  customers: boolean
  /** Counts of the results of reports that are not published. */
  reviews: boolean
}

/** One page of reports, newest first, and how many there are. */
export async function listPageOfReports(
  tx: Tx,
  filter: ReportFilter,
  sight: ReportSight,
): Promise<{ reports: ListedReport[]; total: number }> {
  const { statuses, updatedSince, customerIds, kitIds } = filter
  const isCounted = !updatedSince && !customerIds && !kitIds
  const total = await (isCounted ? sumReportTallies(tx, statuses) : countReports(tx, filter))
  const rows = await selectReports(tx, filter)
  return { reports: rows.map((row) => toListed(row, sight)), total }
}

function toListed(row: ListedReportRow, sight: ReportSight): ListedReport {
  const { outOfRange, unusable, unassessed, critical } = row
  return {
    reportID: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    customerID: row.customerId,
    ...(sight.customers && row.customerName !== null && { customerName: row.customerName }),
    status: row.status,
    vendorStatus: row.vendorStatus,
    version: row.version,
    ...(row.isRecalled && { isRecalled: true as const }),
    createdDate: row.createdAt.toISOString(),
    ...datesAnswer(row),
    ...(row.publishedAt !== null && { publishedDate: row.publishedAt.toISOString() }),
    ...((sight.reviews || row.status === 'published') && { outOfRange, unusable, unassessed, critical }),
  }
}
