import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** What was typed to register these kits and not sent yet. */
export async function deleteDraftsOfKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from registration_drafts where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

/** What a person ordered again of which panel. */
export async function deleteRetests(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from retests where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
