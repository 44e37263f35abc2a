import { sql } from 'kysely'
import { isIdLike } from '../../../platform/database/text-search.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { keyringIn, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { selectFoundOfAll } from '../../customers/search-queries.ts'
import { ordersSentTo, type Recipient, sealedRecipients } from '../../kits/recipient-queries.ts'
import { type RegisteredPerson, sealedKits } from '../../kits/sealed-queries.ts'
import { foundOrdersIn } from '../../orders/search-queries.ts'

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
