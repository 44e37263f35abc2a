import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { timeOf } from '../../platform/http/fields.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import type { BiomarkerEntry, ReportStatus, VendorStatus } from './schema.ts'
import { sealedVersions, type VersionContent, versionKey } from './sealed-queries.ts'

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

/** What readers see of a report. */
export interface Readable {
  /** The newest version; while that waits for a person, what was published last, unless that may not be read. */
  readable: number | null
  /** What the laboratory had sent with it. */
  readableVendorStatus: VendorStatus | null
  /** Oldest first; null in reports of earlier releases: each version counts. */
  publishedVersions: number[] | null
  /** Only a recall keeps the newest version from being published without a person. */
  awaitsRecall: boolean
  /** The same of critical results that nobody has acknowledged, or of both. */
  awaitsAcknowledgement: boolean
}

/** A report in its newest version. */
export type StandingReport = ReportRow & Readable & VersionContent

/** A new version of a report. `isDoubted`: whether what was known of its sample is right. */
export interface ChangedReport extends ReportRow, Pick<VersionContent, 'entries' | 'origin'> {
  isDoubted: boolean
  receivedAt?: Date | undefined
}

/** The version of a report `r` that readers see. */
export const readableVersion: RawBuilder<number | null> = sql`
  case r.status when 'published' then r.version when 'inReview' then r.kept_version end`

/** Whether there is one, in a form for which there are indexes. */
export const isReadable: RawBuilder<boolean> = sql`
  (r.status = 'published' or (r.status = 'inReview' and r.kept_version is not null))`

export const readableVendorStatus: RawBuilder<VendorStatus> = sql`
  case when r.status = 'inReview' then r.kept_vendor_status else r.vendor_status end`

/** A date of a sample as it was given: with its time if it has one of that day. */
export const sampleDate = (table: 'r' | 'v', which: 'collected' | 'resulted'): RawBuilder<string | null> =>
  sql`${sampleTime(table, which)} as ${sql.ref(`${which}Date`)}`

/** The same without its name. */
export const sampleTime = (table: 'r' | 'v', which: 'collected' | 'resulted'): RawBuilder<string | null> => {
  const [day, time] = [sql.ref(`${table}.${which}_date`), sql.ref(`${table}.${which}_at`)]
  return sql`case when left(${time}, 10) = ${day}::text then ${time} else ${day}::text end`
}

const dayText = (value: string | null) => value?.slice(0, 10) ?? null

export const ownColumns = sql`
  r.id, r.customer_id as "customerId", r.kit_id as "kitId", r.status, r.vendor_status as "vendorStatus", r.version,
  r.published_at as "publishedAt", ${readableVersion} as readable, ${readableVendorStatus} as "readableVendorStatus",
  r.published_versions as "publishedVersions", coalesce(r.awaits_recall = r.version, false) as "awaitsRecall",
  coalesce(r.awaits_acknowledgement = r.version, false) as "awaitsAcknowledgement"`

const columns = sql`${ownColumns}, ${sampleDate('r', 'collected')}, ${sampleDate('r', 'resulted')}`

export const joinVersion = sql`join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id`

/** A row with the content of the version that it shows. */
export async function openVersion<R extends { id: string; content: Sealed<VersionContent> }>(
  tx: Tx,
  { content, ...row }: R,
  version: number,
): Promise<Omit<R, 'content'> & VersionContent> {
  return { ...row, ...sealedVersions.open(await keyringOf(tx), versionKey(row.id, version), content) }
}

type NewestRow = ReportRow & Readable & { content: Sealed<VersionContent> }

/** The report of a kit in its newest version. */
export async function selectReportOfKit(tx: Tx, kitId: string): Promise<StandingReport | undefined> {
  const row = await tx.maybeRow(sql<NewestRow>`
    select ${columns}, ${sealedVersions.of('v')} as content from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.kit_id = ${kitId}`)
  return row && openVersion(tx, row, row.version)
}

