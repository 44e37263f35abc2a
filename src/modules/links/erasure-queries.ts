import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Links to a person's pages with their sessions and shares, and wrong dates of birth. */
export async function deleteLinksAndFailures(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from personal_links where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  await tx.run(sql`delete from birth_date_failures where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}
