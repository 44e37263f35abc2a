import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { CORE } from '../../test/harness/orders.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { figures } from './checks.ts'
import { CardOrders, type ClientOptions, type Job, retryUntilFinal, startJob } from './client.ts'
import { injectFault } from './inject-fault.ts'
import { type Subject, startSubject } from './service.ts'

export interface Plan {
  seed: number
  /** Rows of the bulk job paid with credits, and of the one paid by card. */
  rows: number
  cardRows: number
  orders: number
  serviceKills: number
  databaseKills: number
  /** The negative control: the client sends no idempotency keys, and each kill is followed by a database fault. */
  injectFaults: boolean
  databaseUrl?: string
  say(line: string): void
}

export interface Kill {
  what: string
  /** Rows placed and orders answered before the kill. */
  rows: number
  answered: number
  readyMs: number
  /** Time until the bulk job resumed, if the next kill waited for that. */
  resumedMs?: number
}

export interface Result {
  kills: Kill[]
  drainedMs: number
  slowestOrderMs: number
  answers: Record<string, number>
  figures: Figure[]
}

// No measures of speed, which the record has: what hangs ends, a busy machine takes its time.
const READY_MS = 240_000
const RESUMED_MS = 240_000
const DRAINED_MS = 240_000

/** Kills the service and its database repeatedly under load, then checks the data. */
export async function run(
  plan: Plan,
  inspect?: (db: Client, expected: Parameters<typeof figures>[1]) => Promise<void>,
): Promise<Result> {
  const subject = await startSubject(plan.databaseUrl)
  const over = new AbortController()
  try {
    await subject.untilReady(READY_MS)
    const options: ClientOptions = {
      url: subject.url,
      token: await business(subject, plan, over.signal),
      keyed: !plan.injectFaults,
      over: over.signal,
    }
    const { kills, orders, jobs } = await killWhileWorking(subject, plan, options)
    const since = performance.now()
    await untilDrained(subject, orders, plan)
    over.abort()
    await orders.done
    const drainedMs = Math.round(performance.now() - since)
    const verified = await subject.command('verify-ledger')
    const db = await subject.connect()
    const files = {
      jobs,
      answers: orders.answers,
      requests: plan.orders,
      keyed: !plan.injectFaults,
      masterKey: subject.masterKey,
    }
    const found = [
      ...(await figures(db, files)),
      { name: 'exit code of kitlane verify-ledger', actual: verified.code ?? -1, expected: 0 },
    ]
    await inspect?.(db, files)
    await db.end()
    const slowestOrderMs = Math.round(Math.max(...orders.answers.map((answer) => answer.tookMs)))
    return { kills, drainedMs, slowestOrderMs, answers: Object.fromEntries(orders.seen), figures: found }
  } finally {
    over.abort()
    await subject.stop()
  }
}

/** Creates a business with credits for one job and three cards. The last attached card pays for the other job. */
async function business({ command, url }: Subject, { rows }: Plan, over: AbortSignal): Promise<string> {
  const made = await command(
    'business',
    'create',
    '--name',
    'Proof',
    '--panels',
    CORE,
    '--credits',
    String(rows),
    '--json',
  )
  if (made.code !== 0) throw new Error(made.stderr)
  const { liveToken: token } = JSON.parse(made.stdout)
  await command('business', 'set', '--business', 'Proof', 'rateLimitPerMinute=1000000')
  for (const id of ['pm_card_declined', 'pm_card_lost_reply', 'pm_card_visa']) {
    const { status, text } = await retryUntilFinal(
      { url, token, keyed: false, over },
      '/payment-methods',
      { id },
      '',
      new Map(),
    )
    if (status !== 201) throw new Error(text)
  }
  return token
}

