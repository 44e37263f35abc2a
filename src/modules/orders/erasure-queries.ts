import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { isSentTo, mayBeSentTo, type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { RecipientRow } from './search-queries.ts'

/** Orders that were sent to the person: by e-mail, and orders of their kits also by name. Returns what they held. */
export async function blankOrders(
  tx: Tx,
  { email, name }: { email: string; name: string },
  orderIds: readonly string[],
): Promise<RecipientRow[]> {
  const keys = await keyringOf(tx)
  const found = await mayBeSentTo(tx, email)
  const rows = await tx.rows(sql<{ id: string; isSent: boolean; recipient: Sealed<Recipient> }>`
    select id, coalesce(${isSentTo(keys, email)}, false) as "isSent", ${sealedRecipients.of('o')} as recipient from orders o
    where realm_id = ${tx.realm.id} and id = any(array(select unnest(${orderIds}::text[]) union ${found}))
      and (${isSentTo(keys, email)} or id = any(${orderIds})) order by id for update`)
  const theirs = rows
    .map(({ id, isSent, recipient }) => ({ id, isSent, ...sealedRecipients.open(keys, [id], recipient) }))
    .filter(({ isSent, firstName, lastName }) => isSent || isSameName(`${firstName} ${lastName}`, name))
    .map(({ isSent: _, ...order }) => order)
  await blank(tx, theirs)
  return theirs
}

/** Orders lose their recipient, except those that somebody else has locked. Returns what they held. */
export async function blankRecipients(tx: Tx, orderIds: readonly string[]): Promise<RecipientRow[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<{ id: string; recipient: Sealed<Recipient> }>`
    select id, ${sealedRecipients.of('o')} as recipient from orders o
    where realm_id = ${tx.realm.id} and id = any(${orderIds}) order by id for update skip locked`)
  const orders = rows.map(({ id, recipient }) => ({ id, ...sealedRecipients.open(keys, [id], recipient) }))
  await blank(tx, orders)
  return orders
}

async function blank(tx: Tx, orders: readonly RecipientRow[]): Promise<void> {
  await tx.run(sql`
    update orders set sealed = null, sealed_approval = null, email_hash = null, first_name = null, last_name = null, email = null, phone = null, address = null
    where realm_id = ${tx.realm.id} and id = any(${orders.map(({ id }) => id)})`)
}

const isSameName = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()

/** The business's own number of an order stays, unless it is the person's. */
export async function blankExternalId(tx: Tx, orderIds: readonly string[], externalId: string): Promise<void> {
  await tx.run(sql`
    update orders set external_id = null
    where realm_id = ${tx.realm.id} and id = any(${orderIds}) and external_id = ${externalId}`)
}
