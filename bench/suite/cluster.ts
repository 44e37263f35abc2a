// The PostgreSQL of a bench: the embedded one, or Debian's 15 with the same settings. In a temporary folder, on loopback.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { databaseName, roles } from '../../src/platform/database/embedded/credentials.ts'
import { settingArguments } from '../../src/platform/database/embedded/launch.ts'
import { createCluster, POSTGRES_15 } from '../../test/harness/debian-cluster.ts'
import { freePort } from '../../test/harness/free-port.ts'

export type PostgresVersion = '15' | '18'

export interface BenchCluster {
  urls: DatabaseUrls
  superUrl: string
  /** The postmaster's process ID. */
  pid(): number
  stop(): Promise<void>
}

export function isPostgresVersion(text: string): text is PostgresVersion {
  return text === '15' || text === '18'
}

export function openBenchCluster(version: PostgresVersion): Promise<BenchCluster> {
  return version === '15' ? openDebian() : openOwn()
}

async function openOwn(): Promise<BenchCluster> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kitlane-bench-'))
  const cluster = await openEmbedded({ dataDir, what: 'the bench' })
  return {
    urls: { owner: cluster.ownerUrl, app: cluster.appUrl, direct: cluster.appUrl },
    superUrl: cluster.superUrl,
    pid: () => cluster.pid,
    async stop() {
      await cluster.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function openDebian(): Promise<BenchCluster> {
  const password = randomBytes(16).toString('hex')
  const cluster = await createCluster(POSTGRES_15, password)
  const port = await freePort()
  // 15 knows all of these settings. It refuses to start with one that it does not know.
  cluster.start(port, settingArguments().join(' '))
  const pid = Number((await readFile(join(cluster.data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const url = (role: string, database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`
  const superUrl = url('kitlane', 'postgres')
  await createRoles(superUrl, password)
  const app = url(roles.app, databaseName)
  return {
    urls: { owner: url(roles.owner, databaseName), app, direct: app },
    superUrl,
    pid: () => pid,
    async stop() {
      cluster.stop()
      await cluster.remove()
    },
  }
}

/** The roles and the database of the embedded server. */
async function createRoles(superUrl: string, password: string): Promise<void> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  await client.query(`create role ${roles.owner} login createdb createrole password '${password}'`)
  await client.query(`create role ${roles.app} login noinherit password '${password}'`)
  await client.query(`grant ${roles.app} to ${roles.owner} with admin option`)
  await client.query(`create database ${databaseName} owner ${roles.owner}`)
  await client.end()
}
