import type { SharedCounts } from './shared-counts.ts'

const WINDOW_MS = 60_000
// About 10 MB. Beyond it, the caller whose minute began first is counted again.
const MAX_CALLERS = 50_000
// A fiftieth of what a caller may send: a node that counted as many alone asks the others before it lets more through.
const ALONE = 50
// Others learn of fewer requests within this time.
const POSTED_AFTER_MS = 1000

interface Minute {
  endsMs: number
  /** Counted here. */
  own: number
  /** Of these, how many the other nodes know of. */
  posted: number
  /** Counted by other nodes, as far as this one knows. */
  others: number
  /** Already over the limit: more need not be known. */
  isOver: boolean
}

export interface Counted {
  count: number
  /** Until the caller's minute is over. */
  secondsLeft: number
}

/**
 * How many requests each caller sent in a minute that began with the first of them. A node counts alone for a fiftieth of what
 * the caller may send, and then waits until the others know and it knows theirs: N nodes together let at most 2 N % too many
 * through. Without the database, or without `shared`, each counts alone.
 */
export class RequestCounts {
  readonly #kind: string
  readonly #shared: SharedCounts | undefined
  /** In the order in which the minutes began. */
  readonly #minutes = new Map<string, Minute>()
  #toPost = new Map<string, Minute>()
  #timer: NodeJS.Timeout | undefined
  #posting: Promise<void> | undefined
  #next: Promise<void> | undefined
  #aloneUntilMs = 0

  constructor(kind: string, shared?: SharedCounts) {
    this.#kind = kind
    this.#shared = shared
  }

  /** A promise where the other nodes are asked first. */
  add(caller: string, max: number): Counted | Promise<Counted> {
    const nowMs = performance.now()
    const minute = this.#minuteOf(caller, nowMs)
    const rank = ++minute.own
    const counted = () => ({
      count: minute.others + rank,
      secondsLeft: Math.max(1, Math.ceil((minute.endsMs - performance.now()) / 1000)),
    })
    if (!this.#shared || minute.isOver) return counted()
    minute.isOver = minute.others + rank > max
    this.#toPost.set(caller, minute)
    if (minute.own - minute.posted >= max / ALONE && nowMs >= this.#aloneUntilMs) return this.#postNext().then(counted)
    this.#timer ??= setTimeout(() => void this.#postNext(), POSTED_AFTER_MS).unref()
    return counted()
  }

  /** Does not count a request of this minute after all. */
  takeBack(caller: string): void {
    const minute = this.#minutes.get(caller)
    if (!minute || minute.own === 0) return
    minute.own--
    minute.isOver = false
    if (this.#shared) this.#toPost.set(caller, minute)
  }

  #minuteOf(caller: string, nowMs: number): Minute {
    const known = this.#minutes.get(caller)
    if (known && nowMs < known.endsMs) return known
    this.#minutes.delete(caller)
    if (this.#minutes.size >= MAX_CALLERS) this.#forgetFirst()
    const minute = { endsMs: nowMs + WINDOW_MS, own: 0, posted: 0, others: 0, isOver: false }
    this.#minutes.set(caller, minute)
    return minute
  }

  /** A post that has all that was counted until now: the one that begins when the running one has ended. */
  #postNext(): Promise<void> {
    if (this.#posting) {
      this.#next ??= this.#posting.then(() => this.#begin())
      return this.#next
    }
    return this.#begin()
  }

  #begin(): Promise<void> {
    this.#next = undefined
    clearTimeout(this.#timer)
    this.#timer = undefined
    const posting = this.#post().finally(() => {
      if (this.#posting === posting) this.#posting = undefined
    })
    this.#posting = posting
    return posting
  }

  async #post(): Promise<void> {
    const nowMs = performance.now()
    const sent = [...this.#toPost].map(([caller, minute]) => ({ caller, minute, own: minute.own }))
    this.#toPost = new Map()
    const counts = sent.map(({ caller, minute, own }) => ({
      key: this.#keyOf(caller),
      add: own - minute.posted,
      leftMs: Math.max(0, minute.endsMs - nowMs),
    }))
    try {
      const totals = await this.#shared?.post(counts)
      for (const { caller, minute, own } of sent) {
        const total = totals?.get(this.#keyOf(caller))
        minute.posted = own
        if (!total) continue
        minute.others = total.count - own
        minute.endsMs = Math.min(minute.endsMs, performance.now() + total.leftMs)
      }
    } catch {
      // The database is away: the code that needs it reports that. Nobody is kept waiting for a count.
      this.#aloneUntilMs = performance.now() + POSTED_AFTER_MS
      for (const { caller, minute } of sent) this.#toPost.set(caller, minute)
    }
  }

  #keyOf(caller: string): string {
    return `${this.#kind} ${caller}`
  }

  #forgetFirst(): void {
    for (const [first] of this.#minutes) {
      this.#minutes.delete(first)
      return
    }
  }
}
