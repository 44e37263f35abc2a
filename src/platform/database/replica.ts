import { setTimeout as delay } from 'node:timers/promises'
import type { ClientBase, Pool } from 'pg'
import type { Logger } from '../log.ts'

/** Streaming standbys that reads may go to: one, or several behind one address. */
export interface Replica {
  pool: Pool
  /**
   * How far the primary's log is, with everything that was committed when this was called, by any node. Undefined: reads go
   * to the primary, because the standbys were behind or away less than a second ago.
   */
  position(what: string): Promise<string | undefined>
  /** Waits a moment until the standby of this transaction has replayed that. @throws if it has not, or is not a standby */
  reach(client: ClientBase, position: string): Promise<void>
  /** A read failed there. One that turned out to write is not tried again; after others, all go to the primary for a second. */
  fail(what: string, err: unknown): void
  close(): Promise<void>
}

// A healthy standby is a few milliseconds behind.
const WAIT_MS = 100
const ASK_EVERY_MS = 5
const AWAY_MS = 1000
// Shorter than for a request, which goes to the primary afterwards.
const ANSWER_MS = 500
// "cannot execute … in a read-only transaction"
const READ_ONLY = '25006'

// The first eight digits of the file's name are the timeline.
const POSITION = `select pg_current_wal_flush_lsn()::text as position,
  left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline`
const HAS = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as has'
// A standby may have more of the old primary's log than the new primary, which takes it for its own until it is rewound.
const AFTER_FAILOVER_MS = 30_000

class Behind extends Error {}

/** `primary`: where positions are asked. Requests that arrive together ask once. */
export function openReplica(primary: Pool, pool: Pool, log: Logger): Replica {
  const writing = new Set<string>()
  let awayUntilMs = 0
  let wasAway = false
  let timeline: string | undefined
  let asking: Promise<string | undefined> | undefined
  let next: Promise<string | undefined> | undefined

  async function ask(): Promise<string | undefined> {
    try {
      const { rows } = await primary.query<{ position: string; timeline: string }>(POSITION)
      const [found] = rows
      const isFailover = timeline !== undefined && timeline !== found?.timeline
      timeline = found?.timeline
      if (!isFailover) return found?.position
      away('there is another primary', undefined, AFTER_FAILOVER_MS)
    } catch (err) {
      away('the primary cannot be asked', err)
    }
    return undefined
  }

  function away(why: string, err?: unknown, forMs = AWAY_MS): void {
    awayUntilMs = Math.max(awayUntilMs, performance.now() + forMs)
    if (!wasAway) log.warn({ ...(err !== undefined && { err }) }, `${why}: reads go to the primary`)
    wasAway = true
  }

  /** An answer to callers that ask before it is sent; others get the next one, since they may know of newer rows. */
  function begin(): Promise<string | undefined> {
    const request = ask().finally(() => {
      if (asking === request) asking = undefined
    })
    asking = request
    return request
  }

  return {
    pool,
    async position(what) {
      if (writing.has(what) || performance.now() < awayUntilMs) return undefined
      if (!asking) return begin()
      next ??= asking.then((found) => {
        next = undefined
        return found && begin()
      })
      return next
    },
    async reach(client, position) {
      for (const endMs = performance.now() + WAIT_MS; ; await delay(ASK_EVERY_MS)) {
        const { rows } = await client.query<{ has: boolean | null }>({
          text: HAS,
          values: [position],
          ...{ query_timeout: ANSWER_MS },
        })
        if (rows[0]?.has) break
        if (performance.now() > endMs) throw new Behind('the replica is behind')
      }
      if (wasAway && performance.now() > awayUntilMs) {
        wasAway = false
        log.info('reads go to the replica again')
      }
    },
    fail(what, err) {
      if ((err as { code?: string }).code === READ_ONLY) writing.add(what)
      else if (err instanceof Behind) away(err.message)
      else away('a read failed at the replica', err)
    },
    close: () => pool.end(),
  }
}
