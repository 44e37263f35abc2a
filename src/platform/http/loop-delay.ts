import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 10
const WINDOW_MS = 1000

/**
 * How late the event loop is, sampled every 10 ms, but only while somebody asks: each sample wakes the process, a hundred
 * times a second.
 */
export class LoopDelay {
  readonly #samples = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #timer: NodeJS.Timeout | undefined
  #wasAsked = false
  #sinceMs = 0
  #meanMs = 0

  /** The mean of the last second; 0 in the first one after a pause. */
  meanMs(): number {
    this.#wasAsked = true
    if (!this.#timer) {
      this.#samples.enable()
      this.#sinceMs = performance.now()
      this.#timer = setTimeout(() => this.#sum(), WINDOW_MS).unref()
    }
    return this.#meanMs
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#meanMs = 0
    this.#samples.disable()
    this.#samples.reset()
  }

  #sum(): void {
    const now = performance.now()
    // Not one sample: the loop stood still.
    const meanMs = this.#samples.count === 0 ? now - this.#sinceMs : this.#samples.mean / 1e6 - RESOLUTION_MS
    // Below zero where samples that were late are followed by early ones.
    this.#meanMs = Math.max(0, meanMs)
    this.#sinceMs = now
    this.#samples.reset()
    if (!this.#wasAsked) this.stop()
    else this.#timer?.refresh()
    this.#wasAsked = false
  }
}
