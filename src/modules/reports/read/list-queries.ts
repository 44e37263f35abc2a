import { criticalFlags } from '@kitlane/display/interpretation'
import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { sampleDate } from '../queries.ts'
import type { ReportStatus, VendorStatus } from '../schema.ts'

interface ResultCounts {
  critical: number
  outOfRange: number
  unusable: number
}

/** `s`: how many results of the version of `r` are critical, out of range and not usable. */
const resultCounts = sql`
  cross join lateral (
    select (count(*) filter (where x.judged->>'interpretation' not in ('N', '')))::int as "outOfRange",
           (count(*) filter (where x.value is null))::int as unusable,
           (count(*) filter (where x.judged->>'interpretation' = any(${criticalFlags})))::int as critical
    from report_results x where x.realm_id = r.realm_id and x.report_id = r.id and x.version = r.version) s`

export interface ListedReportRow extends ResultCounts {
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
  unassessed: number
}

export interface ReportFilter {
  status?: ReportStatus | undefined
  page: number
  size: number
}

/** Newest first. */
export function selectReports(tx: Tx, { status, page, size }: ReportFilter): Promise<ListedReportRow[]> {
  const only = status ? sql`and r.status = ${status}` : sql``
  return tx.rows(sql<ListedReportRow>`
    select r.id, r.kit_id as "kitId", r.customer_id as "customerId", c.name as "customerName", r.status,
      r.vendor_status as "vendorStatus", r.version, r.created_at as "createdAt", ${sampleDate('r', 'collected')},
      ${sampleDate('r', 'resulted')}, r.published_at as "publishedAt", s."outOfRange", s.unusable,
      w.unassessed, s.critical + w.critical as critical
    from (
      select * from reports r where r.realm_id = ${tx.realm.id} ${only}
      order by r.created_at desc, r.id limit ${size} offset ${page * size}) r
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    ${resultCounts}
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.first_version <= r.version
        and (u.last_version is null or u.last_version >= r.version)) w
    order by r.created_at desc, r.id`)
}

export interface ReportInReviewRow extends ResultCounts {
  reportId: string
  kitId: string | null
  businessId: string
  businessName: string
  customerId: number
  vendorStatus: VendorStatus
  version: number
  receivedAt: Date
  unassessed: number
}

/** Live reports that wait for a person: those with critical results first, then the oldest. */
export function selectReportsInReview(tx: SystemTx, page: number, size: number): Promise<ReportInReviewRow[]> {
  return tx.rows(sql<ReportInReviewRow>`
    select r.id as "reportId", r.kit_id as "kitId", b.id as "businessId", b.name as "businessName",
      r.customer_id as "customerId", r.vendor_status as "vendorStatus", r.version, v.created_at as "receivedAt",
      s.critical + w.critical as critical, s."outOfRange", s.unusable, w.unassessed
    from reports r
    join realms m on m.id = r.realm_id and m.mode = 'live' join businesses b on b.id = m.business_id
    join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id and v.version = r.version
    ${resultCounts}
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.closed_at is null) w
    where r.status = 'inReview' order by s.critical + w.critical > 0 desc, v.created_at, r.id limit ${size} offset ${page * size}`)
}
