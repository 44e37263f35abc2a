import { setTimeout as delay } from 'node:timers/promises'
import type { VerifyOptions } from '../database/verification.ts'

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

// A whole pass a week. Six and a half days: the job does not begin at the same second each night.
const WHOLE_AFTER_MS = 6.5 * 24 * 3600 * 1000
// Below the 30 minutes after which another worker takes over. What is left waits for the next night.
const AT_NIGHT_MS = 20 * 60_000

/** How a job verifies: what is new, all of it once a week, and no longer than 20 minutes. */
export const nightly = (signal: AbortSignal): VerifyOptions => {
  const until = AbortSignal.any([signal, AbortSignal.timeout(AT_NIGHT_MS)])
  return {
    which: { dueAfterMs: WHOLE_AFTER_MS },
    signal: until,
    repeat: (batch) => inBatches(until, batch),
  }
}
