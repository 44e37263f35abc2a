import { randomUUID } from 'node:crypto'
import type { Database } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import { nextEntries } from '../reader.ts'
import { holdReader, moveReader, releaseReader, selectUnread } from '../reader-queries.ts'
import type { Sink } from './sinks.ts'

export interface StreamOptions {
  database: Database
  sink: Sink
  log: Logger
  /** Default: 1 s. Entries are sealed each minute. */
  everyMs?: number
}

export interface AuditStream {
  /** Sends what waits now, until nothing does. */
  flush(): Promise<void>
  /** What was not sent yet, up to 10,000 entries, and for how many seconds the oldest has waited. */
  lag(): Promise<{ entries: number; seconds: number }>
  stop(): Promise<void>
}

const actor = { name: 'audit-stream' }
// About 150 kB.
const AT_ONCE = 500
// Longer than one request of a webhook may take. After it, another process goes on for one that was killed.
const HOLD_MS = 60_000

/**
 * Sends sealed entries in the order of sealing, at least once: the position moves after they were taken. One process
 * sends at a time, whichever holds the reader; no transaction waits for the other system.
 */
export function startStream({ database, sink, log, everyMs = 1000 }: StreamOptions): AuditStream {
  const holder = randomUUID()
  let running: Promise<void> | undefined
  let stopped = false
  let failures = 0
  let skip = 0

  async function sendNext(): Promise<boolean> {
    const found = await database.asSystem(actor, async (tx) => {
      const position = await holdReader(tx, 'stream', holder, new Date(tx.now.getTime() + HOLD_MS))
      return position && nextEntries(tx, position, AT_ONCE)
    })
    if (!found) return false
    const { entries, next } = found
    if (entries.length > 0) await sink.write(entries)
    return database.asSystem(actor, (tx) => moveReader(tx, 'stream', next, holder))
  }

  async function sendAll(): Promise<void> {
    try {
      while (!stopped && (await sendNext()));
      failures = 0
    } catch (err) {
      failures++
      // After a failure it pauses for 2, 4, 8 … turns, a minute at most.
      skip = Math.min(2 ** failures, Math.ceil(60_000 / everyMs))
      log.warn({ err }, 'the audit could not be streamed')
    }
  }

  const flush = async () => {
    await running
    running = sendAll().finally(() => {
      running = undefined
    })
    await running
  }
  const ticker = setInterval(() => {
    if (skip > 0) skip--
    else if (!running) void flush()
  }, everyMs)
  return {
    flush,
    lag: () =>
      database.asSystem(actor, async (tx) => {
        const { entries, oldest } = await selectUnread(tx, 'stream')
        return { entries, seconds: oldest ? Math.max(0, (tx.now.getTime() - oldest.getTime()) / 1000) : 0 }
      }),
    async stop() {
      stopped = true
      clearInterval(ticker)
      await running
      await database
        .asSystem(actor, (tx) => releaseReader(tx, 'stream', holder))
        .catch((err: unknown) => {
          log.warn({ err }, 'the stream of the audit could not be released: another process goes on in a minute')
        })
    },
  }
}
