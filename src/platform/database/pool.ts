import { Pool, type PoolConfig, types } from 'pg'
import type { Logger } from '../log.ts'
import { serverConfig } from './server.ts'

const INT8 = 20
const DATE = 1082

/** bigint as a number: every bigint here counts or identifies far below 2^53; anything above throws instead of rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint above 2^53 - 1 came from the database')
  return value
}

function typeParser(oid: number, format?: unknown): (text: string) => unknown {
  if (oid === INT8) return parseInt8
  if (oid === DATE) return (text) => text
  return types.getTypeParser(oid, format as 'text')
}

export interface PoolOptions {
  url: string
  /** A role taken on at connect, where the login itself is the owner. */
  role?: string | undefined
  /** Behind PgBouncer, which refuses limits at connect: they go with each BEGIN instead. */
  pooled?: boolean
  max: number
  log: Logger
}

const limits = { statement_timeout: 5000, lock_timeout: 2000, idle_in_transaction_session_timeout: 10_000 }

/** The limits of one transaction, in the message of its BEGIN. */
export const limitsOfTransaction = Object.entries(limits)
  .map(([name, ms]) => ` set local ${name} = ${ms};`)
  .join('')

/** One statement outside of a transaction, within the limits of one. */
export async function askOnce<T>(pool: Pool, pooled: boolean, text: string): Promise<T[]> {
  const result = await pool.query(`${pooled ? limitsOfTransaction : ''} ${text}`)
  // What the driver gives for several statements is a list, though its types do not say so.
  const last: { rows: T[] } = Array.isArray(result) ? result.at(-1) : result
  return last.rows
}

/** A pool with bounded waits: 2 s for a connection or a lock, 5 s for a statement, 7 s for any answer, 10 s idle in a transaction. */
export function createPool({ url, role, pooled, max, log }: PoolOptions): Pool {
  const config: PoolConfig = {
    ...serverConfig(url, { role }),
    max,
    idleTimeoutMillis: 30_000,
    ...(!pooled && limits),
    application_name: 'kitlane',
    // Statements that do not wait for one another travel together.
    pipeline: true,
    types: { getTypeParser: typeParser as typeof types.getTypeParser },
  }
  const pool = new Pool(config)
  // Without a listener on every client, checked out or idle, `pg` ends the process when the database dies.
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')))
  pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'))
  return pool
}
