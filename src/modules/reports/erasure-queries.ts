import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** What was received for the person and not judged, with a report or without. */
export async function deleteUnassessedResultsOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from unassessed_results where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** What was let pass beside the person's results. */
export async function deletePassedRemarksOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from passed_remarks where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Critical results of the person, with who was notified. */
export async function deleteCriticalResultsOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from critical_results where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Unassessed results by their IDs, or by the reports that list them. */
export async function deleteUnassessedResults(
  tx: Tx,
  { ids = [], ofReports = [] }: { ids?: readonly string[]; ofReports?: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    delete from unassessed_results where realm_id = ${tx.realm.id} and (id = any(${ids}) or report_id = any(${ofReports}))`)
}

export async function deleteReports(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from reports where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

/** Reports with their versions and results. */
export function deleteReportsOfCustomer(tx: Tx, customerId: number): Promise<number> {
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
