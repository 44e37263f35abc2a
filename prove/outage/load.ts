import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'
import type { Random } from '../random.ts'

/** An order that was acknowledged. */
export interface Acknowledged {
  key: string
  orderId: string
}

// Longer than any healthy answer takes. After this a client gives up and sends again.
const GIVE_UP_MS = 15_000

/** Places orders with a fixed concurrency and retries each one with its key until it is acknowledged. */
export class Load {
  readonly acknowledged: Acknowledged[] = []
  readonly answers = new Map<string, number>()
  slowestAnswerMs = 0
  readonly #over = new AbortController()
  readonly #done: Promise<unknown>
  #next = 0
  #heard: (() => void)[] = []

  constructor(options: { url: string; token: string; concurrency: number; random: Random }) {
    this.#done = Promise.all(Array.from({ length: options.concurrency }, () => this.#work(options)))
  }

  /** Returns how long it took until an order sent after this call was acknowledged, or undefined after `withinMs`. */
  async nextOrder(withinMs: number): Promise<number | undefined> {
    const from = this.#next
    const since = performance.now()
    while (performance.now() - since < withinMs) {
      const heard = new Promise<void>((resolve) => this.#heard.push(resolve))
      await Promise.race([heard, delay(100)])
      if (this.acknowledged.some(({ key }) => numberOf(key) >= from)) return performance.now() - since
    }
    return undefined
  }

  /** Sends no new orders and waits up to `withinMs` for those in flight. Returns how many orders were sent. */
  async finish(withinMs: number): Promise<number> {
    this.#over.abort()
    await Promise.race([this.#done, delay(withinMs, undefined, { ref: false })])
    return this.#next
  }

  async #work({ url, token, random }: { url: string; token: string; random: Random }): Promise<void> {
    const { post } = caller(url, token)
    while (!this.#over.signal.aborted) {
      const key = `order-${this.#next++}`
      const body = anOrder({ externalID: key })
      for (;;) {
        const reply = await this.#send(() => post('/create-order', body, { 'idempotency-key': key }))
        if (reply?.status === 201) {
          this.acknowledged.push({ key, orderId: reply.body.orderId })
          for (const wake of this.#heard.splice(0)) wake()
          break
        }
        await delay(100 + 100 * random.fraction())
      }
      await delay(10 + 20 * random.fraction())
    }
  }

  async #send(post: () => Promise<Reply>): Promise<Reply | undefined> {
    const since = performance.now()
    const reply = await Promise.race([
      post().catch(() => undefined),
      delay(GIVE_UP_MS, 'silence' as const, { ref: false }),
    ])
    this.slowestAnswerMs = Math.max(this.slowestAnswerMs, performance.now() - since)
    if (reply === 'silence') return this.#count(`no answer in ${GIVE_UP_MS / 1000} s`)
    if (!reply) return this.#count('connection lost')
    const noRetryAfter = reply.status === 503 && !reply.headers.has('retry-after') ? ' without Retry-After' : ''
    this.#count(`${reply.status}${reply.status >= 400 ? ` ${reply.body.code}` : ''}${noRetryAfter}`)
    return reply
  }

  #count(what: string): undefined {
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1)
  }
}

const numberOf = (key: string) => Number(key.slice('order-'.length))
