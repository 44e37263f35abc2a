import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Queries, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { LotFacts } from './decision.ts'
import type { LotPart } from './lot-schema.ts'

export interface ComponentRow {
  component: string
  lot: string
  expiresOn: string
  quantity: number
  minimumDaysAtPacking: number
  quarantine: string | null
  receivedAt: Date
  isUsable: boolean
  isRecalled: boolean
}

/** A number or name of a lot without regard to case and white space, as an index of `measured_lots` has it: people and machines write both. */
export const spelled = (text: RawBuilder<unknown> | string) => sql`lower(regexp_replace(${text}, '\\s', '', 'g'))`

const recalled = (
  kind: 'componentLot' | 'kitLot',
  subject: RawBuilder<unknown>,
  lot: RawBuilder<unknown>,
) => sql`exists (
  select from recalls r where r.kind = ${sql.lit(kind)} and r.subject = ${subject} and r.lot = ${lot} and r.state <> 'closed')`

const columns = (today: string) => sql`
  c.component, c.lot, c.expires_on::text as "expiresOn", c.quantity, c.minimum_days_at_packing as "minimumDaysAtPacking",
  c.quarantine, c.received_at as "receivedAt",
  ${recalled('componentLot', sql`c.component`, sql`c.lot`)} as "isRecalled",
  c.quarantine is null and c.expires_on - c.minimum_days_at_packing >= ${today}::date as "isUsable"`

export interface ComponentFilter {
  component?: readonly string[] | undefined
  lot?: readonly string[] | undefined
  page: number
  size: number
}

/** Lots of components, those that expire first first. */
export async function selectComponents(tx: SystemTx, today: string, { component, lot, page, size }: ComponentFilter) {
  const which = sql`${isOneOf(sql`c.component`, component)} and ${isOneOf(sql`c.lot`, lot)}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from component_lots c where ${which}`,
  )
  const rows = await tx.rows(sql<ComponentRow>`
    select ${columns(today)} from component_lots c where ${which}
    order by c.expires_on, c.component, c.lot limit ${size} offset ${page * size}`)
  return { rows, total }
}

/** Those of these lots that are known. */
export function selectComponentLots(tx: SystemTx, today: string, parts: readonly LotPart[]): Promise<ComponentRow[]> {
  return tx.rows(sql<ComponentRow>`
    select ${columns(today)} from component_lots c
    join json_to_recordset(${JSON.stringify(parts)}::json) as p(component text, lot text) using (component, lot)`)
}

/** How a lot of a component is written that differs from this one by case alone. */
export const selectOtherSpelling = (tx: SystemTx, { component, lot }: LotPart): Promise<LotPart | undefined> =>
  tx.maybeRow(sql<LotPart>`
    select component, lot from component_lots
    where (${spelled(sql`component`)}, ${spelled(sql`lot`)}) = (${spelled(component)}, ${spelled(lot)})
      and (component, lot) <> (${component}, ${lot})
    limit 1`)

/** The same of a lot of kits. */
export const selectOtherKitLot = (tx: SystemTx, { product, lot }: KitLot): Promise<KitLot | undefined> =>
  tx.maybeRow(sql<KitLot>`
    select product, lot from kit_lots
    where product = ${product} and ${spelled(sql`lot`)} = ${spelled(lot)} and lot <> ${lot} limit 1`)

/** The lot of a component that expires first among those that may be packed. */
export function selectFirstComponent(
  tx: SystemTx,
  today: string,
  component: string,
): Promise<ComponentRow | undefined> {
  return tx.maybeRow(sql<ComponentRow>`
    select ${columns(today)} from component_lots c
    where c.component = ${component} and c.quarantine is null and c.expires_on - c.minimum_days_at_packing >= ${today}::date
    order by c.expires_on, c.lot limit 1`)
}

