import { Pool, type PoolConfig, types } from 'pg'
import type { Logger } from '../log.ts'
import { serverConfig } from './server.ts'

const INT8 = 20
const DATE = 1082

/** Reads bigint as a number: all of ours stay far below 2^53. A larger value throws instead of being rounded. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint above 2^53 - 1 came from the database')
  return value
}

/** How the text of a column of this type is read. */
export function typeParser(oid: number, format?: unknown): (text: string) => unknown {
  if (oid === INT8) return parseInt8
  if (oid === DATE) return (text) => text
  return types.getTypeParser(oid, format as 'text')
}

/** Longer than the pause between the jobs of each minute: otherwise they would reconnect each time. */
export const IDLE_MS = 90_000

interface PoolOptions {
  url: string
  /** The role to switch to after connecting, if the login is the owner. */
  role?: string | undefined
  /** Behind PgBouncer, which rejects limits at connect time: each BEGIN carries them instead. */
  pooled?: boolean
  max: number
  log: Logger
}

export const limits = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 }

/** Creates a pool with bounded waits: 2 s for a connection or a lock, 5 s for a statement, 7 s for any answer, 10 s idle in a transaction. */
export function createPool({ url, role, pooled, max, log }: PoolOptions): Pool {
  const config: PoolConfig = {
    ...serverConfig(url, { role }),
    max,
    idleTimeoutMillis: IDLE_MS,
    ...(!pooled && limits),
    application_name: 'kitlane',
    // Independent statements are pipelined.
    pipeline: true,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  }
  const pool = new Pool(config)
  // Every client needs a listener, in use or idle: without one `pg` ends the process when the database dies.
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')))
  pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'))
  return pool
}
