import { sql } from 'kysely'
import { isIdLike } from '../../../platform/database/text-search.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { type Personal, sealedCustomers } from '../../customers/sealed-queries.ts'
import { selectFound } from '../../customers/search-queries.ts'
import { type Recipient, sealedRecipients } from '../../kits/recipient-queries.ts'
import { type RegisteredPerson, sealedKits } from '../../kits/sealed-queries.ts'
import { foundOrders } from '../../orders/search-queries.ts'

export interface Hit {
  kind: 'order' | 'kit' | 'customer' | 'report'
  id: string
  /** What it is called, where that is more than its ID. */
  name: string | null
  email: string | null
  state: string
}

/** Orders, newest first. */
export async function selectOrders(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const rows = await tx.rows(sql<{ id: string; recipient: Sealed<Recipient>; state: string }>`
    select o.id, ${sealedRecipients.of('o')} as recipient, o.status as state
    from orders o where o.realm_id = ${tx.realm.id} and o.id = any(array(${await foundOrders(tx, text)}))
    order by o.seq desc limit ${limit}`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, recipient, state }) => {
    const { firstName, lastName, email } = sealedRecipients.open(keys, [id], recipient)
    return { kind: 'order', id, name: [firstName, lastName].filter(Boolean).join(' ') || null, email, state }
  })
}

/** Kits by their ID: of a person they are found through the customer. */
export async function selectKits(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const matches = isIdLike('k.id', 'K', text)
  if (!matches) return []
  const rows = await tx.rows(sql<{
    id: string
    state: string
    isRegistered: boolean
    sealed: Sealed<RegisteredPerson>
  }>`
    select k.id, k.kit_status as state, k.registered_at is not null as "isRegistered", ${sealedKits.of('k')} as sealed
    from kits k where k.realm_id = ${tx.realm.id} and ${matches} order by k.id limit ${limit}`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, state, isRegistered, sealed }) => {
    const { registeredEmail } = sealedKits.open(keys, [id], sealed)
    return { kind: 'kit', id, name: null, email: isRegistered ? registeredEmail : null, state }
  })
}

/** Customers, newest first. */
export async function selectCustomers(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const rows = await tx.rows(sql<{ id: number; personal: Sealed<Personal> }>`
    select c.id, ${sealedCustomers.of('c')} as personal
    from customers c where c.realm_id = ${tx.realm.id} and c.id = any(${await selectFound(tx, text)}::bigint[])
    order by c.seq desc limit ${limit}`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, personal }) => {
    const { name, email } = sealedCustomers.open(keys, [id], personal)
    return { kind: 'customer', id: String(id), name, email, state: '' }
  })
}

export async function selectReports(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const matches = isIdLike('r.id', 'R', text)
  if (!matches) return []
  return tx.rows(sql<Hit>`
    select 'report' as kind, r.id, null as name, null as email, r.status as state
    from reports r where r.realm_id = ${tx.realm.id} and ${matches} order by r.id limit ${limit}`)
}
