import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import {
  isSentTo,
  mayBeSentTo,
  type Recipient,
  type SealedApproval,
  sealedApprovals,
  sealedRecipients,
} from '../kits/recipient-queries.ts'
import type { RecipientRow } from './search-queries.ts'

/** What an order held of its recipient. `refusal`: why a provider refused it, in words that events have as well. */
export interface BlankedOrder extends RecipientRow {
  refusal: string | null
}

type StoredOrder = { id: string; recipient: Sealed<Recipient>; said: Sealed<SealedApproval> }
const stored = sql`id, ${sealedRecipients.of('o')} as recipient, ${sealedApprovals.of('o')} as said`
const opened = (keys: Keyring, { id, recipient, said }: StoredOrder): BlankedOrder => ({
  id,
  ...sealedRecipients.open(keys, [id], recipient),
  refusal: sealedApprovals.open(keys, [id], said).reason,
})

/** Orders that were sent to the person: by e-mail, and orders of their kits also by name. Returns what they held. */
export async function blankOrders(
  tx: Tx,
  { email, name }: { email: string; name: string },
  orderIds: readonly string[],
): Promise<BlankedOrder[]> {
  const keys = await keyringOf(tx)
  const found = await mayBeSentTo(tx, email)
  const rows = await tx.rows(sql<StoredOrder & { isSent: boolean }>`
    select coalesce(${isSentTo(keys, email)}, false) as "isSent", ${stored} from orders o
    where realm_id = ${tx.realm.id} and id = any(array(select unnest(${orderIds}::text[]) union ${found}))
      and (${isSentTo(keys, email)} or id = any(${orderIds})) order by id for update`)
  const theirs = rows
    .map(({ isSent, ...row }) => ({ isSent, ...opened(keys, row) }))
    .filter(({ isSent, firstName, lastName }) => isSent || isSameName(`${firstName} ${lastName}`, name))
    .map(({ isSent: _, ...order }) => order)
  await blank(tx, theirs)
  return theirs
}

/** Orders lose their recipient, except those that somebody else has locked. Returns what they held. */
export async function blankRecipients(tx: Tx, orderIds: readonly string[]): Promise<BlankedOrder[]> {
  const keys = await keyringOf(tx)
  const rows = await tx.rows(sql<StoredOrder>`
    select ${stored} from orders o
    where realm_id = ${tx.realm.id} and id = any(${orderIds}) order by id for update skip locked`)
  const orders = rows.map((row) => opened(keys, row))
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
