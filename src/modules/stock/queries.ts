import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { BoxCode } from './code.ts'
import type { BoxState, Kind, PackedBox, Reason } from './decision.ts'

// An arbitrary constant.
const STOCK_LOCK = 704_553_217

/** Lets one transaction change the stock at a time: boxes of two who scan at once are never locked in two orders. */
export async function lockStock(tx: SystemTx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${STOCK_LOCK})`)
}

/** The condition that a place is one of some, in any letters, large or small. */
export const isAtOneOf = (column: RawBuilder<unknown>, places: readonly string[] | undefined): RawBuilder<unknown> =>
  places ? sql`lower(${column}) = any(array(select lower(p) from unnest(${places}::text[]) p))` : sql`true`

/** Locks the stock, and returns a place as it was first spelled: people write "main" and "Main" of one. */
export async function spellingOf(tx: SystemTx, place: string): Promise<string> {
  await lockStock(tx)
  const known = await tx.maybeRow(sql<{ place: string }>`
    (select place from stock_movements where lower(place) = lower(${place}) order by id limit 1) union all
    (select key from stock_products, jsonb_object_keys(reorder_points) key where lower(key) = lower(${place}) limit 1) limit 1`)
  return known?.place ?? place
}

export interface ProductRow {
  gtin: string
  kitType: string
  reorderPoints: Record<string, number>
  minimumDaysAtPacking: number
  registerDaysBeforeExpiry: number
  changedAt: Date
}

const productColumns = sql`gtin, kit_type as "kitType", reorder_points as "reorderPoints",
  minimum_days_at_packing as "minimumDaysAtPacking", register_days_before_expiry as "registerDaysBeforeExpiry", changed_at as "changedAt"`

export function selectProducts(tx: SystemTx, { page, size }: { page: number; size: number }): Promise<ProductRow[]> {
  return tx.rows(sql<ProductRow>`
    select ${productColumns} from stock_products order by kit_type, gtin limit ${size} offset ${page * size}`)
}

export const countProducts = async (tx: SystemTx): Promise<number> =>
  (await tx.row(sql<{ total: number }>`select count(*)::int as total from stock_products`)).total

/** Those with these GTINs; all without them. */
export const selectProductsOf = (tx: SystemTx, gtins?: readonly string[]): Promise<ProductRow[]> =>
  tx.rows(sql<ProductRow>`select ${productColumns} from stock_products where ${isOneOf(sql`gtin`, gtins)}`)

export function saveProduct(tx: SystemTx, product: Omit<ProductRow, 'changedAt'>): Promise<ProductRow> {
  const { gtin, kitType, reorderPoints, minimumDaysAtPacking, registerDaysBeforeExpiry } = product
  return tx.row(sql<ProductRow>`
    insert into stock_products (gtin, kit_type, reorder_points, minimum_days_at_packing, register_days_before_expiry, changed_at)
    values (${gtin}, ${kitType}, ${JSON.stringify(reorderPoints)}::jsonb, ${minimumDaysAtPacking}, ${registerDaysBeforeExpiry}, ${tx.now})
    on conflict (gtin) do update set kit_type = excluded.kit_type, reorder_points = excluded.reorder_points,
      minimum_days_at_packing = excluded.minimum_days_at_packing,
      register_days_before_expiry = excluded.register_days_before_expiry, changed_at = excluded.changed_at
    returning ${productColumns}`)
}

export interface BoxRow extends PackedBox {
  id: number
  gtin: string
  lot: string
  registerBy: string | null
  receivedAt: Date
}

const boxColumns = sql`b.id, b.gtin, b.serial, b.lot, b.expires_on::text as "expiresOn", b.place, b.state,
  b.kit_id as "kitId", b.register_by::text as "registerBy", b.received_at as "receivedAt", p.kit_type as "kitType",
  p.minimum_days_at_packing as "minimumDaysAtPacking", p.register_days_before_expiry as "registerDaysBeforeExpiry"`

/** Whether a box may be packed by its days and its lot: what `packingProblem` and `lotProblem` say of a single one. */
export const isPackable = (today: string): RawBuilder<unknown> => sql`(
  b.expires_on - greatest(p.minimum_days_at_packing, p.register_days_before_expiry) >= ${today}::date
  and not exists (select from kit_lots l left join kit_lot_components k on k.product = l.product and k.kit_lot = l.lot
    left join component_lots c on c.component = k.component and c.lot = k.lot
    where l.product = b.gtin and l.lot = b.lot and (l.quarantine is not null or c.quarantine is not null
      or c.expires_on - c.minimum_days_at_packing < ${today}::date)))`

/** Boxes that codes may mean, locked in one order until the transaction ends. A bare serial is found in any case. */
export function lockByCodes(tx: SystemTx, codes: readonly BoxCode[]): Promise<BoxRow[]> {
  return tx.rows(sql<BoxRow>`
    select ${boxColumns} from stock_boxes b join stock_products p using (gtin)
    where b.id in (${meant(codes)}) order by b.id for update of b`)
}

const meant = (codes: readonly BoxCode[]): RawBuilder<unknown> => sql`
  select m.id from json_to_recordset(${JSON.stringify(codes)}::json) as c(gtin text, serial text)
  join stock_boxes m on upper(m.serial) = upper(c.serial) and (c.gtin is null or (m.gtin = c.gtin and m.serial = c.serial))`

export function selectByCodes(tx: SystemTx, codes: readonly BoxCode[]): Promise<BoxRow[]> {
  return tx.rows(sql<BoxRow>`
    select ${boxColumns} from stock_boxes b join stock_products p using (gtin) where b.id in (${meant(codes)}) order by b.id`)
}

/** Boxes that are on kits which a code may mean, of one realm or of all. */
export function selectBoundByCode(
  tx: Queries,
  code: BoxCode,
  realm: Realm | undefined,
): Promise<{ gtin: string; serial: string; kitId: string }[]> {
  const here = realm ? sql`b.realm_id = ${realm.id}` : sql`true`
  return tx.rows(sql<{ gtin: string; serial: string; kitId: string }>`
    select b.gtin, b.serial, b.kit_id as "kitId" from stock_boxes b
    where b.id in (${meant([code])}) and b.kit_id is not null and ${here}`)
}

/** Of these boxes, those whose serial number is that of another box which is on a kit. */
export async function selectTwins(tx: SystemTx, boxIds: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows(sql<{ id: number }>`
    select b.id from stock_boxes b where b.id = any(${boxIds}) and exists (
      select from stock_boxes o where upper(o.serial) = upper(b.serial) and o.id <> b.id and o.state = 'bound')`)
  return new Set(rows.map(({ id }) => id))
}

/** Of these boxes, those that were written off with one of these notes, by their IDs, and not moved since. */
export async function selectWrittenOffWith(
  tx: SystemTx,
  boxIds: readonly number[],
  notes: readonly string[],
): Promise<Map<number, string>> {
  const rows = await tx.rows(sql<{ id: number; note: string }>`
    select b.id, m.note from stock_boxes b cross join lateral (
      select note from stock_movements where box_id = b.id order by id desc limit 1) m
    where b.id = any(${boxIds}) and b.state = 'writtenOff' and m.note = any(${notes})`)
  return new Map(rows.map(({ id, note }) => [id, note]))
}

export interface KitBoxRow {
  gtin: string
  serial: string
  lot: string
  expiresOn: string
  registerBy: string
}

export function selectOfKit(tx: Tx, kitId: string): Promise<KitBoxRow | undefined> {
  return tx.maybeRow(sql<KitBoxRow>`
    select gtin, serial, lot, expires_on::text as "expiresOn", register_by::text as "registerBy"
    from stock_boxes where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
}

