import { sql } from 'kysely'
import { isIdLike } from '../../../platform/database/text-search.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { foundCustomersIn } from '../../customers/search-queries.ts'
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
  const isAsked = isIdLike('k.id', 'K', text)
  if (!isAsked) return []
  return tx.rows(sql<OperatorHit>`
    select 'kit' as kind, k.id, null as name, case when k.registered_at is not null then k.registered_email end as email, k.kit_status as state, k.id as "kitId", ${ofBusiness}
    from kits k join ${liveRealms} on r.id = k.realm_id
    where r.mode = 'live' and ${isAsked} order by k.id limit ${limit}`)
}

/** Orders of all businesses, the newest of each. */
export function selectOrdersOfAll(tx: SystemTx, text: string, limit: number): Promise<OperatorHit[]> {
  return tx.rows(sql<OperatorHit>`
    select 'order' as kind, o.id, nullif(concat_ws(' ', o.first_name, o.last_name), '') as name, o.email, o.status as state,
           ${newestKit('k.order_id', 'o.id')} as "kitId", ${ofBusiness}
    from ${liveRealms} cross join lateral (
      select id, first_name, last_name, email, status, created_at from orders
      where realm_id = r.id and id = any(array(${foundOrdersIn(sql.ref('r.id'), text)})) order by seq desc limit ${limit}) o
    where r.mode = 'live' order by o.created_at desc limit ${limit}`)
}

/** People of all businesses, the newest of each. */
export function selectCustomersOfAll(tx: SystemTx, text: string, limit: number): Promise<OperatorHit[]> {
  return tx.rows(sql<OperatorHit>`
    select 'customer' as kind, c.id::text as id, c.name, c.email, '' as state,
           ${newestKit('k.customer_id', 'c.id')} as "kitId", ${ofBusiness}
    from ${liveRealms} cross join lateral (
      select id, name, email, created_at from customers
      where realm_id = r.id and id = any(array(${foundCustomersIn(sql.ref('r.id'), text)})) order by seq desc limit ${limit}) c
    where r.mode = 'live' order by c.created_at desc limit ${limit}`)
}
