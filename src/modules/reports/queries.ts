import { criticalFlags } from '@kitlane/display/interpretation'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { timeOf } from '../../platform/http/fields.ts'
import { sampleDate } from './sample-date.ts'
import type {
  AxisEntry,
  BiomarkerEntry,
  ReportStatus,
  Suggestion,
  VendorStatus,
  Withdrawn,
  WithdrawnResult,
} from './schema.ts'

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

const dayText = (value: string | null) => value?.slice(0, 10) ?? null

const ownColumns = sql`
  r.id, r.customer_id as "customerId", r.kit_id as "kitId", r.status, r.vendor_status as "vendorStatus", r.version,
  r.published_at as "publishedAt"`

const columns = sql`${ownColumns}, ${sampleDate('r', 'collected')}, ${sampleDate('r', 'resulted')}`

/** Counts the results of the current version of a report `r`. */
export const resultCounts = sql`
  select (count(*) filter (where x.judged->>'interpretation' not in ('N', '')))::int as "outOfRange",
         (count(*) filter (where x.value is null))::int as unusable,
         (count(*) filter (where x.judged->>'interpretation' = any(${criticalFlags})))::int as critical
  from report_results x where x.realm_id = r.realm_id and x.report_id = r.id and x.version = r.version`

export interface VersionRow {
  axes: AxisEntry[]
  suggestions: Suggestion[]
  labErrors: string[]
  reason: string | null
}

const versionColumns = sql`v.axes, v.suggestions, v.lab_errors as "labErrors", v.reason`

const joinVersion = sql`join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id`

/** The report of a kit in its newest version. */
export function selectReportOfKit(tx: Tx, kitId: string): Promise<(ReportRow & VersionRow) | undefined> {
  return tx.maybeRow(sql<ReportRow & VersionRow>`
    select ${columns}, ${versionColumns} from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.kit_id = ${kitId}`)
}

/** The reports of a customer that can be read or reviewed, each in its newest version, locked. */
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

export interface ReportKey {
  customerId: number
  reportId: string
  /** The newest when absent. */
  version?: number | undefined
}

export interface ShownReportRow extends ReportRow, VersionRow {
  shownVersion: number
  scoreVersion: string
  shownSince: Date
}

const shownColumns = sql`
  ${ownColumns}, ${versionColumns}, ${sampleDate('v', 'collected')}, ${sampleDate('v', 'resulted')},
  v.version as "shownVersion", v.score_version as "scoreVersion", greatest(r.published_at, v.created_at) as "shownSince"`

export function selectPublishedReport(tx: Tx, { customerId, reportId, version }: ReportKey) {
  return tx.maybeRow(sql<ShownReportRow>`
    select ${shownColumns}
    from reports r ${joinVersion} and v.version = coalesce(${version ?? null}::int, r.version)
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId} and r.customer_id = ${customerId} and r.status = 'published'`)
}

/** A report in its newest version, whatever its status, with whose it is. */
export function selectReportForReview(tx: Tx, reportId: string) {
  return tx.maybeRow(sql<ShownReportRow & { customerName: string | null }>`
    select ${shownColumns}, c.name as "customerName"
    from reports r ${joinVersion} and v.version = r.version
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId}`)
}

// What a customer's published reports and the one shown say, each in its newest version, that one in the version shown. Days count
// from 1970: as numbers they make a history half as dear as as texts.
const published = (tx: Tx, { customerId, reportId, version }: Required<ReportKey>) => sql`
  (select r.realm_id, r.id, r.created_at, k.kit_type as "kitType", case when r.id = ${reportId} then ${version}::int else r.version end as version,
     coalesce(r.collected_date, r.resulted_date, (r.created_at at time zone 'UTC')::date) - date '1970-01-01' as day
   from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
   where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId}
     and (r.status = 'published' or r.id = ${reportId}))`

const oldestFirst = sql`order by p.day, p.created_at, p.id`

export interface ResultRow {
  judged: BiomarkerEntry
  /** Day, value, what the laboratory sent (its text in older entries) and kit type, oldest first. */
  historic: [number, number, number | string | null, string | null][] | null
}

