import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { randomBase62 } from '../../src/domain/ids.ts'
import { clusterUrls, databaseName, maybeReadCredentials } from '../../src/platform/database/embedded/credentials.ts'
import { dataFolder } from '../../src/platform/database/embedded/folder.ts'
import { findPostmaster } from '../../src/platform/database/embedded/process.ts'
import { dropDatabase } from '../../test/harness/drop-database.ts'

/** The database of the service under test, and how to kill it. */
export interface Store {
  folder: string
  args: string[]
  env: Record<string, string>
  connect(): Promise<Client>
  kill(): Promise<void>
  remove(): Promise<void>
}

/** The embedded PostgreSQL in a temporary data folder. */
export async function embedded(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-prove-'))
  const data = dataFolder(join(folder, 'data'))
  const postmaster = async () => {
    const found = await findPostmaster(data.cluster)
    if (!found) throw new Error('PostgreSQL is not running')
    return found
  }
  return {
    folder,
    args: ['--data', data.root],
    env: {},
    async connect() {
      const credentials = await maybeReadCredentials(data)
      if (!credentials) throw new Error('the database has no passwords yet')
      // Read the port each time: it changes when the service and the database die together.
      const url = new URL(clusterUrls(credentials, (await postmaster()).port).superUrl)
      url.pathname = `/${databaseName}`
      return open(url.href)
    },
    kill: async () => void process.kill((await postmaster()).pid, 'SIGKILL'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A new database on an existing server. `url` is a superuser's. `given`: the data folder of the service. */
export async function external(url: string, given?: string): Promise<Store> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'kitlane-prove-')))
  const name = `kitlane_prove_${randomBase62(8).toLowerCase()}`
  const own = new URL(url)
  own.pathname = `/${name}`
  const asAdmin = async (text: string, values: unknown[] = []) => {
    const admin = await open(url)
    await admin.query(text, values).finally(() => admin.end())
  }
  await asAdmin(`create database ${name}`)
  return {
    folder,
    args: ['--data', folder],
    env: { DATABASE_URL: own.href },
    connect: () => open(own.href),
    kill: () => asAdmin('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]),
    async remove() {
      const admin = await open(url)
      await dropDatabase(admin, name).finally(() => admin.end())
      if (!given) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function open(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  // The proof kills databases. Callers reconnect after a lost connection.
  client.on('error', () => {})
  await client.connect()
  return client
}