export type NewBox = Required<BoxCode> & { place: string }

/** Writes boxes that are new. Returns their IDs, by the order in which they were written. */
export function insertBoxes(
  tx: SystemTx,
  boxes: readonly NewBox[],
): Promise<{ id: number; gtin: string; serial: string; place: string }[]> {
  return tx.rows(sql<{ id: number; gtin: string; serial: string; place: string }>`
    insert into stock_boxes (gtin, serial, lot, expires_on, place, state, received_at)
    select n.gtin, n.serial, n.lot, n."expiresOn", n.place, 'inStock', ${tx.now}
    from json_to_recordset(${JSON.stringify(boxes)}::json)
      as n(gtin text, serial text, lot text, "expiresOn" date, place text)
    order by n.gtin, n.serial
    on conflict (gtin, serial) do nothing
    returning id, gtin, serial, place`)
}

export interface NewMovement {
  boxId: number
  kind: Kind
  /** Where the box is after it. */
  place: string
  state: BoxState
  reason?: Reason | undefined
  note?: string | undefined
  kitId?: string | undefined
}

export async function insertMovements(tx: SystemTx, movements: readonly NewMovement[]): Promise<void> {
  if (movements.length === 0) return
  await tx.run(sql`
    insert into stock_movements (box_id, kind, place, reason, note, kit_id, actor, at)
    select m."boxId", m.kind, m.place, m.reason, m.note, m."kitId", ${tx.actor.name}, ${tx.now}
    from json_to_recordset(${JSON.stringify(movements)}::json)
      as m("boxId" bigint, kind text, place text, reason text, note text, "kitId" text)`)
}

