import { sql } from 'kysely'
import { isIdLike } from '../../../platform/database/text-search.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { type Personal, sealedCustomers } from '../../customers/sealed-queries.ts'
import { selectFound, selectFoundOfAll } from '../../customers/search-queries.ts'
import { ordersSentTo, type Recipient, sealedRecipients } from '../../kits/recipient-queries.ts'
import { type RegisteredPerson, sealedKits } from '../../kits/sealed-queries.ts'
import { foundOrders, foundOrdersIn } from '../../orders/search-queries.ts'

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

/** Something of a live realm, with the business that it belongs to. */
export interface OperatorHit {
  kind: 'order' | 'kit' | 'customer'
  id: string
  name: string | null
  email: string | null
  state: string
  /** The kit to look at: itself, or the newest of the order or the person. */
  kitId: string | null
  businessId: string
  businessName: string
}

const ofBusiness = sql`b.id as "businessId", b.name as "businessName"`
const liveRealms = sql`realms r join businesses b on b.id = r.business_id`
const newestKit = (column: string, of: string) =>
  sql`(select k.id from kits k where k.realm_id = r.id and ${sql.ref(column)} = ${sql.ref(of)} order by k.seq desc limit 1)`

/** Kits of all businesses by their ID. */
export async function selectKitsOfAll(tx: SystemTx, text: string, limit: number): Promise<OperatorHit[]> {
  const matches = isIdLike('k.id', 'K', text)
  if (!matches) return []
  const rows = await tx.rows(sql<FoundKit>`
    select k.realm_id as "realmId", k.id, k.registered_at is not null as "isRegistered", ${sealedKits.of('k')} as sealed,
      k.kit_status as state, k.id as "kitId", ${ofBusiness}
    from kits k join ${liveRealms} on r.id = k.realm_id
    where r.mode = 'live' and ${matches} order by k.id limit ${limit}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, sealed, isRegistered, ...kit }) => {
    const { registeredEmail } = sealedKits.open(keyringIn(keyrings, realmId), [kit.id], sealed)
    return { ...kit, kind: 'kit', name: null, email: isRegistered ? registeredEmail : null }
  })
}

interface FoundKit extends Omit<OperatorHit, 'kind' | 'name' | 'email'> {
  realmId: number
  isRegistered: boolean
  sealed: Sealed<RegisteredPerson>
}

/** Orders of all businesses, the newest of each. */
export async function selectOrdersOfAll(tx: SystemTx, text: string, limit: number): Promise<OperatorHit[]> {
  const realms = await tx.rows(sql<{ id: number }>`select id from realms where mode = 'live'`)
  const sent = await ordersSentTo(
    tx,
    realms.map(({ id }) => id),
    text,
  )
  const realm = sql.ref('r.id')
  const found = foundOrdersIn(realm, text, sql`select id from sent where realm_id = ${realm}`)
  const rows = await tx.rows(sql<
    Omit<OperatorHit, 'kind' | 'name' | 'email'> & { realmId: number; recipient: Sealed<Recipient> }
  >`
    with sent as (select * from unnest(${sent.map(({ realmId }) => realmId)}::int[], ${sent.map(({ id }) => id)}::text[]) s(realm_id, id))
    select o.realm_id as "realmId", o.id, ${sealedRecipients.of('o')} as recipient, o.status as state,
           ${newestKit('k.order_id', 'o.id')} as "kitId", ${ofBusiness}
    from ${liveRealms} cross join lateral (
      select * from orders where realm_id = r.id and id = any(array(${found})) order by seq desc limit ${limit}) o
    where r.mode = 'live' order by o.created_at desc limit ${limit}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, recipient, ...hit }) => {
    const { firstName, lastName, email } = sealedRecipients.open(keyringIn(keyrings, realmId), [hit.id], recipient)
    return { ...hit, kind: 'order', name: [firstName, lastName].filter(Boolean).join(' ') || null, email }
  })
}

/** People of all businesses, the newest. */
export async function selectCustomersOfAll(tx: SystemTx, text: string, limit: number): Promise<OperatorHit[]> {
  const found = await selectFoundOfAll(tx, text, limit)
  const rows = await tx.rows(sql<Pick<OperatorHit, 'kitId' | 'businessId' | 'businessName'>>`
    select ${newestKit('k.customer_id', 'c.id')} as "kitId", ${ofBusiness}
    from unnest(${found.map(({ realmId }) => realmId)}::int[], ${found.map(({ id }) => id)}::bigint[])
      with ordinality as c(realm_id, id, place)
    join ${liveRealms} on r.id = c.realm_id order by c.place`)
  return found.flatMap(({ id, name, email }, place) => {
    const row = rows[place]
    return row ? [{ kind: 'customer', id: String(id), name, email, state: '', ...row }] : []
  })
}
