import { setTimeout as delay } from 'node:timers/promises'

// Background work takes a quarter of the time, so that requests find the database free for the rest.
const PAUSE = 3

/** Repeats a small piece of work until it returns false, and pauses after each piece for three times as long as it took. */
export async function inBatches(
  signal: AbortSignal,
  batch: () => Promise<boolean>,
  pause: (ms: number) => Promise<unknown> = (ms) => delay(ms),
): Promise<void> {
  while (!signal.aborted) {
    const started = performance.now()
    if (!(await batch())) return
    await pause((performance.now() - started) * PAUSE)
  }
}
