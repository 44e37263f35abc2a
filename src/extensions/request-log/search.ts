import type { Tx } from '../../platform/database/tx.ts'
import { batchOf, type Entry, entriesOf } from './lines.ts'
import { type BatchFilter, selectBatches } from './queries.ts'

export interface RequestFilter extends Omit<BatchFilter, 'least'> {
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
export type Stretch = { after: number; upTo: number } | { before: number }

export interface Found {
  /** At most as many as asked for, in the order of the search. */
  entries: Entry[]
  /** Whether the search ended before all was looked at: the ID of the last that was. */
  stoppedAt: number | undefined
}

// Requests are looked at in rounds of milliseconds; a search that finds nothing among a million goes on with the next page.
const A_ROUND = 5000
const ROUNDS = 200

/** Looks for up to `size` requests: forwards from an ID, or backwards. */
export async function search(tx: Tx, filter: RequestFilter, stretch: Stretch, size: number): Promise<Found> {
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
