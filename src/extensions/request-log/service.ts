import type { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { rangeEnd, rangeStart } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import { batchOf, type Entry, entriesOf } from './lines.ts'
import { type BatchFilter, lastId, selectBatches, tokenNames } from './queries.ts'
import { oldestShown, pathPrefix, slotsBetween, statusRange } from './rules.ts'
import type { LoggedRequest, RequestLogPage, RequestLogQuery } from './schema.ts'

// A process whose clock is ahead writes what is yet to come.
const AHEAD_MS = 3600_000

interface RequestFilter extends Omit<BatchFilter, 'least'> {
  methods?: readonly string[] | undefined
  statuses?: readonly { least: number; most: number }[] | undefined
  /** How the path begins. */
  path?: string | undefined
  tokenIds?: readonly string[] | undefined
  codes?: readonly string[] | undefined
  /** Kitlane's or the caller's. */
  requestIds?: readonly string[] | undefined
}

/** Requests after an ID and up to another, or before one. */
type Stretch = { after: number; upTo: number } | { before: number }

interface Found {
  /** At most as many as asked for, in the order of the search. */
  entries: Entry[]
  /** Whether the search ended before all was looked at: the ID of the last that was. */
  stoppedAt: number | undefined
}

// Requests are looked at in rounds of milliseconds; a search that finds nothing among a million goes on with the next page.
const A_ROUND = 5000
const ROUNDS = 200

/** Looks for up to `size` requests: forwards from an ID, or backwards. */
async function search(tx: Tx, filter: RequestFilter, stretch: Stretch, size: number): Promise<Found> {
  const isForwards = 'after' in stretch
  const isWithin = ({ id }: Entry) => (isForwards ? id > stretch.after && id <= stretch.upTo : id < stretch.before)
  const batches = { ...filter, least: Math.min(...(filter.statuses ?? [{ least: 0 }]).map(({ least }) => least)) }
  const entries: Entry[] = []
  let from = batchOf(isForwards ? stretch.after : stretch.before)
  let last = isForwards ? stretch.after : stretch.before
  for (let round = 0; round < ROUNDS; round++) {
    // Without a filter the first round has what is needed, and little else.
    const requests = round === 0 ? size : A_ROUND
    const rows = await selectBatches(tx, batches, { from, isForwards, requests })
    for (const { id, requests } of rows) {
      const inBatch = entriesOf(id, requests)
      for (const entry of isForwards ? inBatch : inBatch.reverse()) {
        if (!isWithin(entry)) continue
        last = entry.id
        if (!matchesFilter(entry, filter)) continue
        entries.push(entry)
        if (entries.length === size) return { entries, stoppedAt: last }
      }
    }
    const end = rows.at(-1)
    if (!end) return { entries, stoppedAt: undefined }
    from = end.id + (isForwards ? 1 : -1)
  }
  return { entries, stoppedAt: last }
}

function matchesFilter(entry: Entry, filter: RequestFilter): boolean {
  const { since, until, methods, statuses, path, tokenIds, codes, requestIds } = filter
  const { method, status, tokenId, code, requestId, callerRequestId } = entry
  return (
    entry.at >= since &&
    entry.at <= until &&
    (!methods || methods.includes(method)) &&
    (!statuses || statuses.some(({ least, most }) => status >= least && status <= most)) &&
    (path === undefined || [entry.route, entry.path].some((one) => one?.startsWith(path))) &&
    (!tokenIds || tokenIds.includes(tokenId)) &&
    (!codes || (code !== null && codes.includes(code))) &&
    (!requestIds || [requestId, callerRequestId].some((one) => one !== null && requestIds.includes(one)))
  )
}

/** One page of the requests of the realm, the oldest first. @throws VALIDATION_FAILED */
export async function readLog(tx: Tx, query: RequestLogQuery): Promise<z.input<typeof RequestLogPage>> {
  const { after, before, latest, size } = query
  if (after !== undefined && (before !== undefined || latest)) {
    refuse([{ message: 'Leave it out where `before` or `latest` asks for the last ones', path: 'after' }])
  }
  const keptDays = tx.context.settings.requestLogDays
  const oldest = oldestShown(tx.now, keptDays)
  const newest = new Date(tx.now.getTime() + AHEAD_MS)
  // What is written meanwhile is on the next page.
  const upTo = await lastId(tx, slotsBetween(oldest, newest))
  const filter = filterOf(query, oldest, newest)
  const start = Number(after ?? 0)
  if (latest || before !== undefined) {
    const from = { before: before === undefined ? upTo + 1 : Number(before) }
    const { entries, stoppedAt } = await search(tx, filter, from, size + 1)
    const data = await shown(tx, entries.slice(0, size).reverse())
    const older = entries.length > size ? data[0]?.id : stoppedAt && String(stoppedAt)
    return { data, hasMore: false, after: String(upTo), ...(older && { before: older }), keptDays }
  }
  const { entries, stoppedAt } = await search(tx, filter, { after: start, upTo }, size + 1)
  const data = await shown(tx, entries.slice(0, size))
  const next = entries.length > size ? data.at(-1)?.id : (stoppedAt ?? Math.max(start, upTo))
  return { data, hasMore: stoppedAt !== undefined, after: String(next), keptDays }
}

function filterOf(query: RequestLogQuery, oldest: Date, newest: Date): RequestFilter {
  const [from = oldest, to = newest] = [rangeStart(query.since), rangeEnd(query.until)]
  const since = from > oldest ? from : oldest
  const until = to < newest ? to : newest
  const { method: methods, status, path, tokenID: tokenIds, code: codes, requestID: requestIds } = query
  return {
    since,
    until,
    slots: slotsBetween(since, until),
    methods,
    tokenIds,
    codes,
    requestIds,
    statuses: status?.map(statusRange),
    path: path ? pathPrefix(path) : undefined,
  }
}

async function shown(tx: Tx, entries: readonly Entry[]): Promise<z.input<typeof LoggedRequest>[]> {
  const names = await tokenNames(tx, [...new Set(entries.map(({ tokenId }) => tokenId))])
  return entries.map((entry) => {
    const { id, at, method, route, path, status, code, durationMs, requestId, callerRequestId, tokenId } = entry
    const name = names.get(tokenId)
    return {
      id: String(id),
      date: at.toISOString(),
      method,
      ...(route !== null && { route, path: path ?? route }),
      status,
      ...(code !== null && { code }),
      ms: durationMs,
      requestID: requestId,
      ...(callerRequestId !== null && { callerRequestID: callerRequestId }),
      token: { id: tokenId, ...(name !== undefined && { name }) },
      replayed: entry.isReplayed,
      ...(entry.simulated !== null && { simulated: entry.simulated }),
    }
  })
}