/** Writes where locked boxes are now. */
export async function updateStanding(tx: SystemTx, movements: readonly NewMovement[]): Promise<void> {
  if (movements.length === 0) return
  await tx.run(sql`
    update stock_boxes b set place = m.place, state = m.state
    from json_to_recordset(${JSON.stringify(movements)}::json) as m("boxId" bigint, place text, state text)
    where b.id = m."boxId"`)
}

export interface Binding {
  boxId: number
  realmId: number
  kitId: string
  registerBy: string
}

/** Puts locked boxes on kits. @throws where one of them is not in stock any more */
export async function bindBoxes(tx: SystemTx, bindings: readonly Binding[]): Promise<void> {
  const bound = await tx.rows(sql`
    update stock_boxes b set state = 'bound', realm_id = n."realmId", kit_id = n."kitId", register_by = n."registerBy"
    from json_to_recordset(${JSON.stringify(bindings)}::json)
      as n("boxId" bigint, "realmId" int, "kitId" text, "registerBy" date)
    where b.id = n."boxId" and b.state = 'inStock' returning b.id`)
  if (bound.length !== bindings.length) throw new Error('a box left the stock while it was locked')
}

/** Locks and returns the boxes of kits. */
export function lockOfKits(tx: SystemTx, kitIds: readonly string[]): Promise<BoxRow[]> {
  return tx.rows(sql<BoxRow>`
    select ${boxColumns} from stock_boxes b join stock_products p using (gtin)
    where b.kit_id = any(${kitIds}) order by b.id for update of b`)
}

export async function unbindBox(tx: SystemTx, boxId: number): Promise<void> {
  await tx.run(sql`
    update stock_boxes set state = 'inStock', realm_id = null, kit_id = null, register_by = null where id = ${boxId}`)
}

/** The box of a kit type that expires first among those that may still be packed at a place. */
export function selectFirstExpiring(
  tx: SystemTx,
  { kitType, today }: { kitType: string; today: string },
): Promise<{ serial: string; place: string; expiresOn: string } | undefined> {
  return tx.maybeRow(sql<{ serial: string; place: string; expiresOn: string }>`
    select b.serial, b.place, b.expires_on::text as "expiresOn" from stock_boxes b join stock_products p using (gtin)
    where b.state = 'inStock' and p.kit_type = ${kitType}
      and ${isPackable(today)}
    order by b.expires_on, b.id limit 1`)
}

export interface MovementRow {
  kind: Kind
  place: string
  reason: Reason | null
  note: string | null
  kitId: string | null
  actor: string
  at: Date
}

export const hasBoxes = async (tx: SystemTx, gtin: string): Promise<boolean> =>
  (await tx.maybeRow(sql`select from stock_boxes where gtin = ${gtin} limit 1`)) !== undefined

export const selectMovements = (tx: SystemTx, boxId: number): Promise<MovementRow[]> =>
  tx.rows(sql<MovementRow>`
    select kind, place, reason, note, kit_id as "kitId", actor, at from stock_movements where box_id = ${boxId} order by id`)

export interface BoxFilter {
  gtin?: readonly string[] | undefined
  place?: readonly string[] | undefined
  state?: readonly BoxState[] | undefined
  lot?: readonly string[] | undefined
  serial?: readonly string[] | undefined
  page: number
  size: number
}

/** Boxes, those that expire first first. */
export async function selectBoxes(
  tx: SystemTx,
  { gtin, place, state, lot, serial, page, size }: BoxFilter,
): Promise<{ rows: BoxRow[]; total: number }> {
  const which = sql`${isOneOf(sql`b.gtin`, gtin)} and ${isAtOneOf(sql`b.place`, place)} and ${isOneOf(sql`b.state`, state)}
    and ${isOneOf(sql`b.lot`, lot)} and ${isOneOf(
      sql`upper(b.serial)`,
      serial?.map((one) => one.toUpperCase()),
    )}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from stock_boxes b where ${which}`,
  )
  const rows = await tx.rows(sql<BoxRow>`
    select ${boxColumns} from stock_boxes b join stock_products p using (gtin) where ${which}
    order by b.expires_on, b.id limit ${size} offset ${page * size}`)
  return { rows, total }
}

/** All boxes in stock at a place, which a count compares with what was scanned. */
export function lockInStockAt(tx: SystemTx, place: string, gtins: readonly string[] | undefined): Promise<BoxRow[]> {
  return tx.rows(sql<BoxRow>`
    select ${boxColumns} from stock_boxes b join stock_products p using (gtin)
    where b.state = 'inStock' and ${isAtOneOf(sql`b.place`, [place])} and ${isOneOf(sql`b.gtin`, gtins)} order by b.id for update of b`)
}
