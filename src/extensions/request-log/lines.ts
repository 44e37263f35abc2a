import type { AnsweredRequest } from '../../platform/http/request-log.ts'

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

/** The requests of one realm that are written together, within one day. */
export interface Batch {
  slot: number
  count: number
  worst: number
  realmId: number
  firstAt: Date
  lastAt: Date
  /** A line for each request, its fields separated by tabs. None of the values has either, nor a quote. */
  requests: string
}

/** One request of a batch. */
export type Entry = Omit<AnsweredRequest, 'realmId'> & { id: number }

// More than a batch has: the ID of a request is that of its batch with its line.
const LINES = 1000
export const idOf = (batchId: number, line: number): number => batchId * LINES + line
export const batchOf = (id: number): number => Math.floor(id / LINES)

const lineOf = (request: AnsweredRequest): string => {
  const { at, durationMs, status, method, route, path, code, tokenId, requestId } = request
  const rare = `${request.callerRequestId ?? ''}\t${request.isReplayed ? 1 : ''}\t${request.simulated ?? ''}`
  return `${at.getTime()}\t${durationMs}\t${status}\t${method}\t${route ?? ''}\t${path ?? ''}\t${code ?? ''}\t${tokenId}\t${requestId}\t${rare}`
}

/** Requests by their realm and day, each in the order given. */
export function batchesOf(requests: readonly AnsweredRequest[]): Batch[] {
  const batches = new Map<number, Batch & { lines: string[] }>()
  for (const request of requests) {
    const { at, realmId, status } = request
    const slot = slotOf(at)
    const key = realmId * 64 + slot
    const line = lineOf(request)
    const known = batches.get(key)
    if (!known) {
      const batch = { slot, realmId, count: 1, worst: status, firstAt: at, lastAt: at, requests: '', lines: [line] }
      batches.set(key, batch)
      continue
    }
    known.lines.push(line)
    known.count++
    if (status > known.worst) known.worst = status
    if (at < known.firstAt) known.firstAt = at
    if (at > known.lastAt) known.lastAt = at
  }
  return [...batches.values()].map(({ lines, ...batch }) => ({ ...batch, requests: lines.join('\n') }))
}

/** What `batchesOf` made of requests. */
export function entriesOf(batchId: number, requests: string): Entry[] {
  return requests.split('\n').map((text, line) => {
    const [at, ms, status, method = '', route, path, code, tokenId = '', requestId = '', ownId, replayed, simulated] =
      text.split('\t')
    return {
      id: idOf(batchId, line),
      at: new Date(Number(at)),
      durationMs: Number(ms),
      status: Number(status),
      method,
      route: route || null,
      path: path || null,
      code: code || null,
      tokenId,
      requestId,
      callerRequestId: ownId || null,
      isReplayed: replayed === '1',
      simulated: simulated || null,
    }
  })
}