/** Locks the reports of a customer that were not rejected, each in its newest version. */
export async function lockReportsOfCustomer(tx: Tx, customerId: number): Promise<StandingReport[]> {
  const rows = await tx.rows(sql<NewestRow>`
    select ${columns}, ${sealedVersions.of('v')} as content from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and r.status <> 'rejected'
    order by r.id for update of r`)
  return Promise.all(rows.map((row) => openVersion(tx, row, row.version)))
}

/** Locks a report, in its newest version. */
export const lockReport = (tx: Tx, id: string): Promise<StandingReport | undefined> =>
  lockReportWhere(tx, sql`r.id = ${id}`)

/** Locks the report that was made of data of a day. */
export const lockReportOfData = (tx: Tx, dataId: string, day: string) =>
  lockReportWhere(tx, sql`r.data_id = ${dataId} and r.collected_date = ${day}`)

async function lockReportWhere(tx: Tx, where: RawBuilder<unknown>) {
  const locked = await tx.maybeRow(sql<{ id: string }>`
    select r.id from reports r where r.realm_id = ${tx.realm.id} and ${where} order by r.id limit 1 for update`)
  // Read afterwards: a version that came while it waited for the lock is seen.
  const row = await tx.maybeRow(sql<NewestRow>`
    select ${columns}, ${sealedVersions.of('v')} as content from reports r ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.id = ${locked?.id ?? ''}`)
  return row && openVersion(tx, row, row.version)
}

