import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { timeOf } from '../../platform/http/fields.ts'
import type { AxisEntry, BiomarkerEntry, ReportStatus, Suggestion, VendorStatus, WithdrawnResult } from './schema.ts'

export interface ReportRow {
  id: string
  customerId: number
  kitId: string | null
  status: ReportStatus
  vendorStatus: VendorStatus
  version: number
  collectedDate: string | null
  resultedDate: string | null
  publishedAt: Date | null
}

/** A date of a sample as it was given: with its time if it has one of that day. */
export const sampleDate = (table: 'r' | 'v', which: 'collected' | 'resulted'): RawBuilder<string | null> => {
  const [day, time] = [sql.ref(`${table}.${which}_date`), sql.ref(`${table}.${which}_at`)]
  return sql`case when left(${time}, 10) = ${day}::text then ${time} else ${day}::text end as ${sql.ref(`${which}Date`)}`
}

const dayText = (value: string | null) => value?.slice(0, 10) ?? null

export const ownColumns = sql`
  r.id, r.customer_id as "customerId", r.kit_id as "kitId", r.status, r.vendor_status as "vendorStatus", r.version,
  r.published_at as "publishedAt"`

const columns = sql`${ownColumns}, ${sampleDate('r', 'collected')}, ${sampleDate('r', 'resulted')}`

export interface VersionRow {
  axes: AxisEntry[]
  suggestions: Suggestion[]
  labErrors: string[]
  reason: string | null
}

export const versionColumns = sql`v.axes, v.suggestions, v.lab_errors as "labErrors", v.reason`

export const joinVersion = sql`join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id`

/** The report of a kit in its newest version. */
export function selectReportOfKit(tx: Tx, kitId: string): Promise<(ReportRow & VersionRow) | undefined> {
  return tx.maybeRow(sql<ReportRow & VersionRow>`
    select ${columns}, ${versionColumns} from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.kit_id = ${kitId}`)
}

/** Locks the reports of a customer that were not rejected, each in its newest version. */
export function lockReportsOfCustomer(tx: Tx, customerId: number): Promise<(ReportRow & VersionRow)[]> {
  return tx.rows(sql<ReportRow & VersionRow>`
    select ${columns}, ${versionColumns} from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and r.status <> 'rejected'
    order by r.id for update of r`)
}

export async function updateReportVersion(tx: Tx, id: string, version: number): Promise<void> {
  await tx.run(sql`update reports set version = ${version} where realm_id = ${tx.realm.id} and id = ${id}`)
}

export function selectReport(tx: Tx, id: string): Promise<(ReportRow & { orderId: string | null }) | undefined> {
  return tx.maybeRow(sql<ReportRow & { orderId: string | null }>`
    select ${columns}, k.order_id as "orderId"
    from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
    where r.realm_id = ${tx.realm.id} and r.id = ${id}`)
}

export async function selectEntries(tx: Tx, reportId: string, version: number): Promise<BiomarkerEntry[]> {
  const rows = await tx.rows(sql<{ judged: BiomarkerEntry }>`
    select judged from report_results
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and version = ${version} order by position`)
  return rows.map(({ judged }) => judged)
}

/** Inserts a report, or updates the report of the same kit. */
export async function upsertReport(tx: Tx, report: ReportRow & { dataId?: string }): Promise<void> {
  await tx.run(sql`
    insert into reports (realm_id, id, customer_id, kit_id, data_id, status, vendor_status, version, collected_date, collected_at,
      resulted_date, resulted_at, published_at, created_at)
    values (${tx.realm.id}, ${report.id}, ${report.customerId}, ${report.kitId}, ${report.dataId ?? null}, ${report.status}, ${report.vendorStatus},
      ${report.version}, ${dayText(report.collectedDate)}, ${timeOf(report.collectedDate)},
      ${dayText(report.resultedDate)}, ${timeOf(report.resultedDate)}, ${report.publishedAt}, ${tx.now})
    on conflict (realm_id, kit_id) do update set
      status = excluded.status, vendor_status = excluded.vendor_status, version = excluded.version,
      collected_date = excluded.collected_date, collected_at = excluded.collected_at,
      resulted_date = excluded.resulted_date, resulted_at = excluded.resulted_at,
      published_at = excluded.published_at`)
}

export interface NewVersion extends VersionRow {
  withdrawn: readonly WithdrawnResult[]
  reportId: string
  version: number
  scoreVersion: number
  /** The dates of the report at that time. */
  collectedDate: string | null
  resultedDate: string | null
  entries: readonly BiomarkerEntry[]
}

/** Inserts a version with all its results: two statements. */
export async function insertVersion(tx: Tx, { reportId, version, entries, ...rest }: NewVersion): Promise<void> {
  await tx.run(sql`
    insert into report_versions (realm_id, report_id, version, score_version, axes, suggestions, lab_errors, reason, withdrawn, collected_date, collected_at,
      resulted_date, resulted_at, created_at)
    values (${tx.realm.id}, ${reportId}, ${version}, ${String(rest.scoreVersion)}, ${JSON.stringify(rest.axes)}::jsonb,
      ${JSON.stringify(rest.suggestions)}::jsonb, ${JSON.stringify(rest.labErrors)}::jsonb, ${rest.reason}, ${JSON.stringify(rest.withdrawn)}::jsonb,
      ${dayText(rest.collectedDate)}, ${timeOf(rest.collectedDate)}, ${dayText(rest.resultedDate)}, ${timeOf(rest.resultedDate)},
      ${tx.now})`)
  await tx.run(sql`
    insert into report_results (realm_id, report_id, version, biomarker_id, position, value, judged)
    select ${tx.realm.id}, ${reportId}, ${version}, e.judged->>'id', e.position, (e.judged->>'result')::float8, e.judged
    from jsonb_array_elements(${JSON.stringify(entries)}::jsonb) with ordinality as e(judged, position)`)
}

/** False if the report was not in review. */
export async function markReportPublished(tx: Tx, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update reports set status = 'published', published_at = ${tx.now}
    where realm_id = ${tx.realm.id} and id = ${id} and status = 'inReview'`)
  return changed === 1
}

export async function markReportRejected(tx: Tx, kitId: string): Promise<void> {
  await tx.run(sql`
    update reports set status = 'rejected', published_at = null where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
}

/** Returns the number of deleted reports. */
export function deleteReports(tx: Tx, which: { kitId: string } | 'all'): Promise<number> {
  const only = which === 'all' ? sql`` : sql`and kit_id = ${which.kitId}`
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} ${only}`)
}
