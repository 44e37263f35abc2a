import { patience } from '../../src/platform/database/timeouts.ts'

const IN_PRODUCTION_MS = patience.connectionTimeoutMillis
const ON_A_BUSY_MACHINE_MS = 60_000

/** Lets what connects in this process wait as long as a busy machine needs, except where a test takes the database away. */
export function connectionsAreSlow(are: boolean): void {
  patience.connectionTimeoutMillis = are ? ON_A_BUSY_MACHINE_MS : IN_PRODUCTION_MS
}
