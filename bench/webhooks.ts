// Measures deliveries per second against a plain undici loop, and the time from commit to arrival on an idle system.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Client } from 'pg'
import { type Subject, startSubject } from '../prove/webhooks/service.ts'
import type { Caller } from '../test/harness/caller.ts'
import { anOrder } from '../test/harness/orders.ts'
import type { BareOrder } from './webhooks/bare.ts'
import type { Arrivals } from './webhooks/receiver.ts'

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    samples: { type: 'string', default: '300' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
})
const [count, rounds, samples] = [values.deliveries, values.rounds, values.samples].map(Number) as [
  number,
  number,
  number,
]

const file = (name: string) => fileURLToPath(new URL(`./webhooks/${name}.ts`, import.meta.url))
const say = (line: string) => console.log(line)

class Receiver {
  readonly #child: ChildProcess = fork(file('receiver'))
  origin = ''

  async start(): Promise<void> {
    const [port] = await once(this.#child, 'message')
    this.origin = `http://127.0.0.1:${port}`
  }

  async ask(order: 'forget' | 'keep' | 'tell'): Promise<Arrivals> {
    const answer = once(this.#child, 'message')
    this.#child.send(order)
    return (await answer)[0]
  }

  async until(wanted: number): Promise<Arrivals> {
    for (const deadline = performance.now() + 120_000; ; await delay(20)) {
      const arrivals = await this.ask('tell')
      if (arrivals.count >= wanted) return arrivals
      if (performance.now() > deadline) throw new Error(`only ${arrivals.count} of ${wanted} arrived`)
    }
  }

  stop(): void {
    this.#child.kill()
  }
}

interface Rates {
  endpoints: number
  ours: number[]
  bare: number[]
}

const receiver = new Receiver()
await receiver.start()
const profiling: Record<string, string> = values.profile
  ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${values.profile}` }
  : { LOG_LEVEL: 'warn' }
const subject: Subject = await startSubject(process.env.TEST_DATABASE_URL, profiling)
const db = await subject.connect()
try {
  const clinic = await subject.business(100_000)
  say(`${subject.database}; ${count} deliveries, ${rounds} rounds, ${samples} samples`)
  // The first order creates the event whose body all deliveries below send.
  await clinic.post('/create-order', anOrder())
  const { rows } = await db.query(`select id, data, occurred_at from events where type = 'order.created' limit 1`)
  const event: { id: string; data: unknown; occurred_at: Date } = rows[0]
  const body = JSON.stringify({ type: 'order.created', timestamp: event.occurred_at, data: event.data })
  const results: Rates[] = []
  for (const [endpoints, concurrency] of [
    [1, 16],
    [50, 128],
  ] as const) {
    const made = await makeEndpoints(clinic, endpoints)
    const rates: Rates = { endpoints, ours: [], bare: [] }
    // The first round only warms up compilers and planners.
    for (let round = 0; round <= rounds; round++) {
      const order: BareOrder = {
        origins: [receiver.origin],
        count,
        concurrency,
        connections: concurrency,
        body,
        secret: made.secret,
      }
      const bare = await bareRate(order)
      const ours = await drainRate(clinic, db, made.ids, event.id)
      if (round === 0) continue
      rates.bare.push(bare)
      rates.ours.push(ours)
    }
    results.push(rates)
    report(rates, body.length)
    for (const id of made.ids) await clinic.request('DELETE', `/webhooks/${id}`)
  }
  await makeEndpoints(clinic, 1)
  const fromCommit = await latencies(() => commitEvent(db, event.id))
  const fromRequest = await latencies(async () => {
    const startedNs = process.hrtime.bigint()
    const { orderId } = (await clinic.post('/create-order', anOrder())).body
    const found = await db.query(`select id from events where order_id = $1 and type = 'order.created'`, [orderId])
    return { id: found.rows[0].id, startedNs }
  })
  say(`from commit (of one event, by SQL) to arrival: ${percentiles(fromCommit)}`)
  say(`from sending POST /create-order to arrival: ${percentiles(fromRequest)}`)
  if (values.json) await writeFile(values.json, `${JSON.stringify({ results, fromCommit, fromRequest }, null, 2)}\n`)
} finally {
  await db.end()
  await subject.stop()
  receiver.stop()
}

async function makeEndpoints(clinic: Caller, wanted: number): Promise<{ ids: string[]; secret: string }> {
  const ids: string[] = []
  let secret = ''
  for (let n = 0; n < wanted; n++) {
    const made = await clinic.post('/webhooks', { url: `${receiver.origin}/hook/${n}` })
    if (made.status !== 201) throw new Error(made.text)
    ids.push(made.body.id)
    secret = made.body.secret
  }
  return { ids, secret }
}

async function bareRate(order: BareOrder): Promise<number> {
  const child = fork(file('bare'), [JSON.stringify(order)])
  const [ms] = await once(child, 'message')
  await once(child, 'exit')
  return (order.count / ms) * 1000
}

/** Builds a backlog for disabled endpoints, enables them all at once, and measures how fast it drains. */
async function drainRate(clinic: Caller, db: Client, ids: string[], eventId: string): Promise<number> {
  await db.query(`update webhook_endpoints set enabled = false, disabled_reason = 'business' where id = any($1)`, [ids])
  await db.query(
    `insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
     select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), ($2::text[])[1 + n % $3], e.id, 'pending', now(), now()
     from events e, generate_series(1, $4) n where e.id = $1`,
    [eventId, ids, ids.length, count],
  )
  await receiver.ask('forget')
  await db.query('vacuum analyze webhook_deliveries')
  const startedNs = process.hrtime.bigint()
  await db.query(`update webhook_endpoints set enabled = true, disabled_reason = null where id = any($1)`, [ids])
  await clinic.request('PATCH', `/webhooks/${ids[0]}`, { enabled: true })
  const { lastNs } = await receiver.until(count)
  for (;;) {
    const open = await db.query(`select count(*) n from webhook_deliveries where status = 'pending'`)
    if (Number(open.rows[0].n) === 0) break
    await delay(20)
  }
  await db.query('truncate webhook_attempts, webhook_deliveries')
  return count / (Number(BigInt(lastNs) - startedNs) / 1e9)
}

/** Writes an event as the service does. The clock starts before COMMIT is sent. */
async function commitEvent(db: Client, like: string): Promise<{ id: string; startedNs: bigint }> {
  await db.query('begin')
  const made = await db.query(
    `insert into events (realm_id, id, type, order_id, data, occurred_at)
     select realm_id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), type, order_id, data, now() from events where id = $1
     returning id`,
    [like],
  )
  const startedNs = process.hrtime.bigint()
  await db.query('commit')
  return { id: made.rows[0].id, startedNs }
}

async function latencies(act: () => Promise<{ id: string; startedNs: bigint }>): Promise<number[]> {
  await receiver.ask('keep')
  const started = new Map<string, bigint>()
  for (let n = 0; n < samples; n++) {
    const { id, startedNs } = await act()
    started.set(id, startedNs)
    await receiver.until(n + 1)
    await delay(10 + (n % 7) * 5)
  }
  const { each } = await receiver.ask('tell')
  return each.map(([id, at]) => Number(BigInt(at) - (started.get(id) ?? 0n)) / 1e6).sort((a, b) => a - b)
}

function report({ endpoints, ours, bare }: Rates, bytes: number): void {
  const ratios = ours.map((rate, round) => rate / (bare[round] ?? Number.NaN))
  say(`to ${endpoints} endpoint(s), ${bytes} bytes each, both signing:`)
  say(`  deliveries per second ${spread(ours)}; bare undici ${spread(bare)}; ratio ${spread(ratios, 2)}`)
}

function spread(numbers: readonly number[], digits = 0): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number) => (sorted[index] ?? Number.NaN).toFixed(digits)
  return `${at(Math.floor(sorted.length / 2))} (${at(0)} to ${at(sorted.length - 1)})`
}

function percentiles(sorted: readonly number[]): string {
  const at = (share: number) => `${sorted[Math.floor(sorted.length * share)]?.toFixed(1)} ms`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, slowest ${sorted.at(-1)?.toFixed(1)} ms`
}
