// `npm run dev -- [--port n] [--data folder]`: the service, started anew when its sources change, and the dashboard
// with hot reload in front of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'
import { isLoadedAhead } from './loaded-ahead.ts'

const WATCHED = ['client/src', 'display', 'migrations', 'packages/lab-reader/src', 'src']
// What editors write beside a file has another name.
const SOURCE = /(^|\/)[^./][^/]*\.(css|js|json|sql|ts)$/
// Several files are saved together.
const SETTLE_MS = 30

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, data: { type: 'string', default: './data' } },
})
const { port, data } = values
const root = join(import.meta.dirname, '../..')

// For the proxy in web/vite.config.ts alone: the service knows no such setting.
const { env } = process
process.env = { ...env, KITLANE_URL: `http://127.0.0.1:${port}` }
const dashboard = await createServer({ root: join(root, 'web') })
await dashboard.listen()

let changed = Promise.withResolvers<'changed'>()
/** Whether `next` has loaded what a file was before. */
let isNextOld = false
for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_, path) => {
    if (!path || !SOURCE.test(path)) return
    isNextOld ||= isLoadedAhead(`${folder}/${path}`)
    changed.resolve('changed')
  })

const stopped = Promise.withResolvers<'stopped'>()
let service = load()
let next: ChildProcess | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    service.kill('SIGTERM')
    stopped.resolve('stopped')
  })
console.log(`The dashboard, with hot reload, is at ${dashboard.resolvedUrls?.local[0]}`)

for (let wasReady = false; ; service = next ?? load(), next = undefined) {
  changed = Promise.withResolvers()
  const ended = once(service, 'exit')
  const ready = untilReady(service).then(() => {
    next ??= load()
  })
  // It may have ended already.
  service.send('start', () => {})
  // One that is killed while it makes its database leaves half of one.
  if (!wasReady) wasReady = await Promise.race([ready.then(() => true), ended.then(() => false)])
  if ((await Promise.race([stopped.promise, changed.promise])) === 'stopped') {
    await ended
    break
  }
  await delay(SETTLE_MS)
  // PostgreSQL stays, and the next process takes it over.
  service.kill('SIGKILL')
  await ended
  if (isNextOld) {
    next?.kill('SIGKILL')
    next = undefined
  }
  isNextOld = false
}
next?.kill()
await dashboard.close()
process.exit()

/** A process that has loaded what seldom changes and waits. */
function load(): ChildProcess {
  const program = join(import.meta.dirname, 'dev-service.ts')
  const started = spawn(process.execPath, [program, 'start', '--demo', '--port', port, '--data', data], {
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...env },
    // A group of its own: Ctrl-C in the terminal reaches it once, through us.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  started.stdout?.pipe(process.stdout, { end: false })
  return started
}

function untilReady({ stdout }: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  stdout?.on('data', (chunk: Buffer) => {
    if (chunk.includes('Kitlane is ready')) resolve()
  })
  return promise
}
