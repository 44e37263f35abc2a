import { sql } from 'kysely'
import { isIdLike } from '../../../platform/database/text-search.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { foundCustomers } from '../../customers/search-queries.ts'
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
export function selectOrders(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  return tx.rows(sql<Hit>`
    select 'order' as kind, o.id, nullif(concat_ws(' ', o.first_name, o.last_name), '') as name, o.email, o.status as state
    from orders o where o.realm_id = ${tx.realm.id} and o.id = any(array(${foundOrders(tx, text)}))
    order by o.seq desc limit ${limit}`)
}

/** Kits by their ID: of a person they are found through the customer. */
export async function selectKits(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const isAsked = isIdLike('k.id', 'K', text)
  if (!isAsked) return []
  return tx.rows(sql<Hit>`
    select 'kit' as kind, k.id, null as name, case when k.registered_at is not null then k.registered_email end as email, k.kit_status as state
    from kits k where k.realm_id = ${tx.realm.id} and ${isAsked} order by k.id limit ${limit}`)
}

/** Customers, newest first. */
export function selectCustomers(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  return tx.rows(sql<Hit>`
    select 'customer' as kind, c.id::text as id, c.name, c.email, '' as state
    from customers c where c.realm_id = ${tx.realm.id} and c.id = any(array(${foundCustomers(tx, text)}))
    order by c.seq desc limit ${limit}`)
}

/** Reports by their ID. */
export async function selectReports(tx: Tx, text: string, limit: number): Promise<Hit[]> {
  const isAsked = isIdLike('r.id', 'R', text)
  if (!isAsked) return []
  return tx.rows(sql<Hit>`
    select 'report' as kind, r.id, null as name, null as email, r.status as state
    from reports r where r.realm_id = ${tx.realm.id} and ${isAsked} order by r.id limit ${limit}`)
}
