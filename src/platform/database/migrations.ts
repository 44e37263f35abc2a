import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../package-root.ts'

const DIRECTORY = join(PACKAGE_ROOT, 'migrations')

export const CREATE_SCHEMA_MIGRATIONS = `create table if not exists schema_migrations (
  version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`

export interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
  /** One statement, repeated in a transaction each until it changes no more rows. */
  inBatches: boolean
}

/** The files of `migrations/`, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(DIRECTORY, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(name.slice(0, 4)), name, sql, checksum, inBatches: sql.startsWith('-- In batches:') }
    }),
  )
}
