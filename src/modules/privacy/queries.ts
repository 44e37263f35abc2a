import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { EventData } from '../events/erasure-queries.ts'

/** What happened to the person's kits and orders, and that they became a customer. */
export function selectEventsOfPerson(
  tx: Tx,
  customerId: number,
  kitIds: readonly string[],
  orderIds: readonly string[],
): Promise<EventData[]> {
  return tx.rows(sql<EventData>`
    select id, data from events where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})
    union
    select id, data from events where realm_id = ${tx.realm.id} and order_id = any(${orderIds})
    union
    select id, data from events
    where realm_id = ${tx.realm.id} and kit_id in (
      select id from kits where realm_id = ${tx.realm.id} and order_id = any(${orderIds}))
    union
    select id, data from events
    where realm_id = ${tx.realm.id} and type in ('customer.created', 'customer.updated') and data ->> 'id' = ${String(customerId)}`)
}