/** The biomarkers of a version in order, each with its values over time in the same unit: one query for all of them. */
export function selectResultsWithHistory(tx: Tx, key: Required<ReportKey>): Promise<ResultRow[]> {
  return tx.rows(sql<ResultRow>`
    select x.judged, h.historic
    from report_results x
    left join (
      select y.biomarker_id, y.judged->>'unit' as unit, json_agg(json_build_array(p.day, y.value,
        coalesce(y.judged->'rawValue', y.judged->'rawResult'), p."kitType") ${oldestFirst}) as historic
      from ${published(tx, key)} p
      join report_results y on y.realm_id = p.realm_id and y.report_id = p.id and y.version = p.version
      where y.value is not null group by 1, 2
    ) h on h.biomarker_id = x.biomarker_id and h.unit = x.judged->>'unit'
    where x.realm_id = ${tx.realm.id} and x.report_id = ${key.reportId} and x.version = ${key.version}
    order by x.position`)
}

// What makes a result another one. The raw text counts only where there is nothing else.
const substance = (side: 'before' | 'after') => {
  const entry = sql.ref(`${side}.judged`)
  return sql`(${entry}->'result', ${entry}->'comparator', ${entry}->'unit', ${entry}->'state', ${entry}->'interpretation',
    case when ${entry}->>'result' is null then ${entry}->'rawResult' end)`
}

/** The results of a version that differ from the one before: new ones, changed ones, and those that are gone. */
export function selectChanges(
  tx: Tx,
  { reportId, version }: Required<ReportKey>,
): Promise<{ before: BiomarkerEntry | null; after: BiomarkerEntry | null }[]> {
  const ofVersion = (number: number) => sql`
    (select biomarker_id, position, judged from report_results
     where realm_id = ${tx.realm.id} and report_id = ${reportId} and version = ${number})`
  return tx.rows(sql<{ before: BiomarkerEntry | null; after: BiomarkerEntry | null }>`
    select before.judged as before, after.judged as after
    from ${ofVersion(version - 1)} before full join ${ofVersion(version)} after using (biomarker_id)
    where ${substance('before')} is distinct from ${substance('after')}
    order by coalesce(after.position, before.position), biomarker_id`)
}

interface EarlierAxes {
  axes: AxisEntry[]
  day: number
  kitType: string | null
}

/** The axes of all published reports of a customer, oldest first. */
export function selectAxesHistory(tx: Tx, key: Required<ReportKey>): Promise<EarlierAxes[]> {
  return tx.rows(sql<EarlierAxes>`
    select v.axes, p.day, p."kitType" from ${published(tx, key)} p
    join report_versions v on v.realm_id = p.realm_id and v.report_id = p.id and v.version = p.version
    ${oldestFirst}`)
}

/** What the versions of a report took back, the newest last. */
export async function selectWithdrawn(tx: Tx, reportId: string): Promise<Withdrawn[]> {
  const rows = await tx.rows(sql<WithdrawnResult & { version: number; at: Date }>`
    select w.biomarker, w.label, w.reason, v.version, v.created_at as at
    from report_versions v cross join jsonb_to_recordset(v.withdrawn) as w(biomarker text, label text, reason text)
    where v.realm_id = ${tx.realm.id} and v.report_id = ${reportId} order by v.version`)
  return rows.map(({ at, ...row }) => ({ ...row, withdrawnDate: at.toISOString() }))
}

export async function selectEntries(tx: Tx, reportId: string, version: number): Promise<BiomarkerEntry[]> {
  const rows = await tx.rows(sql<{ judged: BiomarkerEntry }>`
    select judged from report_results
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and version = ${version} order by position`)
  return rows.map(({ judged }) => judged)
}

/** Writes a report, or what changed of it. */
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
  /** Those of the report at that time. */
  collectedDate: string | null
  resultedDate: string | null
  entries: readonly BiomarkerEntry[]
}

/** Writes a version with all its results: two statements. */
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

/** False when the report was not in review. */
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

/** Returns how many went. */
export function deleteReports(tx: Tx, which: { kitId: string } | 'all'): Promise<number> {
  const only = which === 'all' ? sql`` : sql`and kit_id = ${which.kitId}`
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} ${only}`)
}
