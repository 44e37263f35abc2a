import { setTimeout as delay } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import { StartError } from '../../domain/errors.ts'
import { assertReached, CREATE_SCHEMA_MIGRATIONS, isApplied, type Migration, readMigrations } from './migrations.ts'
import { provideRoles, type Roles, withRoles } from './roles.ts'
import { createClient } from './server.ts'
import { MIGRATION_ANSWER_MS } from './timeouts.ts'

// An arbitrary constant, the same in every process.
const LOCK = 704_553_201
// A statement that waits for a table lock blocks all later ones. Wait 2 s at most, then let others pass for a second.
const LOCK_TIMEOUT_MS = 2000
const PAUSE_MS = 1000
const WAIT_MS = 10 * 60_000

export interface MigrationResult {
  applied: string[]
  version: number
}

export interface MigrateOptions {
  /** Receives a sentence about each lock that the migration waits for. */
  say?: (sentence: string) => void
  waitMs?: number
  /** Default: those of this release. */
  migrations?: readonly Migration[]
}

/**
 * Migrates the schema as its owner, under an advisory lock, each file in its own transaction. The service keeps running:
 * no wait for a lock is longer than 2 s.
 * @throws StartError if the database is newer than this code, or if an applied file has changed
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<MigrationResult> {
  const migrations = options.migrations ?? (await readMigrations())
  const client = createClient(ownerUrl, { application_name: 'kitlane-migrate', query_timeout: MIGRATION_ANSWER_MS })
  // A lost connection fails the running statement. Without a listener it would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const { waitMs = WAIT_MS } = options
    const waiting: Waiting = { say: () => {}, ...options, client, until: performance.now() + waitMs }
    await lockSchema(waiting)
    const roles = await within(client, () => provideRoles(client))
    await client.query(CREATE_SCHEMA_MIGRATIONS)
    const applied: string[] = []
    for (const migration of await missing(client, migrations)) {
      if (migration.inBatches) await applyInBatches(waiting, migration, roles)
      else if (migration.isConcurrent) await applyConcurrently(waiting, migration)
      else await patiently(waiting, migration, () => apply(client, migration, roles))
      applied.push(migration.name)
    }
    return { applied, version: migrations.at(-1)?.version ?? 0 }
  } finally {
    await client.end()
  }
}

interface Waiting {
  client: Client
  say(sentence: string): void
  /** By performance.now(). */
  until: number
}

async function lockSchema({ client, say, until }: Waiting): Promise<void> {
  for (let announced = false; ; announced = true) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (rows[0]?.mine) return
    if (!announced) say('Another process is bringing the schema up to date: waiting for it.')
    if (performance.now() > until)
      throw new StartError('Another process holds the schema. Try again when it has ended.')
    await delay(100)
  }
}

async function missing(client: Client, migrations: readonly Migration[]): Promise<Migration[]> {
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
  if (newestDone > 0) assertReached(newestDone, 'The database')
  for (const migration of migrations) {
    const { version, name, checksum } = migration
    if (isApplied(migration, done.get(version) ?? checksum)) continue
    throw new StartError(
      `Migration ${name} was changed after it had been applied. Restore the file; write a new migration instead.`,
    )
  }
  return migrations.filter(({ version }) => !done.has(version))
}

async function within<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`)
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (err) {
    // A lost connection leaves nothing to roll back.
    await client.query('rollback').catch(() => {})
    throw err
  }
}

const apply = (client: Client, migration: Migration, roles: Roles) =>
  within(client, async () => {
    await client.query(withRoles(migration.sql, roles))
    await record(client, migration)
  })

async function applyInBatches(waiting: Waiting, migration: Migration, roles: Roles): Promise<void> {
  const { client } = waiting
  const text = withRoles(migration.sql, roles)
  const batch = () => within(client, async () => lastOf(await client.query(text)).rowCount ?? 0)
  while ((await patiently(waiting, migration, batch)) > 0);
  await record(client, migration)
}

/**
 * Builds each index while others write, which no transaction can. A build that was interrupted leaves an invalid index, which is
 * dropped first, so the file can be stopped and run again.
 */
async function applyConcurrently(waiting: Waiting, migration: Migration): Promise<void> {
  const { client } = waiting
  for (const statement of statementsOf(migration.sql)) {
    const [, index] = /^create (?:unique )?index concurrently if not exists (\w+) on /i.exec(statement) ?? []
    if (index === undefined)
      throw new StartError(`Migration ${migration.name} may only have: create index concurrently if not exists … on …`)
    await patiently(waiting, migration, async () => {
      const { rowCount } = await client.query(
        `select from pg_index i join pg_class c on c.oid = i.indexrelid
         where c.relname = $1 and c.relnamespace = 'public'::regnamespace and not i.indisvalid`,
        [index],
      )
      if (rowCount) await client.query(`drop index concurrently if exists ${index}`)
      await client.query(statement)
    })
  }
  await record(client, migration)
}

const statementsOf = (sql: string): string[] =>
  sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)

/** For several statements the driver returns a list; its types do not say so. */
const lastOf = <T>(results: T): T => (Array.isArray(results) ? results.at(-1) : results)

const record = (client: Client, { version, name, checksum }: Migration) =>
  client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [version, name, checksum])

/** Retries while the only obstacle is a lock or a deadlock. */
async function patiently<T>({ client, say, until }: Waiting, { name }: Migration, work: () => Promise<T>): Promise<T> {
  for (let announced = ''; ; ) {
    try {
      return await work()
    } catch (err) {
      const passes = err instanceof DatabaseError && (err.code === '55P03' || err.code === '40P01')
      if (!passes) throw new StartError(`Migration ${name} failed: ${(err as Error).message}`, { cause: err })
      const holders = await holdersOfLocks(client)
      if (performance.now() > until) {
        throw new StartError(
          `Migration ${name} could not lock a table. ${holders} Nothing was changed; end that, then try again.`,
          { cause: err },
        )
      }
      if (holders !== announced) say(`Migration ${name} waits for a lock, and tries again. ${holders}`)
      announced = holders
      await delay(PAUSE_MS)
    }
  }
}

/** The transactions that have held tables of this database longest. Never their statements, which hold people's data. */
async function holdersOfLocks(client: Client): Promise<string> {
  const { rows } = await client.query<{ who: string }>(`
    select format('process %s (%s, %s)', a.pid, coalesce(nullif(a.application_name, ''), a.usename), coalesce(a.state, a.backend_type)) as who
    from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and exists (
      select from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = a.pid and l.granted and l.database = (select oid from pg_database where datname = current_database())
        and c.relnamespace = 'public'::regnamespace)
    order by a.xact_start nulls first limit 3`)
  return rows.length === 0 ? 'Its holder has ended.' : `Tables are held by ${rows.map(({ who }) => who).join(', ')}.`
}