export async function updateReportVersion(
  tx: Tx,
  id: string,
  {
    version,
    status,
    vendorStatus,
    isCritical,
  }: Pick<ReportRow, 'version' | 'status' | 'vendorStatus'> & {
    isCritical: boolean
  },
): Promise<void> {
  await tx.run(sql`
    update reports set version = ${version}, status = ${status}, vendor_status = ${vendorStatus}, is_critical = ${isCritical}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Dates the reports of kits whose marks changed: a trigger dates each row that is written. */
export async function touchReports(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`update reports set kit_id = kit_id where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

/** Lets a version stay readable while a later one waits, which has been written. */
export async function keepVersion(
  tx: Tx,
  id: string,
  { readable, readableVendorStatus }: Pick<Readable, 'readable' | 'readableVendorStatus'>,
): Promise<void> {
  await tx.run(sql`
    update reports set kept_version = ${readable}, kept_vendor_status = ${readableVendorStatus}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Takes versions out of those that were published: nobody reads them any more. */
export async function dropPublished(tx: Tx, id: string, versions: readonly number[]): Promise<void> {
  await tx.run(sql`
    update reports set published_versions = array(select v from unnest(published_versions) v where v <> all(${versions}) order by v)
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

type SelectedReport = ReportRow & Readable & { orderId: string | null }

export function selectReport(tx: Tx, id: string): Promise<SelectedReport | undefined> {
  return tx.maybeRow(sql<SelectedReport>`
    select ${columns}, k.order_id as "orderId"
    from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
    where r.realm_id = ${tx.realm.id} and r.id = ${id}`)
}

/** One version of a report; undefined for version 0 and others that there are not. */
export async function selectVersion(
  tx: Tx,
  reportId: string,
  version: number,
): Promise<(Pick<ReportRow, 'id' | 'collectedDate' | 'resultedDate'> & VersionContent) | undefined> {
  const row = await tx.maybeRow(sql<
    Pick<ReportRow, 'id' | 'collectedDate' | 'resultedDate'> & { content: Sealed<VersionContent> }
  >`
    select v.report_id as id, ${sampleDate('v', 'collected')}, ${sampleDate('v', 'resulted')},
      ${sealedVersions.of('v')} as content from report_versions v
    where v.realm_id = ${tx.realm.id} and v.report_id = ${reportId} and v.version = ${version}`)
  return row && openVersion(tx, row, version)
}

export const selectEntries = async (tx: Tx, reportId: string, version: number): Promise<readonly BiomarkerEntry[]> =>
  (await selectVersion(tx, reportId, version))?.entries ?? []

/** `isCritical`: a person has to look at it before others. Unknown once it no longer waits for one. */
export type StoredReport = ReportRow & { dataId?: string; isCritical: boolean }

/** Inserts a report, or updates the report of the same kit. */
export async function upsertReport(tx: Tx, report: StoredReport): Promise<void> {
  await tx.run(sql`
    insert into reports (realm_id, id, customer_id, kit_id, data_id, status, vendor_status, version, collected_date, collected_at,
      resulted_date, resulted_at, published_at, is_critical, created_at)
    values (${tx.realm.id}, ${report.id}, ${report.customerId}, ${report.kitId}, ${report.dataId ?? null}, ${report.status}, ${report.vendorStatus},
      ${report.version}, ${dayText(report.collectedDate)}, ${timeOf(report.collectedDate)},
      ${dayText(report.resultedDate)}, ${timeOf(report.resultedDate)}, ${report.publishedAt}, ${report.isCritical}, ${tx.now})
    on conflict (realm_id, kit_id) do update set
      status = excluded.status, vendor_status = excluded.vendor_status, version = excluded.version,
      collected_date = excluded.collected_date, collected_at = excluded.collected_at,
      resulted_date = excluded.resulted_date, resulted_at = excluded.resulted_at,
      published_at = excluded.published_at, is_critical = excluded.is_critical`)
}

export interface NewVersion {
  reportId: string
  version: number
  scoreVersion: number
  /** The dates of the report at that time. */
  collectedDate: string | null
  resultedDate: string | null
  content: VersionContent
}

/** Inserts a version with all its results. */
export async function insertVersion(tx: Tx, { reportId, version, content, ...rest }: NewVersion): Promise<void> {
  const keys = await keyringOf(tx)
  const key = versionKey(reportId, version)
  const { sealed_summary: summary } = sealedVersions.derived(keys, key, content)
  await tx.run(sql`
    insert into report_versions (realm_id, report_id, version, score_version, collected_date, collected_at,
      resulted_date, resulted_at, created_at, sealed, sealed_summary)
    values (${tx.realm.id}, ${reportId}, ${version}, ${String(rest.scoreVersion)},
      ${dayText(rest.collectedDate)}, ${timeOf(rest.collectedDate)}, ${dayText(rest.resultedDate)}, ${timeOf(rest.resultedDate)},
      ${tx.now}, ${sealedVersions.seal(keys, key, content)}, ${summary})`)
}

/** Publishes the newest version of a report that is locked and in review. */
export async function markReportPublished(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update reports set status = 'published', published_at = ${tx.now}, is_critical = null
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Marks the newest version as one that nothing else keeps from being published without a person. */
export async function markAwaits(tx: Tx, id: string, what: 'recall' | 'acknowledgement'): Promise<void> {
  const column = sql.ref(`awaits_${what}`)
  await tx.run(sql`update reports set ${column} = version where realm_id = ${tx.realm.id} and id = ${id}`)
}

export async function markReportRejected(tx: Tx, which: { kitId: string } | { id: string }): Promise<void> {
  const only = 'id' in which ? sql`id = ${which.id}` : sql`kit_id = ${which.kitId}`
  await tx.run(sql`
    update reports set status = 'rejected', published_at = null, is_critical = null, awaits_recall = null, awaits_acknowledgement = null
    where realm_id = ${tx.realm.id} and ${only}`)
}

export async function markReportInReview(tx: Tx, kitId: string, isCritical: boolean): Promise<void> {
  await tx.run(sql`
    update reports set status = 'inReview', is_critical = ${isCritical}
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and status = 'rejected'`)
}

/** Returns the number of deleted reports. */
export function deleteReports(tx: Tx, which: { kitId: string } | 'all'): Promise<number> {
  const only = which === 'all' ? sql`` : sql`and kit_id = ${which.kitId}`
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} ${only}`)
}
