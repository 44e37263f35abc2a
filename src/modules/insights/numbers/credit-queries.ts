import { sql } from 'kysely'
import type { Queries } from '../../../platform/database/tx.ts'
import { starts } from './ledger-queries.ts'

export interface WeekOfCredits {
  week: string
  kitType: string
  used: number
}

const used = sql`sum(case when t.kind = 'refund' then -t.amount else t.amount end)::bigint`
const isUse = sql`t.kind in ('order', 'capture', 'refund')`

/** Credits spent in each week, less those given back, of each kit type. */
export function selectCreditWeeks(
  tx: Queries,
  {
    realmIds,
    from,
    before,
    kitType,
  }: { realmIds: readonly number[]; from: Date; before: Date; kitType: string | undefined },
): Promise<WeekOfCredits[]> {
  return tx.rows(sql<WeekOfCredits>`
    with ${starts(realmIds, from)}
    select to_char(date_trunc('week', t.at at time zone 'UTC'), 'YYYY-MM-DD') as week, t.kit_type as "kitType", ${used} as used
    from starts s join credit_transfers t on t.realm_id = s.realm_id and t.seq >= s.seq
    where ${isUse} and t.at >= ${from} and t.at < ${before} and (${kitType ?? null}::text is null or t.kit_type = ${kitType ?? null})
    group by 1, 2 order by 1, 2`)
}

export interface CreditsLeft {
  businessId: string
  business: string
  kitType: string
  name: string
  available: number
  used: number
}

/**
 * The balance of each kit type, and what was spent of it since a time, less what was given back: what runs out first, then
 * what was not used; up to `limit`.
 */
export function selectCreditsLeft(
  tx: Queries,
  {
    realmIds,
    since,
    kitType,
    limit,
  }: { realmIds: readonly number[]; since: Date; kitType: string | undefined; limit: number },
): Promise<CreditsLeft[]> {
  return tx.rows(sql<CreditsLeft>`
    with ${starts(realmIds, since)},
    spent as (
      select t.realm_id, t.kit_type, ${used} as used
      from starts s join credit_transfers t on t.realm_id = s.realm_id and t.seq >= s.seq
      where ${isUse} and t.at >= ${since} group by 1, 2)
    select r.business_id as "businessId", g.name as business, b.kit_type as "kitType", p.name, b.available,
      coalesce(s.used, 0) as used
    from credit_balances b join realms r on r.id = b.realm_id join businesses g on g.id = r.business_id
    join panels p on p.kit_type = b.kit_type left join spent s on s.realm_id = b.realm_id and s.kit_type = b.kit_type
    where b.realm_id = any(${realmIds}::int[]) and (${kitType ?? null}::text is null or b.kit_type = ${kitType ?? null})
    order by case when s.used > 0 then b.available::float8 / s.used end nulls last, g.name, r.business_id, p.name, b.kit_type
    limit ${limit}`)
}
