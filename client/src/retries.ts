import type { KitlaneError } from './errors.ts'

const MOST_MS = 8_000
/** Whoever is asked to wait longer than this hears of it instead. */
const MAX_RETRY_AFTER_MS = 60_000

const passing = new Set([429, 502, 503, 504])

/** Whether the same request may be answered otherwise a little later. */
export const mayPass = ({ code, status }: Pick<KitlaneError, 'code' | 'status'>): boolean =>
  code === 'NO_ANSWER' ||
  code === 'TIMED_OUT' ||
  code === 'IDEMPOTENCY_CONFLICT' ||
  (status !== undefined && passing.has(status))

/**
 * How long to wait after the given number of tries: twice as long each time, of which a half is random, so that many callers
 * do not return together. Never less than the service asks for; undefined where that is too long.
 */
export function delayAfter(tries: number, { firstMs, retryAfterMs, random = Math.random() }: Wait): number | undefined {
  const most = Math.min(MOST_MS, firstMs * 2 ** (tries - 1))
  const own = most * (0.5 + random / 2)
  if (retryAfterMs === undefined) return own
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : Math.max(own, retryAfterMs + (most * random) / 4)
}

interface Wait {
  /** The most before the second try. */
  firstMs: number
  retryAfterMs?: number | undefined
  /** From 0 to 1. */
  random?: number
}

/** Milliseconds of a `Retry-After`: seconds, or a date. */
export function retryAfterOf(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Waits, unless the signal ends it with its reason. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
