import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import type { BackupProgress } from '../../domain/backups.ts'
import { StartError } from '../../domain/errors.ts'
import { type FileStore, FileStoreError } from '../../domain/file-store.ts'
import { findRoles, type Roles } from '../database/roles.ts'
import { createClient } from '../database/server.ts'
import type { ArchiveWriter } from './archive.ts'
import { partitionsOf, prepareCopying, protectionsOf, sequencesOf, type TableRow, tablesOf } from './catalog.ts'
import { copyOut } from './copy.ts'
import type { Head, Manifest } from './manifest.ts'
import { HEAD_SIGNATURE, MANIFEST_SIGNATURE, type Signer } from './signature.ts'

export interface DumpOptions {
  /** Past any pooler: one transaction lasts as long as the copying. */
  url: string
  /** The files that are no part of the database. */
  files: FileStore
  release: string
  /** Undefined in a process without a master key: such a backup is restored only with consent. */
  signer: Signer | undefined
  signal?: AbortSignal | undefined
  progress?: ((now: BackupProgress) => void) | undefined
}

/** Another one is being made. */
export class BackupRunning extends StartError {}

// An arbitrary constant: only its holder makes a backup.
const LOCK = 704_553_203
const LOCK_TIMEOUT_MS = 10_000

/**
 * Copies everything that a snapshot of the database shows into an archive: rows, sequences, waiting jobs, and files. The
 * service keeps running; a migration waits.
 */
export async function dump(options: DumpOptions, writer: ArchiveWriter): Promise<Manifest> {
  const client = createClient(options.url, { application_name: 'kitlane-backup', query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  // Ends the connection, and so the statement that runs.
  const abort = () => void client.end().catch(() => {})
  options.signal?.addEventListener('abort', abort, { once: true })
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (!rows[0]?.mine)
      throw new BackupRunning('Another backup of this database is being made. Wait until it has ended.')
    const roles = await findRoles(client)
    if (!roles) throw new StartError('The database is empty, so there is nothing to back up. Run: kitlane migrate')
    await client.query(`begin isolation level repeatable read read only; set local role ${roles.system}`)
    return await dumpSnapshot(client, roles, options, writer)
  } catch (err) {
    options.signal?.throwIfAborted()
    throw err
  } finally {
    options.signal?.removeEventListener('abort', abort)
    await client.end().catch(() => {})
  }
}

async function dumpSnapshot(
  client: Client,
  roles: Roles,
  { files: store, release, signer, progress }: DumpOptions,
  writer: ArchiveWriter,
): Promise<Manifest> {
  await prepareCopying(client)
  const tables = await tablesOf(client)
  const name = (text: string) => client.escapeIdentifier(text)
  // As pg_dump does: no migration changes a table until the end.
  await client.query(
    `set local lock_timeout = ${LOCK_TIMEOUT_MS}; lock table ${tables.map((table) => name(table.name)).join(', ')} in access share mode`,
  )
  const addSigned = async (entry: string, signature: string, content: Buffer) => {
    await writer.add(entry, content)
    if (signer) await writer.add(signature, signer.sign(content))
  }
  await addSigned('head.json', HEAD_SIGNATURE, json(await headOf(client, roles, tables, release)))
  const report = reporter(tables, progress)
  const counted: Manifest['tables'] = []
  for (const table of tables) {
    let part = 0
    const query = `select ${table.columns.map(name).join(', ')} from ${name(table.name)}`
    const copied = await copyOut(client, query, async (content) => {
      await writer.add(`tables/${table.name}/${String(part++).padStart(6, '0')}`, content)
      report.copied(table, content.length)
    })
    counted.push({ name: table.name, ...copied })
    report.ended(table)
  }
  let part = 0
  const jobs = await copyOut(client, WAITING_JOBS, (content) =>
    writer.add(`jobs/${String(part++).padStart(6, '0')}`, content),
  )
  const sequences = await sequencesOf(client)
  const files = await addFiles(store, writer)
  const manifest = { tables: counted, jobs, sequences, files }
  await addSigned('manifest.json', MANIFEST_SIGNATURE, json(manifest))
  return manifest
}

// A job that runs now begins again after a restore. Those that are done are not needed.
const WAITING_JOBS = `select to_jsonb(j) || case when j.state = 'active' then '{"state": "retry", "started_on": null}'::jsonb else '{}' end
  from pgboss.job j where j.state in ('created', 'retry', 'active', 'failed')`

async function headOf(client: Client, roles: Roles, tables: readonly TableRow[], release: string): Promise<Head> {
  const { rows: migrations } = await client.query<Head['migrations'][number]>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const { rows: keys } = await client.query<{ id: Buffer }>('select id from encryption_key')
  const { rows } = await client.query<{ at: Date; version: string }>(
    `select now() as at, current_setting('server_version') as version`,
  )
  const [server] = rows as [{ at: Date; version: string }]
  return {
    format: 1,
    release,
    postgres: server.version,
    takenAt: server.at.toISOString(),
    schemaVersion: migrations.at(-1)?.version ?? 0,
    migrations,
    ...(keys[0] && { encryptionKey: keys[0].id.toString('hex') }),
    roles: Object.keys(roles),
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    partitions: await partitionsOf(client),
    protections: await protectionsOf(client, roles),
  }
}

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

function reporter(tables: readonly TableRow[], progress: DumpOptions['progress']) {
  const all = tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  let before = 0
  let here = 0
  let bytes = 0
  let done = 0
  const reportProgress = (table: TableRow) => {
    const percent = Math.min(100, Math.round((100 * (before + Math.min(here, table.bytes))) / all))
    progress?.({ table: table.name, done, tables: tables.length, percent, bytes })
  }
  return {
    copied(table: TableRow, size: number) {
      here += size
      bytes += size
      reportProgress(table)
    },
    ended(table: TableRow) {
      before += table.bytes
      here = 0
      done++
      reportProgress(table)
    },
  }
}

// Up to 25 MB each. A bucket takes its time for each one.
const FILES_AT_ONCE = 4

/** Files are never changed, and are there before the row that names them: read after the snapshot, none is missing. */
async function addFiles(store: FileStore, writer: ArchiveWriter): Promise<Manifest['files']> {
  const files: Manifest['files'] = []
  const add = async (names: readonly string[]) => {
    const contents = await Promise.all(names.map((name) => maybeRead(store, name)))
    for (const [n, path] of names.entries()) {
      const content = contents[n]
      if (!content) continue
      await writer.add(`files/${path}`, content)
      files.push({ path, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    }
  }
  let names: string[] = []
  for await (const { name } of store.list('')) {
    names.push(name)
    if (names.length < FILES_AT_ONCE) continue
    await add(names)
    names = []
  }
  await add(names)
  return files
}

/** Undefined: its row was deleted meanwhile. */
async function maybeRead(store: FileStore, name: string): Promise<Buffer | undefined> {
  try {
    return await store.read(name)
  } catch (err) {
    if (err instanceof FileStoreError && err.missing) return undefined
    throw err
  }
}
