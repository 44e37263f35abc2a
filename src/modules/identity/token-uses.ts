import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { NoteUse } from '../../platform/http/caller.ts'
import type { Logger } from '../../platform/log.ts'
import { putTokenUses } from './token-queries.ts'

const WRITTEN_EVERY_MS = 60_000
// Uses of many tokens within this time are one statement.
const GATHERED_MS = 1000
const MAX_NOTED = 50_000

export interface TokenUses {
  note: NoteUse
  /** Writes what was noted. */
  flush(): Promise<void>
}

/**
 * Keeps when each token was last used, to the minute. A request only looks into a map; a statement each second at most
 * writes the tokens that were not written within the minute.
 */
export function tokenUses(database: Database, clock: Clock, log: Logger): TokenUses {
  const noted = new Map<string, number>()
  let waiting: { id: string; at: Date }[] = []
  let timer: NodeJS.Timeout | undefined

  function note(id: string): void {
    const now = clock.now()
    const last = noted.get(id)
    if (last !== undefined && now.getTime() - last < WRITTEN_EVERY_MS) return
    if (noted.size >= MAX_NOTED) noted.clear()
    noted.set(id, now.getTime())
    waiting.push({ id, at: now })
    timer ??= setTimeout(() => void flush(), GATHERED_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const uses = waiting
    waiting = []
    if (uses.length === 0) return
    try {
      await database.asSystem({ name: 'system' }, (tx) => putTokenUses(tx, uses))
    } catch (err) {
      // The next use of each is noted again.
      for (const { id } of uses) noted.delete(id)
      log.warn({ err }, 'the last use of tokens could not be written')
    }
  }
  return { note, flush }
}