async function killWhileWorking(subject: Subject, plan: Plan, options: ClientOptions) {
  const random = randomOf(plan.seed)
  const orders = new CardOrders(options, plan.orders, random)
  const jobs = [await startJob({ ...options, keyed: true }, 'job-credits', plan.rows, {})]
  if (plan.cardRows > 0) {
    jobs.push(await startJob({ ...options, keyed: true }, 'job-card', plan.cardRows, { paymentMethod: 'card' }))
  }
  const total = plan.serviceKills + plan.databaseKills
  const isOfDatabase = Array.from(
    { length: total },
    (_, n) => Math.floor(((n + 1) * plan.databaseKills) / total) > Math.floor((n * plan.databaseKills) / total),
  )
  const kills: Kill[] = []
  let killedAt = performance.now()
  for (const [n, ofDatabase] of isOfDatabase.entries()) {
    // Spreads the orders over the kills, so that each kill hits orders in flight.
    orders.allowed = Math.ceil(((n + 1) * plan.orders) / (total + 1))
    const before = await progress(subject)
    // Every other kill waits until the bulk job has resumed. The rest come at random times.
    const rowsInAll = plan.rows + plan.cardRows
    if (before < rowsInAll && n % 2 === 0) {
      const resumed = await untilRows(subject, before, Math.min(rowsInAll, before + random.between(1, 400)))
      const last = kills.at(-1)
      if (last) last.resumedMs = Math.round(resumed - killedAt)
    } else await delay(random.between(20, 1500))
    const what = ofDatabase ? 'database' : random.pick([...subject.roles, 'all'])
    const rows = await progress(subject)
    const answered = orders.answers.length
    killedAt = performance.now()
    if (ofDatabase) await subject.killDatabase()
    else subject.kill(what)
    await delay(50)
    await subject.untilReady(READY_MS)
    const kill: Kill = { what, rows, answered, readyMs: Math.round(performance.now() - killedAt) }
    kills.push(kill)
    const { resumedMs } = kills.at(-2) ?? {}
    const waited = resumedMs === undefined ? '' : `, bulk resumed ${resumedMs} ms after the previous kill`
    plan.say(
      `kill ${n + 1} of ${total}: ${what} at ${rows} rows, ${answered} orders; ready again after ${kill.readyMs} ms${waited}`,
    )
    if (plan.injectFaults) await injectFault(await subject.connect(), n)
  }
  orders.allowed = plan.orders
  return { kills, orders, jobs: jobs as Job[] }
}

/** Queries on a new connection each time, because the database may be killed at any moment. */
async function ask(subject: Subject, text: string): Promise<number> {
  for (const deadline = performance.now() + READY_MS; ; await delay(100)) {
    const db = await subject.connect().catch(() => undefined)
    try {
      if (db) return Number((await db.query(text)).rows[0].n)
    } catch {
      // The connection was killed. Retry until the deadline.
    } finally {
      await db?.end().catch(() => {})
    }
    if (performance.now() > deadline) throw new Error('the database does not answer')
  }
}

const progress = (subject: Subject) => ask(subject, 'select coalesce(sum(succeeded + failed), 0) n from bulk_jobs')

/** Waits for `to` rows. Returns the time at which the jobs resumed. */
async function untilRows(subject: Subject, from: number, to: number): Promise<number> {
  const deadline = performance.now() + RESUMED_MS
  let resumed: number | undefined
  for (;;) {
    const now = await progress(subject)
    if (now > from) resumed ??= performance.now()
    if (now >= to || performance.now() > deadline) return resumed ?? performance.now()
    await delay(10)
  }
}

const OPEN = `select (select count(*) from bulk_jobs where status in ('queued', 'processing'))
  + (select count(*) from payments where state in ('requested', 'authorised'))
  + (select count(*) from refunds where state = 'requested') n`

/** Waits until no work is left. After the deadline it returns as well: the figures then show what is missing. */
async function untilDrained(subject: Subject, orders: CardOrders, { orders: asked, say }: Plan): Promise<void> {
  for (const deadline = performance.now() + DRAINED_MS; performance.now() < deadline; await delay(200)) {
    if (orders.answers.length === asked && (await ask(subject, OPEN)) === 0) return
  }
  say(`work is left after ${DRAINED_MS} ms`)
}
