import { sql } from 'kysely'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { type Personal, sealedCustomers } from '../../customers/sealed-queries.ts'
import { isMarked, recallChangedAt } from '../../kits/recall-queries.ts'
import { approvalOfKit, type KitApproval } from '../../orders/queries.ts'
import {
  isReadable,
  joinVersion,
  openVersion,
  ownColumns,
  type Readable,
  type ReportRow,
  readableVersion,
  sampleDate,
  sampleTime,
} from '../queries.ts'
import type { Withdrawn } from '../schema.ts'
import {
  openSummary,
  type SealedSummary,
  sealedVersions,
  summarySql,
  type VersionContent,
  versionKey,
} from '../sealed-queries.ts'
import type { EarlierReport } from './rules.ts'

export interface ReportKey {
  customerId: number
  reportId: string
  /** The newest that readers see when absent. */
  version?: number | undefined
}

export interface ShownReportRow extends ReportRow, Readable, VersionContent {
  shownVersion: number
  scoreVersion: string
  shownSince: Date
  /** The same, or when marks of it last changed. */
  changedAt: Date
  /** Something with which its sample was taken or tested was recalled. */
  isRecalled: boolean
  /** Of the order of its kit. */
  approval: KitApproval | null
}

export type StoredRow = Omit<ShownReportRow, keyof VersionContent> & { content: Sealed<VersionContent> }

export const shownColumns = sql`
  ${ownColumns}, ${sealedVersions.of('v')} as content, ${sampleDate('v', 'collected')}, ${sampleDate('v', 'resulted')},
  ${isMarked} as "isRecalled", ${approvalOfKit(sql`r.realm_id`, sql`r.kit_id`)} as approval, v.version as "shownVersion", v.score_version as "scoreVersion", greatest(r.published_at, v.created_at) as "shownSince",
  greatest(r.published_at, v.created_at, ${recallChangedAt}, case when r.status = 'inReview' then (
    select w.created_at from report_versions w
    where w.realm_id = r.realm_id and w.report_id = r.id and w.version = r.version) end) as "changedAt"`

export async function selectPublishedReport(
  tx: Tx,
  { customerId, reportId, version }: ReportKey,
): Promise<ShownReportRow | undefined> {
  const row = await tx.maybeRow(sql<StoredRow>`
    select ${shownColumns}
    from reports r ${joinVersion} and v.version = coalesce(${version ?? null}::int, ${readableVersion})
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId} and r.customer_id = ${customerId}
      and v.version <= ${readableVersion} and v.version = any(coalesce(r.published_versions, array[v.version]))`)
  return row && openVersion(tx, row, row.shownVersion)
}

/** A report in its newest version, whatever its status, with its customer's name. */
export async function selectReportForReview(
  tx: Tx,
  reportId: string,
): Promise<(ShownReportRow & { customerName: string | null }) | undefined> {
  const row = await tx.maybeRow(sql<StoredRow & { personal: Sealed<Personal> }>`
    select ${shownColumns}, ${sealedCustomers.of('c')} as personal
    from reports r ${joinVersion} and v.version = r.version
    join customers c on c.realm_id = r.realm_id and c.id = r.customer_id
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId}`)
  if (!row) return undefined
  const { personal, ...report } = row
  const { name } = sealedCustomers.open(await keyringOf(tx), [report.customerId], personal)
  return { ...(await openVersion(tx, report, report.shownVersion)), customerName: name }
}

interface EarlierRow extends Omit<EarlierReport, 'summary'> {
  id: string
  version: number
  summary: SealedSummary
}

/** A customer's published reports that are not recalled, each in the version that readers see, and the report shown, in the version shown: oldest first. */
export async function selectHistory(
  tx: Tx,
  { customerId, reportId, version }: Required<ReportKey>,
): Promise<EarlierReport[]> {
  const rows = await tx.rows(sql<EarlierRow>`
    select r.id, v.version, k.kit_type as "kitType", ${summarySql('v')} as summary,
      coalesce(${sampleTime('v', 'collected')}, ${sampleTime('v', 'resulted')}, (r.created_at at time zone 'UTC')::date::text) as at
    from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id
    ${joinVersion} and v.version = case when r.id = ${reportId} then ${version}::int else ${readableVersion} end
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId}
      and (${isReadable} and not ${isMarked} or r.id = ${reportId})
    order by r.created_at, r.id`)
  const keys = await keyringOf(tx)
  return rows
    .map(({ id, version, summary, at, kitType }) => ({
      at,
      kitType,
      summary: openSummary(keys, versionKey(id, version), summary),
    }))
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** The results that the versions of a report withdrew, the newest last. */
export async function selectWithdrawn(tx: Tx, reportId: string): Promise<Withdrawn[]> {
  const rows = await tx.rows(sql<{ version: number; at: Date; summary: SealedSummary }>`
    select v.version, v.created_at as at, ${summarySql('v')} as summary
    from report_versions v where v.realm_id = ${tx.realm.id} and v.report_id = ${reportId} order by v.version`)
  const keys = await keyringOf(tx)
  return rows.flatMap(({ version, at, summary }) =>
    openSummary(keys, versionKey(reportId, version), summary).withdrawn.map(
      ({ biomarker, label, reason, reasonKept }) => ({
        biomarker,
        label,
        reason: stored(reason, reasonKept),
        version,
        withdrawnDate: at.toISOString(),
      }),
    ),
  )
}
