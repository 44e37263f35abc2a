import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../domain/errors.ts'
import { PACKAGE_ROOT } from '../package-root.ts'
import { findRoles } from './roles.ts'
import { createClient } from './server.ts'

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

/** The version whose tables a new database begins with: a folder with a file for each module. */
export const FIRST_RELEASE_STEP = 188
/** What a database has that came to those tables step by step, before the first release: the checksum of its last step. */
export const LAST_STEP_CHECKSUM = 'e9617bac40af57ae80ad1fca9a4694016a06d4440c68690b1de55bdd59f57f33'

/** @throws StartError if a database or a backup is from a step before those tables */
export function assertReached(version: number, what: string): void {
  if (version >= FIRST_RELEASE_STEP) return
  throw new StartError(
    `${what} is at schema version ${version}, from before the first release, which goes on from ${FIRST_RELEASE_STEP}. Bring it there with commit ce162131 of Kitlane (kitlane migrate) first.`,
  )
}

/** Whether a database has this migration with the given checksum. */
export const isApplied = ({ version, checksum }: Migration, found: string): boolean =>
  found === checksum || (version === FIRST_RELEASE_STEP && found === LAST_STEP_CHECKSUM)

/** What `migrations/` holds, in its order: files, and the folder of the first release, whose files are applied as one. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+(\.sql)?$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await (name.endsWith('.sql') ? readFile(join(DIRECTORY, name), 'utf8') : readFolder(name))
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(name.slice(0, 4)), name, sql, checksum, ...kindOf(sql) }
    }),
  )
}

async function readFolder(name: string): Promise<string> {
  const files = (await readdir(join(DIRECTORY, name))).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(DIRECTORY, name, file), 'utf8')))
  return texts.join('\n')
}

/** The version of a database (0: empty), and the newest that this code knows. The login may be the owner or a member of the program's role. */
export async function schemaVersions(url: string): Promise<{ found: number; newest: number }> {
  const newest = (await readMigrations()).at(-1)?.version ?? 0
  const client = createClient(url)
  client.on('error', () => {})
  await client.connect()
  try {
    const roles = await findRoles(client)
    if (!roles) return { found: 0, newest }
    await client.query(`set role ${roles.system}`)
    const { rows } = await client.query<{ version: number | null }>(
      'select max(version) as version from schema_migrations',
    )
    return { found: rows[0]?.version ?? 0, newest }
  } finally {
    await client.end()
  }
}

/** @throws StartError if the database is not at the version of this release */
export async function assertMigrated(url: string): Promise<void> {
  const { found, newest } = await schemaVersions(url)
  if (found < newest) {
    throw new StartError(
      `The database is ${found === 0 ? 'empty' : `at schema version ${found}`}, and this release needs version ${newest}. Run this first, as the owner of the database: kitlane migrate`,
    )
  }
  if (found > newest) {
    throw new StartError(
      `The database is at schema version ${found}, this program knows versions up to ${newest}. Use the newer release.`,
    )
  }
}
