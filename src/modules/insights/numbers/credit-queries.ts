import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Queries } from '../../../platform/database/tx.ts'
import { starts } from './ledger-queries.ts'
import { dayOf } from './range-queries.ts'

export interface WeekOfCredits {
  week: string
  kitType: string
  used: number
}

export const used = sql`sum(case when t.kind = 'refund' then -t.amount else t.amount end)::bigint`
export const isUse = sql`t.kind in ('order', 'capture', 'refund')`

/** Realms whose ledgers are read, and realms whose days are counted. */
export interface Ledgers {
  live: readonly number[]
  counted: readonly number[]
}

// In their order: otherwise the planner, which does not know how few these are, may read all of the ledger.
const after = (of: RawBuilder<unknown>, seqs: RawBuilder<unknown>) => sql`
  cross join lateral (
    select l.realm_id, l.kit_type, l.kind, l.amount, l.at from credit_transfers l
    where l.realm_id = ${of} and ${seqs} order by l.seq offset 0) t`

/** From which transfer on the ledgers are read: from a time, or after what is counted. */
const rests = ({ live, counted }: Ledgers, from: Date) => sql`
  ${starts(live, from)},
  rests as (
    select realm_id, seq from starts
    union all select realm_id, transfers + 1 from counted_upto where realm_id = any(${counted}::int[]))`

/** Credits spent in each week, less those given back, of each kit type. `from` and `before` begin days of UTC. */
export function selectCreditWeeks(
  tx: Queries,
  { from, before, kitTypes, ...ledgers }: Ledgers & { from: Date; before: Date; kitTypes: string[] | undefined },
): Promise<WeekOfCredits[]> {
  return tx.rows(sql<WeekOfCredits>`
    with ${rests(ledgers, from)}
    select to_char(x.week, 'YYYY-MM-DD') as week, x.kit_type as "kitType", sum(x.used)::bigint as used
    from (
      select date_trunc('week', t.at at time zone 'UTC') as week, t.kit_type, ${used} as used
      from rests s ${after(sql`s.realm_id`, sql`l.seq >= s.seq`)}
      where ${isUse} and t.at >= ${from} and t.at < ${before} group by 1, 2
      union all
      select date_trunc('week', day::timestamp), kit_type, sum(used)::bigint from counted_credits
      where realm_id = any(${ledgers.counted}::int[]) and day >= ${dayOf(from)}::date and day < ${dayOf(before)}::date group by 1, 2) x
    where ${isOneOf(sql`x.kit_type`, kitTypes)}
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
  { since, kitTypes, limit, ...ledgers }: Ledgers & { since: Date; kitTypes: string[] | undefined; limit: number },
): Promise<CreditsLeft[]> {
  const ofDay = sql`realm_id = m.id and day = ${dayOf(since)}::date`
  return tx.rows(sql<CreditsLeft>`
    with ${rests(ledgers, since)},
    spent as (
      select realm_id, kit_type, sum(used)::bigint as used from (
        select t.realm_id, t.kit_type, ${used} as used
        from rests s ${after(sql`s.realm_id`, sql`l.seq >= s.seq`)}
        where ${isUse} and t.at >= ${since} group by 1, 2
        union all
        select realm_id, kit_type, used from counted_credits
        where realm_id = any(${ledgers.counted}::int[]) and day > ${dayOf(since)}::date
        union all
        -- The rest of the first day, between the last transfer that was counted of a day before it and its own last one.
        select t.realm_id, t.kit_type, ${used} as used
        from unnest(${ledgers.counted}::int[]) m(id) cross join lateral (
          select (select max(upto) from counted_credits where ${ofDay}) as upto, coalesce((
            select upto from counted_credits where realm_id = m.id and day < ${dayOf(since)}::date order by day desc limit 1), 0) as after
          -- A condition with a subquery would be a filter below row-level security, and read all of the ledger.
          offset 0) d
        ${after(sql`m.id`, sql`l.seq > d.after and l.seq <= d.upto`)}
        where ${isUse} and t.at >= ${since} group by 1, 2) x
      group by 1, 2)
    select r.business_id as "businessId", g.name as business, b.kit_type as "kitType", p.name, b.available,
      coalesce(s.used, 0) as used
    from credit_balances b join realms r on r.id = b.realm_id join businesses g on g.id = r.business_id
    join panels p on p.kit_type = b.kit_type left join spent s on s.realm_id = b.realm_id and s.kit_type = b.kit_type
    where b.realm_id = any(${[...ledgers.live, ...ledgers.counted]}::int[]) and ${isOneOf(sql`b.kit_type`, kitTypes)}
    order by case when s.used > 0 then b.available::float8 / s.used end nulls last, g.name, r.business_id, p.name, b.kit_type
    limit ${limit}`)
}
