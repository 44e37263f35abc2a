import { sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'

export interface BackupRow {
  id: string
  startedAt: Date
  endedAt: Date
  location: string
  madeBy: string
  ok: boolean
  failure: string | null
  bytes: number | null
  tables: number | null
  rows: number | null
  files: number | null
  /** When it was read back to its end and found whole. */
  checkedAt: Date | null
}

const SHOWN = sql`id, started_at as "startedAt", ended_at as "endedAt", location, made_by as "madeBy", ok, failure, bytes, tables,
  rows, files, checked_at as "checkedAt"`

export async function insertBackup(tx: SystemTx, row: BackupRow): Promise<void> {
  await tx.run(sql`
    insert into backups (id, started_at, ended_at, location, made_by, ok, failure, bytes, tables, rows, files, checked_at)
    values (${row.id}, ${row.startedAt}, ${row.endedAt}, ${row.location}, ${row.madeBy}, ${row.ok}, ${row.failure},
      ${row.bytes}, ${row.tables}, ${row.rows}, ${row.files}, ${row.checkedAt})`)
}

/** What was made and what failed, the newest first. */
export const selectBackups = (tx: SystemTx, limit: number): Promise<BackupRow[]> =>
  tx.rows(sql<BackupRow>`
    select ${SHOWN} from backups order by ended_at desc, id limit ${limit}`)

/** The newest that came out as asked. */
export const maybeNewest = (tx: SystemTx, ok: boolean): Promise<BackupRow | undefined> =>
  tx.maybeRow(sql<BackupRow>`
    select ${SHOWN} from backups where ok = ${ok} order by ended_at desc, id limit 1`)

/** The job that makes scheduled backups. */
const SCHEDULER = 'job:backups.make-due'

/** When the newest scheduled one began. */
export async function maybeStartOfNewest(tx: SystemTx, madeBy = SCHEDULER): Promise<Date | undefined> {
  const row = await tx.maybeRow(sql<{ startedAt: Date }>`
    select started_at as "startedAt" from backups where ok and made_by = ${madeBy} order by ended_at desc limit 1`)
  return row?.startedAt
}

export async function deleteBackupsBefore(tx: SystemTx, before: Date): Promise<void> {
  await tx.run(sql`delete from backups where ended_at < ${before}`)
}

export interface RealmCounts {
  id: number
  businessId: string
  mode: 'live' | 'sandbox'
  events: number
  orders: number
  kits: number
  customers: number
}

/** What each realm has, counted row by row. */
export const selectRealmCounts = (tx: SystemTx): Promise<RealmCounts[]> =>
  tx.rows(sql<RealmCounts>`
    select r.id, r.business_id as "businessId", r.mode,
      (select count(*) from events e where e.realm_id = r.id) as events,
      (select count(*) from orders o where o.realm_id = r.id) as orders,
      (select count(*) from kits k where k.realm_id = r.id) as kits,
      (select count(*) from customers c where c.realm_id = r.id) as customers
    from realms r order by r.id`)

export async function selectStatuses(tx: Tx): Promise<{ status: string; count: number }[]> {
  return tx.rows(sql<{ status: string; count: number }>`
    select kit_status as status, count(*) as count from kits where realm_id = ${tx.realm.id} group by 1 order by 1`)
}
