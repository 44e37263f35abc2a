import type { Claimed } from './claim-queries.ts'

// Four looks a second for an endpoint with a limit that more waits for: each finds a quarter of a second's worth.
const EVERY_MS = 250
// The database counts to the microsecond, a timer may be a millisecond early.
const MARGIN_MS = 5

/** Wakes the sender when the limits of endpoints leave room again. */
export class WakesLater {
  readonly #wake: (realmId: number) => void
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(wake: (realmId: number) => void) {
    this.#wake = wake
  }

  /** Of what was claimed: more may wait for the same endpoints. */
  note(claimed: readonly Claimed[]): void {
    for (const { realmId, rateLimit } of claimed) {
      if (rateLimit === null) continue
      const ms = Math.max(EVERY_MS, 1000 / rateLimit) + MARGIN_MS
      const key = `${realmId}/${ms}`
      if (this.#timers.has(key)) continue
      const timer = setTimeout(() => {
        this.#timers.delete(key)
        this.#wake(realmId)
      }, ms)
      this.#timers.set(key, timer)
    }
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
