import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import type { BackupProgress } from '../../domain/backups.ts'
import { StartError } from '../../domain/errors.ts'
import type { FileStore } from '../../domain/file-store.ts'
import * as databaseMigrations from '../database/migrations.ts'
import { provideRoles, withRoles } from '../database/roles.ts'
import { createClient } from '../database/server.ts'
import type { KeyProvider } from '../sealing/key-provider.ts'
import { damaged, type Entry } from './archive.ts'
import { brakesOf, maybeFirstTable, partitionsOf, prepareCopying } from './catalog.ts'
import { type Difference, differencesOf, refuseUnknownEnd, refuseUnknownForms } from './compare.ts'
import { type CopyingIn, type Counted, copyIn } from './copy.ts'
import { Head, Manifest } from './manifest.ts'
import { HEAD_SIGNATURE, MANIFEST_SIGNATURE, refuseUnsigned, signatureReader } from './signature.ts'

export interface LoadOptions {
  /** What the sentences call the backup. */
  name: string
  ownerUrl: string
  /** Where the files of the backup go. */
  files: FileStore
  /** The hexadecimal IDs of the keys that this process has; empty where they cannot be known. */
  keys: readonly string[]
  /** The master key: only its holder can have signed the backup. */
  provider: KeyProvider
  /** Anyone who restores vouches for a backup that is not signed by it. */
  allowUnsigned: boolean
  progress?: ((now: BackupProgress) => void) | undefined
}

export interface Loaded {
  head: Head
  /** What was compared, all of it right. */
  compared: Difference[]
}

/** Refuses a database with anything in it, before a backup is fetched. */
export async function assertEmpty(ownerUrl: string): Promise<void> {
  const client = await connected(ownerUrl)
  try {
    await refuseTables(client)
  } finally {
    await client.end()
  }
}

/**
 * Loads an archive into an empty database, in one transaction: what fails leaves the database as empty as it was. The
 * schema comes from the migrations up to the version of the backup; then every table is read back and compared.
 */
export async function load(options: LoadOptions, entries: AsyncIterable<Entry>): Promise<Loaded> {
  const client = await connected(options.ownerUrl)
  const files = fileWriter(options.files)
  try {
    await client.query('begin')
    await refuseTables(client)
    await files.assertEmpty()
    const loaded = await loadEntries(client, options, entries, files)
    await client.query('commit')
    return loaded
  } catch (err) {
    await files.remove()
    throw err
  } finally {
    // An open transaction ends with its connection.
    await client.end().catch(() => {})
  }
}

