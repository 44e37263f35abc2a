import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { type Recipient, sealedRecipients } from '../kits/recipient-queries.ts'
import type { RecipientRow } from './search-queries.ts'

/** Orders of the realm, locked: some of them, or all. */
export async function lockRecipients(tx: Tx, which: readonly string[] | 'all'): Promise<RecipientRow[]> {
  const rows = await tx.rows(sql<{ id: string; recipient: Sealed<Recipient> }>`
    select id, ${sealedRecipients.of('o')} as recipient from orders o
    where realm_id = ${tx.realm.id} ${which === 'all' ? sql`` : sql`and id = any(${which})`} for update`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, recipient }) => ({ id, ...sealedRecipients.open(keys, [id], recipient) }))
}

/** With what belongs to them. The database refuses it for live ones. */
export async function deleteOrders(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from orders where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

/** Numbers the orders of the realm without gaps again. Returns how many there are. */
export async function renumberOrders(tx: Tx): Promise<number> {
  // Negative first: the unique index is checked row by row.
  await tx.run(sql`update orders set seq = -seq where realm_id = ${tx.realm.id}`)
  return tx.run(sql`
    update orders o set seq = n.position
    from (select id, row_number() over (order by seq desc) as position from orders where realm_id = ${tx.realm.id}) n
    where o.realm_id = ${tx.realm.id} and o.id = n.id`)
}
