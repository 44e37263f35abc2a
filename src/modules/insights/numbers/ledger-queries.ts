import { sql } from 'kysely'

/**
 * Where the ledger of each realm begins to matter: the first number at or after a time. Numbers are gapless and dated in
 * their order, so that halving finds it with 40 look-ups of the primary key at most; the ledger has no index on its dates.
 */
export const starts = (realmIds: readonly number[], from: Date) => sql`
  recursive halving(realm_id, low, high, middle) as (
    select c.realm_id, 1::bigint, c.transfers::bigint + 1, (c.transfers::bigint + 2) / 2
    from realm_counters c where c.realm_id = any(${realmIds}::int[])
    union all
    select h.realm_id, n.low, n.high, (n.low + n.high) / 2
    from halving h cross join lateral (
      -- A look-up by limit and without a division: as a join or a filter, each step would read the whole ledger.
      select t.at from credit_transfers t where t.realm_id = h.realm_id and t.seq = h.middle limit 1) m
    cross join lateral (
      select case when m.at < ${from} then h.middle + 1 else h.low end as low,
             case when m.at < ${from} then h.high else h.middle end as high) n
    where h.low < h.high),
  starts as (select realm_id, low as seq from halving where low = high)`
