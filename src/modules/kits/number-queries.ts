import { type RawBuilder, sql } from 'kysely'
import type { Range } from '../../platform/database/block-counts.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { KitFilter } from './filter-queries.ts'

/**
 * The range of numbers of a range of dates: kits are dated in the order of their numbers, which have no gaps. Found by
 * halving, some 20 looks into the index for a million kits; an index by date would cost each order a write. A
 * division beside the index column would be a filter below row-level security, and read all kits in each step.
 */
export async function numbersWithin(tx: Tx, { createdFrom, createdTo }: KitFilter): Promise<Range | undefined> {
  if (!createdFrom && !createdTo) return undefined
  const firstThat = (isBefore: RawBuilder<unknown>) => sql`(
    with recursive s(low, high, middle) as (
      select 1::bigint, kits + 1, (kits + 2) / 2 from realm_counters where realm_id = ${tx.realm.id}
      union all
      select n.low, n.high, (n.low + n.high) / 2
      from s cross join lateral (
        select ${isBefore} as is_before from kits where realm_id = ${tx.realm.id} and seq = s.middle limit 1) k
      cross join lateral (
        select case when k.is_before then s.middle + 1 else s.low end as low,
               case when k.is_before then s.high else s.middle end as high) n
      where s.low < s.high)
    select low from s where low = high)`
  return tx.row(sql<Range>`
    select ${createdFrom ? firstThat(sql`created_at < ${createdFrom}`) : sql`1::bigint`} as "from",
           ${createdTo ? sql`${firstThat(sql`created_at <= ${createdTo}`)} - 1` : sql`9007199254740991::bigint`} as "to"`)
}

/** Numbers the kits of the realm without gaps again, after some were deleted with their orders. Returns how many there are. */
export async function renumberKits(tx: Tx): Promise<number> {
  // Negative first: the unique index is checked row by row.
  await tx.run(sql`update kits set seq = -seq where realm_id = ${tx.realm.id}`)
  return tx.run(sql`
    update kits k set seq = n.position
    from (select id, row_number() over (order by seq desc) as position from kits where realm_id = ${tx.realm.id}) n
    where k.realm_id = ${tx.realm.id} and k.id = n.id`)
}
