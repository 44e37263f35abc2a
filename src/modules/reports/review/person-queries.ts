import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { keyringOf } from '../../../platform/sealing/sealed-columns.ts'
import { isMarked } from '../../kits/recall-queries.ts'
import type { EarlierVersion } from '../checks/previous.ts'
import { isReadable, joinVersion, openVersion, readableVersion, sampleDate } from '../queries.ts'
import type { ReportStatus } from '../schema.ts'
import {
  openSummary,
  type SealedSummary,
  sealedVersions,
  summarySql,
  type VersionContent,
  versionKey,
} from '../sealed-queries.ts'

const sampledOn = sql`coalesce(r.collected_date, r.resulted_date, (r.created_at at time zone 'UTC')::date)`

// A value further back than this many reports is no measure of what is usual now.
const COMPARED = 5

/** A customer's published reports that are not recalled before another, or until a day, each in the version that readers see, from the newest on. */
export async function selectEarlierVersions(
  tx: Tx,
  { customerId, reportId, on }: { customerId: number; reportId?: string; on?: string },
): Promise<EarlierVersion[]> {
  // A report that is still to be written has no row to compare with.
  const isEarlier =
    on === undefined
      ? sql`(${sampledOn}, r.created_at) <= (select ${sampledOn}, r.created_at from reports r
        where r.realm_id = ${tx.realm.id} and r.id = ${reportId})`
      : sql`${sampledOn} <= ${on}::date`
  const rows = await tx.rows(sql<{ id: string; version: number; day: string; content: Sealed<VersionContent> }>`
    select r.id, v.version, ${sampledOn}::text as day, ${sealedVersions.of('v')} as content
    from reports r ${joinVersion} and v.version = ${readableVersion}
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and ${isReadable} and not ${isMarked}
      and r.id is distinct from ${reportId ?? null} and ${isEarlier}
    order by ${sampledOn} desc, r.created_at desc, r.id limit ${COMPARED}`)
  return Promise.all(
    rows.map(async (row) => {
      const { id, day, entries, origin } = await openVersion(tx, row, row.version)
      const laboratory = (origin?.laboratories ?? []).map(({ name }) => name).join(', ')
      return { reportId: id, day, entries, ...(laboratory && { laboratory }) }
    }),
  )
}

export interface OtherReport {
  id: string
  status: ReportStatus
  kitType: string | null
  collectedDate: string | null
  resultedDate: string | null
  laboratory: string | undefined
}

const SHOWN = 20

/** A customer's other reports, newest first. */
export async function selectOtherReports(tx: Tx, customerId: number, reportId: string): Promise<OtherReport[]> {
  type Row = Omit<OtherReport, 'laboratory'> & { version: number; summary: SealedSummary }
  const rows = await tx.rows(sql<Row>`
    select r.id, r.version, r.status, k.kit_type as "kitType",
      ${sampleDate('r', 'collected')}, ${sampleDate('r', 'resulted')}, ${summarySql('v')} as summary
    from reports r left join kits k on k.realm_id = r.realm_id and k.id = r.kit_id ${joinVersion} and v.version = r.version
    where r.realm_id = ${tx.realm.id} and r.customer_id = ${customerId} and r.id <> ${reportId}
    order by ${sampledOn} desc, r.created_at desc, r.id limit ${SHOWN}`)
  const keys = await keyringOf(tx)
  return rows.map(({ version, summary, ...row }) => ({
    ...row,
    laboratory: openSummary(keys, versionKey(row.id, version), summary).laboratory,
  }))
}
