import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** What a person did not want to be reminded of. */
export async function deleteStops(tx: Tx, customerId: number, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from reminder_stops where realm_id = ${tx.realm.id} and (customer_id = ${customerId} or kit_id = any(${kitIds}))`)
}
