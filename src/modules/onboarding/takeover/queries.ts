import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/tx.ts'

/** The order with this external ID, and its first kit. */
export function selectTaken(
  tx: Tx,
  externalId: string,
): Promise<{ orderId: string; kitId: string | undefined } | undefined> {
  return tx.maybeRow(sql<{ orderId: string; kitId: string | undefined }>`
    select o.id as "orderId", (
      select min(k.id) from kits k where k.realm_id = o.realm_id and k.order_id = o.id) as "kitId"
    from orders o where o.realm_id = ${tx.realm.id} and o.external_id = ${externalId} order by o.seq limit 1`)
}
