// `npm run dev -- [--port n] [--data folder]`: the service, started anew when its sources change, and the dashboard
// with hot reload in front of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createServer } from 'vite'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, data: { type: 'string', default: './data' } },
})
const { port, data } = values

// For the proxy in web/vite.config.ts alone: the service knows no such setting.
const { env } = process
process.env = { ...env, KITLANE_URL: `http://127.0.0.1:${port}` }
const dashboard = await createServer({ root: join(import.meta.dirname, '..') })
await dashboard.listen()

const main = join(import.meta.dirname, '../../src/cli/main.ts')
const service = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', main, 'start', '--demo', '--port', port, '--data', data],
  // A group of its own: Ctrl-C in the terminal reaches it once, through us.
  { env, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
)
const ended = once(service, 'exit')
console.log(`The dashboard, with hot reload, is at ${dashboard.resolvedUrls?.local[0]}`)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => service.kill('SIGTERM'))
await ended
await dashboard.close()
