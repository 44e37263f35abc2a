import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { OnCallContact } from './schema.ts'
import { type SealedContact, sealedContacts } from './sealed-queries.ts'

/** The on-call list, in order. */
export async function selectContacts(tx: Tx): Promise<OnCallContact[]> {
  const rows = await tx.rows(sql<{ position: number; minutes: number; sealed: Sealed<SealedContact> }>`
    select o.position, o.minutes, ${sealedContacts.of('o')} as sealed from on_call_contacts o
    where o.realm_id = ${tx.realm.id} order by o.position`)
  const keys = await keyringOf(tx)
  return rows.map(({ position, minutes, sealed }) => ({ ...sealedContacts.open(keys, [position], sealed), minutes }))
}

/** Replaces the whole list. */
export async function replaceContacts(tx: Tx, contacts: readonly OnCallContact[]): Promise<void> {
  await tx.run(sql`delete from on_call_contacts where realm_id = ${tx.realm.id}`)
  const keys = await keyringOf(tx)
  const items = contacts.map(({ minutes, ...contact }, position) => ({
    position,
    minutes,
    sealed: sealedContacts.seal(keys, [position], contact),
  }))
  await tx.run(sql`
    insert into on_call_contacts (realm_id, position, minutes, sealed)
    select ${tx.realm.id}, i.position, i.minutes, i.sealed
    from json_to_recordset(${JSON.stringify(items)}::json) as i(position integer, minutes integer, sealed bytea)`)
}
