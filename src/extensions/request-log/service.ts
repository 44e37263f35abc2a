import { Counter } from 'prom-client'
import type { z } from 'zod'
import type { Database, Tx } from '../../platform/database/tx.ts'
import { rangeEnd, rangeStart } from '../../platform/http/fields.ts'
import type { AnsweredRequest, KeepRequest, RequestListener } from '../../platform/http/request-log.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { Logger } from '../../platform/log.ts'
import { processFigures } from '../../platform/process-figures.ts'
import * as lines from './lines.ts'
import { type BatchFilter, insertBatches, lastId, selectBatches, tokenNames } from './queries.ts'
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
  entries: lines.Entry[]
  /** Whether the search ended before all was looked at: the ID of the last that was. */
  stoppedAt: number | undefined
}

// Requests are looked at in rounds of milliseconds; a search that finds nothing among a million goes on with the next page.
const A_ROUND = 5000
const ROUNDS = 200

/** Looks for up to `size` requests: forwards from an ID, or backwards. */
async function search(tx: Tx, filter: RequestFilter, stretch: Stretch, size: number): Promise<Found> {
  const isForwards = 'after' in stretch
  const isWithin = ({ id }: lines.Entry) =>
    isForwards ? id > stretch.after && id <= stretch.upTo : id < stretch.before
  const batches = { ...filter, least: Math.min(...(filter.statuses ?? [{ least: 0 }]).map(({ least }) => least)) }
  const entries: lines.Entry[] = []
  let from = lines.batchOf(isForwards ? stretch.after : stretch.before)
  let last = isForwards ? stretch.after : stretch.before
  for (let round = 0; round < ROUNDS; round++) {
    // Without a filter the first round has what is needed, and little else.
    const requests = round === 0 ? size : A_ROUND
    const rows = await selectBatches(tx, batches, { from, isForwards, requests })
    for (const { id, requests } of rows) {
      const inBatch = lines.entriesOf(id, requests)
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

function matchesFilter(entry: lines.Entry, filter: RequestFilter): boolean {
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
  const oldest = lines.oldestShown(tx.now, keptDays)
  const newest = new Date(tx.now.getTime() + AHEAD_MS)
  // What is written meanwhile is on the next page.
  const upTo = await lastId(tx, lines.slotsBetween(oldest, newest))
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
    slots: lines.slotsBetween(since, until),
    methods,
    tokenIds,
    codes,
    requestIds,
    statuses: status?.map(lines.statusRange),
    path: path ? lines.pathPrefix(path) : undefined,
  }
}

async function shown(tx: Tx, entries: readonly lines.Entry[]): Promise<z.input<typeof LoggedRequest>[]> {
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

// What is answered within this time is one statement. Nothing waits, and nothing wakes the process, where nobody asks.
const GATHERED_MS = 1000
// Below the lines that IDs have room for (lines.ts).
const AT_ONCE = 500
// 20,000 requests: about 10 MB.
const MOST_BATCHES = 40
const MOST_PAUSE_MS = 30_000

const dropped = new Counter({
  name: 'kitlane_request_log_dropped_total',
  help: 'Requests that are missing in the log of requests, because the database did not take them in time.',
  registers: [processFigures],
})

const actor = { name: 'system' }

/**
 * Gathers requests in memory and writes them in batches. Where the database does not take them they wait, the oldest are
 * dropped, and no request notices.
 */
export function requestLog(database: Database, log: Logger): RequestListener {
  const full: AnsweredRequest[][] = []
  let current: AnsweredRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let failures = 0
  let droppedSince = 0

  const keep: KeepRequest = (request) => {
    current.push(request)
    if (current.length < AT_ONCE) return wait()
    queue()
    if (failures === 0) void write()
    else wait()
  }

  function queue(): void {
    if (current.length > 0) full.push(current)
    current = []
    while (full.length > MOST_BATCHES) drop(full.shift() ?? [])
  }

  function drop(batch: readonly AnsweredRequest[]): void {
    dropped.inc(batch.length)
    droppedSince += batch.length
  }

  function wait(): void {
    if (writing) return
    timer ??= setTimeout(() => void write(), Math.min(MOST_PAUSE_MS, GATHERED_MS * 2 ** failures)).unref()
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
      if (full.length + current.length > 0) wait()
    })
    return writing
  }

  /** Until nothing waits, or the database does not take it. */
  async function writeAll(): Promise<void> {
    queue()
    for (let batch = full.shift(); batch; batch = full.shift()) {
      const rows = lines.batchesOf(batch)
      try {
        await database.asSystem(actor, (tx) => insertBatches(tx, rows))
      } catch (err) {
        if (failures++ === 0) log.warn({ err }, 'the log of requests is not written for now: it is tried again')
        full.unshift(batch)
        return
      }
      if (failures > 0) log.info({ count: droppedSince }, 'the log of requests is written again, without so many')
      failures = 0
      droppedSince = 0
    }
  }

  /** Writes what waits, once. What the database does not take then is dropped. */
  async function flush(): Promise<void> {
    await writing
    await write()
    clearTimeout(timer)
    const rest = full.splice(0).flat()
    if (rest.length === 0) return
    drop(rest)
    log.warn({ count: droppedSince }, 'the log of requests lacks so many that could not be written before the end')
  }
  return { keep, flush }
}
