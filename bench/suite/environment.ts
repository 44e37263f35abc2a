// Everything that the benchmark starts: a PostgreSQL in a temporary folder, databases and processes, all on loopback.
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { databaseName, roles } from '../../src/platform/database/embedded/credentials.ts'
import { prepareDatabase } from '../../src/service/app.ts'
import { openDatabase } from '../../src/service/open.ts'
import { usualSettings } from '../../src/settings.ts'
import { withDatabase } from '../../test/harness/urls.ts'
import { openBenchCluster, type PostgresVersion } from './cluster.ts'
import type { Load, LoadResult } from './http-load.ts'
import type { StartMessage } from './service.ts'

export interface Business {
  realmId: number
  token: string
}

export interface Environment {
  /** The process ID of the database server. */
  pid(): number
  /** For a superuser, on the whole server. */
  superUrl: string
  /** Of every service that this starts. */
  encryptionKey: Buffer
  /**
   * Creates a database with the migrated schema and businesses whose credits never run out. `fresh`: migrated now, not
   * copied from one that autovacuum may have seen.
   */
  database(
    name: string,
    businesses: number,
    options?: { fresh?: boolean },
  ): Promise<{ urls: DatabaseUrls; superUrl: string; businesses: Business[] }>
  /** Creates a database without any table. Returns its URL for a superuser. */
  emptyDatabase(name: string): Promise<string>
  service(urls: DatabaseUrls, options?: ServiceOptions): Promise<Running>
  /** Starts another program that answers over HTTP. */
  program(file: string, message: unknown): Promise<Running>
  /** Stops the programs that a failed part left running. */
  stopPrograms(): Promise<void>
  /** Also when the process is interrupted. */
  stop(): Promise<void>
}

interface ServiceOptions {
  groupCommit?: boolean
  /** Default: all. */
  role?: 'all' | 'api'
  nodeArgs?: string[]
}

export interface Running {
  port: number
  pid: number
  stop(): Promise<void>
}

const CREDITS = 1_000_000_000
// A database accepts only the key that it was first opened with.
const encryptionKey = randomBytes(32)

/** `checkout`: whose service is started, if not of this one. */
export async function openEnvironment({
  postgres = '18',
  checkout,
}: {
  postgres?: PostgresVersion
  checkout?: string | undefined
} = {}): Promise<Environment> {
  const cluster = await openBenchCluster(postgres)
  const base = cluster.urls
  const running = new Set<Running>()
  await prepareDatabase(base)
  const admin = new Client({ connectionString: cluster.superUrl })
  await admin.connect()

  async function program(file: string, message: unknown, nodeArgs: string[] = []): Promise<Running> {
    const path = checkout ? join(checkout, 'bench/suite', file) : fileURLToPath(new URL(file, import.meta.url))
    const child = fork(path, { execArgv: [...process.execArgv, ...nodeArgs] })
    child.send(message as object)
    const [port] = await answerOf<number>(child, file)
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

  const superUrlOf = (name: string) => Object.assign(new URL(cluster.superUrl), { pathname: `/${name}` }).href
  const stopPrograms = async () => void (await Promise.all([...running].map((one) => one.stop())))

  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopPrograms().then(async () => {
      await admin.end()
      await cluster.stop()
    })
    return stopping
  }
  // Nothing that the bench started is left behind when it is interrupted. `timeout` sends its signal twice.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stop().finally(() => process.exit(1)))

  return {
    pid: cluster.pid,
    superUrl: cluster.superUrl,
    encryptionKey,
    async database(name, count, { fresh = false } = {}) {
      const template = fresh ? 'template1' : databaseName
      await admin.query(`create database ${name} template ${template} owner ${roles.owner}`)
      const urls = withDatabase(base, name)
      if (fresh) await prepareDatabase(urls)
      return { urls, superUrl: superUrlOf(name), businesses: await makeBusinesses(urls, count) }
    },
    async emptyDatabase(name) {
      await admin.query(`create database ${name}`)
      return superUrlOf(name)
    },
    service: (urls, { groupCommit = true, role = 'all', nodeArgs } = {}) =>
      program(
        './service.ts',
        { urls, groupCommit, role, encryptionKey: encryptionKey.toString('base64') } satisfies StartMessage,
        nodeArgs,
      ),
    program,
    stopPrograms,
    stop,
  }
}

function answerOf<T>(child: ChildProcess, name: string): Promise<[T]> {
  const left = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)))
  return Promise.race([once(child, 'message') as Promise<[T]>, left])
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function makeBusinesses(urls: DatabaseUrls, count: number): Promise<Business[]> {
  const opened = await openDatabase(urls, { settings: usualSettings({ encryptionKey }) })
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

/** Runs the load generator in its own process. @throws Error if a request was refused, unless `refusals` are expected */
export async function load(order: Load, { refusals = false } = {}): Promise<LoadResult> {
  const child = fork(fileURLToPath(new URL('./http-load.ts', import.meta.url)))
  child.send(order)
  const [result] = await answerOf<LoadResult>(child, 'the load generator')
  if (result.failures > 0 && !refusals)
    throw new Error(`${result.failures} requests were refused, the first with: ${result.refusal}`)
  return result
}
