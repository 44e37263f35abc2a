import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BUSY } from '../../src/platform/http/load-shedder.ts'
import { runKitlane } from '../harness/kitlane.ts'

const launcher = fileURLToPath(new URL('../../bin/kitlane.js', import.meta.url))
// As systemd does it: the socket stays open as descriptor 3 while one process after the other listens on it.
const SUPERVISOR = `for turn in 1 2; do sh -c 'echo "pid $$"; LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"' sh "$@"; done`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kitlane-socket-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('requests wait while a service restarts whose port systemd holds: none is refused', async () => {
  const data = join(folder, 'data')
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const url = `http://127.0.0.1:${(holder.address() as AddressInfo).port}`
  const supervisor = spawn('sh', ['-c', SUPERVISOR, 'sh', process.execPath, launcher, 'start', '--data', data], {
    cwd: folder,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit', descriptorOf(holder)],
    detached: true,
  })
  const ended = once(supervisor, 'close')
  onTestFinished(async () => {
    // The group: the shell and what it runs.
    if (supervisor.pid && supervisor.exitCode === null) process.kill(-supervisor.pid, 'SIGTERM')
    await ended
  })
  holder.close()
  let said = ''
  supervisor.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const pids = () => [...said.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid))
  const starts = () => said.split(`Kitlane is ready on ${url}\n`).length - 1
  await expect.poll(starts).toBe(1)
  const created = await runKitlane(['business', 'create', '--name', 'Acme', '--json', '--data', data], {}, folder)
  const { liveToken } = JSON.parse(created.stdout)

  const seen = new Map<string, number>()
  let over = false
  const call = async (agent: Agent) => {
    const what = await status(agent, `${url}/api/v1/orders`, liveToken)
    seen.set(what, (seen.get(what) ?? 0) + 1)
  }
  const keptAlive = new Agent({ keepAlive: true, maxSockets: 4 })
  const agents = [keptAlive, keptAlive, keptAlive, keptAlive, new Agent(), new Agent(), new Agent(), new Agent()]
  const callers = agents.map(async (agent) => {
    while (!over) await call(agent)
  })
  await expect.poll(() => seen.get('200') ?? 0).toBeGreaterThan(50)
  process.kill(pids()[0] ?? 0, 'SIGTERM')
  await expect.poll(starts).toBe(2)
  const before = seen.get('200') ?? 0
  await expect.poll(() => seen.get('200') ?? 0).toBeGreaterThan(before + 50)
  over = true
  await Promise.all(callers)
  keptAlive.destroy()
  // A loop that stands still for a second refuses, restarted or not.
  seen.delete(BUSY.message)
  const refused = [...seen.keys()].filter((what) => what !== '200' && !(what === AWAY && isSlow(said)))
  expect(refused, said).toEqual([])
})

const AWAY = 'The database cannot be reached or takes no changes now, try again in a moment'

/** What `pg` and its pool say when a connection takes longer than two seconds. */
const OF_A_SLOW_CONNECTION = [
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]

/** Whether all that failed waited in vain for a connection, or behind one that did, as where a statement takes three seconds. */
function isSlow(said: string): boolean {
  const failed = said.split('\n').filter((line) => line.includes('request failed'))
  const isOfLimit = (line: string) => [BUSY.message, ...OF_A_SLOW_CONNECTION].some((words) => line.includes(words))
  return failed.length > 0 && failed.every(isOfLimit)
}

/** Node has no public name for it. */
const descriptorOf = (server: Server) => (server as unknown as { _handle: { fd: number } })._handle.fd

/** The status of the answer, or the message of an error, or the code of the error of the connection. */
function status(agent: Agent, url: string, token: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = get(url, { agent, headers: { authorization: `Token ${token}` } }, async (response) => {
      const body = JSON.parse(await text(response))
      resolve(body.message ?? String(response.statusCode))
    })
    sent.on('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? err.message))
  })
}
