import { type RawBuilder, sql } from 'kysely'
import type { Queries, SystemTx } from '../../platform/database/tx.ts'

/** The promised days of each panel that has a promise now. */
export function selectPromises(tx: Queries): Promise<{ kitType: string; days: number }[]> {
  return tx.rows(sql<{ kitType: string; days: number }>`
    select kit_type as "kitType", days from (
      select distinct on (kit_type) kit_type, days from panel_promises order by kit_type, since desc) newest
    where days is not null`)
}

/** How many days were promised of a kit type at a time; null: nothing was. */
export const promisedDaysAt = (kitType: RawBuilder<unknown>, at: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql`(select p.days from panel_promises p where p.kit_type = ${kitType} and p.since <= ${at} order by p.since desc limit 1)`

/** When a promise is broken: once its last day is over, UTC. The day after the sample came is the first. */
export const promiseEnd = (received: RawBuilder<unknown>, days: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`((date_trunc('day', ${received} at time zone 'UTC') + make_interval(days => ${days} + 1)) at time zone 'UTC')`

/** What was promised of kits whose samples came at these times, and when it is broken. Others are left out. */
export async function selectPromised(
  tx: Queries,
  kits: readonly { id: string; kitType: string; received: Date }[],
): Promise<{ id: string; days: number; ends: Date }[]> {
  const [ids, types, times] = [kits.map((k) => k.id), kits.map((k) => k.kitType), kits.map((k) => k.received)]
  return tx.rows(sql<{ id: string; days: number; ends: Date }>`
    select k.id, d.days, ${promiseEnd(sql`k.received`, sql`d.days`)} as ends
    from unnest(${ids}::text[], ${types}::text[], ${times}::timestamptz[]) k(id, kit_type, received)
    cross join lateral (select ${promisedDaysAt(sql`k.kit_type`, sql`k.received`)} as days) d where d.days is not null`)
}

export async function insertPromise(tx: SystemTx, kitType: string, days: number | null): Promise<void> {
  await tx.run(sql`
    insert into panel_promises (kit_type, since, days)
    values (${kitType}, ${tx.now}, ${days})`)
}
