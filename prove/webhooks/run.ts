import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { aRow } from '../../test/harness/orders.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { figures } from './checks.ts'
import { type FaultyReceiver, faultyReceiver } from './receiver.ts'
import { startSubject } from './service.ts'

export interface Plan {
  seed: number
  events: number
  kills: number
  /** The negative control: a receiver that answers 200 and drops the webhook. */
  injectFaults: boolean
  databaseUrl?: string
  say(line: string): void
}

export interface Result {
  database: string
  figures: Figure[]
  duplicates: number
  requests: number
  faults: Record<string, number>
  /** From each kill until the first arrival, and until the dead worker's leases were taken over. */
  arrivedAgainMs: number[]
  takenOverMs: number[]
  /** At each kill, the longest that a lease of its deliveries still had to go, by the database's clock. */
  leasedForMs: number[]
  drainedMs: number
}

const DRAINED_MS = 240_000
// Makes retries due at once, because their schedule is hours long.
const HURRY = `update webhook_deliveries set due_at = now() where status = 'pending' and due_at > now() and lease is null`

/** Kills the worker repeatedly while it sends to a faulty receiver, then checks what arrived. */
export async function run(plan: Plan): Promise<Result> {
  const random = randomOf(plan.seed)
  const receiver = await faultyReceiver(random, plan.injectFaults)
  const subject = await startSubject(plan.databaseUrl)
  const db = await subject.connect()
  const ending = new AbortController()
  const background: Promise<void>[] = []
  try {
    const clinic = await subject.business(plan.events)
    const made = await clinic.post('/webhooks', { url: receiver.url, events: ['order.created'], enabled: false })
    receiver.secret = made.body.secret
    const bulkUploadData = Array.from({ length: plan.events }, (_, row) => aRow({ external_id: `row-${row}` }))
    const job = await clinic.post('/create-order', { bulkUploadData })
    if (job.status !== 202) throw new Error(job.text)
    await until(async () => (await count(db, `select count(*) n from webhook_deliveries`)) >= plan.events)
    plan.say(`${plan.events} events are due`)

    const startedAt = performance.now()
    await clinic.request('PATCH', `/webhooks/${made.body.id}`, { enabled: true })
    background.push(hurry(await subject.connect(), ending.signal))
    const arrivedAgainMs: number[] = []
    const takenOverMs: number[] = []
    const leasedForMs: number[] = []
    const steps = Array.from(
      { length: plan.kills },
      (_, n) => ((n + random.fraction()) * 0.9 * plan.events) / plan.kills,
    )
    for (const [n, step] of steps.entries()) {
      await until(async () => receiver.accepted.size >= step)
      await delay(random.between(0, 30))
      const before = receiver.requests
      const killedAt = performance.now()
      const restarted = subject.killWorker()
      const { rows } = await db.query(`
        select lease, max(extract(epoch from leased_until - now()) * 1000)::float as "leftMs"
        from webhook_deliveries where lease is not null group by lease`)
      const dead: string[] = rows.map(({ lease }) => lease)
      leasedForMs.push(...rows.map(({ leftMs }) => leftMs))
      const since = () => Math.round(performance.now() - killedAt)
      background.push(takenOver(await subject.connect(), dead).then(() => void takenOverMs.push(since())))
      await restarted
      await until(async () => receiver.requests > before)
      arrivedAgainMs.push(since())
      plan.say(`kill ${n + 1} of ${plan.kills} at ${receiver.accepted.size} webhooks; next arrival after ${since()} ms`)
    }
    await drained(db, receiver, plan)
    const drainedMs = Math.round(performance.now() - startedAt)
    ending.abort()
    await Promise.all(background)
    return {
      database: subject.database,
      figures: await figures(db, receiver, plan),
      duplicates: duplicatesOf(receiver),
      requests: receiver.requests,
      faults: receiver.faults,
      arrivedAgainMs,
      takenOverMs,
      leasedForMs,
      drainedMs,
    }
  } finally {
    ending.abort()
    await Promise.allSettled(background)
    await db.end()
    await subject.stop()
    await receiver.stop()
  }
}

const duplicatesOf = ({ accepted }: FaultyReceiver): number =>
  [...accepted.values()].reduce((sum, times) => sum + times - 1, 0)

const count = async (db: Client, text: string) => Number((await db.query(text)).rows[0].n)

async function until(check: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + DRAINED_MS; !(await check()); await delay(5)) {
    if (performance.now() > deadline) throw new Error(`it did not happen within ${DRAINED_MS} ms`)
  }
}

async function hurry(db: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await db.query(HURRY)
    await delay(250, undefined, { signal }).catch(() => {})
  }
  await db.end()
}

async function takenOver(db: Client, dead: string[]): Promise<void> {
  const left = `select count(*) n from webhook_deliveries where lease = any('{${dead.join()}}')`
  for (const deadline = performance.now() + DRAINED_MS; performance.now() < deadline; await delay(100)) {
    if ((await count(db, left)) === 0) break
  }
  await db.end()
}

async function drained(db: Client, receiver: FaultyReceiver, { say }: Plan): Promise<void> {
  for (const deadline = performance.now() + DRAINED_MS; performance.now() < deadline; await delay(100)) {
    if ((await count(db, `select count(*) n from webhook_deliveries where status = 'pending'`)) === 0) return
  }
  say(`deliveries are left after ${DRAINED_MS} ms: ${receiver.accepted.size} arrived`)
}
