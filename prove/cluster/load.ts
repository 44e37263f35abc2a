import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'
import type { OrderAnswer } from '../crash/client.ts'
import type { Random } from '../random.ts'

const WRITERS = 6
// Longer than any healthy answer takes. After this a client gives up and sends again.
const GIVE_UP_MS = 15_000
const CARD = 'pm_card_visa'

export interface Answers {
  [what: string]: number
}

/** Places keyed orders through the load balancer until each is acknowledged, and reads in the list what was just written. */
export class Load {
  readonly acknowledged: OrderAnswer[] = []
  /** Lists that lacked an order acknowledged before. */
  readonly stale: string[] = []
  reads = 0
  #answers: Answers = {}
  #readAnswers: Answers = {}
  /** When orders were acknowledged, in ms of `performance.now`. */
  readonly #times: number[] = []
  readonly #over = new AbortController()
  readonly #done: Promise<unknown>
  #next = 0

  constructor(options: { url: string; token: string; random: Random }) {
    this.#done = Promise.all(Array.from({ length: WRITERS }, () => this.#work(options)))
    // `finish` reports it.
    this.#done.catch(() => {})
  }

  /** How many orders were begun. */
  get asked(): number {
    return this.#next
  }

  /** The longest time without an acknowledged order between these two times. */
  gapMs(fromMs: number, toMs: number): number {
    const within = this.#times.filter((ms) => ms > fromMs && ms < toMs)
    return [...within, toMs].reduce(({ last, most }, ms) => ({ last: ms, most: Math.max(most, ms - last) }), {
      last: fromMs,
      most: 0,
    }).most
  }

  /** Waits until so many orders more are acknowledged. */
  async more(orders: number, withinMs = 120_000): Promise<void> {
    const goal = this.#times.length + orders
    for (const deadline = performance.now() + withinMs; this.#times.length < goal; await delay(20)) {
      if (performance.now() > deadline) throw new Error(`no ${orders} orders within ${withinMs / 1000} s`)
    }
  }

  /** The answers since this was last called. */
  takeAnswers(): { orders: Answers; reads: Answers } {
    const taken = { orders: this.#answers, reads: this.#readAnswers }
    this.#answers = {}
    this.#readAnswers = {}
    return taken
  }

  /** Begins no new orders, and waits for those that were begun. */
  async finish(): Promise<void> {
    this.#over.abort()
    await Promise.race([this.#done, delay(120_000, undefined, { ref: false })])
  }

  async #work({ url, token, random }: { url: string; token: string; random: Random }): Promise<void> {
    const { post, get } = caller(url, token)
    while (!this.#over.signal.aborted) {
      const key = `order-${this.#next++}`
      const card = random.fraction() < 0.1 ? CARD : ''
      const body = anOrder({ externalID: key, ...(card && { paymentMethod: card }) })
      const since = performance.now()
      for (let sends = 1; ; sends++) {
        const reply = await this.#send(this.#answers, () => post('/create-order', body, { 'idempotency-key': key }))
        if (reply?.status === 201) {
          this.#times.push(performance.now())
          const { orderId } = reply.body
          const tookMs = performance.now() - since
          this.acknowledged.push({ key, card, status: 201, orderId, text: reply.text, sends, tookMs })
          break
        }
        await delay(100 + 100 * random.fraction())
      }
      if (random.fraction() < 0.3) await this.#readBack(get, key)
      await delay(10 + 20 * random.fraction())
    }
  }

  async #readBack(get: (path: string) => Promise<Reply>, key: string): Promise<void> {
    const reply = await this.#send(this.#readAnswers, () => get(`/orders?externalID=${key}`))
    if (reply?.status !== 200) return
    this.reads++
    if (reply.body.data?.[0]?.externalID !== key) this.stale.push(key)
  }

  async #send(answers: Answers, request: () => Promise<Reply>): Promise<Reply | undefined> {
    const count = (what: string): undefined => {
      answers[what] = (answers[what] ?? 0) + 1
    }
    const reply = await Promise.race([
      request().catch(() => undefined),
      delay(GIVE_UP_MS, 'silence' as const, { ref: false }),
    ])
    if (reply === 'silence') return count(`no answer in ${GIVE_UP_MS / 1000} s`)
    if (!reply) return count('connection lost')
    const code = reply.status < 400 ? '' : ` ${reply.body?.code ?? 'of the load balancer'}`
    const isRude = reply.status === 503 && !reply.headers.has('retry-after')
    count(`${reply.status}${code}${isRude ? ' without Retry-After' : ''}`)
    return reply
  }
}
