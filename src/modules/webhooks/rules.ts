/** Seconds until the next attempt, by the number of attempts made. None after the last. */
const retryScheduleSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

// A receiver may ask for more time, but not for days.
const MAX_RETRY_AFTER_SECONDS = 86_400
const JITTER = 0.1

/**
 * When to try again after `attempts` failures; undefined when that was the last. Jitter is only added, never taken off.
 * `retryAfterSeconds` is the receiver's wish, honoured where it is later.
 */
export function nextAttempt(
  attempts: number,
  { now, random, retryAfterSeconds = 0 }: { now: Date; random: number; retryAfterSeconds?: number },
): Date | undefined {
  const base = retryScheduleSeconds[attempts - 1]
  if (base === undefined) return undefined
  const wished = Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS)
  return new Date(now.getTime() + Math.max(base * (1 + JITTER * random), wished) * 1000)
}

/** Seconds of a Retry-After header: a number, or a date. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (!header) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}

const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000
// A handful of events over five days is too little to call an endpoint dead.
const DISABLE_AFTER_FAILURES = 10

/** Whether an endpoint has failed so long, and so often, that it is switched off. */
export function isDead(failingSince: Date | null, failures: number, now: Date): boolean {
  return (
    failingSince !== null &&
    failures >= DISABLE_AFTER_FAILURES &&
    now.getTime() - failingSince.getTime() > DISABLE_AFTER_MS
  )
}

/** What a thin payload keeps: identifiers, statuses, counts and times. */
export const thinKeys: ReadonlySet<string> = new Set([
  ...[
    'id',
    'orderID',
    'kitID',
    'kitType',
    'customerID',
    'reportID',
    'jobId',
    'replacementFor',
    'replacedBy',
    'endpointID',
  ],
  ...[
    'status',
    'kitStatus',
    'sampleStatus',
    'previous',
    'event',
    'sequence',
    'version',
    'progress',
    'allowed',
    'message',
    'changed',
    'state',
    'isHere',
    'times',
    'choices',
  ],
  ...[
    'createdDate',
    'lastUpdatedDate',
    'registrationDate',
    'canceledDate',
    'publishedDate',
    'withdrawnDate',
    'completedDate',
    'updatedDate',
  ],
  ...['total', 'succeeded', 'failed', 'type', 'credits', 'threshold', 'items'],
  ...['planID', 'nextDate', 'date', 'code', 'attempts', 'retryDate', 'endedBy', 'endedDate'],
  ...['shopID', 'shopOrderID'],
])

/** The data of an event without anything that names or reaches a person. */
export function thin(data: unknown): unknown {
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(Object.entries(data).filter(([key]) => thinKeys.has(key)))
}
