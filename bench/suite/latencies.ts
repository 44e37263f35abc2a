/** Keeps latencies and when the answers came, without an object for each. Milliseconds. */
export class Latencies {
  #times = new Float64Array(65_536)
  #at = new Float64Array(65_536)
  count = 0

  /** `at`: since the start. */
  note(at: number, took: number): void {
    if (this.count === this.#times.length) {
      this.#times = doubled(this.#times)
      this.#at = doubled(this.#at)
    }
    this.#at[this.count] = at
    this.#times[this.count++] = took
  }

  summary(): { p50: number; p99: number; max: number } {
    return percentiles(this.#times.subarray(0, this.count))
  }

  /** Whole seconds only. */
  bySecond(elapsedMs: number): Second[] {
    const seconds = Array.from({ length: Math.floor(elapsedMs / 1000) }, () => [] as number[])
    for (let n = 0; n < this.count; n++) seconds[Math.floor((this.#at[n] ?? 0) / 1000)]?.push(this.#times[n] ?? 0)
    return seconds.map((times) => ({ answers: times.length, ...percentiles(Float64Array.from(times)) }))
  }
}

/** What was answered in one second of a run. */
export interface Second {
  answers: number
  p50: number
  p99: number
  max: number
}

function percentiles(times: Float64Array): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

function doubled(list: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(list.length * 2)
  longer.set(list)
  return longer
}
