import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'

export async function selectRecipient(tx: Tx, id: string): Promise<Recipient> {
  const { recipient } = await tx.row(sql<{ recipient: Sealed<Recipient> }>`
    select ${sealedRecipients.of('o')} as recipient from orders o where realm_id = ${tx.realm.id} and id = ${id}`)
  return sealedRecipients.open(await keyringOf(tx), [id], recipient)
}

/** Writes the recipient of a locked order. Name and e-mail stay as they are, so the terms that find it do too. */
export async function updateRecipient(tx: Tx, id: string, recipient: Recipient): Promise<void> {
  const keys = await keyringOf(tx)
  const { email_hash } = sealedRecipients.hashes(keys, recipient)
  await tx.run(sql`
    update orders set sealed = ${sealedRecipients.seal(keys, [id], recipient)}, email_hash = ${email_hash}::bytea, ${emptied}
    where realm_id = ${tx.realm.id} and id = ${id}`)
}

// What a version before sealing wrote in clear.
const emptied = sql.join(
  Object.values(sealedRecipients.declaration.clear).map((column) => sql`${sql.ref(column)} = null`),
)
