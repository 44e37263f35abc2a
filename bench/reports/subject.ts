import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { external } from '../../prove/crash/store.ts'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { runKitlane, spawnKitlane } from '../../test/harness/kitlane.ts'

/** The service in its own process, with one business. */
export interface Subject {
  database: string
  origin: string
  business: string
  token: string
  /** Base64. */
  encryptionKey: string
  /** A superuser's connection, without row-level security. */
  db: Client
  stop(): Promise<void>
}

const NAME = 'Measured'

/** Starts on the server of `databaseUrl`, or on a new embedded PostgreSQL. */
export async function startSubject(databaseUrl?: string): Promise<Subject> {
  const home = await mkdtemp(join(tmpdir(), 'kitlane-bench-'))
  const cluster = databaseUrl ? undefined : await openEmbedded({ dataDir: home })
  const store = await external(databaseUrl ?? cluster?.superUrl ?? '')
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const encryptionKey = randomBytes(32).toString('base64')
  const env = { LOG_LEVEL: 'error', ENCRYPTION_KEY: encryptionKey, ...store.env }
  const service = spawnKitlane(['start', '--port', String(port), ...store.args], env, store.folder)
  for (const deadline = performance.now() + 60_000; ; await delay(50)) {
    const answer = await fetch(`${origin}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) break
    if (performance.now() > deadline || service.child.exitCode !== null) throw new Error(service.stderr())
  }
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await runKitlane([...args, ...store.args], env, store.folder)
    if (code !== 0) throw new Error(stderr)
    return stdout
  }
  const made = JSON.parse(await command('business', 'create', '--name', NAME, '--json'))
  await command('business', 'set', '--business', NAME, 'rateLimitPerMinute=1000000')
  const db = await store.connect()
  return {
    database: databaseUrl ? 'the server of TEST_DATABASE_URL' : 'embedded PostgreSQL',
    origin,
    business: NAME,
    token: made.liveToken,
    encryptionKey,
    db,
    async stop() {
      await db.end()
      service.child.kill('SIGTERM')
      await service.ended
      await store.remove()
      await cluster?.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
