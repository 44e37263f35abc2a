import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Client } from 'pg'
import { type Caller, caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder, CORE } from '../../test/harness/orders.ts'
import { startSubject } from '../crash/service.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'

export interface Plan {
  seed: number
  rounds: number
  /** In each round. */
  requests: number
  /** The checkout whose service is tested, if not this one. */
  checkout: string | undefined
  say(line: string): void
}

/** Connections for requests: `docs/outages.md`. */
const POOL = 10
const WITHIN_MS = 60_000
// A statement may take 5 s: the proof ends the sleeps before. Requests of the operator pass no gate of `shares.ts`.
const SLEEPS = `
  create function public.sleeps() returns boolean language plpgsql as $$ begin perform pg_sleep(60); return true; end $$;
  grant execute on function public.sleeps() to public;
  alter table carrier_events enable row level security;
  create policy sleeps on carrier_events using (public.sleeps())`
const SLEEPING = `from pg_stat_activity where wait_event = 'PgSleep' and pid <> pg_backend_pid()`

interface Seen {
  statuses: Map<string, number>
  refusedMs: number[]
  liveMs: number[]
  recoveredMs: number[]
  held: number[]
  answeredOtherwise: number
}

/** Holds all connections in each round, sends requests of several kinds, and lets go. */
export async function run(plan: Plan): Promise<Figure[]> {
  const subject = await startSubject(undefined, { checkout: plan.checkout })
  try {
    await subject.untilReady(WITHIN_MS)
    const made = await subject.command(
      'business',
      'create',
      '--name',
      'Pool',
      '--panels',
      CORE,
      '--credits',
      '100000',
      '--json',
    )
    if (made.code !== 0) throw new Error(made.stderr)
    await subject.command('business', 'set', '--business', 'Pool', 'rateLimitPerMinute=1000000')
    const clinic = caller(subject.url, JSON.parse(made.stdout).liveToken)
    const staff = await subject.command(
      'operator-token',
      'create',
      '--name',
      'proof',
      '--scopes',
      'fulfilment',
      '--json',
    )
    const operator = caller(subject.url, JSON.parse(staff.stdout).token, { prefix: '/operator/v1' })
    const event = { trackingNumber: '1Z999AA10123456784', status: 'delivered', at: '2026-01-01T12:00:00Z' }
    const sent = await operator.post('/carrier-events', [event])
    if (sent.status >= 300) throw new Error(sent.text)
    const db = await subject.connect()
    await db.query(SLEEPS)
    const random = randomOf(plan.seed)
    const seen: Seen = {
      statuses: new Map(),
      refusedMs: [],
      liveMs: [],
      recoveredMs: [],
      held: [],
      answeredOtherwise: 0,
    }
    const live = new Worker(new URL('./live.ts', import.meta.url), { workerData: subject.url })
    live.on('message', (ms: number) => seen.liveMs.push(ms))
    for (let round = 0; round < plan.rounds; round++) {
      await hold({ clinic, operator, db, random, plan, seen })
      plan.say(
        `round ${round + 1}: ${seen.held.at(-1)} held, answered again after ${Math.round(seen.recoveredMs.at(-1) ?? 0)} ms`,
      )
    }
    await live.terminate()
    await db.end()
    plan.say(`answers: ${JSON.stringify(Object.fromEntries(seen.statuses))}`)
    return figuresOf(plan, seen)
  } finally {
    await subject.stop()
  }
}

interface Round {
  clinic: Caller
  operator: Caller
  db: Client
  random: Random
  plan: Plan
  seen: Seen
}

async function hold({ clinic, operator, db, random, plan, seen }: Round): Promise<void> {
  const order = await clinic.post('/create-order', anOrder({ paymentMethod: 'credits' }))
  if (order.status !== 201) throw new Error(order.text)
  const sleepers = Array.from({ length: POOL }, () => operator.get('/carrier-events'))
  seen.held.push(await untilHeld(db))

  const kinds: (() => Promise<Reply>)[] = [
    () => clinic.get(`/orders/${order.body.orderId}`),
    () => clinic.get('/orders'),
    () => clinic.get('/credits'),
    () => clinic.post('/create-order', anOrder({ paymentMethod: 'credits' })),
    () => clinic.post('/customer', { name: 'Ada', email: `ada-${random.between(0, 2 ** 31)}@example.test` }),
  ]
  const answers = await Promise.all(
    Array.from({ length: plan.requests }, async () => {
      const since = performance.now()
      const { status, headers, body } = await random.pick(kinds)()
      return { tookMs: performance.now() - since, status, code: body.code, wait: headers.has('retry-after') }
    }),
  )
  for (const { tookMs, status, code, wait } of answers) {
    const what = `${status} ${code ?? ''}${status === 503 && !wait ? ' without Retry-After' : ''}`
    seen.statuses.set(what, (seen.statuses.get(what) ?? 0) + 1)
    if (status === 503 && wait) seen.refusedMs.push(tookMs)
    else seen.answeredOtherwise++
  }

  await db.query(`select pg_cancel_backend(pid) ${SLEEPING}`)
  const since = performance.now()
  await Promise.all(kinds.map((kind) => untilAnswered(kind)))
  seen.recoveredMs.push(performance.now() - since)
  await Promise.all(sleepers)
}

async function untilHeld(db: Client): Promise<number> {
  for (const deadline = performance.now() + 3000; ; await delay(10)) {
    const { rows } = await db.query(`select count(*)::int n ${SLEEPING}`)
    if (rows[0].n >= POOL || performance.now() > deadline) return rows[0].n
  }
}

/** All kinds of requests work again, not only one. */
async function untilAnswered(kind: () => Promise<Reply>): Promise<void> {
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline; await delay(10))
    if ((await kind()).status < 300) return
}

function figuresOf({ rounds, requests }: Plan, seen: Seen): Figure[] {
  const most = (all: readonly number[]) => Math.round(Math.max(...all))
  return [
    {
      name: 'slowest 503 while all connections were held',
      actual: most(seen.refusedMs),
      expected: 2500,
      atMost: true,
      unit: 'ms',
    },
    { name: 'slowest full recovery', actual: most(seen.recoveredMs), expected: 1000, atMost: true, unit: 'ms' },
    { name: 'requests answered with 503 and Retry-After', actual: seen.refusedMs.length, expected: rounds * requests },
    { name: 'requests answered otherwise', actual: seen.answeredOtherwise, expected: 0 },
    { name: 'slowest /health/live', actual: most(seen.liveMs), expected: 100, atMost: true, unit: 'ms' },
    { name: 'fewest connections held in a round', actual: Math.min(...seen.held), expected: POOL },
    { name: 'rounds', actual: rounds },
  ]
}
