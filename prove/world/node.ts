import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DatabaseProxy, databaseProxy } from '../../test/harness/database-proxy.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { type Running, spawnKitlane } from '../../test/harness/kitlane.ts'

/** One process of the service, supervised: it is started again whenever it ends. */
export interface WorldNode {
  role: 'api' | 'worker'
  url: string
  /** What lies between this node and the database. */
  proxy: DatabaseProxy
  kill(): Promise<void>
  /** Stops it as a rolling upgrade does, and starts it again. */
  roll(): Promise<void>
  /** Shifts its clock by so many seconds. */
  setClock(seconds: number): void
  untilReady(): Promise<void>
  /** What it has printed over all its lives. */
  printed(): string
  /** Ends that nobody asked for, with their exit codes. */
  crashes: string[]
  stop(): Promise<void>
}

const READY_MS = 60_000
// A start that finds nothing at its first look says so and ends: its supervisor tries again.
const MET_NO_DATABASE = /^The database cannot be used: /m
// Preloaded. The offset is read at most every 20 ms.
const SHIFTED_CLOCK = `
import { readFileSync } from 'node:fs'
const RealDate = Date
let offset = 0, readAt = -1000
const shift = () => {
  const now = performance.now()
  if (now - readAt > 20) { readAt = now; offset = Number(readFileSync(process.env.WORLD_CLOCK, 'utf8') || 0) * 1000 }
  return offset
}
globalThis.Date = class extends RealDate {
  constructor(...given) { if (given.length === 0) super(RealDate.now() + shift()); else super(...given) }
  static now() { return RealDate.now() + shift() }
}
`

// Timers go by the monotonic clock, which nobody sets. The file is read again after a second.
const FAKETIME = { FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }

export async function startNode(
  role: 'api' | 'worker',
  given: {
    databaseUrl: string
    env: Record<string, string>
    folder: string
    checkout: string
    /** The path of libfaketime, which then shifts the clock of the whole process instead of `Date`. */
    faketime?: string
  },
): Promise<WorldNode> {
  const port = await freePort()
  const proxy = await databaseProxy(given.databaseUrl)
  const own = join(given.folder, randomBytes(4).toString('hex'))
  const clock = `${own}.clock`
  writeFileSync(clock, '+0')
  writeFileSync(`${own}.mjs`, SHIFTED_CLOCK)
  const env = {
    ...given.env,
    DATABASE_URL: proxy.url(given.databaseUrl),
    ...(given.faketime
      ? { ...FAKETIME, LD_PRELOAD: given.faketime, FAKETIME_TIMESTAMP_FILE: clock }
      : { NODE_OPTIONS: `--import=${own}.mjs`, WORLD_CLOCK: clock }),
  }
  const args = ['start', '--role', role, '--port', String(port), '--data', join(given.folder, 'data')]
  const launcher = join(given.checkout, 'bin', 'kitlane.js')
  const lives: Running[] = []
  const crashes: string[] = []
  let isOver = false
  let requested: Running | undefined
  let wake = () => {}

  async function supervise(): Promise<void> {
    while (!isOver) {
      const life = spawnKitlane(args, env, given.folder, { launcher })
      lives.push(life)
      wake()
      const { code, stderr } = await life.ended
      if (requested !== life) {
        if (!MET_NO_DATABASE.test(stderr)) crashes.push(`${role} ended with ${code}: ${stderr.slice(-500)}`)
        await delay(500)
      } else if (code !== null && code !== 0)
        crashes.push(`${role} was asked to stop and ended with ${code}: ${stderr.slice(-500)}`)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const life = lives.at(-1)
    if (!life) return
    requested = life
    const next = new Promise<void>((resolve) => {
      wake = resolve
    })
    life.child.kill(signal)
    await life.ended
    if (!isOver) await next
  }

  const loop = supervise()
  return {
    role,
    url: `http://127.0.0.1:${port}`,
    proxy,
    crashes,
    kill: () => end('SIGKILL'),
    roll: () => end('SIGTERM'),
    setClock: (seconds) => writeFileSync(clock, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`),
    async untilReady() {
      for (const deadline = performance.now() + READY_MS; ; await delay(50)) {
        const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
        if (answer?.status === 200) return
        if (performance.now() > deadline)
          throw new Error(`${role} is not ready:\n${await answer?.text()}\n${lives.at(-1)?.stderr()}`)
      }
    },
    printed: () => lives.map((life) => life.stdout() + life.stderr()).join(''),
    async stop() {
      isOver = true
      await end('SIGTERM')
      await loop
      await proxy.close()
    },
  }
}
