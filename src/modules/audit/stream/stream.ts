import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { OperatorHook } from '../../../domain/operator-channels.ts'
import type { Database } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import { nextEntries } from '../reader.ts'
import { holdReader, moveReader, releaseReader, type SealedEntry, selectUnread } from '../reader-queries.ts'

/** Where entries are sent to. It takes a batch as a whole, or throws; then it gets the same entries again. */
export interface Sink {
  write(entries: readonly SealedEntry[]): Promise<void>
}

const NEWLINE = 0x0a

/**
 * A file of JSON lines that only its owner may read. It is opened for each batch, so that a file that was moved away is
 * created again without a signal. A line that a crash has cut off is ended, and written again.
 */
export function fileSink(path: string): Sink {
  return {
    async write(entries) {
      const lines = entries.map((entry) => `${JSON.stringify(streamed(entry))}\n`).join('')
      const file = await open(path, 'a+', 0o600)
      try {
        const { size } = await file.stat()
        const last = Buffer.alloc(1)
        if (size > 0) await file.read(last, 0, 1, size - 1)
        const isTorn = size > 0 && last[0] !== NEWLINE
        await file.appendFile(isTorn ? `\n${lines}` : lines)
        await file.sync()
      } finally {
        await file.close()
      }
    },
  }
}

/** A signed webhook. The ID of a batch is that of its entries, so that a receiver recognises what comes again. */
export function webhookSink(hook: OperatorHook): Sink {
  return {
    async write(entries) {
      const [first, last] = [entries.at(0), entries.at(-1)]
      if (!first || !last) return
      const id = `audit_${first.id}_${last.id}_${entries.length}`
      await hook.send({ id, type: 'audit.sealed', at: last.at, data: { entries: entries.map(streamed) } })
    },
  }
}

/** An entry as other systems get it: what `GET /audit` shows, with the business. Holds no name and no health data. */
function streamed(entry: SealedEntry): Record<string, unknown> {
  const { id, at, actor, action, objectType, objectId, requestId, callerRequestId, ip, details, businessId, mode } =
    entry
  return {
    id: String(id),
    at: at.toISOString(),
    actor,
    action,
    objectType,
    objectID: objectId,
    ...(businessId !== null && { businessID: businessId, mode }),
    ...(requestId !== null && { requestID: requestId }),
    ...(callerRequestId !== null && { callerRequestID: callerRequestId }),
    ...(ip !== null && { ip }),
    ...(details !== null && { details }),
  }
}

interface StreamOptions {
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
