import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface ArchiveRow {
  id: string
  kind: string
  /** The partition that it holds as a whole. */
  part: string | null
  madeAt: Date
  location: string
  from: Date | null
  to: Date | null
  rows: number
  bytes: number
  sha256: Buffer
  verifiedAt: Date | null
  purgedAt: Date | null
}

const columns = sql`id, kind, part, made_at as "madeAt", location, from_at as "from", to_at as "to", rows, bytes, sha256,
  verified_at as "verifiedAt", purged_at as "purgedAt"`

/** The newest first. */
export const selectArchives = (tx: SystemTx, limit: number): Promise<ArchiveRow[]> =>
  tx.rows(sql<ArchiveRow>`select ${columns} from archives order by made_at desc, id limit ${limit}`)

export const maybeArchive = (tx: SystemTx, id: string): Promise<ArchiveRow | undefined> =>
  tx.maybeRow(sql<ArchiveRow>`select ${columns} from archives where id = ${id}`)

/** The archive of a partition that was read back and found right. */
export const maybeArchiveOf = (tx: SystemTx, part: string): Promise<ArchiveRow | undefined> =>
  tx.maybeRow(sql<ArchiveRow>`
    select ${columns} from archives where part = ${part} and verified_at is not null order by made_at desc limit 1`)

export async function insertArchive(tx: SystemTx, row: Omit<ArchiveRow, 'madeAt' | 'purgedAt'>): Promise<void> {
  await tx.run(sql`
    insert into archives (id, kind, part, made_at, made_by, location, from_at, to_at, rows, bytes, sha256, verified_at)
    values (${row.id}, ${row.kind}, ${row.part}, ${tx.now}, ${tx.actor.name}, ${row.location}, ${row.from}, ${row.to},
      ${row.rows}, ${row.bytes}, ${row.sha256}, ${row.verifiedAt})`)
}

export async function updatePurged(tx: SystemTx, id: string): Promise<void> {
  await tx.run(sql`update archives set purged_at = ${tx.now} where id = ${id}`)
}