async function connected(url: string): Promise<Client> {
  const client = createClient(url, { application_name: 'kitlane-restore', query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function refuseTables(client: Client): Promise<void> {
  const table = await maybeFirstTable(client)
  if (table === undefined) return
  throw new StartError(
    `The database is not empty: it has ${table}. A backup is restored into an empty database only. Name a new data folder with --data, or another database in DATABASE_URL.`,
  )
}

async function loadEntries(
  client: Client,
  options: LoadOptions,
  entries: AsyncIterable<Entry>,
  files: ReturnType<typeof fileWriter>,
): Promise<Loaded> {
  let head: Head | undefined
  let manifest: Manifest | undefined
  let [headText, manifestText]: (Buffer | undefined)[] = []
  const signatures = signatureReader(options.provider)
  const verify = async (part: Buffer, signature: Buffer | undefined) => {
    if (!options.allowUnsigned) refuseUnsigned(await signatures.verify(part, signature), options.name)
  }
  let brakes: { off: string[]; on: string[] } = { off: [], on: [] }
  let open: { name: string; copy: CopyingIn } | undefined
  const found = { tables: new Map<string, Counted>(), files: new Map<string, { bytes: number; sha256: string }>() }
  const close = async () => {
    if (open) found.tables.set(open.name, await open.copy.end())
    open = undefined
  }
  let bytes = 0
  for await (const { name, content } of entries) {
    const [kind = '', table = ''] = name.split('/')
    if (name === 'head.json' && !headText) {
      headText = await bytesOf(content)
      continue
    }
    if (name === MANIFEST_SIGNATURE && manifestText) {
      await verify(manifestText, await bytesOf(content))
      manifestText = undefined
      continue
    }
    if (!headText || manifest) throw damaged(options.name)
    if (!head) {
      const signature = name === HEAD_SIGNATURE ? await bytesOf(content) : undefined
      const claimed = Head.parse(JSON.parse(headText.toString()))
      refuseKey(claimed, options)
      await verify(headText, signature)
      head = claimed
      brakes = await makeSchema(client, head, options)
      if (signature) continue
    }
    if (kind === 'files') {
      await close()
      const path = name.slice('files/'.length)
      found.files.set(path, await files.write(path, await bytesOf(content)))
    } else if (name === 'manifest.json') {
      await close()
      manifestText = await bytesOf(content)
      manifest = Manifest.parse(JSON.parse(manifestText.toString()))
    } else {
      const target = kind === 'jobs' ? JOBS : table
      if (open?.name !== target) {
        await close()
        open = { name: target, copy: copyIn(client, statementOf(client, head, target)) }
        options.progress?.({ table: target, done: found.tables.size, tables: head.tables.length, bytes })
      }
      for await (const chunk of content) {
        await open.copy.write(chunk)
        bytes += chunk.length
      }
    }
  }
  await files.settle()
  if (!head || !manifest) throw damaged(options.name)
  if (manifestText) await verify(manifestText, undefined)
  if (!isWhole(manifest, found)) throw damaged(options.name)
  await refuseUnknownEnd(client, head, manifest, options.name)
  for (const statement of brakes.on) await client.query(statement)
  for (const { name, value, called } of manifest.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [client.escapeIdentifier(name), value, called])
  // Without statistics the proofs that follow, and the first hours of the service, would take plans for small tables.
  await client.query(`analyze ${head.tables.map(({ name }) => client.escapeIdentifier(name)).join(', ')}`)
  const compared = await differencesOf(client, head, manifest)
  refuseDifferences(compared)
  return { head, compared }
}

/** Where waiting jobs stay until their queues are there: installing the queues moves them. */
const JOBS = 'restored_jobs'

const statementOf = (client: Client, head: Head, name: string) => {
  if (name === JOBS) return `copy ${JOBS} (job) from stdin`
  const table = head.tables.find((one) => one.name === name)
  if (!table) throw new Error(`the backup has rows of a table that it does not list: ${name}`)
  const isDivided = head.partitions.some(({ parent }) => parent === name)
  const columns = table.columns.map((column) => client.escapeIdentifier(column)).join(', ')
  return `copy ${client.escapeIdentifier(name)} (${columns}) from stdin${isDivided ? '' : ' (freeze)'}`
}

async function makeSchema(client: Client, head: Head, options: LoadOptions): Promise<{ off: string[]; on: string[] }> {
  const migrations = migrationsOf(head, await databaseMigrations.readMigrations())
  const roles = await provideRoles(client)
  await prepareCopying(client)
  await client.query(databaseMigrations.CREATE_SCHEMA_MIGRATIONS)
  for (const migration of migrations) {
    await client.query(withRoles(databaseMigrations.inTransaction(migration), roles))
    await client.query('reset role')
  }
  await refuseUnknownForms(client, head, options.name)
  const there = new Set((await partitionsOf(client)).map(({ name }) => name))
  const name = (text: string) => client.escapeIdentifier(text)
  for (const { name: partition, parent, bound } of head.partitions)
    if (!there.has(partition))
      await client.query(`create table ${name(partition)} partition of ${name(parent)} ${bound}`)
  // Migrations have written some first rows, which are in the backup too.
  await client.query(`truncate ${head.tables.map((table) => name(table.name)).join(', ')}`)
  const brakes = await brakesOf(client)
  for (const statement of brakes.off) await client.query(statement)
  await client.query(`create table ${JOBS} (job jsonb not null)`)
  return brakes
}

function refuseKey({ encryptionKey }: Head, { name, keys }: LoadOptions): void {
  if (encryptionKey === undefined || keys.includes(encryptionKey)) return
  throw new StartError(
    `The personal data in ${name} was sealed with another encryption key (fingerprint ${encryptionKey}). ` +
      'Set ENCRYPTION_KEY to that key, or put its encryption.key into the data folder: without it nobody could read what is restored.',
  )
}

/** The migrations that made the schema of the backup, as this release has them. */
function migrationsOf(head: Head, ours: readonly databaseMigrations.Migration[]): databaseMigrations.Migration[] {
  const newest = ours.at(-1)?.version ?? 0
  if (head.schemaVersion > newest) {
    throw new StartError(
      `The backup was made by a newer release, ${head.release} (schema ${head.schemaVersion}; this one knows ${newest}). Restore it with that release.`,
    )
  }
  databaseMigrations.assertReached(head.schemaVersion, 'The backup')
  const since = head.migrations.filter(({ version }) => version >= databaseMigrations.FIRST_RELEASE_STEP)
  return since.map(({ version, name, checksum }) => {
    const migration = ours.find((one) => one.version === version)
    if (migration && databaseMigrations.isApplied(migration, checksum)) return migration
    throw new StartError(
      `The backup was made with a migration that this release does not have as it was, ${name}. Restore it with the release that made it, ${head.release}.`,
    )
  })
}

function isWhole(
  { tables, jobs, files }: Manifest,
  found: { tables: Map<string, Counted>; files: Map<string, { bytes: number; sha256: string }> },
): boolean {
  const none = { rows: 0, bytes: 0, sha256: createHash('sha256').digest('hex') }
  const is = (one: Counted, name: string) => {
    const other = found.tables.get(name) ?? none
    return one.rows === other.rows && one.sha256 === other.sha256
  }
  return (
    tables.every((table) => is(table, table.name)) &&
    is(jobs, JOBS) &&
    files.every(({ path, sha256 }) => found.files.get(path)?.sha256 === sha256)
  )
}

function refuseDifferences(differences: readonly Difference[]): void {
  const wrong = differences.filter(({ ok }) => !ok)
  if (wrong.length === 0) return
  const which = wrong.map(({ what, tables }) => (tables ? `${what}, all but ${tables.join(' and ')}` : what))
  throw new StartError(
    `What was restored is not what the backup holds (${which.join('; ')}), so that nothing was kept. Please report this.`,
  )
}

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

// Up to 25 MB each. A bucket takes its time for each one.
const FILES_AT_ONCE = 4

function fileWriter(store: FileStore) {
  const written: string[] = []
  let open: Promise<void>[] = []
  const settle = async () => {
    await Promise.all(open)
    open = []
  }
  return {
    async assertEmpty() {
      for await (const _ of store.list(''))
        throw new StartError(
          `${store.where} is not empty. Move it away, or name a new data folder with --data, or another place in FILES_URL.`,
        )
    },
    async write(path: string, content: Buffer) {
      written.push(path)
      const writing = store.write(path, content)
      writing.catch(() => {})
      open.push(writing)
      if (open.length === FILES_AT_ONCE) await settle()
      return { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }
    },
    settle,
    /** Only what this restore wrote: there was nothing. */
    async remove() {
      await Promise.allSettled(open)
      for (const path of written) await store.delete(path)
    },
  }
}
