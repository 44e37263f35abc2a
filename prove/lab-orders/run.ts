import { setTimeout as delay } from 'node:timers/promises'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { type Caller, caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder, CORE } from '../../test/harness/orders.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { compare } from './compare.ts'
import { connect, right, states, zips } from './connect.ts'
import { type FaultyLaboratory, faultyLaboratory, type Line, lines } from './laboratory.ts'
import { postLate } from './late.ts'

export interface Plan {
  seed: number
  kits: number
  kills: number
  /** The negative control: a laboratory that does not know a message again. */
  isForgetful: boolean
  /** Whose service it is. */
  checkout: string
  say(line: string): void
}

/** A kit, and what became of it by the requests that were answered. */
export interface Kit {
  kitID: string
  line: Line
  dateOfBirth: string
  isWanted: boolean
  isAgreedAgain: boolean
  corrections: number
}

const READY_MS = 240_000
const SETTLED_MS = 240_000
const HURRY_MS = 500
const LIVES_AT_ONCE = 24
/** So many late answers are kept back while kits live, so that others come before them. */
const KEPT_LATE = 30
const KITS_OF_AN_ORDER = 100
// Retries pause for 10 seconds and more, and what a dead process has claimed is left alone for 90: both pass at once. What a
// living process claims stays claimed: only that is due exactly 90 seconds after it was sent.
const HURRY = `
  update lab_orders o set due_at = now() from lab_order_messages m
  where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.outcome is null and o.due_at > now()
    and (o.due_at - m.sent_at <> interval '90 seconds' or m.sent_at <= $1)`
const LEFT = `
  select count(*)::int as n from lab_orders o where o.pending is not null or exists (
    select from lab_order_messages m where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.outcome is null)`

interface Proving {
  plan: Plan
  random: Random
  subject: Subject
  laboratory: FaultyLaboratory
  business: Caller
  operator: Caller
  /** Makes what is due sent: the connection is saved as it is. */
  wake(): Promise<unknown>
  /** Claims up to then are those of processes that were killed. */
  killedAt: Date
  livesOver: number
}

/** Lets kits live while the laboratory fails and the service is killed, then compares what both have. */
export async function run(plan: Plan): Promise<Figure[]> {
  const random = randomOf(plan.seed)
  const laboratory = await faultyLaboratory(random, plan.isForgetful)
  const hosts = Object.values(laboratory.urls).map((url) => new URL(url).host)
  const env = { LAB_ORDERS_AT: 'registration', LAB_ORDERS_HOSTS: [...new Set(hosts)].join() }
  const subject = await startSubject(undefined, { env, checkout: plan.checkout })
  try {
    await subject.untilReady(READY_MS)
    const { business, operator } = await callers(subject, plan.kits)
    const wake = await connect(operator, laboratory)
    const kits = await ordered(business, plan.kits)
    const parties = { subject, laboratory, business, operator }
    const proving: Proving = { plan, random, ...parties, wake, killedAt: new Date(0), livesOver: 0 }
    const { kills, wrongAnswers } = await live(proving, kits)
    const figures = await compare(kits, { operator, laboratory })
    return [
      ...figures,
      { name: 'answers of the laboratory that Kitlane did not take', actual: wrongAnswers, expected: 0 },
      { name: 'kills', actual: kills, expected: plan.kills },
    ]
  } finally {
    await subject.stop()
    await laboratory.stop()
  }
}

async function callers(subject: Subject, kits: number): Promise<{ business: Caller; operator: Caller }> {
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await subject.command(...args)
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }
  const create = ['business', 'create', '--name', 'Ordering', '--panels', CORE, '--credits', String(kits), '--json']
  const { liveToken } = await command(...create)
  await command('business', 'set', '--business', 'Ordering', '--json', 'rateLimitPerMinute=1000000')
  const scopes = allOperatorScopes.join(',')
  const { token } = await command('operator-token', 'create', '--name', 'proof', '--scopes', scopes, '--json')
  return {
    business: caller(subject.url, liveToken),
    operator: caller(subject.url, token, { prefix: '/operator/v1' }),
  }
}

async function ordered({ post, get }: Caller, count: number): Promise<Kit[]> {
  const kits: Kit[] = []
  while (kits.length < count) {
    const quantity = Math.min(KITS_OF_AN_ORDER, count - kits.length)
    const { orderId } = right(await post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity }] }))).body
    for (const { kitID } of right(await get(`/orders/${orderId}`)).body.kits) {
      const line = lines[kits.length % lines.length] ?? 'mllp'
      kits.push({ kitID, line, dateOfBirth: '1980-02-29', isWanted: true, isAgreedAgain: false, corrections: 0 })
    }
  }
  return kits
}

