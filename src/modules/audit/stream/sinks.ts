import { open } from 'node:fs/promises'
import type { OperatorHook } from '../../../domain/operator-channels.ts'
import type { SealedEntry } from '../reader-queries.ts'

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
