import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { type Caller, caller } from '../../test/harness/caller.ts'
import { runKitlane } from '../../test/harness/kitlane.ts'
import { aRow, CORE } from '../../test/harness/orders.ts'
import { cookieOf } from '../../test/harness/people.ts'
import { external } from '../crash/store.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { startNode, type WorldNode } from '../world/node.ts'
import { type WatchfulReceiver, watchfulReceiver } from './receiver.ts'

export interface Plan {
  seed: number
  jobs: number
  faketime: string
  checkout: string
  say(line: string): void
}

const HOUR_S = 3600
const JUMPS_S = [-2 * HOUR_S, 25 * HOUR_S, 72 * HOUR_S]
const WITHIN_MS = 300_000
/** The first pause of a delivery that failed. */
const RETRY_MS = 5000

export async function run(plan: Plan): Promise<Figure[]> {
  const random = randomOf(plan.seed)
  const undo: (() => Promise<unknown>)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'kitlane-clocks-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    await mkdir(join(folder, 'data'))
    const cluster = await openEmbedded({ dataDir: join(folder, 'cluster') })
    undo.push(() => cluster.stop())
    const store = await external(cluster.superUrl)
    undo.push(() => store.remove())
    const { DATABASE_URL: databaseUrl = '' } = store.env
    const env = {
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'warn',
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      STOP_DELAY_SECONDS: '0',
    }
    const launcher = join(plan.checkout, 'bin', 'kitlane.js')
    const command = async (...args: string[]) => {
      const given = { ...env, DATABASE_URL: databaseUrl }
      const { code, stdout, stderr } = await runKitlane(args, given, folder, { launcher })
      if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stderr}`)
      return stdout
    }
    await command('migrate')
    const nodes: WorldNode[] = []
    for (const role of ['worker', 'worker', 'api'] as const) {
      const node = await startNode(role, { databaseUrl, env, folder, checkout: plan.checkout, faketime: plan.faketime })
      undo.push(node.stop)
      nodes.push(node)
    }
    await Promise.all(nodes.map((node) => node.untilReady()))
    const receiver = await watchfulReceiver(random)
    undo.push(receiver.stop)
    const db = await store.connect()
    undo.push(() => db.end())
    return await work(plan, { random, nodes, receiver, db, command })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

interface Stage {
  random: Random
  nodes: WorldNode[]
  receiver: WatchfulReceiver
  db: Client
  command(...args: string[]): Promise<string>
}

async function work({ jobs, say }: Plan, { random, nodes, receiver, db, command }: Stage): Promise<Figure[]> {
  const name = ['--business', 'Clocks']
  const credits = ['--credits', String(2 * jobs), '--json']
  const made = await command('business', 'create', '--name', 'Clocks', '--panels', CORE, ...credits)
  await command('business', 'set', ...name, 'rateLimitPerMinute=1000000')
  const clinic = caller(nodes[2]?.url ?? '', JSON.parse(made).liveToken)
  const hook = await clinic.post('/webhooks', { url: receiver.url, events: ['order.created'] })
  if (hook.status !== 201) throw new Error(hook.text)
  receiver.secret = hook.body.secret
  const short = {
    valid: await tokenThat(command, db, `interval '1 hour'`),
    ended: await tokenThat(command, db, `interval '-1 minute'`),
  }
  const email = 'ada@example.test'
  const user = JSON.parse(await command('user', 'create', '--email', email, '--role', 'business', ...name, '--json'))
  const signed = await caller(clinicUrl(nodes)).post('/session', { email, password: user.password })
  if (signed.status >= 300) throw new Error(signed.text)

  const bulkUploadData = Array.from({ length: jobs }, (_, row) => aRow({ external_id: `row-${row}` }))
  const job = await clinic.post('/create-order', { bulkUploadData }, { 'idempotency-key': 'clocks' })
  if (job.status !== 202) throw new Error(job.text)
  const seen = { jumps: 0, wrong: [] as string[] }
  const isDone = () => receiver.accepted.size >= jobs
  const deadline = performance.now() + WITHIN_MS
  // Each clock jumps on its own; all of them go on jumping until everything has arrived, and each jump at least once.
  for (let n = 0; (n < 9 || !isDone()) && performance.now() < deadline; n++) {
    const [node, seconds] = [nodes[n % 3], JUMPS_S[Math.floor(n / 3) % 3] ?? 0]
    node?.setClock(seconds)
    seen.jumps++
    await delay(random.between(1500, 3000))
    if (node?.role === 'api')
      seen.wrong.push(...(await expiries(node.url, seconds, { short, cookie: cookieOf(signed) })))
    say(`${node?.role} by ${seconds / HOUR_S} h: ${receiver.accepted.size} of ${jobs} have arrived`)
    if (n % 3 === 2 && n < 8) for (const one of nodes) one.setClock(0)
  }
  for (const node of nodes) node.setClock(0)
  for (const line of seen.wrong) say(line)
  return figuresOf({ jobs, receiver, db, nodes, ...seen, command })
}

const clinicUrl = (nodes: WorldNode[]) => nodes.find(({ role }) => role === 'api')?.url ?? ''

/** A token whose end is set in the database. */
async function tokenThat(command: Stage['command'], db: Client, ends: string): Promise<string> {
  const args = ['--business', 'Clocks', '--mode', 'live', '--name', 'short', '--json']
  const { id, token } = JSON.parse(await command('token', 'create', ...args))
  await db.query(`update tokens set expires_at = now() + ${ends} where id = $1`, [id])
  return token
}

/** What ends, ends by the clock of the database: whatever this process believes. */
async function expiries(
  url: string,
  seconds: number,
  { short, cookie }: { short: { valid: string; ended: string }; cookie: string },
): Promise<string[]> {
  const status = async (one: Caller, path: string) => (await one.get(path)).status
  const requests: [string, number, number][] = [
    ['a token that is valid', await status(caller(url, short.valid), '/verify-token'), 200],
    ['a token that has ended', await status(caller(url, short.ended), '/verify-token'), 401],
    ['the clock of the process, at /health/ready,', (await fetch(`${url}/health/ready`)).status, 503],
    ['a session that is valid', await status(caller(url, undefined, { session: { cookie } }), '/session'), 200],
  ]
  return requests.flatMap(([what, got, expected]) =>
    got === expected ? [] : [`${what} was answered ${got} by a process whose clock is ${seconds / HOUR_S} h off`],
  )
}

async function figuresOf(seen: {
  jobs: number
  receiver: WatchfulReceiver
  db: Client
  nodes: WorldNode[]
  jumps: number
  wrong: string[]
  command: Stage['command']
}): Promise<Figure[]> {
  const { jobs, receiver, db, nodes, jumps, wrong, command } = seen
  const number = async (text: string) => Number((await db.query(text)).rows[0].n)
  const pauses = [...receiver.arrivals.values()].flatMap((all) => all.slice(1).map((at, n) => at - (all[n] ?? at)))
  const attempts = [...receiver.arrivals.values()].map((all) => all.length)
  const sum = (all: number[]) => all.reduce((total, one) => total + one, 0)
  const ledger = await command('verify-ledger').then(
    () => 0,
    () => 1,
  )
  return [
    {
      name: 'jobs whose effect came twice',
      actual: [...receiver.accepted.values()].filter((times) => times > 1).length,
      expected: 0,
    },
    { name: 'jobs', actual: receiver.accepted.size, expected: jobs },
    {
      name: 'rows of the bulk order without exactly one order',
      actual: await number(
        `select count(*) n from bulk_rows b where (select count(*) from orders o where o.realm_id = b.realm_id and o.external_id = b.external_id) <> 1`,
      ),
      expected: 0,
    },
    { name: 'leases stolen: attempts while another was under way', actual: receiver.overlapping, expected: 0 },
    {
      name: 'shortest pause before a retry',
      actual: Math.round(Math.min(...pauses)),
      expected: RETRY_MS,
      atLeast: true,
      unit: 'ms',
    },
    { name: 'attempts for each job', actual: Number((sum(attempts) / jobs).toFixed(2)), expected: 1.3, atMost: true },
    { name: 'signatures or timestamps that are not right', actual: receiver.stale, expected: 0 },
    {
      name: 'tokens and sessions that ended by a wrong clock, or clocks not reported as wrong',
      actual: wrong.length,
      expected: 0,
    },
    {
      name: 'orders dated more than an hour off',
      actual: await number(
        `select count(*) n from orders where abs(extract(epoch from created_at - clock_timestamp())) > 3600`,
      ),
      expected: 0,
    },
    { name: 'processes that ended', actual: sum(nodes.map(({ crashes }) => crashes.length)), expected: 0 },
    { name: 'exit code of kitlane verify-ledger', actual: ledger, expected: 0 },
    { name: 'jumps of clocks', actual: jumps },
  ]
}
