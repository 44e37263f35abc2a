import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { type Caller, caller } from '../../test/harness/caller.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { type Running, runKitlane, spawnKitlane } from '../../test/harness/kitlane.ts'
import { external } from '../crash/store.ts'

/** The API and a worker in separate processes. Webhooks to loopback are allowed. */
export interface Subject {
  /** Which server runs the database, for the report. */
  database: string
  /** Creates a business with credits and returns its live caller. */
  business(credits: number): Promise<Caller>
  /** Connects as a superuser, without row-level security. */
  connect(): Promise<Client>
  /** Kills the worker with SIGKILL and restarts it at once. Resolves when the new one is ready. */
  killWorker(): Promise<void>
  workerPid(): number
  stop(): Promise<void>
}

// No measure of speed: what hangs ends, a busy machine takes its time.
const READY_MS = 240_000
const NAME = 'Proof'

/** Starts on the server of `databaseUrl`, or on a new embedded PostgreSQL. */
export async function startSubject(databaseUrl?: string, workerEnv: Record<string, string> = {}): Promise<Subject> {
  const home = await mkdtemp(join(tmpdir(), 'kitlane-prove-'))
  const cluster = databaseUrl ? undefined : await openEmbedded({ dataDir: home })
  const store = await external(databaseUrl ?? cluster?.superUrl ?? '')
  const [apiPort, workerPort] = [await freePort(), await freePort()]
  const key = randomBytes(32).toString('base64')
  const env = { LOG_LEVEL: 'error', ALLOW_LOOPBACK_WEBHOOKS: '1', ENCRYPTION_KEY: key, ...store.env }
  const api = spawnKitlane(['start', '--role', 'api', '--port', String(apiPort), ...store.args], env, store.folder)
  let worker: Running
  const startWorker = async () => {
    const args = ['start', '--role', 'worker', '--port', String(workerPort), ...store.args]
    worker = spawnKitlane(args, { ...env, ...workerEnv }, store.folder)
    await untilReady(workerPort, worker)
  }
  await startWorker()
  // The API becomes ready only when a worker runs.
  await untilReady(apiPort, api)
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runKitlane([...args, ...store.args], env, store.folder)
    if (code !== 0) throw new Error(stderr)
    return stdout
  }
  return {
    database: databaseUrl ? 'the server of TEST_DATABASE_URL' : 'embedded PostgreSQL',
    async business(credits) {
      const made = await command('business', 'create', '--name', NAME, '--credits', String(credits), '--json')
      await command('business', 'set', '--business', NAME, 'rateLimitPerMinute=1000000')
      return caller(`http://127.0.0.1:${apiPort}`, JSON.parse(made).liveToken)
    },
    connect: store.connect,
    async killWorker() {
      worker.child.kill('SIGKILL')
      await worker.ended
      await startWorker()
    },
    workerPid: () => worker.child.pid ?? 0,
    async stop() {
      for (const { child } of [worker, api]) child.kill('SIGTERM')
      await Promise.all([worker.ended, api.ended])
      await store.remove()
      await cluster?.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function untilReady(port: number, { stderr, child }: Running): Promise<void> {
  for (const deadline = performance.now() + READY_MS; ; await delay(20)) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > deadline || child.exitCode !== null) throw new Error(`not ready:\n${stderr()}`)
  }
}
