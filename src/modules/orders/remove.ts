import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import * as emails from '../emails/service.ts'
import * as events from '../events/service.ts'
import { type Addressed, forgetTerms, restartTerms } from './search-queries.ts'

export interface Removed {
  orders: number
  kits: number
  reports: number
  /** Webhook history: events and their deliveries. */
  webhooks: number
}

/** Removes sandbox orders with kits, reports and webhook history. The database refuses it for live ones. */
export async function removeOrders(tx: Tx, which: readonly string[] | 'all'): Promise<Removed> {
  if (tx.realm.mode !== 'sandbox') throw new Error('only sandbox orders can be removed')
  const orders = await tx.rows(sql<Addressed>`
    select id, email, first_name as "firstName", last_name as "lastName" from orders
    where realm_id = ${tx.realm.id} ${which === 'all' ? sql`` : sql`and id = any(${which})`} for update`)
  const ids = orders.map(({ id }) => id)
  const counts = await tx.row(sql<{ kits: number; reports: number }>`
    select count(*) as kits, count(r.id) as reports
    from kits k left join reports r on r.realm_id = k.realm_id and r.kit_id = k.id
    where k.realm_id = ${tx.realm.id} and k.order_id = any(${ids})`)
  const webhooks = await events.remove(tx, which === 'all' ? 'all' : ids)
  await emails.remove(tx, which === 'all' ? 'all' : ids)
  await tx.run(sql`delete from orders where realm_id = ${tx.realm.id} and id = any(${ids})`)
  await forgetTerms(tx, orders)
  await closeGaps(tx)
  await restartTerms(tx)
  return { orders: ids.length, ...counts, webhooks }
}

/** Lists page by gapless numbers, so what remains is counted anew. A sandbox is small. */
async function closeGaps(tx: Tx): Promise<void> {
  for (const table of ['orders', 'kits'] as const) {
    const rows = sql.table(table)
    // Away first, then back: the unique index is checked row by row.
    await tx.run(sql`update ${rows} set seq = -seq where realm_id = ${tx.realm.id}`)
    await tx.run(sql`
      update ${rows} t set seq = n.position
      from (select id, row_number() over (order by seq desc) as position from ${rows} where realm_id = ${tx.realm.id}) n
      where t.realm_id = ${tx.realm.id} and t.id = n.id`)
    await tx.run(sql`
      update realm_counters set ${sql.id(table)} = (select count(*) from ${rows} where realm_id = ${tx.realm.id})
      where realm_id = ${tx.realm.id}`)
  }
}
