import { setTimeout as delay } from 'node:timers/promises'
import { caller } from '../../test/harness/caller.ts'
import { CORE } from '../../test/harness/orders.ts'
import { type Fault, type StripeStandIn, startStripeStandIn } from '../../test/harness/stripe-stand-in.ts'
import { CardOrders } from '../crash/client.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import { type Random, randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { figuresOf } from './figures.ts'

export interface Plan {
  seed: number
  orders: number
  kills: number
  /** The checkout whose service is tested, if not this one. */
  checkout: string | undefined
  say(line: string): void
}

const READY_MS = 90_000
// A charge without an answer is asked for again by a job that runs each minute.
const DRAINED_MS = 480_000
const SECRET = 'whsec_of_the_proof'
/** Of a hundred orders, how many meet what. */
const FAULTS: [Fault['fault'], number][] = [
  ['lose_reply', 6],
  ['fail_after', 4],
  ['lock_timeout', 6],
  ['decline', 4],
]
// Longer than the service waits for an answer (20 s).
const SLOW: Fault = { on: 'POST /v1/payment_intents', fault: 'slow', ms: 30_000 }
const SLOW_ONES = 4

/** Orders by card while the gateway fails, its webhooks come three times in any order, and the service is killed. */
export async function run(plan: Plan): Promise<Figure[]> {
  const random = randomOf(plan.seed)
  const stripe = await startStripeStandIn()
  const env = {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: stripe.url,
  }
  const subject = await startSubject(undefined, { env, checkout: plan.checkout })
  const over = new AbortController()
  try {
    await subject.untilReady(READY_MS)
    const token = await business(subject)
    const choices = await cards(subject, token)
    const options = { url: subject.url, token, keyed: true, over: over.signal }
    const orders = new CardOrders(options, plan.orders, random, { concurrency: 16, choices })
    const quiet = new AbortController()
    const background = [disturb(stripe, orders, plan, random), reorder(stripe, subject.url, random, quiet.signal)]
    for (let kill = 0; kill < plan.kills; kill++) {
      orders.allowed = Math.ceil(((kill + 1) * plan.orders) / (plan.kills + 1))
      // Half of the kills come while orders are on their way, the others when few are.
      const enough = Math.floor(orders.allowed - random.between(1, 16))
      for (const deadline = performance.now() + READY_MS; orders.answers.length < enough; await delay(5))
        if (performance.now() > deadline) break
      subject.kill('all')
      await delay(50)
      await subject.untilReady(READY_MS)
      plan.say(`kill ${kill + 1} of ${plan.kills} at ${orders.answers.length} answers`)
    }
    orders.allowed = plan.orders
    await Promise.race([orders.done, delay(DRAINED_MS, undefined, { ref: false })])
    const left = await untilSettled(subject)
    quiet.abort()
    await Promise.all(background)
    plan.say(`answers: ${JSON.stringify(Object.fromEntries(orders.seen))}`)
    const db = await subject.connect()
    try {
      return await figuresOf(db, { stripe, answers: orders.answers, requests: plan.orders, left, kills: plan.kills })
    } finally {
      await db.end()
    }
  } finally {
    over.abort()
    await subject.stop()
    await stripe.stop()
  }
}

async function business({ command }: Subject): Promise<string> {
  const made = await command('business', 'create', '--name', 'Cards', '--panels', CORE, '--credits', '0', '--json')
  if (made.code !== 0) throw new Error(made.stderr)
  await command('business', 'set', '--business', 'Cards', 'rateLimitPerMinute=1000000')
  return JSON.parse(made.stdout).liveToken
}

/** Nineteen of twenty orders by a card that pays, the others by one that does not. */
async function cards({ url }: Subject, token: string): Promise<string[]> {
  const { post } = caller(url, token)
  const attached = async (id: string): Promise<string> => {
    const { status, body, text } = await post('/payment-methods', { id })
    if (status !== 201) throw new Error(text)
    return body.id
  }
  const [declined, good] = [await attached('pm_card_declined'), await attached('pm_card_visa')]
  return [...Array.from({ length: 19 }, () => good), declined]
}

/** Lets the gateway fail, spread over all orders. */
async function disturb(stripe: StripeStandIn, orders: CardOrders, plan: Plan, random: Random): Promise<void> {
  const some = FAULTS.flatMap(([fault, ofHundred]) =>
    Array.from({ length: Math.ceil((plan.orders * ofHundred) / 100) }, (): Fault => ({ on: SLOW.on, fault })),
  )
  const planned = [...some, ...Array.from({ length: SLOW_ONES }, () => SLOW)]
    .map((fault) => ({ fault, at: random.between(0, Math.floor(plan.orders * 0.9)) }))
    .sort((a, b) => a.at - b.at)
  for (const { fault, at } of planned) {
    while (orders.answers.length < at) await delay(5)
    stripe.plan(fault)
  }
}

/** Each webhook three times: before the reply, after it, or some later in reversed order. */
async function reorder(stripe: StripeStandIn, url: string, random: Random, over: AbortSignal): Promise<void> {
  const ways = ['before_reply', 'after_reply', 'held'] as const
  while (!over.aborted) {
    stripe.webhooks({ url: `${url}/hooks/stripe`, secret: SECRET, copies: 3, when: random.pick(ways) })
    await delay(random.between(300, 1500), undefined, { signal: over }).catch(() => {})
    await stripe.flush({ reversed: true })
  }
}

const OPEN = `select (select count(*) from payments where state in ('requested', 'authorised'))
  + (select count(*) from refunds where state = 'requested') n`

async function untilSettled(subject: Subject): Promise<number> {
  for (const deadline = performance.now() + DRAINED_MS; ; await delay(500)) {
    const db = await subject.connect()
    const { rows } = await db.query(OPEN).finally(() => db.end())
    const left = Number(rows[0].n)
    if (left === 0 || performance.now() > deadline) return left
  }
}
