import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** What was received for the person and not judged, with a report or without. */
export async function deleteUnassessedResultsOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from unassessed_results where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Reports with their versions and results. */
export function deleteReportsOfCustomer(tx: Tx, customerId: number): Promise<number> {
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
