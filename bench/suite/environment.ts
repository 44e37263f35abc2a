// Everything that the benchmark starts: a PostgreSQL in a temporary folder, databases and processes, all on loopback.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { openDatabase, prepareDatabase } from '../../src/app.ts'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { withDatabase } from '../../test/harness/urls.ts'
import type { Load, LoadResult } from './http-load.ts'

export interface Business {
  realmId: number
  token: string
}

export interface Environment {
  /** The process ID of the database server. */
  pid(): number
  /** Creates a database with the migrated schema and businesses whose credits never run out. */
  database(name: string, businesses: number): Promise<{ urls: DatabaseUrls; superUrl: string; businesses: Business[] }>
  service(urls: DatabaseUrls, options?: { groupCommit?: boolean; nodeArgs?: string[] }): Promise<Running>
  /** Starts another program that answers over HTTP. */
  program(file: string, message: unknown): Promise<Running>
  /** Stops the programs that a failed part left running. */
  stopPrograms(): Promise<void>
  stop(): Promise<void>
}

export interface Running {
  port: number
  pid: number
  stop(): Promise<void>
}

const CREDITS = 1_000_000_000

export async function openEnvironment(): Promise<Environment> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kitlane-bench-'))
  const cluster = await openEmbedded({ dataDir, what: 'the bench' })
  const base: DatabaseUrls = { owner: cluster.ownerUrl, app: cluster.appUrl, direct: cluster.appUrl }
  const running = new Set<Running>()
  await prepareDatabase(base)
  const admin = new Client({ connectionString: cluster.superUrl })
  await admin.connect()

  async function program(file: string, message: unknown, nodeArgs: string[] = []): Promise<Running> {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const child = fork(path, { execArgv: [...process.execArgv, ...nodeArgs] })
    child.send(message as object)
    const [port] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
    ])
    const one: Running = {
      port,
      pid: child.pid ?? 0,
      async stop() {
        running.delete(one)
        await ended(child)
      },
    }
    running.add(one)
    return one
  }

  const stopPrograms = async () => void (await Promise.all([...running].map((one) => one.stop())))

  return {
    pid: () => cluster.pid,
    async database(name, count) {
      await admin.query(`create database ${name} template kitlane owner kitlane_owner`)
      const urls = withDatabase(base, name)
      const superUrl = new URL(cluster.superUrl)
      superUrl.pathname = `/${name}`
      return { urls, superUrl: superUrl.href, businesses: await makeBusinesses(urls, count) }
    },
    service: (urls, { groupCommit = true, nodeArgs } = {}) => program('./service.ts', { urls, groupCommit }, nodeArgs),
    program,
    stopPrograms,
    async stop() {
      await stopPrograms()
      await admin.end()
      await cluster.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function makeBusinesses(urls: DatabaseUrls, count: number): Promise<Business[]> {
  const opened = await openDatabase(urls, { reach: { encryptionKey: randomBytes(32) } })
  try {
    const made: Business[] = []
    for (let n = 0; n < count; n++) {
      const { live, liveToken } = await opened.database.asSystem({ name: 'bench' }, (tx) =>
        onboard(tx, { name: `Business ${n}`, credits: CREDITS }),
      )
      made.push({ realmId: live.id, token: liveToken })
    }
    await opened.database.asSystem({ name: 'bench' }, (tx) =>
      tx.run({ name: 'bench_limits', text: 'update realms set rate_limit_per_minute = 2000000000', values: [] }),
    )
    return made
  } finally {
    await opened.close()
  }
}

/** Runs the load generator in its own process. @throws Error if a request was refused */
export async function load(order: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./http-load.ts', import.meta.url)))
  child.send(order)
  const [result] = (await once(child, 'message')) as [LoadResult]
  if (result.failures > 0)
    throw new Error(`${result.failures} requests were refused, the first with: ${result.refusal}`)
  return result
}
