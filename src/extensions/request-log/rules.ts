const DAY_MS = 24 * 3600 * 1000
/** As many as 29_request_log.sql made. */
const SLOTS = 32

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)

/** The partition that holds the requests of a day. */
export const slotOf = (at: Date): number => dayOf(at) % SLOTS

/** The partitions of a stretch of time. */
export function slotsBetween(from: Date, to: Date): number[] {
  const days = Math.min(SLOTS, dayOf(to) - dayOf(from) + 1)
  return Array.from({ length: Math.max(0, days) }, (_, day) => (dayOf(from) + day) % SLOTS)
}

/** The time that the oldest request that is shown may have. */
export const oldestShown = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/**
 * The partitions without a request that is still to be kept; tomorrow's is kept for processes whose clock is ahead. If no worker
 * runs for a month, what was there before stays for another one, and is not shown.
 */
export function endedSlots(now: Date, days: number): number[] {
  const retained = new Set(slotsBetween(oldestShown(now, days), new Date(now.getTime() + DAY_MS)))
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => !retained.has(slot))
}

/** A status as it is asked for, `404` or `4xx`, as its lowest and its highest. */
export function statusRange(text: string): { least: number; most: number } {
  const first = Number(text.charAt(0)) * 100
  return text.endsWith('xx') ? { least: first, most: first + 99 } : { least: Number(text), most: Number(text) }
}

/** The beginning of a path as the log has it: `/orders` is `/api/v1/orders`, and the query is not part of it. */
export function pathPrefix(text: string): string {
  const path = (text.split('?', 1)[0] ?? '').replace(/:(\w+)/g, '{$1}')
  const rooted = path.startsWith('/') ? path : `/${path}`
  return /^\/(api|fhir)(\/|$)/.test(rooted) ? rooted : `/api/v1${rooted}`
}
