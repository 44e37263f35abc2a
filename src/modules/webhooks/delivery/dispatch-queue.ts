import type { Claimed } from './claim-queries.ts'

// Requests in flight: in all, and to one endpoint.
const MAX_IN_FLIGHT = 256
const MAX_IN_FLIGHT_PER_ENDPOINT = 16
// Sent to one endpoint, with outcomes not written yet: when the process is killed, no more than these arrive twice.
const MAX_UNWRITTEN_PER_ENDPOINT = 64
// Claimed for one endpoint, so that the next request need not wait for the database.
const MAX_HELD_PER_ENDPOINT = 192
/** Claimed for one endpoint at a time, whenever there is room. */
export const REFILL = 128
/** Claimed in all. */
export const MAX_HELD = 1024
/** Failing endpoints, with one delivery each. */
export const MAX_FAILING = 64

interface Held {
  delivery: Claimed
  since: number
}

interface EndpointQueue {
  key: string
  failing: boolean
  /** The database may hold more for it than was claimed. */
  more: boolean
  /** Whatever is delivered, another may have waited for it. */
  ordered: boolean
  /** Deliveries a second. */
  rateLimit: number | null
  waiting: Held[]
  inFlight: number
  /** Sent and perhaps answered; the outcome is not written yet. */
  sent: Set<Held>
}

export interface Dispatch {
  delivery: Claimed
  /** Whether it was claimed, or its lease extended, less than `ms` ago: after that another process may have it. */
  isHeld(ms: number): boolean
  /** The request has ended. */
  answered(): void
  /** The outcome is written. True when more should be claimed for the endpoint now. */
  written(): boolean
}

const sizeOf = ({ waiting, sent }: EndpointQueue) => waiting.length + sent.size
// What was claimed counts as sent: it may not pile up here, or it goes out at once when the receiver is faster again.
const isBehind = ({ waiting, rateLimit }: EndpointQueue) => rateLimit !== null && waiting.length * 4 > rateLimit
const keyOf = ({ realmId, endpointId }: Claimed) => `${realmId}/${endpointId}`

const newQueue = (key: string): EndpointQueue => ({
  key,
  failing: false,
  more: false,
  ordered: false,
  rateLimit: null,
  waiting: [],
  inFlight: 0,
  sent: new Set<Held>(),
})

/** The deliveries that this process has claimed: a queue for each endpoint, served in turn, so that a slow endpoint delays only itself. */
export class DispatchQueue {
  readonly #queues = new Map<string, EndpointQueue>()
  readonly #ready = new Set<EndpointQueue>()
  #inFlight = 0
  #held = 0

  get held(): number {
    return this.#held
  }

  get failing(): number {
    return [...this.#queues.values()].filter(({ failing }) => failing).length
  }

  /** Endpoints for which enough is claimed: of a failing one, one delivery. More is claimed once they have room. */
  saturated(): string[] {
    const saturated = [...this.#queues.values()].filter(
      (queue) => queue.failing || sizeOf(queue) > MAX_HELD_PER_ENDPOINT - REFILL || isBehind(queue),
    )
    for (const queue of saturated) queue.more = true
    return saturated.map(({ key }) => key)
  }

  /** Adds what one claim returned that began at `since`. */
  add(taken: readonly Claimed[], failing: boolean, since = performance.now()): void {
    for (const [key, deliveries] of Map.groupBy(taken, keyOf)) {
      const queue = this.#queues.get(key) ?? newQueue(key)
      this.#queues.set(key, queue)
      queue.failing = failing
      queue.ordered = deliveries.some(({ ordered }) => ordered)
      queue.rateLimit = deliveries[0]?.rateLimit ?? null
      // A single delivery was the only one due, unless there is a limit.
      queue.more = deliveries.length > 1 || queue.rateLimit !== null
      for (const delivery of deliveries) queue.waiting.push({ delivery, since })
      this.#held += deliveries.length
      this.#markReady(queue)
    }
  }

  /** The next delivery to send; endpoints take turns. */
  next(): Dispatch | undefined {
    if (this.#inFlight >= MAX_IN_FLIGHT) return undefined
    const [queue] = this.#ready
    const held = queue?.waiting.shift()
    if (!queue || !held) return undefined
    this.#ready.delete(queue)
    this.#inFlight++
    queue.inFlight++
    queue.sent.add(held)
    this.#markReady(queue)
    return {
      delivery: held.delivery,
      isHeld: (ms) => held.since > performance.now() - ms,
      answered: () => {
        this.#inFlight--
        queue.inFlight--
        this.#markReady(queue)
      },
      written: () => {
        queue.sent.delete(held)
        this.#markReady(queue)
        this.#forget(queue, 1)
        const wants = (queue.more || queue.ordered) && sizeOf(queue) <= MAX_HELD_PER_ENDPOINT - REFILL
        if (wants) queue.more = false
        return wants
      },
    }
  }

  #markReady(queue: EndpointQueue): void {
    const maySend = queue.inFlight < MAX_IN_FLIGHT_PER_ENDPOINT && queue.sent.size < MAX_UNWRITTEN_PER_ENDPOINT
    if (queue.waiting.length > 0 && maySend) this.#ready.add(queue)
  }

  #forget(queue: EndpointQueue, count: number): void {
    this.#held -= count
    if (sizeOf(queue) === 0) this.#queues.delete(queue.key)
  }

  /** Removes what waits: for the endpoint of `delivery`, or for all endpoints. */
  drop(delivery?: Claimed): Claimed[] {
    const queues = delivery
      ? [this.#queues.get(keyOf(delivery))].filter((queue) => queue !== undefined)
      : this.#queues.values()
    return [...queues].flatMap((queue) => {
      const dropped = queue.waiting.splice(0)
      this.#ready.delete(queue)
      this.#forget(queue, dropped.length)
      return dropped.map((held) => held.delivery)
    })
  }

  /** Deliveries that were claimed, or returned here, at least `ms` and less than `lostMs` ago. */
  heldFor(ms: number, lostMs = Number.POSITIVE_INFINITY): Claimed[] {
    const now = performance.now()
    const held = [...this.#queues.values()].flatMap(({ sent, waiting }) => [...sent, ...waiting])
    const old = held.filter(({ since }) => since <= now - ms && since > now - lostMs)
    for (const one of old) one.since = now
    return old.map(({ delivery }) => delivery)
  }
}
