import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { RecallKind, StageFacts } from './decision.ts'

// Lots of kits with the number, those that a component of the number is in, and what was measured with it.
const known = (number: string) => sql`
  with direct as (
    select product, lot from kit_lots where lot = ${number} union select gtin, lot from stock_boxes where lot = ${number}),
  built as (select component, product, kit_lot as lot from kit_lot_components where lot = ${number})`

const kitsIn = (lots: string) => sql`
  select ${sql.lit(lots === 'direct' ? 'kitLot' : 'componentLot')} as kind, b.realm_id, b.kit_id
  from ${sql.ref(lots)} l join stock_boxes b on b.gtin = l.product and b.lot = l.lot where b.kit_id is not null
  union select ${sql.lit(lots === 'direct' ? 'kitLot' : 'componentLot')}, p.realm_id, p.kit_id
  from ${sql.ref(lots)} l join packed_lots p on p.product = l.product and p.lot = l.lot`

const holders = (number: string) => sql`
  ${known(number)}, holders as (
    ${kitsIn('direct')} union ${kitsIn('built')}
    union select m.kind, m.realm_id, m.kit_id from measured_lots m where m.lot = ${number})`

export interface TracedLot {
  kind: RecallKind
  subject: string
  lot: string
  kits: number
  boxesInStock: number
  builtInto: { product: string; lot: string }[]
}

/** What has this number. */
export function selectLotsOfNumber(tx: SystemTx, number: string): Promise<TracedLot[]> {
  return tx.rows(sql<TracedLot>`
    ${known(number)},
    lots as (
      select 'componentLot' as kind, c.component as subject, b.product, b.lot
      from component_lots c left join built b on b.component = c.component where c.lot = ${number}
      union all select 'kitLot', product, product, lot from direct),
    counted as (
      select l.kind, l.subject, l.product, l.lot,
        (select count(*) from stock_boxes s where s.gtin = l.product and s.lot = l.lot and s.kit_id is not null)
          + (select count(*) from packed_lots p where p.product = l.product and p.lot = l.lot) as kits,
        (select count(*) from stock_boxes s where s.gtin = l.product and s.lot = l.lot and s.state = 'inStock') as boxes
      from lots l)
    select kind, subject, ${number}::text as lot, sum(kits)::int as kits, sum(boxes)::int as "boxesInStock",
      coalesce(jsonb_agg(jsonb_build_object('product', product, 'lot', lot)) filter (where kind = 'componentLot' and product is not null),
        '[]') as "builtInto"
    from counted group by kind, subject
    union all select kind, subject, lot, count(*)::int, 0, '[]' from measured_lots where lot = ${number} group by kind, subject, lot
    order by 1, 2`)
}

export interface TracedKit extends StageFacts {
  kind: RecallKind
  kitId: string
  businessId: string
  businessName: string
  customerId: number | null
}

/** The live kits that hold a lot with this number, or were measured with it. */
export async function selectTraced(tx: SystemTx, number: string, { page, size }: { page: number; size: number }) {
  const { total } = await tx.row(sql<{ total: number }>`${holders(number)} select count(*)::int as total from holders`)
  const rows = await tx.rows(sql<TracedKit>`
    ${holders(number)},
    part as (select * from holders order by realm_id, kit_id, kind limit ${size} offset ${page * size})
    select h.kind, h.kit_id as "kitId", k.kit_status as "kitStatus", k.sample_status as "sampleStatus", k.report_status as status,
      k.customer_id as "customerId", b.id as "businessId", b.name as "businessName"
    from part h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id
    join realms r on r.id = h.realm_id join businesses b on b.id = r.business_id order by h.realm_id, h.kit_id, h.kind`)
  return { rows, total }
}