/** All of it at once: lives, late answers, kills. */
async function live(proving: Proving, kits: readonly Kit[]): Promise<{ kills: number; wrongAnswers: number }> {
  const { plan, random, subject, laboratory } = proving
  const left = [...kits]
  const over = new AbortController()
  const keptBack = () => (proving.livesOver < plan.kits ? KEPT_LATE : 0)
  const answering = postLate({ ...proving, keptBack }, over.signal)
  const hurrying = hurry(proving, over.signal)
  const background = Promise.all([answering, hurrying])
  const lives = Array.from({ length: LIVES_AT_ONCE }, async () => {
    for (let kit = left.shift(); kit; kit = left.shift()) {
      await liveOf(kit, proving)
      proving.livesOver++
    }
  })
  let kills = 0
  const kill = () => {
    subject.kill('all')
    proving.killedAt = new Date()
    kills++
  }
  const killing = (async () => {
    const steps = Array.from(
      { length: plan.kills },
      (_, n) => ((n + random.fraction()) * 0.9 * kits.length) / plan.kills,
    )
    for (const [n, step] of steps.entries()) {
      while (proving.livesOver < step) await delay(10)
      // Every other one as soon as the laboratory has a message that it did not answer.
      if (n % 2 === 0) await new Promise<void>((resolve) => laboratory.holdNext(() => resolve(kill())))
      else await delay(random.between(0, 200)).then(kill)
      await subject.untilReady(READY_MS)
      plan.say(`kill ${kills} of ${plan.kills} at ${laboratory.messages} messages`)
    }
  })()
  try {
    await Promise.race([Promise.all([...lives, killing]), background])
    await settled(proving)
  } finally {
    over.abort()
    await background
  }
  return { kills, wrongAnswers: await answering }
}

async function liveOf(kit: Kit, proving: Proving): Promise<void> {
  const { random, business, operator } = proving
  const { kitID, line } = kit
  const pause = () => delay(random.between(0, 400))
  const person = { firstName: 'Bo', lastName: 'Tester', email: `${kitID.toLowerCase()}@example.test` }
  const address = { addressLine1: '1 Road', city: 'Town', state: states[line], zip: zips[line], country: 'US' }
  const post = (path: string, body: unknown, by = business) =>
    sure(() => by.post(path, body, { 'idempotency-key': `${kitID}${path}` }))
  const correct = async () => {
    const dateOfBirth = `19${random.between(50, 99)}-0${random.between(1, 9)}-${random.between(10, 28)}`
    await sure(() => business.request('PATCH', `/customers/${customerId}`, { dateOfBirth }))
    kit.dateOfBirth = dateOfBirth
    kit.corrections++
  }
  const isShipped = random.between(1, 100) <= 25
  if (isShipped) {
    const outboundTrackingNumber = `1ZPROVE${kitID}`
    await post('/fulfilment/shipments', { kitID, carrier: 'UPS', outboundTrackingNumber }, operator)
  }
  const registration = { ...person, ...address, dateOfBirth: kit.dateOfBirth, sex: 'F' }
  const { customerId } = (await post(`/kits/${kitID}/register`, registration)).body
  for (let corrections = random.pick([0, 0, 0, 1, 1, 2]); corrections > 0; corrections--) {
    await pause()
    await correct()
  }
  if (random.between(1, 100) > 30) return
  await pause()
  await post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' })
  kit.isWanted = false
  if (!isShipped) return
  await pause()
  await post(`/kits/${kitID}/consent`, { ...person, consentToTesting: true })
  await post('/samples/receive', { kitID }, operator)
  Object.assign(kit, { isWanted: true, isAgreedAgain: true })
  if (random.fraction() < 0.5) await correct()
}

/** Sends a request until it is answered: the service may be dead. */
async function sure(request: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await request().catch(() => undefined)
    const isOver = reply && reply.status < 500 && reply.status !== 429 && reply.body?.code !== 'IDEMPOTENCY_CONFLICT'
    if (isOver) return right(reply)
    await delay(100)
  }
}

async function hurry(proving: Proving, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await delay(HURRY_MS)) {
    await query(proving, HURRY, [proving.killedAt])
    await proving.wake().catch(() => undefined)
  }
}

/** Undefined while the database does not answer, because it ended with the service. */
async function query({ subject }: Proving, text: string, values: unknown[] = []) {
  const db = await subject.connect().catch(() => undefined)
  const answer = await db?.query(text, values).catch(() => undefined)
  await db?.end().catch(() => undefined)
  return answer
}

/** Waits until everything is said and answered. What is left after the deadline is found where both sides are compared. */
async function settled(proving: Proving): Promise<void> {
  const { laboratory, plan } = proving
  for (const deadline = performance.now() + SETTLED_MS; performance.now() < deadline; await delay(200)) {
    const left = (await query(proving, LEFT))?.rows[0].n
    if (left === 0 && laboratory.late.length === 0) return
  }
  plan.say(`orders wait for an answer still, ${SETTLED_MS / 1000} s after the last request`)
}
