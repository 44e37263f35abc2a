import type { Claimed } from './claim-queries.ts'

// Requests on their way at one time: in all, and to one endpoint.
const AT_ONCE = 256
const PER_ENDPOINT = 16
// Sent to one endpoint, and what came of it not written: a kill makes no more than these arrive twice.
const UNWRITTEN = 64
// Taken on of one endpoint, so that the next request need not wait for the database.
const SHARE = 192
/** So many at once, whenever there is room for them. */
export const REFILL = 128
/** Taken on in all. */
export const HELD = 1024
/** Endpoints that fail, with one delivery each. */
export const FAILING = 64

interface Held {
  delivery: Claimed
  since: number
}

interface Line {
  key: string
  failing: boolean
  /** There may be more for it than was taken on. */
  more: boolean
  waiting: Held[]
  flying: number
  /** Sent, and perhaps answered, but not written. */
  sent: Set<Held>
}

export interface Turn {
  delivery: Claimed
  /** The request is over. */
  answered(): void
  /** What came of it is written. True when the endpoint may have more now. */
  written(): boolean
}

const sizeOf = ({ waiting, sent }: Line) => waiting.length + sent.size
const keyOf = ({ realmId, endpointId }: Claimed) => `${realmId}/${endpointId}`

/** What this process has taken on: a line for each endpoint, served in turn, so that a slow one holds only its own share. */
export class Lines {
  readonly #lines = new Map<string, Line>()
  readonly #ready = new Set<Line>()
  #flying = 0
  #held = 0

  get held(): number {
    return this.#held
  }

  get failing(): number {
    return [...this.#lines.values()].filter(({ failing }) => failing).length
  }

  /** Endpoints that have enough; of a failing one, one delivery is. They are looked at again when they have less. */
  busy(): string[] {
    const busy = [...this.#lines.values()].filter((line) => line.failing || sizeOf(line) > SHARE - REFILL)
    for (const line of busy) line.more = true
    return busy.map(({ key }) => key)
  }

  /** What was taken on at once. */
  add(taken: readonly Claimed[], failing: boolean): void {
    const since = performance.now()
    for (const [key, deliveries] of Map.groupBy(taken, keyOf)) {
      const line = this.#lines.get(key) ?? { key, failing, more: false, waiting: [], flying: 0, sent: new Set<Held>() }
      this.#lines.set(key, line)
      line.failing = failing
      // One alone was all that there was.
      line.more = deliveries.length > 1
      for (const delivery of deliveries) line.waiting.push({ delivery, since })
      this.#held += deliveries.length
      this.#readyAgain(line)
    }
  }

  /** The next that may go: everyone's turn comes. */
  next(): Turn | undefined {
    if (this.#flying >= AT_ONCE) return undefined
    const [line] = this.#ready
    const held = line?.waiting.shift()
    if (!line || !held) return undefined
    this.#ready.delete(line)
    this.#flying++
    line.flying++
    line.sent.add(held)
    this.#readyAgain(line)
    return {
      delivery: held.delivery,
      answered: () => {
        this.#flying--
        line.flying--
        this.#readyAgain(line)
      },
      written: () => {
        line.sent.delete(held)
        this.#readyAgain(line)
        this.#left(line, 1)
        const wants = line.more && sizeOf(line) <= SHARE - REFILL
        if (wants) line.more = false
        return wants
      },
    }
  }

  #readyAgain(line: Line): void {
    const mayFly = line.flying < PER_ENDPOINT && line.sent.size < UNWRITTEN
    if (line.waiting.length > 0 && mayFly) this.#ready.add(line)
  }

  #left(line: Line, count: number): void {
    this.#held -= count
    if (sizeOf(line) === 0) this.#lines.delete(line.key)
  }

  /** Gives up what waits: for the endpoint of `delivery`, or for all. */
  drop(delivery?: Claimed): Claimed[] {
    const lines = delivery
      ? [this.#lines.get(keyOf(delivery))].filter((line) => line !== undefined)
      : this.#lines.values()
    return [...lines].flatMap((line) => {
      const dropped = line.waiting.splice(0)
      this.#ready.delete(line)
      this.#left(line, dropped.length)
      return dropped.map((held) => held.delivery)
    })
  }

  /** What has been held for at least so long, or was last named here so long ago. */
  heldFor(ms: number): Claimed[] {
    const now = performance.now()
    const held = [...this.#lines.values()].flatMap(({ sent, waiting }) => [...sent, ...waiting])
    const old = held.filter(({ since }) => since <= now - ms)
    for (const one of old) one.since = now
    return old.map(({ delivery }) => delivery)
  }
}
