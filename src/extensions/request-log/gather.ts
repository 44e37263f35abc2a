import { Counter } from 'prom-client'
import type { Database } from '../../platform/database/tx.ts'
import type { AnsweredRequest, KeepRequest, RequestListener } from '../../platform/http/request-log.ts'
import type { Logger } from '../../platform/log.ts'
import { processFigures } from '../../platform/process-figures.ts'
import { batchesOf } from './lines.ts'
import { insertBatches } from './queries.ts'

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
      const rows = batchesOf(batch)
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
