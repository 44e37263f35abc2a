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
  /** Indexes of tables that are there, each built outside of a transaction while others write. */
  isConcurrent: boolean
}

/** How a file is applied, by the word that it begins with. */
export const kindOf = (sql: string): Pick<Migration, 'inBatches' | 'isConcurrent'> => ({
  inBatches: sql.startsWith('-- In batches:'),
  isConcurrent: sql.startsWith('-- Concurrently:'),
})

/** What a file does, for a transaction in which nobody else is: a new database needs no concurrent build. */
export const inTransaction = ({ sql, isConcurrent }: Migration): string =>
  isConcurrent ? sql.replaceAll(/\bindex concurrently\b/gi, 'index') : sql

/** The files of `migrations/`, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(DIRECTORY, name), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(name.slice(0, 4)), name, sql, checksum, ...kindOf(sql) }
    }),
  )
}
