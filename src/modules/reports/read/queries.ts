import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { joinVersion, ownColumns, type ReportRow, sampleDate, type VersionRow, versionColumns } from '../queries.ts'
import type { AxisEntry, BiomarkerEntry, Withdrawn, WithdrawnResult } from '../schema.ts'

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

/** A report in its newest version, whatever its status, with its customer's name. */
export function selectReportForReview(tx: Tx, reportId: string) {
  return tx.maybeRow(sql<ShownReportRow & { customerName: string | null }>`
    select ${shownColumns}, c.name as "customerName"
    from reports r ${joinVersion} and v.version = r.version
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId}`)
}

// A customer's published reports, each in its newest version, and the report shown, in the version shown. Days are numbers
// from 1970: a history of numbers costs half of one of texts.
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

// Two results are the same if these agree. The raw text counts only if there is no result.
const substance = (side: 'before' | 'after') => {
  const entry = sql.ref(`${side}.judged`)
  return sql`(${entry}->'result', ${entry}->'comparator', ${entry}->'unit', ${entry}->'state', ${entry}->'interpretation',
    case when ${entry}->>'result' is null then ${entry}->'rawResult' end)`
}

/** The results that differ from the version before: new, changed and removed ones. */
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

/** The results that the versions of a report withdrew, the newest last. */
export async function selectWithdrawn(tx: Tx, reportId: string): Promise<Withdrawn[]> {
  const rows = await tx.rows(sql<WithdrawnResult & { version: number; at: Date }>`
    select w.biomarker, w.label, w.reason, v.version, v.created_at as at
    from report_versions v cross join jsonb_to_recordset(v.withdrawn) as w(biomarker text, label text, reason text)
    where v.realm_id = ${tx.realm.id} and v.report_id = ${reportId} order by v.version`)
  return rows.map(({ at, ...row }) => ({ ...row, withdrawnDate: at.toISOString() }))
}
