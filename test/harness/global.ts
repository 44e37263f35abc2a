import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { prepareDatabase } from '../../src/app.ts'
import { randomBase62 } from '../../src/domain/ids.ts'
import { type DatabaseUrls, databaseUrls } from '../../src/platform/database/connect.ts'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { createLogger } from '../../src/platform/log.ts'
import { databaseOf, withDatabase } from './urls.ts'

declare module 'vitest' {
  interface ProvidedContext {
    template: DatabaseUrls
  }
}

interface Server {
  urls: DatabaseUrls
  stop(): Promise<void>
}

/** One migrated database per run; every test file works on a clone of it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await openServer()
  const admin = new Client({ connectionString: server.urls.owner })
  await admin.connect()
  const name = `kitlane_test_${randomBase62(8).toLowerCase()}`
  await admin.query(`create database ${name}`)
  const template = withDatabase(server.urls, name)
  await prepareDatabase(template, createLogger({ level: 'warn' }))
  project.provide('template', template)
  return async () => {
    // A server of the run's own goes with all that is in it, and its owner may not end what a superuser does there.
    if (process.env.TEST_DATABASE_URL) {
      const { rows } = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
        `${databaseOf(template)}%`,
      ])
      for (const { datname } of rows) await admin.query(`drop database ${datname} with (force)`)
    }
    await admin.end()
    await server.stop()
  }
}

/** The server of TEST_DATABASE_URL (a login that may create databases and roles), else an embedded one of the run's own. */
async function openServer(): Promise<Server> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { urls: databaseUrls(url), stop: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'kitlane-test-'))
  // An interrupted runner exits without tearing down: what is left is ended on its way out.
  const leave = () => endNow(dataDir)
  process.once('exit', leave)
  const cluster = await openEmbedded({ dataDir })
  return {
    urls: { owner: cluster.ownerUrl, app: cluster.appUrl, direct: cluster.appUrl },
    async stop() {
      await cluster.stop()
      await rm(dataDir, { recursive: true })
      process.off('exit', leave)
    },
  }
}

/** Nothing can be awaited while a process exits. SIGQUIT ends PostgreSQL at once: its data goes, too. */
function endNow(dataDir: string): void {
  for (const until = performance.now() + 5000; performance.now() < until; ) {
    const pid = postmasterOf(dataDir)
    if (pid === undefined || !signal(pid, 'SIGQUIT')) break
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
}

function postmasterOf(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    // It does not run, or not yet.
    return undefined
  }
}

/** False when there is no such process. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
