import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { EventData } from '../events/queries.ts'
import { openData, storedText } from '../events/sealed-queries.ts'

/** What happened to the person's kits and orders, and that they became a customer. Undefined: of kits and orders only. */
export async function selectEventsOfPerson(
  tx: Tx,
  customerId: number | undefined,
  kitIds: readonly string[],
  orderIds: readonly string[],
): Promise<EventData[]> {
  const found = sql`
    select id from events where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})
    union
    select id from events where realm_id = ${tx.realm.id} and order_id = any(${orderIds})
    union
    select id from events
    where realm_id = ${tx.realm.id} and kit_id in (
      select id from kits where realm_id = ${tx.realm.id} and order_id = any(${orderIds}))
    union
    select id from events
    where realm_id = ${tx.realm.id} and type in ('customer.created', 'customer.updated') and data ->> 'id' = ${String(customerId ?? '')}`
  const rows = await tx.rows(sql<{ realmId: number; id: string; data: string }>`
    select e.realm_id as "realmId", e.id, ${storedText('e')} as data from events e
    where e.realm_id = ${tx.realm.id} and e.id in (${found})`)
  return (await openData(tx, rows)).map(({ id, data }) => ({ id, data: JSON.parse(data) as unknown }))
}
