import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** E-mails to the person, sent or not: they say what happened and when. */
export async function deleteEmailsTo(tx: Tx, addresses: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from emails where realm_id = ${tx.realm.id} and lower(recipient) = any(${addresses})`)
}
