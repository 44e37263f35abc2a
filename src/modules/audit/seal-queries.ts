import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

const first = sql`jsonb_build_array(e.id, e.realm_id, (extract(epoch from e.at) * 1000000)::bigint, e.actor, e.action,
  e.object_type, e.object_id, e.request_id, e.ip, e.details)`
const FORM = 2
/**
 * What of an entry is sealed, as one text, in a form: 1 of the versions before, 2 with the caller's own ID of the request.
 * `jsonb` writes the same value in the same way always.
 */
export const canonical = (form: RawBuilder<unknown>) =>
  sql`(${first} || case when ${form} >= 2 then jsonb_build_array(e.caller_request_id) else '[]' end)::text`

// Entries of transactions that have ended, as has every one before them.
const settled = sql`e.xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

/** Up to which entry all are sealed, in the order of transactions; above `floor`. */
export interface Sealed {
  xact: number
  id: number
  floor: number
}

// Numbers that this cluster has not given yet.
const isAhead = sql`xact >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
// `offset 0` keeps the planner from reading the whole primary key backwards for the maximum.
const newestAhead = sql`(select max(id) from (select id from audit_entries where ${isAhead} offset 0) e)`

/**
 * Locks the row of sealing until the transaction ends; undefined while another process holds it. `restored`: the
 * cluster's transaction numbers are lower than those in the rows, sealed or not yet.
 */
export const lockSealing = (tx: SystemTx): Promise<(Sealed & { restored: boolean }) | undefined> =>
  tx.maybeRow(sql<Sealed & { restored: boolean }>`
    select xact, id, floor, ${isAhead} or coalesce(${newestAhead} > floor, false) as restored
    from audit_sealing for update skip locked`)

/** Restarts the count of transactions, above all entries from before the restore. */
export async function restartSealing(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    update audit_sealing set xact = 0, id = 0,
      floor = greatest(floor, ${newestAhead})`)
}

// What comes after a position, as values: joined with its row, the planner expects a thousand rows and compiles for 300 ms.
export const after = ({ xact, id, floor }: Sealed) =>
  sql`e.xact >= ${xact} and (e.xact, e.id) > (${xact}::bigint, ${id}::bigint) and e.id > ${floor}`

/**
 * The transaction up to which there are about `limit` entries; undefined when fewer are left. Without this bound each share
 * would sort all that wait, since no index has their order.
 */
export async function maybeLastXact(
  tx: SystemTx,
  position: Sealed,
  limit: number,
  which: 'all' | 'restored' = 'all',
): Promise<number | undefined> {
  const row = await tx.maybeRow(sql<{ xact: number }>`
    select e.xact from audit_entries e where ${which === 'restored' ? ofBefore : sql`e.id > ${position.id}`} and ${after(position)} order by e.id offset ${limit} limit 1`)
  return row?.xact
}

// Those of the cluster before: no entry of this one has a lower ID.
const ofBefore = sql`e.id <= ${newestAhead}`

/** Seals about `limit` entries, at most: one seal for each realm that has some. Returns how many entries were sealed. */
export async function insertSeals(
  tx: SystemTx,
  position: Sealed,
  which: 'restored' | 'settled',
  limit: number,
): Promise<number> {
  const last = await maybeLastXact(tx, position, limit, which === 'restored' ? which : 'all')
  const { count } = await tx.row(sql<{ count: number }>`
    with fresh as materialized (
      select e.id, e.xact, coalesce(e.realm_id, 0) as chain, ${canonical(sql`${FORM}::int`)} as text
      from (select e.* from audit_entries e where ${after(position)}
          and ${last === undefined ? sql`true` : sql`e.xact <= ${last}`} and ${which === 'restored' ? ofBefore : settled}
        order by e.xact, e.id limit ${limit}) e
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

/** How many entries are not sealed yet, up to 10,000, and since when the oldest of them waits. */
export async function selectUnsealed(tx: SystemTx): Promise<{ entries: number; oldest: Date | null }> {
  const position = await tx.row(sql<Sealed>`select xact, id, floor from audit_sealing`)
  return tx.row(sql<{ entries: number; oldest: Date | null }>`
    select count(*)::int as entries, min(w.at) as oldest
    from (select e.at from audit_entries e where ${after(position)} limit 10000) w`)
}

/** When the newest seal of all chains was made. */
export const selectNewestSeal = (tx: SystemTx): Promise<{ at: Date | null }> =>
  tx.row(sql<{ at: Date | null }>`
    select max(s.sealed_at) as at from audit_chains c cross join lateral (
      select sealed_at from audit_seals where chain = c.chain and number = c.seals) s`)

export async function countBusinesses(tx: SystemTx): Promise<number> {
  return (await tx.row(sql<{ count: number }>`select count(*)::int as count from businesses`)).count
}
