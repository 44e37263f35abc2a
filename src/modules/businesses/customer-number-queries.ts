import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Draws the number of the next customer, as `customers`: a part of the statement that inserts them. */
export const drawCustomerNumber = ({ realm }: Tx): RawBuilder<unknown> =>
  sql`update realm_counters set customers = customers + 1 where realm_id = ${realm.id} returning customers`
