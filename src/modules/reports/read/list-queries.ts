import { criticalFlags } from '@kitlane/display/interpretation'
import { sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { type Personal, sealedCustomers } from '../../customers/sealed-queries.ts'
import { isHeldByRecall, isMarked } from '../../kits/recall-queries.ts'
import { joinVersion, sampleDate } from '../queries.ts'
import type { ResultCounts } from '../rules.ts'
import type { ReportStatus, VendorStatus } from '../schema.ts'
import { openSummary, type SealedSummary, summarySql, versionKey } from '../sealed-queries.ts'

/** A row before its counts were read from the summary of its version. */
type Unread<R extends ResultCounts> = Omit<R, keyof ResultCounts> & {
  summary: SealedSummary
  /** What was received with it, could not be judged and is critical. */
  criticalUnassessed: number
}

function countsOf(
  keys: Keyring,
  reportId: string,
  { summary, version, criticalUnassessed }: { summary: SealedSummary; version: number; criticalUnassessed: number },
): ResultCounts {
  const { critical, outOfRange, unusable } = openSummary(keys, versionKey(reportId, version), summary)
  return { critical: critical + criticalUnassessed, outOfRange, unusable }
}

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
  isRecalled: boolean
}

export interface ReportFilter {
  statuses?: readonly ReportStatus[] | undefined
  customerIds?: readonly number[] | undefined
  kitIds?: readonly string[] | undefined
  updatedSince?: Date | undefined
  page: number
  size: number
  isOldestFirst?: boolean
}

function listed(tx: Tx, { statuses, customerIds, kitIds, updatedSince }: ReportFilter) {
  const only = sql`and ${isOneOf(sql`r.status`, statuses)} and ${isOneOf(sql`r.kit_id`, kitIds)}`
  const ofPeople = customerIds ? sql`and r.customer_id = any(${customerIds}::bigint[])` : sql``
  const changed = updatedSince
    ? sql`and r.id = any(array(
        select id from reports where realm_id = ${tx.realm.id} and created_at >= ${updatedSince}
        union select id from reports where realm_id = ${tx.realm.id} and updated_at >= ${updatedSince}))`
    : sql``
  return sql`r.realm_id = ${tx.realm.id} ${only} ${ofPeople} ${changed}`
}

/** How many reports fit. */
export async function countReports(tx: Tx, filter: ReportFilter): Promise<number> {
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from reports r where ${listed(tx, filter)}`,
  )
  return total
}

/** Newest first, unless it says otherwise. */
export async function selectReports(tx: Tx, filter: ReportFilter): Promise<ListedReportRow[]> {
  const { page, size, isOldestFirst = false } = filter
  const order = isOldestFirst ? sql`r.created_at, r.id desc` : sql`r.created_at desc, r.id`
  const rows = await tx.rows(sql<Omit<Unread<ListedReportRow>, 'customerName'> & { personal: Sealed<Personal> }>`
    select r.id, r.kit_id as "kitId", r.customer_id as "customerId", ${sealedCustomers.of('c')} as personal, r.status,
      r.vendor_status as "vendorStatus", r.version, r.created_at as "createdAt", ${sampleDate('r', 'collected')},
      ${sampleDate('r', 'resulted')}, r.published_at as "publishedAt", ${summarySql('v')} as summary,
      ${isMarked} or ${isHeldByRecall} as "isRecalled", w.unassessed, w.critical as "criticalUnassessed"
    from (
      select * from reports r where ${listed(tx, filter)}
      order by ${order} limit ${size} offset ${page * size}) r
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    ${joinVersion} and v.version = r.version
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.first_version <= r.version
        and (u.last_version is null or u.last_version >= r.version)) w
    order by ${order}`)
  const keys = await keyringOf(tx)
  return rows.map(({ summary, criticalUnassessed, personal, ...row }) => ({
    ...row,
    customerName: sealedCustomers.open(keys, [row.customerId], personal).name,
    ...countsOf(keys, row.id, { summary, criticalUnassessed, version: row.version }),
  }))
}

export interface ReportInReviewRow extends ResultCounts {
  realmId: number
  reportId: string
  kitId: string | null
  kitType: string | null
  panelName: string | null
  businessId: string
  businessName: string
  customerId: number
  vendorStatus: VendorStatus
  version: number
  receivedAt: Date
  unassessed: number
  isRecalled: boolean
}

// Of a version in clear, `reports.is_critical` is not known: its results say it.
const isCritical = sql`(coalesce(r.is_critical, false) or exists (
  select from report_results x where x.realm_id = r.realm_id and x.report_id = r.id and x.version = r.version
    and x.judged->>'interpretation' = any(${criticalFlags})))`

/** Live reports that wait for a person: those with critical results first, then the oldest. */
export async function selectReportsInReview(tx: SystemTx, page: number, size: number): Promise<ReportInReviewRow[]> {
  const rows = await tx.rows(sql<Unread<ReportInReviewRow>>`
    select r.realm_id as "realmId", r.id as "reportId", r.kit_id as "kitId", k.kit_type as "kitType", p.name as "panelName",
      b.id as "businessId", b.name as "businessName", r.customer_id as "customerId", r.vendor_status as "vendorStatus", r.version,
      v.created_at as "receivedAt", ${isHeldByRecall} as "isRecalled", ${summarySql('v')} as summary, w.unassessed, w.critical as "criticalUnassessed"
    from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
    left join panels p on p.kit_type = k.kit_type
    join realms m on m.id = r.realm_id and m.mode = 'live' join businesses b on b.id = m.business_id
    ${joinVersion} and v.version = r.version
    cross join lateral (
      select count(*)::int as unassessed, (count(*) filter (where u.is_critical))::int as critical
      from unassessed_results u where u.realm_id = r.realm_id and u.report_id = r.id and u.closed_at is null) w
    where r.status = 'inReview'
    order by ${isCritical} or w.critical > 0 desc, v.created_at, r.id limit ${size} offset ${page * size}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ summary, criticalUnassessed, ...row }) => ({
    ...row,
    ...countsOf(keyringIn(keyrings, row.realmId), row.reportId, { summary, criticalUnassessed, version: row.version }),
  }))
}
