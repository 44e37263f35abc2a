import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { StartError } from '../errors.ts'
import { ANSWER_MS, MIGRATION_ANSWER_MS, patience } from './patience.ts'

const DIRECTORY = new URL('../../../migrations/', import.meta.url)

// Any constant: it only has to be the same in every process.
const LOCK = 704_553_201

interface Migration {
  version: number
  name: string
  sql: string
  checksum: string
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8')
      return { version: Number(name.slice(0, 4)), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export interface MigrationResult {
  applied: string[]
  version: number
}

/**
 * Brings the schema up to date, as its owner, under an advisory lock, each file in its own transaction.
 * @throws StartError when the database is newer than this code, or an applied file was changed since.
 */
export async function migrate(ownerUrl: string): Promise<MigrationResult> {
  const migrations = await readMigrations()
  const bounds = { ...patience, query_timeout: MIGRATION_ANSWER_MS }
  const client = new Client({ connectionString: ownerUrl, application_name: 'kitlane-migrate', ...bounds })
  // A connection that is lost fails the statement under way; unheard, it would end the process as well.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
    const { rows } = await client.query<{ version: number; checksum: string }>(
      'select version, checksum from schema_migrations',
    )
    const done = new Map(rows.map((row) => [row.version, row.checksum]))
    const newest = migrations.at(-1)?.version ?? 0
    const newestDone = Math.max(0, ...done.keys())
    if (newestDone > newest) {
      throw new StartError(
        `The database is at schema version ${newestDone}, this program knows versions up to ${newest}. Start the newer release.`,
      )
    }
    const applied: string[] = []
    for (const migration of migrations) {
      const checksum = done.get(migration.version)
      if (checksum === migration.checksum) continue
      if (checksum) {
        throw new StartError(
          `Migration ${migration.name} was changed after it had been applied. Restore the file; write a new migration instead.`,
        )
      }
      await apply(client, migration)
      applied.push(migration.name)
    }
    return { applied, version: newest }
  } finally {
    await client.end()
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (err) {
    // Where the connection is lost there is nothing left to undo.
    await client.query('rollback').catch(() => {})
    throw new StartError(`Migration ${migration.name} failed: ${(err as Error).message}`, { cause: err })
  }
}

/** The version that a database is at (0: none), and the newest that this code knows. */
export async function schemaVersions(ownerUrl: string): Promise<{ found: number; newest: number }> {
  const newest = (await readMigrations()).at(-1)?.version ?? 0
  const client = new Client({ connectionString: ownerUrl, ...patience, query_timeout: ANSWER_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    const present = await client.query<{ present: boolean }>(
      `select to_regclass('schema_migrations') is not null as present`,
    )
    if (!present.rows[0]?.present) return { found: 0, newest }
    const { rows } = await client.query<{ version: number | null }>(
      'select max(version) as version from schema_migrations',
    )
    return { found: rows[0]?.version ?? 0, newest }
  } finally {
    await client.end()
  }
}
