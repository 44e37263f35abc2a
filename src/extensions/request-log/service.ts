import type { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { rangeEnd, rangeStart } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { Entry } from './lines.ts'
import { lastId, tokenNames } from './queries.ts'
import { oldestShown, pathPrefix, slotsBetween, statusRange } from './rules.ts'
import type { LoggedRequest, RequestLogPage, RequestLogQuery } from './schema.ts'
import { type RequestFilter, search } from './search.ts'

// A process whose clock is ahead writes what is yet to come.
const AHEAD_MS = 3600_000

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
