import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { isReadable, joinVersion, openVersion, readableVersion } from '../queries.ts'
import { type ShownReportRow, type StoredRow, shownColumns } from './queries.ts'

export interface PublishedFilter {
  reportIds?: readonly string[] | undefined
  customerIds?: readonly number[] | undefined
  kitIds?: readonly string[] | undefined
  /** The key of a row: only what comes after it. */
  after?: string | undefined
}

export interface PublishedRow extends ShownReportRow {
  /** The microsecond in which it was made, and its ID. */
  key: string
}

/** The list goes on after this row, also if that is gone by then. */
function beyond(key: string) {
  const [, microseconds = '0', id = ''] = /^(\d{1,17})-(\w*)$/.exec(key) ?? []
  return sql`and (r.created_at, r.id) < (timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${id})`
}

/** Published reports, each in the version that readers see, newest first. */
export async function selectPublished(
  tx: Tx,
  { reportIds, customerIds, kitIds, after }: PublishedFilter,
  size: number,
): Promise<PublishedRow[]> {
  const rows = await tx.rows(sql<StoredRow & { key: string }>`
    select ${shownColumns}, (extract(epoch from r.created_at) * 1000000)::bigint || '-' || r.id as key
    from reports r ${joinVersion} and v.version = ${readableVersion}
    where r.realm_id = ${tx.realm.id} and ${isReadable}
      ${reportIds ? sql`and r.id = any(${reportIds})` : sql``}
      ${customerIds ? sql`and r.customer_id = any(${customerIds}::bigint[])` : sql``}
      ${kitIds ? sql`and r.kit_id = any(${kitIds})` : sql``}
      ${after === undefined ? sql`` : beyond(after)}
    order by r.created_at desc, r.id desc limit ${size}`)
  return Promise.all(rows.map((row) => openVersion(tx, row, row.shownVersion)))
}