/** Writes a lot of a component. What is known of one already stays, but for how many there are and what it must have left. */
export function saveComponent(
  tx: SystemTx,
  today: string,
  lot: Pick<ComponentRow, 'component' | 'lot' | 'expiresOn' | 'quantity' | 'minimumDaysAtPacking'>,
): Promise<ComponentRow> {
  return tx.row(sql<ComponentRow>`
    insert into component_lots as c (component, lot, expires_on, quantity, minimum_days_at_packing, received_at)
    values (${lot.component}, ${lot.lot}, ${lot.expiresOn}, ${lot.quantity}, ${lot.minimumDaysAtPacking}, ${tx.now})
    on conflict (component, lot) do update
      set quantity = excluded.quantity, minimum_days_at_packing = excluded.minimum_days_at_packing
    returning ${columns(today)}`)
}

export async function setComponentQuarantine(tx: SystemTx, { component, lot }: LotPart, why: string | null) {
  await tx.run(sql`update component_lots set quarantine = ${why} where component = ${component} and lot = ${lot}`)
}

export interface KitLot {
  product: string
  lot: string
}

/** Makes a lot of kits known. */
export async function insertKitLot(tx: SystemTx, { product, lot }: KitLot): Promise<void> {
  await tx.run(sql`
    insert into kit_lots (product, lot, created_at) values (${product}, ${lot}, ${tx.now}) on conflict do nothing`)
}

/** Makes those of these lots known of which boxes were received. */
export async function insertReceivedLots(tx: SystemTx, lots: readonly KitLot[]): Promise<void> {
  await tx.run(sql`
    insert into kit_lots (product, lot, created_at)
    select distinct b.gtin, b.lot, ${tx.now}::timestamptz from stock_boxes b
    join json_to_recordset(${JSON.stringify(lots)}::json) as w(product text, lot text) on w.product = b.gtin and w.lot = b.lot
    on conflict do nothing`)
}

export async function setKitLotQuarantine(tx: SystemTx, { product, lot }: KitLot, why: string | null): Promise<void> {
  await tx.run(sql`
    update kit_lots set quarantine = ${why} where product = ${product} and lot = ${lot}`)
}

/** Loads a lot at the stations, in place of the one before, or takes it off them. */
export async function setLoaded(tx: SystemTx, { product, lot }: KitLot, isLoaded: boolean): Promise<void> {
  if (isLoaded) await tx.run(sql`update kit_lots set is_loaded = false where product = ${product} and is_loaded`)
  await tx.run(sql`update kit_lots set is_loaded = ${isLoaded} where product = ${product} and lot = ${lot}`)
}

export async function insertParts(tx: SystemTx, { product, lot }: KitLot, parts: readonly LotPart[]): Promise<number> {
  return tx.run(sql`
    insert into kit_lot_components (product, kit_lot, component, lot)
    select ${product}, ${lot}, p.component, p.lot
    from json_to_recordset(${JSON.stringify(parts)}::json) as p(component text, lot text)
    on conflict do nothing`)
}

export interface KitLotRow extends LotFacts {
  isLoaded: boolean
  isRecalled: boolean
  createdAt: Date
}

const parts = sql`coalesce((
  select json_agg(json_build_object('component', c.component, 'lot', c.lot, 'expiresOn', c.expires_on, 'quarantine', c.quarantine,
    'minimumDaysAtPacking', c.minimum_days_at_packing) order by c.expires_on, c.component, c.lot)
  from kit_lot_components k join component_lots c using (component, lot)
  where k.product = l.product and k.kit_lot = l.lot), '[]') as components`

const kitLotColumns = sql`l.product, l.lot, l.is_loaded as "isLoaded", l.quarantine, l.created_at as "createdAt",
  ${recalled('kitLot', sql`l.product`, sql`l.lot`)} as "isRecalled", ${parts}`

export interface KitLotFilter {
  product?: readonly string[] | undefined
  lot?: readonly string[] | undefined
  page: number
  size: number
}

