import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Locks every kit of this sandbox, in the order in which everybody does: two transactions at once do not deadlock. */
export async function lockKits(tx: Tx): Promise<void> {
  await tx.run(sql`select from kits where realm_id = ${tx.realm.id} order by id for no key update`)
}

/** Kits of orders, and their reports. */
export function countKitsAndReports(
  tx: Tx,
  orderIds: readonly string[] | 'all',
): Promise<{ kits: number; reports: number }> {
  return tx.row(sql<{ kits: number; reports: number }>`
    select count(*) as kits, count(r.id) as reports
    from kits k left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id
    where k.realm_id = ${tx.realm.id} ${orderIds === 'all' ? sql`` : sql`and k.order_id = any(${orderIds})`}`)
}
