import { setTimeout as delay } from 'node:timers/promises'
import { type Caller, caller } from '../../test/harness/caller.ts'
import { anOrder } from '../../test/harness/orders.ts'

export interface Load {
  /** Acknowledged orders: the client's key to the order's ID. */
  placed: Map<string, string>
  /** How often each answer came. */
  seen: Map<string, number>
  /** Resolves when this many more orders are placed. */
  more(orders: number): Promise<void>
  stop(): Promise<void>
}

const RETRY_MS = 100

/**
 * Places orders concurrently, retrying each one until it is placed, and reads lists and the feed at the same time. After each
 * order it pauses, by default for no time.
 */
export function startLoad(
  url: string,
  token: string,
  name: string,
  { concurrency = 8, pauseMs = 0 }: { concurrency?: number; pauseMs?: number } = {},
): Load {
  const placed = new Map<string, string>()
  const seen = new Map<string, number>()
  let over = false
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const call = caller(url, token)
  const ask = async (what: string, request: () => ReturnType<Caller['get']>) => {
    try {
      const reply = await request()
      count(`${what} ${reply.status}`)
      return reply
    } catch (error) {
      count(`${what} ${(error as Error).message}`)
      return undefined
    }
  }
  let next = 0
  const order = async () => {
    while (!over) {
      const key = `${name}-${next++}`
      for (;;) {
        const body = anOrder({ externalID: key })
        const reply = await ask('order', () => call.post('/create-order', body, { 'idempotency-key': key }))
        if (reply?.status === 201) {
          placed.set(key, reply.body.orderId)
          break
        }
        if (reply && reply.status < 500) throw new Error(`the order ${key} was refused: ${reply.text}`)
        await delay(RETRY_MS)
      }
      if (pauseMs > 0) await delay(pauseMs)
    }
  }
  const read = async () => {
    while (!over) {
      await ask('list', () => call.get('/orders'))
      await ask('kits', () => call.get('/kits?kitStatus=preparing&page=0&size=10'))
      await ask('feed', () => call.get('/events?size=10'))
      await delay(20)
    }
  }
  const working = Promise.all([...Array.from({ length: concurrency }, order), read()])
  // `more` and `stop` report a failure. Until they are called it must not count as an unhandled rejection.
  working.catch(() => {})
  return {
    placed,
    seen,
    async more(orders) {
      const goal = placed.size + orders
      while (placed.size < goal) await Promise.race([working, delay(20)])
    },
    async stop() {
      over = true
      await working
    },
  }
}
