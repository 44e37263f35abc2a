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

export interface AnchorRow {
  number: number
  at: Date
  previous: Buffer
  /** A line for each chain: its number, that of its newest seal, and the hash of that. */
  seals: string
  digest: Buffer
}

const columns = sql`number, at, previous, seals, digest`

/** Waits until nothing is being sealed or anchored, and keeps it so until the transaction ends. */
export async function lockAnchors(tx: SystemTx): Promise<void> {
  await tx.run(sql`select 1 from audit_sealing for update`)
}

export const selectLastAnchor = (tx: SystemTx): Promise<AnchorRow | undefined> =>
  tx.maybeRow(sql<AnchorRow>`select ${columns} from audit_anchors order by number desc limit 1`)

export const selectAnchors = (tx: SystemTx, above: number, limit: number): Promise<AnchorRow[]> =>
  tx.rows(sql<AnchorRow>`select ${columns} from audit_anchors where number > ${above} order by number limit ${limit}`)

/** The ends of the chains that were sealed since then; of all of them without it. */
export const selectGrownChains = (
  tx: SystemTx,
  since: Date | undefined,
): Promise<{ chain: number; number: number; hash: Buffer }[]> =>
  tx.rows(sql<{ chain: number; number: number; hash: Buffer }>`
    select c.chain, c.seals as number, c.hash from audit_chains c
    join audit_seals s on s.chain = c.chain and s.number = c.seals
    where ${since ? sql`s.sealed_at >= ${since}` : sql`true`} order by c.chain`)

export async function insertAnchor(tx: SystemTx, { number, at, previous, seals, digest }: AnchorRow): Promise<void> {
  await tx.run(sql`
    insert into audit_anchors (number, at, previous, seals, digest) values (${number}, ${at}, ${previous}, ${seals}, ${digest})`)
}

/** The first seal that an anchor names and that the chains do not have, or have with another hash. */
export const selectUnlikeSeal = (
  tx: SystemTx,
  anchor: number,
): Promise<{ chain: number; number: number } | undefined> =>
  tx.maybeRow(sql<{ chain: number; number: number }>`
    select n.chain, n.number
    from (select split_part(l, ' ', 1)::int as chain, split_part(l, ' ', 2)::bigint as number, split_part(l, ' ', 3) as hash
          from audit_anchors a cross join lateral string_to_table(nullif(a.seals, ''), E'\n') as l where a.number = ${anchor}) n
    left join audit_seals s on s.chain = n.chain and s.number = n.number
    where encode(s.hash, 'hex') is distinct from n.hash order by n.chain limit 1`)

interface ChainEnd {
  chain: number
  seals: number
  /** Hexadecimal. */
  hash: string
}

/** Up to which entry all are sealed, and where each chain ends, as of one moment. */
export const selectEnds = (tx: SystemTx): Promise<{ sealed: Sealed; chains: ChainEnd[] }> =>
  tx.row(sql<{ sealed: Sealed; chains: ChainEnd[] }>`
    select jsonb_build_object('xact', s.xact, 'id', s.id, 'floor', s.floor) as sealed,
      (select coalesce(jsonb_agg(jsonb_build_object('chain', c.chain, 'seals', c.seals, 'hash', encode(c.hash, 'hex'))), '[]')
       from audit_chains c) as chains
    from audit_sealing s`)

/** Seals to verify: those of a chain above a number whose hash is proven, up to another. */
export interface WantedSeals {
  chain: number
  above: number
  upTo: number
  /** Hexadecimal; empty for the first seal. */
  hash: string
}

export interface ComputedSeal {
  chain: number
  number: number
  hash: string
  /** What the entries come to now. */
  now: string
  listed: number
  found: number
  /** The sum of the IDs that it lists. */
  ids: string
}

// Of the arrays of IDs, as stored: about 20,000 entries, 200 ms.
const BYTES_AT_ONCE = 64 * 1024

/** The first of the wanted seals, in order of chain and number. `isCut`: there are more of them. */
export async function computeSeals(
  tx: SystemTx,
  wanted: readonly WantedSeals[],
): Promise<{ seals: ComputedSeal[]; isCut: boolean }> {
  const rows = await tx.rows(sql<ComputedSeal & { isCut: boolean }>`
    with wanted as (
      select * from json_to_recordset(${JSON.stringify(wanted)}::json) as w(chain int, above bigint, "upTo" bigint, hash text)
    ), sized as (
      select s.chain, s.number, s.hash, s.form, s.entry_ids,
        coalesce(lag(s.hash) over (partition by s.chain order by s.number), decode(w.hash, 'hex')) as previous,
        sum(pg_column_size(s.entry_ids)) over (order by s.chain, s.number) - pg_column_size(s.entry_ids) as before
      from wanted w join audit_seals s on s.chain = w.chain and s.number > w.above and s.number <= w."upTo"
    )
    select c.chain, c.number, encode(c.hash, 'hex') as hash, cardinality(c.entry_ids) as listed, e.found, e.ids,
      encode(sha256(c.previous || convert_to(e.text, 'UTF8')), 'hex') as now,
      exists (select from sized where before >= ${BYTES_AT_ONCE}) as "isCut"
    from sized c cross join lateral (
      select count(e.id)::int as found, coalesce(sum(u.id), 0)::text as ids,
        coalesce(string_agg(${canonical(sql`c.form`)}, E'\n' order by u.place), '') as text
      from unnest(c.entry_ids) with ordinality as u(id, place)
      left join audit_entries e on e.id = u.id and coalesce(e.realm_id, 0) = c.chain) e
    where c.before < ${BYTES_AT_ONCE} order by c.chain, c.number`)
  return { seals: rows, isCut: rows.some(({ isCut }) => isCut) }
}

/** Whether there is an entry that the database did not number: the walk over all entries begins above it. */
export const hasUncounted = async (tx: SystemTx): Promise<boolean> =>
  (
    await tx.row(sql<{ found: boolean }>`
      select exists (select from audit_entries where id <= 0) or exists (select from audit_entries where xact <= 0) as found`)
  ).found

interface FoundEntries {
  /** How many entries each chain has among them, and the sum of their IDs. */
  chains: { chain: number; entries: number; ids: string }[]
  /** The last one; null: there are none left. */
  last: { xact: number; id: number } | null
}

/** The next entries of all chains after a position, in the order of sealing, up to where all are sealed. */
export async function selectFound(tx: SystemTx, walk: Sealed, sealed: Sealed, limit: number): Promise<FoundEntries> {
  const last = await maybeLastXact(tx, walk, limit)
  // From before a restore: transactions were counted again from there on.
  const isSealed =
    walk.floor < sealed.floor
      ? sql`e.id <= ${sealed.floor}`
      : sql`(e.xact, e.id) <= (${sealed.xact}::bigint, ${sealed.id}::bigint)`
  return tx.row(sql<FoundEntries>`
    with found as materialized (
      select e.id, e.xact, coalesce(e.realm_id, 0) as chain from audit_entries e
      where ${after(walk)} and ${last === undefined ? sql`true` : sql`e.xact <= ${last}`} and ${isSealed}
      order by e.xact, e.id limit ${limit})
    select (select coalesce(jsonb_agg(c), '[]') from (
        select chain, count(*)::int as entries, sum(id)::text as ids from found group by chain) c) as chains,
      (select jsonb_build_object('xact', xact, 'id', id) from found order by xact desc, id desc limit 1) as last`)
}
