import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

const first = sql`jsonb_build_array(e.id, e.realm_id, (extract(epoch from e.at) * 1000000)::bigint, e.actor, e.action,
  e.object_type, e.object_id, e.request_id, e.ip, e.details)`
const FORM = 2
/**
 * What of an entry is sealed, as one text, in a form: 1 of the versions before, 2 with the caller's own ID of the request.
 * `jsonb` writes the same value in the same way always.
 */
const canonical = (form: RawBuilder<unknown>) =>
  sql`(${first} || case when ${form} >= 2 then jsonb_build_array(e.caller_request_id) else '[]' end)::text`

// Entries of transactions that have ended, as has every one before them.
const settled = sql`e.xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/**
 * Locks the row of sealing until the transaction ends; undefined while another process holds it. `restored`: the
 * cluster's transaction numbers are lower than those in the rows.
 */
export const lockSealing = (tx: SystemTx): Promise<{ restored: boolean } | undefined> =>
  tx.maybeRow(sql<{ restored: boolean }>`
    select xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint as restored from audit_sealing for update skip locked`)

/** Restarts the count of transactions, above all entries from before the restore. */
export async function restartSealing(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    update audit_sealing set xact = 0, id = 0,
      floor = (select coalesce(max(id), 0) from audit_entries e where e.xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`)
}

/** Seals the next entries, `limit` at most: one seal for each realm that has some. Returns how many entries were sealed. */
export async function insertSeals(tx: SystemTx, which: 'all' | 'settled', limit: number): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    with fresh as materialized (
      select e.id, e.xact, coalesce(e.realm_id, 0) as chain, ${canonical(sql`${FORM}::int`)} as text
      from audit_entries e, audit_sealing s
      where e.xact >= s.xact and (e.xact, e.id) > (s.xact, s.id) and e.id > s.floor
        and ${which === 'all' ? sql`true` : settled}
      order by e.xact, e.id limit ${limit}
    ), seals as (
      select f.chain, coalesce(c.seals, 0) + 1 as number, array_agg(f.id order by f.xact, f.id) as ids,
        sha256(coalesce(c.hash, '') || convert_to(string_agg(f.text, E'\n' order by f.xact, f.id), 'UTF8')) as hash
      from fresh f left join audit_chains c on c.chain = f.chain group by f.chain, c.seals, c.hash
    ), kept as (
      insert into audit_seals (chain, number, entry_ids, hash, sealed_at, form)
      select chain, number, ids, hash, ${tx.now}, ${FORM} from seals
    ), ends as (
      insert into audit_chains (chain, seals, hash) select chain, number, hash from seals
      on conflict (chain) do update set seals = excluded.seals, hash = excluded.hash
    ), last as (select xact, id from fresh order by xact desc, id desc limit 1), moved as (
      update audit_sealing s set xact = last.xact, id = last.id from last
    )
    select count(*)::int as count from fresh`)
  return count
}

export async function countSealed(tx: SystemTx): Promise<{ entries: number; sealed: number }> {
  return tx.row(sql<{ entries: number; sealed: number }>`
    select (select count(*) from audit_entries) as entries,
           (select coalesce(sum(cardinality(entry_ids)), 0)::bigint from audit_seals) as sealed`)
}

export interface BrokenSeal {
  chain: number
  number: number
  what: 'changed' | 'missing' | 'gap' | 'end' | 'outside'
}

/** The first seal that does not fit the entries as they are. */
export const selectBrokenSeal = (tx: SystemTx): Promise<BrokenSeal | undefined> =>
  tx.maybeRow(sql<BrokenSeal>`
    with chained as (
      select chain, number, entry_ids, hash, form, lag(hash) over w as previous, coalesce(lag(number) over w, 0) as before
      from audit_seals window w as (partition by chain order by number)
    ), computed as (
      select c.chain, c.number, c.before, c.hash, cardinality(c.entry_ids) as listed, count(e.id) as found,
        sha256(coalesce(c.previous, '') || convert_to(coalesce(string_agg(${canonical(sql`c.form`)}, E'\n' order by u.place), ''), 'UTF8')) as now
      from chained c cross join lateral unnest(c.entry_ids) with ordinality as u(id, place)
      left join audit_entries e on e.id = u.id and coalesce(e.realm_id, 0) = c.chain
      group by c.chain, c.number, c.before, c.hash, c.entry_ids, c.previous, c.form
    ), problems as (
      select chain, number, case when before <> number - 1 then 'gap' when found < listed then 'missing' else 'changed' end as what
      from computed where before <> number - 1 or found < listed or hash <> now
      union all
      select c.chain, c.seals, 'end' from audit_chains c
      left join audit_seals s on s.chain = c.chain and s.number = c.seals where s.hash is distinct from c.hash
      union all
      select coalesce(e.realm_id, 0), 0, 'outside' from audit_entries e cross join audit_sealing s
      left join (select chain, unnest(entry_ids) as id from audit_seals) z on z.id = e.id and z.chain = coalesce(e.realm_id, 0)
      where z.id is null and ((e.xact, e.id) <= (s.xact, s.id) or e.id <= s.floor)
    )
    select chain, number, what from problems order by what = 'outside', chain, number limit 1`)

export async function countBusinesses(tx: SystemTx): Promise<number> {
  return (await tx.row(sql<{ count: number }>`select count(*)::int as count from businesses`)).count
}
