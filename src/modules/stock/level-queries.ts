import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { isAtOneOf, isPackable } from './queries.ts'

export interface LevelRow {
  place: string
  gtin: string
  kitType: string
  inStock: number
  /** Of them, those that still may be packed. */
  usable: number
  soonestExpiry: string | null
  reorderPoint: number | null
  lots: { lot: string; inStock: number; soonestExpiry: string }[]
}

// A place with a reorder point is listed with none in stock too. What has too few days left cannot be packed, so it does not
// keep a level up.
const levels = (today: string) => sql`
  with lots as (
    select b.place, b.gtin, b.lot, count(*)::int as n, min(b.expires_on) as soonest,
           count(*) filter (where ${isPackable(today)})::int as usable
    from stock_boxes b join stock_products p using (gtin) where b.state = 'inStock' group by b.place, b.gtin, b.lot),
  stocked as (
    select place, gtin, sum(n)::int as n, sum(usable)::int as usable, min(soonest) as soonest,
           jsonb_agg(jsonb_build_object('lot', lot, 'inStock', n, 'soonestExpiry', soonest) order by soonest, lot) as lots
    from lots group by place, gtin),
  points as (
    select e.key as place, p.gtin, e.value::int as point
    from stock_products p cross join jsonb_each_text(p.reorder_points) e),
  levels as (
    select coalesce(s.place, r.place) as place, coalesce(s.gtin, r.gtin) as gtin, coalesce(s.n, 0) as n,
           coalesce(s.usable, 0) as usable, s.soonest, coalesce(s.lots, '[]') as lots, r.point
    from stocked s full join points r on lower(r.place) = lower(s.place) and r.gtin = s.gtin)`

interface LevelFilter {
  today: string
  places?: readonly string[] | undefined
  kitTypes?: readonly string[] | undefined
  isLow: boolean
  page: number
  size: number
}

/** What is in stock, by place and product. */
export async function selectLevels(
  tx: SystemTx,
  { today, places, kitTypes, isLow, page, size }: LevelFilter,
): Promise<{ rows: LevelRow[]; total: number }> {
  const which = sql`${isAtOneOf(sql`l.place`, places)}
    and (${kitTypes ?? null}::text[] is null or p.kit_type = any(${kitTypes ?? null}))
    and (not ${isLow} or l.usable < l.point)`
  const from = sql`from levels l join stock_products p on p.gtin = l.gtin where ${which}`
  const { total } = await tx.row(sql<{ total: number }>`${levels(today)} select count(*)::int as total ${from}`)
  const rows = await tx.rows(sql<LevelRow>`
    ${levels(today)}
    select l.place, l.gtin, p.kit_type as "kitType", l.n as "inStock", l.usable, l.soonest::text as "soonestExpiry",
           l.point as "reorderPoint", l.lots
    ${from} order by l.place, p.kit_type, l.gtin limit ${size} offset ${page * size}`)
  return { rows, total }
}

/** How many products are below their reorder point somewhere. */
export async function countLow(tx: SystemTx): Promise<number> {
  const today = tx.now.toISOString().slice(0, 10)
  const { total } = await tx.row(sql<{ total: number }>`
    ${levels(today)} select count(*)::int as total from levels where usable < point`)
  return total
}
