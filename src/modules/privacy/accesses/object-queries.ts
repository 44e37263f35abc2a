import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'
import { isTo } from '../../emails/sealed-queries.ts'

/** By what the audit may name a person: their record, kits, orders, reports, files, results, messages, e-mails. */
export async function selectObjectsOf(
  tx: Tx,
  customerId: number,
  orders: readonly string[],
  email: string,
): Promise<Record<string, string[]>> {
  const realm = tx.realm.id
  const sentToThem = await isTo(tx, [email])
  const rows = await tx.rows(sql<{ type: string; id: string }>`
    with own_kits as (select id from kits where realm_id = ${realm} and customer_id = ${customerId})
    select 'kit' as type, id from own_kits
    union all
    select 'report', id from reports where realm_id = ${realm} and customer_id = ${customerId}
    union all
    select 'data', id from customer_data where realm_id = ${realm} and customer_id = ${customerId}
    union all
    select 'upload', d.id from documents d join customer_data c on c.realm_id = d.realm_id and c.id = d.data_id
    where d.realm_id = ${realm} and c.customer_id = ${customerId}
    union all
    select 'unassessed_result', id from unassessed_results where realm_id = ${realm} and customer_id = ${customerId}
    union all
    select 'critical_result', id from critical_results where realm_id = ${realm} and customer_id = ${customerId}
    union all
    select 'lab_message', id from lab_messages where kit_id in (select id from own_kits)
    union all
    select 'email', id from emails
    where realm_id = ${realm} and (kit_id = any(array(select id from own_kits)) or ${sentToThem})`)
  const objects: Record<string, string[]> = { customer: [String(customerId)], order: [...orders] }
  for (const { type, id } of rows) {
    objects[type] ??= []
    objects[type].push(id)
  }
  return objects
}

/** An account or a token that has accessed something. */
export interface CallerRow {
  actor: string
  name: string
  /** Of a person: with the operator, or in this business. */
  roles: string[]
  /** Of a token of the operator. */
  scopes: string[]
}

/** What the callers of a business's data are called. Unknown ones are left out. */
export function selectCallers(tx: Tx, actors: readonly string[]): Promise<CallerRow[]> {
  const ids = (prefix: string) =>
    actors.flatMap((actor) => (actor.startsWith(prefix) ? [actor.slice(prefix.length)] : []))
  return tx.rows(sql<CallerRow>`
    select 'user:' || u.id as actor, coalesce(u.name, u.email) as name, '{}'::text[] as scopes,
      array(select m.role from memberships m
            where m.user_id = u.id and (m.business_id is null or m.business_id = ${tx.realm.businessId})
            order by m.business_id nulls last) as roles
    from users u where u.id = any(${ids('user:')})
    union all
    select 'token:' || t.id, t.name, '{}', '{}' from tokens t where t.realm_id = ${tx.realm.id} and t.id = any(${ids('token:')})
    union all
    select 'operator:' || o.id, o.name, o.scopes, '{}' from operator_tokens o where o.id = any(${ids('operator:')})`)
}