/** Lots of kits, the newest first. */
export async function selectKitLots(tx: SystemTx, { product, lot, page, size }: KitLotFilter) {
  const which = sql`${isOneOf(sql`l.product`, product)} and ${isOneOf(sql`l.lot`, lot)}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from kit_lots l where ${which}`)
  const rows = await tx.rows(sql<KitLotRow>`
    select ${kitLotColumns} from kit_lots l where ${which}
    order by l.created_at desc, l.product, l.lot limit ${size} offset ${page * size}`)
  return { rows, total }
}

/** Those of these lots that anything is known of. */
export function selectKitLotsOf(tx: Queries, lots: readonly KitLot[]): Promise<KitLotRow[]> {
  return tx.rows(sql<KitLotRow>`
    select ${kitLotColumns} from kit_lots l
    join json_to_recordset(${JSON.stringify(lots)}::json) as w(product text, lot text) using (product, lot)`)
}

/** Those that anything is known of among lots that somebody names, in whatever case and spaces. */
export function selectNamedLots(tx: Queries, lots: readonly KitLot[]): Promise<(KitLotRow & { named: string })[]> {
  return tx.rows(sql<KitLotRow & { named: string }>`
    select ${kitLotColumns}, w.lot as named from kit_lots l
    join json_to_recordset(${JSON.stringify(lots)}::json) as w(product text, lot text)
      on w.product = l.product and ${spelled(sql`w.lot`)} = ${spelled(sql`l.lot`)}`)
}

/** The lots that are packed of kit types. */
export const selectLoaded = (tx: SystemTx, kitTypes: readonly string[]): Promise<KitLotRow[]> =>
  tx.rows(sql<KitLotRow>`select ${kitLotColumns} from kit_lots l where l.is_loaded and l.product = any(${kitTypes})`)

/** Notes of which lot kits are that were packed by hand. */
export async function insertPacked(
  tx: SystemTx,
  packed: readonly (KitLot & { realmId: number; kitId: string })[],
): Promise<void> {
  if (packed.length === 0) return
  await tx.run(sql`
    insert into packed_lots (realm_id, kit_id, product, lot)
    select p."realmId", p."kitId", p.product, p.lot
    from json_to_recordset(${JSON.stringify(packed)}::json) as p("realmId" int, "kitId" text, product text, lot text)
    on conflict do nothing`)
}

export async function deletePacked(tx: SystemTx, kitId: string): Promise<void> {
  await tx.run(sql`delete from packed_lots where kit_id = ${kitId}`)
}

/** Whether a lot is recalled, and the recall is not closed. */
export const selectRecallsOfLot = (tx: SystemTx, kind: string, subject: string, lot: string) =>
  tx.row(sql<{ isOpen: boolean; underWay: number }>`
    select coalesce(bool_or(r.state <> 'closed'), false) as "isOpen", count(n.id)::int as "underWay"
    from recalls r left join recall_kits k on k.recall_id = r.id
    left join kits n on n.realm_id = k.realm_id and n.id = k.replaced_by and n.kit_status in ('preparing', 'inTransit')
    where r.kind = ${kind} and r.subject = ${subject} and r.lot = ${lot}`)

/** The lots of kits of all businesses, by their boxes or as they were packed. */
export const selectLotsOfKits = (tx: SystemTx, kitIds: readonly string[]): Promise<(KitLotRow & { kitId: string })[]> =>
  tx.rows(sql<KitLotRow & { kitId: string }>`
    select w.kit_id as "kitId", ${kitLotColumns}
    from (select kit_id, gtin as product, lot from stock_boxes where kit_id = any(${kitIds})
          union all select kit_id, product, lot from packed_lots where kit_id = any(${kitIds})) w
    join kit_lots l using (product, lot)`)

/** The lots of a kit, by its box and as it was packed: several where more than one parcel left for it. */
export const selectLotsOfKit = (tx: Tx, kitId: string): Promise<KitLot[]> =>
  tx.rows(sql<KitLot>`
    select gtin as product, lot from stock_boxes where realm_id = ${tx.realm.id} and kit_id = ${kitId} union
    select product, lot from packed_lots where realm_id = ${tx.realm.id} and kit_id = ${kitId} order by product, lot`)
