import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inputs, type Sent, type Tokens } from './stall/inputs.ts'

// Measures how the most expensive inputs of one caller affect the others: the longest stall of the event loop, and the
// slowest answer to a neighbour that sends 20 requests per second. `--service <checkout>` measures another checkout.
const given = process.argv.indexOf('--service')
const checkout = resolve(given > 0 ? (process.argv[given + 1] ?? '.') : '.')
const only = process.env.ONLY ?? ''
const launcher = join(checkout, 'bin/kitlane.js')
const run = promisify(execFile)

const data = await mkdtemp(join(tmpdir(), 'kitlane-stall-'))
const env = { PATH: process.env.PATH, HOME: process.env.HOME }
const service = spawn(process.execPath, [launcher, 'start', '--demo', '--port', '0', '--data', data], {
  cwd: data,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = new Promise((resolve) => service.once('exit', resolve))
try {
  const url = await readyUrl(service)
  const demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
  const made = await run(
    process.execPath,
    [launcher, 'operator-token', 'create', '--name', 'bench', '--scopes', 'lab,fulfilment', '--data', data, '--json'],
    { cwd: data, env },
  )
  const tokens: Tokens = { business: demo.sandboxToken, operator: JSON.parse(made.stdout).token }
  const rows: string[][] = []
  for (const input of await inputs(url, tokens)) {
    if (!input.name.includes(only)) continue
    await stallOf(url, tokens, () => delay(1500))
    const { lagMs, slowestMs, status, tookMs } = await stallOf(url, tokens, () => send(url, input))
    rows.push([input.name, status, `${lagMs} ms`, `${slowestMs} ms`, `${tookMs} ms`])
    console.error(rows.at(-1)?.join(' | '))
  }
  const head = ['input', 'answer', 'longest stall', 'slowest neighbour', 'the input itself']
  for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)
} finally {
  service.kill('SIGTERM')
  await ended
  await rm(data, { recursive: true })
}

async function readyUrl({ stdout }: ChildProcess): Promise<string> {
  let output = ''
  for await (const chunk of stdout ?? []) {
    output += chunk
    const [, url] = /Kitlane is ready on (\S+)/.exec(output) ?? []
    if (url) {
      stdout?.resume()
      return url
    }
  }
  throw new Error('the service did not start')
}

async function send(url: string, { path, type, token, body }: Sent): Promise<string> {
  const headers = { authorization: `Token ${token}`, 'content-type': type }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  const [, code = ''] = /"code":"([A-Z_]+)"/.exec(text) ?? []
  return `${response.status} ${code}`
}

async function stallOf(url: string, { business }: Tokens, work: () => Promise<unknown>) {
  await lag(url)
  let over = false
  let slowestMs = 0
  const neighbour = (async () => {
    while (!over) {
      const since = performance.now()
      const response = await fetch(`${url}/api/v1/credits`, { headers: { authorization: `Token ${business}` } })
      await response.text()
      slowestMs = Math.max(slowestMs, Math.round(performance.now() - since))
      await delay(50)
    }
  })()
  const since = performance.now()
  const status = String(await work().catch((err: Error) => err.message))
  const tookMs = Math.round(performance.now() - since)
  over = true
  await neighbour
  return { lagMs: await lag(url), slowestMs, status, tookMs }
}

/** The longest event loop delay since the last call, as the service measures it. */
async function lag(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Math.round(Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1]) * 1000)
}
