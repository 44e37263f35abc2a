import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { resultCounts } from '../queries.ts'

export interface ReportInReviewRow {
  reportId: string
  kitId: string | null
  businessId: string
  businessName: string
  customerId: number
  vendorStatus: 'partial' | 'final' | 'corrected'
  version: number
  receivedAt: Date
  critical: number
  outOfRange: number
  unusable: number
  unassessed: number
}

/** Live reports that wait for a person: those with critical results first, then the oldest. */
export function selectReportsInReview(tx: SystemTx, page: number, size: number): Promise<ReportInReviewRow[]> {
  return tx.rows(sql<ReportInReviewRow>`
    select r.id as "reportId", r.kit_id as "kitId", b.id as "businessId", b.name as "businessName", r.customer_id as "customerId", r.vendor_status as "vendorStatus", r.version,
      v.created_at as "receivedAt", s.critical + w.critical as critical, s."outOfRange", s.unusable, w.unassessed
    from reports r
    join realms m on m.id = r.realm_id and m.mode = 'live' join businesses b on b.id = m.business_id
    join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id and v.version = r.version
    cross join lateral (${resultCounts}) s
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.closed_at is null) w
    where r.status = 'inReview' order by s.critical + w.critical > 0 desc, v.created_at, r.id limit ${size} offset ${page * size}`)
}
