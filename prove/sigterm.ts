// Proves that a stop drops nothing: npm run prove:sigterm -- [--stops n] [--seed n]
// 50 connections that stay open place orders while the service gets SIGTERM, again and again. --inject-fault closes the
// connections at once, which must be found.
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { databaseName } from '../src/platform/database/embedded/credentials.ts'
import { caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, runKitlane, spawnKitlane } from '../test/harness/kitlane.ts'
import { httpReceiver } from '../test/harness/receivers.ts'
import { checkoutWith } from './broken-checkout.ts'
import { randomOf } from './random.ts'
import { type Figure, record, report } from './record.ts'
import { type Clients, startClients } from './sigterm/client.ts'

const CONNECTIONS = 50
const EXIT_WITHIN_S = 10
const HARD_KILL_MS = 60_000
const DRAINED_MS = 120_000

const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '20' },
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const stops = Number(values.stops)
const seed = Number(values.seed)
const random = randomOf(seed)
console.log(`seed ${seed}, ${CONNECTIONS} connections, ${stops} stops`)

interface Stop {
  seconds: number
  code: number | null
  underWay: number
  /** What the process left behind. */
  leases: number
  jobs: number
}

const undo: (() => Promise<unknown>)[] = []
try {
  const broken = values['inject-fault']
    ? await checkoutWith({
        file: 'src/service/app.ts',
        from: 'drain.empty({ lingerMs: atOnce ? 0 : LINGER_MS, timeoutMs: REQUESTS_STOP_MS, keepsPort: socketFd !== undefined }),',
        to: 'app.server.closeAllConnections(),',
      })
    : undefined
  if (broken) undo.push(broken.remove)
  const launcher = join(broken?.folder ?? join(import.meta.dirname, '..'), 'bin/kitlane.js')
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-sigterm-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const cluster = await openEmbedded({ dataDir: join(folder, 'database') })
  undo.push(() => cluster.stop())
  // Slow enough that webhooks are under way at each stop.
  const receiver = await httpReceiver((request, response) =>
    request.resume().on('end', () => setTimeout(() => response.end('ok'), random.between(50, 1500))),
  )
  undo.push(receiver.stop)
  const env = {
    DATABASE_URL: cluster.ownerUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  }
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  let service: Running | undefined
  const start = async () => {
    service = spawnKitlane(['start', '--port', port], env, folder, { launcher })
    await service.until(/Kitlane is ready on/)
    return service
  }
  undo.push(async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
  })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runKitlane(args, env, folder, { launcher })
    if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
  await start()
  const made = await run('business', 'create', '--name', 'Load', '--credits', '1000000', '--json')
  await run('business', 'set', '--business', 'Load', 'rateLimitPerMinute=1000000')
  const { liveToken } = JSON.parse(made)
  const endpoint = { url: `http://127.0.0.1:${receiver.port}/hook`, events: ['order.created'] }
  const { status, text } = await caller(url, liveToken).post('/webhooks', endpoint)
  if (status !== 201) throw new Error(text)
  const db = new Client({ connectionString: cluster.superUrl.replace(/\/postgres$/, `/${databaseName}`) })
  await db.connect()
  undo.push(() => db.end())
  const number = async (query: string): Promise<number> => Number((await db.query(query)).rows[0].n)

  const clients = startClients(url, liveToken, CONNECTIONS, random)
  const ends: Stop[] = []
  for (let n = 1; n <= stops; n++) {
    await delay(random.between(500, 3000))
    const { child, ended } = service ?? (await start())
    const underWay = clients.underWay()
    const since = performance.now()
    clients.stopping()
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), HARD_KILL_MS)
    const { code } = await ended
    clearTimeout(late)
    const end: Stop = {
      seconds: (performance.now() - since) / 1000,
      code,
      underWay,
      leases: await number('select count(*) n from webhook_deliveries where lease is not null'),
      jobs: await number(`select count(*) n from pgboss.job where state = 'active'`),
    }
    ends.push(end)
    console.log(
      `stop ${n}: ${underWay} requests under way, exit ${code} after ${end.seconds.toFixed(1)} s; left ${end.leases} leases, ${end.jobs} jobs`,
    )
    await start()
    clients.running()
  }
  await delay(1000)
  await clients.stop()
  for (const deadline = performance.now() + DRAINED_MS; performance.now() < deadline; await delay(200))
    if ((await number(`select count(*) n from bulk_jobs where status in ('queued', 'processing')`)) === 0) break
  const figures = await figuresOf(clients, ends, db)
  for (const command of ['verify-ledger', 'verify-audit']) {
    const { code } = await runKitlane([command], env, folder, { launcher })
    figures.push({ name: `exit code of kitlane ${command}`, actual: code ?? -1, expected: 0 })
  }
  console.log(`outcomes: ${JSON.stringify(Object.fromEntries(clients.outcomes))}`)
  report(figures)
  if (values.record)
    record('sigterm', { promises: ['R20'], seed, figures, mistake: broken && 'connections closed at once' })
} finally {
  for (const step of undo.reverse()) await step()
}

async function figuresOf(clients: Clients, ends: readonly Stop[], db: Client): Promise<Figure[]> {
  const zero = (name: string, actual: number): Figure => ({ name, actual, expected: 0 })
  const total = (isCounted: (what: string) => boolean) =>
    [...clients.outcomes].reduce((sum, [what, times]) => sum + (isCounted(what) ? times : 0), 0)
  const { rows } = await db.query<{ key: string; id: string }>('select external_id as key, id from orders')
  const known = new Map(rows.map(({ key, id }) => [key, id]))
  const single = rows.filter(({ key }) => !/-\d+-/.test(key)).length
  return [
    zero(
      'requests reset, answered with 5xx or refused after they were accepted',
      total((what) => what.startsWith('BAD')),
    ),
    {
      name: 'slowest exit',
      actual: Number(Math.max(...ends.map(({ seconds }) => seconds)).toFixed(1)),
      expected: EXIT_WITHIN_S,
      atMost: true,
      unit: 's',
    },
    zero('exits with another code than 0', ends.filter(({ code }) => code !== 0).length),
    zero(
      'leases and jobs that a process left behind',
      ends.reduce((sum, { leases, jobs }) => sum + leases + jobs, 0),
    ),
    {
      name: 'new connections reset, because nobody had accepted them when the port closed',
      actual: total((what) => what === 'new connection reset'),
      expected: ends.length,
      atMost: true,
    },
    { name: 'connections that were closed in order', actual: clients.closed, expected: ends.length, atLeast: true },
    {
      name: 'requests under way at the signals',
      actual: ends.reduce((sum, { underWay }) => sum + underWay, 0),
      expected: ends.length,
      atLeast: true,
    },
    zero('acknowledged orders that are lost', [...clients.placed].filter(([key, id]) => known.get(key) !== id).length),
    zero('orders that nobody was told of, or twice', single - clients.placed.size),
    zero('bulk rows without an order, or with two', rows.length - single - clients.bulkRows),
    { name: 'orders', actual: clients.placed.size },
    { name: 'answers', actual: total((what) => /^\d/.test(what)) },
  ]
}
