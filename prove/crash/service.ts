import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { freePort } from '../../test/harness/free-port.ts'
import { type Outcome, type Running, runKitlane, spawnKitlane } from '../../test/harness/kitlane.ts'
import { embedded, external, type Store } from './store.ts'

/** The real service, restarted whenever it dies, as a supervisor does. */
export interface Subject {
  url: string
  roles: string[]
  /** SIGKILL to one process, or to all of them. */
  kill(role: string | 'all'): void
  /** Kills the embedded database server. On an external server it terminates all connections. */
  killDatabase(): Promise<void>
  untilReady(deadlineMs: number): Promise<void>
  /** Connects as a superuser, without row-level security. */
  connect(): Promise<Client>
  command(...args: string[]): Promise<Outcome>
  masterKey: Buffer
  /** The process id of a role. */
  pid(role: string): number
  stop(): Promise<void>
}

/** `env`: more settings. `checkout`: whose service it is, if not of this one. `folder`: its data folder, on an external server. */
export async function startSubject(
  databaseUrl?: string,
  given: { env?: Record<string, string>; checkout?: string; folder?: string } = {},
): Promise<Subject> {
  const store: Store = databaseUrl ? await external(databaseUrl, given.folder) : await embedded()
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const masterKey = randomBytes(32)
  const env = { LOG_LEVEL: 'error', ENCRYPTION_KEY: masterKey.toString('base64'), ...store.env, ...given.env }
  const launcher = given.checkout && join(given.checkout, 'bin', 'kitlane.js')
  // Only one process can hold an embedded data folder. On an external server each role has its own process.
  const roles = databaseUrl ? ['api', 'worker'] : ['all']
  const running = new Map<string, Running>()
  let stopping = false
  let starts = 0

  async function superviseRole(role: string): Promise<void> {
    while (!stopping) {
      const args = ['start', '--role', role, '--port', role === 'worker' ? '0' : port, ...store.args]
      const process = spawnKitlane(args, env, store.folder, { launcher })
      running.set(role, process)
      starts++
      const { code, stderr } = await process.ended
      if (stopping) return
      // Restart at once after a kill. Wait if it could not start.
      if (code !== null) {
        if (starts < 4) throw new Error(`kitlane start exited with ${code}:\n${stderr}`)
        await delay(500)
      }
    }
  }

  async function isReady(): Promise<boolean> {
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    return answer?.status === 200
  }

  const loops = roles.map(superviseRole)
  return {
    url,
    roles,
    masterKey,
    pid: (role) => running.get(role)?.child.pid ?? 0,
    kill(role) {
      for (const name of role === 'all' ? roles : [role]) running.get(name)?.child.kill('SIGKILL')
    },
    killDatabase: store.kill,
    async untilReady(deadlineMs) {
      for (const deadline = performance.now() + deadlineMs; !(await isReady()); await delay(25)) {
        if (performance.now() > deadline) throw new Error(`the service is not ready again after ${deadlineMs} ms`)
      }
    },
    connect: store.connect,
    command: (...args) => runKitlane([...args, ...store.args], env, store.folder, { launcher }),
    async stop() {
      stopping = true
      for (const { child } of running.values()) child.kill('SIGTERM')
      await Promise.all(loops)
      await store.remove()
    },
  }
}
