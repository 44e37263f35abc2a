import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../test/harness/caller.ts'
import { anOrder } from '../test/harness/orders.ts'
import type { OrderAnswer } from './crash/client.ts'
import type { Random } from './random.ts'

export interface LoadOptions {
  url: string
  token: string
  random: Random
  /** The keys of its orders begin with it. Default: order. */
  name?: string
  concurrency: number
  /** What each client waits after an order, ms. Default: 20, half of it by chance. */
  pauseMs?: number
  /** The share of orders that are paid by card. Default: 0. */
  byCard?: number
  /** own: of three orders in ten, whether the list has them. lists: lists and the feed, all the while. */
  reads?: 'own' | 'lists'
}

/** How often each answer came. */
export type Answers = Record<string, number>

// Longer than any healthy answer takes. After this a client gives up and sends again.
const GIVE_UP_MS = 15_000
const LISTS = ['/orders', '/kits?kitStatus=preparing&page=0&size=10', '/events?size=10']

/** Places keyed orders with a fixed concurrency, each sent again with its key until it is acknowledged. */
export class Load {
  readonly acknowledged: OrderAnswer[] = []
  /** Keys of orders that a list lacked though they were acknowledged before. */
  readonly stale: string[] = []
  /** How many orders were begun. */
  begun = 0
  reads = 0
  slowestAnswerMs = 0
  answers: { orders: Answers; reads: Answers } = { orders: {}, reads: {} }
  /** When orders were acknowledged, in ms of `performance.now`. */
  readonly #times: number[] = []
  readonly #over = new AbortController()
  readonly #done: Promise<unknown>
  readonly #options: LoadOptions

  constructor(options: LoadOptions) {
    this.#options = options
    const clients = Array.from({ length: options.concurrency }, () => this.#place())
    this.#done = Promise.all(options.reads === 'lists' ? [...clients, this.#readLists()] : clients)
    // `more` and `finish` report it.
    this.#done.catch(() => {})
  }

  /** The IDs of the acknowledged orders. */
  get orderIds(): string[] {
    return this.acknowledged.map(({ orderId = '' }) => orderId)
  }

  /** Waits until so many orders more are acknowledged. */
  async more(orders: number, withinMs = 600_000): Promise<void> {
    const goal = this.#times.length + orders
    for (const deadline = performance.now() + withinMs; this.#times.length < goal; ) {
      if (performance.now() > deadline) throw new Error(`no ${orders} orders within ${withinMs / 1000} s`)
      await Promise.race([this.#done, delay(20)])
    }
  }

  /** Returns how long it took until an order that was begun after this call was acknowledged, or undefined after `withinMs`. */
  async nextOrder(withinMs: number): Promise<number | undefined> {
    const [from, since] = [this.begun, performance.now()]
    for (let seen = this.acknowledged.length; performance.now() - since < withinMs; await delay(5)) {
      if (this.acknowledged.slice(seen).some(({ key }) => numberOf(key) >= from)) return performance.now() - since
      seen = this.acknowledged.length
    }
    return undefined
  }

  /** The longest time without an acknowledged order between these two times, ms. */
  gapMs(fromMs: number, toMs: number): number {
    const times = [fromMs, ...this.#times.filter((ms) => ms > fromMs && ms < toMs), toMs]
    return Math.max(...times.slice(1).map((ms, index) => ms - (times[index] ?? ms)))
  }

  /** The answers since this was last called. */
  takeAnswers(): { orders: Answers; reads: Answers } {
    const taken = this.answers
    this.answers = { orders: {}, reads: {} }
    return taken
  }

  /** Begins no new orders, and waits for those that were begun. */
  async finish(withinMs = 120_000): Promise<void> {
    this.#over.abort()
    await Promise.race([this.#done, delay(withinMs, undefined, { ref: false })])
  }

  async #place(): Promise<void> {
    const { url, token, random, name = 'order', pauseMs, byCard = 0, reads } = this.#options
    const { post, get } = caller(url, token)
    while (!this.#over.signal.aborted) {
      const key = `${name}-${this.begun++}`
      const card = byCard > 0 && random.fraction() < byCard ? 'pm_card_visa' : ''
      const body = anOrder({ externalID: key, ...(card && { paymentMethod: card }) })
      const since = performance.now()
      for (let sends = 1; ; sends++) {
        const reply = await this.#send('orders', () => post('/create-order', body, { 'idempotency-key': key }))
        if (reply?.status === 201) {
          this.#times.push(performance.now())
          const { orderId } = reply.body
          const tookMs = performance.now() - since
          this.acknowledged.push({ key, card, status: 201, orderId, text: reply.text, sends, tookMs })
          break
        }
        await delay(100 + 100 * random.fraction())
      }
      if (reads === 'own' && random.fraction() < 0.3) await this.#readBack(get, key)
      await delay(pauseMs ?? 10 + 20 * random.fraction())
    }
  }

  async #readBack(get: (path: string) => Promise<Reply>, key: string): Promise<void> {
    const reply = await this.#send('reads', () => get(`/orders?externalID=${key}`))
    if (reply?.status !== 200) return
    this.reads++
    if (reply.body.data?.[0]?.externalID !== key) this.stale.push(key)
  }

  async #readLists(): Promise<void> {
    const { get } = caller(this.#options.url, this.#options.token)
    for (; !this.#over.signal.aborted; await delay(20)) {
      for (const path of LISTS) await this.#send('reads', () => get(path))
    }
  }

  async #send(what: 'orders' | 'reads', request: () => Promise<Reply>): Promise<Reply | undefined> {
    const answers = this.answers[what]
    const count = (answer: string): undefined => {
      answers[answer] = (answers[answer] ?? 0) + 1
    }
    const since = performance.now()
    const reply = await Promise.race([
      request().catch(() => undefined),
      delay(GIVE_UP_MS, 'silence' as const, { ref: false }),
    ])
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, performance.now() - since)
    if (reply === 'silence') return count(`no answer in ${GIVE_UP_MS / 1000} s`)
    if (!reply) return count('connection lost')
    const code = reply.status < 400 ? '' : ` ${reply.body?.code ?? 'of the load balancer'}`
    const isRude = reply.status === 503 && !reply.headers.has('retry-after')
    count(`${reply.status}${code}${isRude ? ' without Retry-After' : ''}`)
    return reply
  }
}

const numberOf = (key: string) => Number(key.slice(key.lastIndexOf('-') + 1))

/**
 * How many answers were not proper ones: 2xx, 503 with `Retry-After`, a key whose first request is under way; and a lost
 * connection, where processes are killed.
 */
export function improper({ orders, reads }: Load['answers'], { kills = true }: { kills?: boolean } = {}): number {
  const isProper = (what: string) =>
    /^(2\d\d|503 \w+|409 IDEMPOTENCY_CONFLICT)$/.test(what) || (kills && what === 'connection lost')
  return [orders, reads]
    .flatMap(Object.entries<number>)
    .reduce((sum, [what, times]) => sum + (isProper(what) ? 0 : times), 0)
}
