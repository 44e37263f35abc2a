import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { after, canonical, maybeLastXact, type Sealed } from './seal-queries.ts'

export interface ChainEnd {
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

export interface FoundEntries {
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
