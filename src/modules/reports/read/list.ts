import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { sumReportTallies } from '../../businesses/tally-queries.ts'
import { datesAnswer } from '../../customers/report-dates.ts'
import { resultCounts } from '../queries.ts'
import { sampleDate } from '../sample-date.ts'
import type { ListedReport, ReportStatus, VendorStatus } from '../schema.ts'

interface Row {
  id: string
  kitId: string | null
  customerId: number
  customerName: string | null
  status: ReportStatus
  vendorStatus: VendorStatus
  version: number
  createdAt: Date
  collectedDate: string | null
  resultedDate: string | null
  publishedAt: Date | null
  outOfRange: number
  unusable: number
  unassessed: number
  critical: number
}

/** What the caller may see of a report besides that it is there. */
export interface ReportSight {
  customers: boolean
  /** Of reports that are not published. */
  reviews: boolean
}

/** One page of reports of any status, newest first, and how many there are: those are counted as they come and go. */
export async function listPageOfReports(
  tx: Tx,
  { status, page, size }: { status?: ReportStatus | undefined; page: number; size: number },
  sight: ReportSight,
): Promise<{ reports: ListedReport[]; total: number }> {
  const total = await sumReportTallies(tx, status)
  const only = status ? sql`and r.status = ${status}` : sql``
  const rows = await tx.rows(sql<Row>`
    select r.id, r.kit_id as "kitId", r.customer_id as "customerId", c.name as "customerName", r.status,
      r.vendor_status as "vendorStatus", r.version, r.created_at as "createdAt", ${sampleDate('r', 'collected')},
      ${sampleDate('r', 'resulted')}, r.published_at as "publishedAt", s."outOfRange", s.unusable,
      w.unassessed, s.critical + w.critical as critical
    from (
      select * from reports r where r.realm_id = ${tx.realm.id} ${only}
      order by r.created_at desc, r.id limit ${size} offset ${page * size}) r
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    cross join lateral (${resultCounts}) s
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.first_version <= r.version
        and (u.last_version is null or u.last_version >= r.version)) w
    order by r.created_at desc, r.id`)
  return { reports: rows.map((row) => toListed(row, sight)), total }
}

function toListed(row: Row, sight: ReportSight): ListedReport {
  const { outOfRange, unusable, unassessed, critical } = row
  return {
    reportID: row.id,
    ...(row.kitId !== null && { kitID: row.kitId }),
    customerID: row.customerId,
    ...(sight.customers && row.customerName !== null && { customerName: row.customerName }),
    status: row.status,
    vendorStatus: row.vendorStatus,
    version: row.version,
    createdDate: row.createdAt.toISOString(),
    ...datesAnswer(row),
    ...(row.publishedAt !== null && { publishedDate: row.publishedAt.toISOString() }),
    ...((sight.reviews || row.status === 'published') && { outOfRange, unusable, unassessed, critical }),
  }
}
