import { limits } from '../../src/platform/database/pool.ts'
import { patience } from '../../src/platform/database/timeouts.ts'

const inProduction = { ...patience, ...limits }
const ON_A_BUSY_MACHINE_MS = 60_000

/** Lets what this process asks of the database take as long as a busy machine needs, except where a test is about these limits. */
export function databaseIsSlow(is: boolean): void {
  const msOf = (name: keyof typeof inProduction) => (is ? ON_A_BUSY_MACHINE_MS : Number(inProduction[name]))
  patience.connectionTimeoutMillis = msOf('connectionTimeoutMillis')
  patience.query_timeout = msOf('query_timeout')
  limits.statement_timeout = msOf('statement_timeout')
  limits.idle_in_transaction_session_timeout = msOf('idle_in_transaction_session_timeout')
}
