import type { VerifyOptions } from '../database/verification.ts'
import { inBatches } from './batches.ts'

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
