import { sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { isReadWithValues, isUntold, stands } from '../kits/recall-queries.ts'
import { spelled } from '../stock/lot-queries.ts'
import { type Deed, MILDEST, type RecallGrade, type RecallKind, type Stage, type StageFacts } from './decision.ts'
import { hasLeft, isRead, namedThere, nowhere, type RecallRow, type Selector, selectLeft } from './queries.ts'

/** The next kits of a realm that are due, in the order in which kits are locked. */
export async function selectDueKits(tx: Tx, recallId: string, size: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ kitId: string }>`
    select kit_id as "kitId" from recall_kits
    where recall_id = ${recallId} and realm_id = ${tx.realm.id} and done_at is null order by kit_id limit ${size}`)
  return rows.map(({ kitId }) => kitId)
}

export interface DueKit extends Pick<StageFacts, 'nowhere' | 'isRead'> {
  /** What can be read may have values of what was recalled. */
  hasValues: boolean
  kitId: string
  deeds: Deed[]
  /** Until now there was nobody to tell. */
  isNew: boolean
  /** Less bad was said of it than is known now. */
  isWorse: boolean
  isReleased: boolean
}

/** What a release has to know of a kit whose person was told; undefined where nobody was, or another recall still has it. */
export const selectFreed = (tx: Tx, kitId: string): Promise<Pick<DueKit, 'nowhere' | 'isRead'> | undefined> =>
  tx.maybeRow(sql<Pick<DueKit, 'nowhere' | 'isRead'>>`
    select ${nowhere} as nowhere, ${isRead} as "isRead" from kits k where k.realm_id = ${tx.realm.id} and k.id = ${kitId}
      and (select bool_or(f.told_at >= f.found_at) and not bool_or(${stands('f')})
        from recall_kits f where f.realm_id = k.realm_id and f.kit_id = k.id)`)

/** Of these kits, which are locked, those that are still due. */
export const lockDue = (tx: Tx, { id, grade }: RecallRow, kitIds: readonly string[]): Promise<DueKit[]> =>
  tx.rows(sql<DueKit>`
    select f.kit_id as "kitId", f.done as deeds, coalesce(f.stage, 'undelivered') = 'undelivered' as "isNew",
      coalesce(f.grade > ${grade ?? MILDEST}, false) as "isWorse", not ${stands('f')} as "isReleased", ${nowhere} as nowhere,
      ${isRead} as "isRead", ${isReadWithValues} as "hasValues"
    from recall_kits f join recalls c on c.id = f.recall_id join kits k on k.realm_id = f.realm_id and k.id = f.kit_id
    where f.recall_id = ${id} and f.realm_id = ${tx.realm.id} and f.kit_id = any(${kitIds}) and f.done_at is null
    order by f.kit_id for update of f`)

export interface WorkedKit {
  kitId: string
  stage: Stage
  deeds: readonly Deed[]
  replacedBy: string | null
  isTold: boolean
}

/** Writes what was done with kits, whose persons and business now know how bad it is. */
export async function saveWorked(tx: Tx, { id, grade }: RecallRow, worked: readonly WorkedKit[]): Promise<void> {
  await tx.run(sql`
    update recall_kits k set stage = w.stage, done = array(select json_array_elements_text(w.deeds)),
      replaced_by = coalesce(w."replacedBy", k.replaced_by), done_at = ${tx.now},
      told_at = case when w."isTold" then ${tx.now} when w.deeds::jsonb ? 'told' then k.told_at end,
      grade = least(k.grade, ${grade ?? MILDEST})
    from json_to_recordset(${JSON.stringify(worked)}::json)
      as w("kitId" text, stage text, deeds json, "replacedBy" text, "isTold" boolean)
    where k.recall_id = ${id} and k.realm_id = ${tx.realm.id} and k.kit_id = w."kitId"`)
}

/** Lets the recalls of kits look at them again: they are elsewhere now. Returns how many. */
export const reopen = (tx: Tx, kitIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    update recall_kits set done_at = null
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and done_at is not null and ${stands('recall_kits')}`)

/** Finds a kit again that was released before other values came of what was recalled: nobody has looked at these. */
export const findAgain = (tx: Tx, kitId: string, recallIds: readonly string[]) =>
  tx.run(sql`
    update recall_kits set found_at = ${tx.now}, done_at = null,
      done = array(select d from unnest(done) d where d not in ('stopped', 'held', 'marked'))
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and recall_id = any(${recallIds}) and not ${stands('recall_kits')}`)

/** Whoever was told of these kits does not have them: somebody else has to be told. */
export const forgetTold = (tx: Tx, kitIds: readonly string[]) =>
  tx.run(sql`
    update recall_kits set done = array_remove(done, 'told'), told_at = null
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and 'told' = any(done) and ${stands('recall_kits')}`)

/** Kits whose shipments are taken back hold nothing any more, but for parcels that left a warehouse; those of a sandbox begin their life again. Returns those that hold nothing. */
export async function dropKits<K extends { id: string }>(tx: Tx, kits: readonly K[]): Promise<K[]> {
  const ids = kits.map(({ id }) => id)
  const left = await selectLeft(tx, ids)
  const which = sql`realm_id = ${tx.realm.id} and kit_id = any(${ids.filter((id) => !left.has(id))})`
  await tx.run(sql`delete from recall_kits where ${which} and (done_at is null or not live)`)
  await tx.run(sql`update recall_kits set released_at = ${tx.now} where ${which} and ${stands('recall_kits')}`)
  return kits.filter(({ id }) => !left.has(id))
}

/** Releases kits from a recall. Returns those that it had. */
export const releaseKits = (tx: SystemTx, recallId: string, kitIds: readonly string[]) =>
  tx.rows(sql<{ realmId: number; kitId: string; orderId: string }>`
    update recall_kits set released_at = ${tx.now}, done_at = coalesce(done_at, ${tx.now})
    where recall_id = ${recallId} and kit_id = any(${kitIds}) and ${stands('recall_kits')}
    returning realm_id as "realmId", kit_id as "kitId", order_id as "orderId"`)

export interface RecallKitRow {
  kitId: string
  orderId: string
  recallId: string
  kind: RecallKind
  subject: string
  lot: string
  grade: RecallGrade | null
  reason: string
  stage: Stage | null
  deeds: Deed[]
  replacedBy: string | null
  foundAt: Date
  toldAt: Date | null
  doneAt: Date | null
  releasedAt: Date | null
}

const columns = sql`k.kit_id as "kitId", k.order_id as "orderId", k.recall_id as "recallId", r.kind, coalesce(r.written, r.subject) as subject, r.lot, r.grade,
  r.reason, k.stage, k.done as deeds, k.replaced_by as "replacedBy", k.found_at as "foundAt", k.told_at as "toldAt",
  k.done_at as "doneAt", case when not ${stands('k')} then k.released_at end as "releasedAt"`

export interface KitFilter {
  recallIds?: readonly string[] | undefined
  kitIds?: readonly string[] | undefined
  stages?: readonly Stage[] | undefined
  isTold?: boolean | undefined
  page: number
  size: number
}

const where = ({ recallIds, kitIds, stages, isTold }: KitFilter) =>
  sql`${isOneOf(sql`k.recall_id`, recallIds)} and ${isOneOf(sql`k.kit_id`, kitIds)} and ${isOneOf(sql`k.stage`, stages)}
    and (${isTold ?? null}::boolean is null or (k.told_at is not null) = ${isTold ?? null}::boolean)`

/** Recalled kits of this realm, those that were found last first. */
export async function selectKits(tx: Tx, filter: KitFilter): Promise<{ rows: RecallKitRow[]; total: number }> {
  // What the overview counts.
  const isDue = sql`exists (select from recalls c join recall_kits u on u.recall_id = c.id
    where u.realm_id = k.realm_id and u.kit_id = k.kit_id and u.recall_id = k.recall_id and ${isUntold})`
  const which = sql`k.realm_id = ${tx.realm.id} and ${where(filter)} and (${filter.isTold !== false} or ${isDue})`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from recall_kits k where ${which}`,
  )
  const rows = await tx.rows(sql<RecallKitRow>`
    select ${columns} from recall_kits k join recalls r on r.id = k.recall_id where ${which}
    order by k.found_at desc, k.kit_id, k.recall_id limit ${filter.size} offset ${filter.page * filter.size}`)
  return { rows, total }
}

/** Kits whose person the business has still to tell. */
export const countUntold = (tx: Tx): Promise<{ count: number; example: string | null }> =>
  tx.row(sql<{ count: number; example: string | null }>`
    select count(distinct u.kit_id)::int as count, (array_agg(u.kit_id order by u.found_at, u.kit_id))[1] as example
    from recalls c join recall_kits u on u.recall_id = c.id where u.realm_id = ${tx.realm.id} and ${isUntold}`)

/** How many kits of this realm a recall has found; 0 once its business knows how bad that is. isWorse: it knew less. */
export function countUnknown(tx: Tx, { id, grade }: RecallRow): Promise<{ kits: number; isWorse: boolean }> {
  const ofRecall = sql`from recall_kits where recall_id = ${id} and realm_id = ${tx.realm.id}`
  return tx.row(sql<{ kits: number; isWorse: boolean }>`
    select case when exists (select ${ofRecall} and grade <= ${grade ?? MILDEST}) then 0
      else (select count(*)::int ${ofRecall} and ${stands('recall_kits')}) end as kits,
      exists (select ${ofRecall} and grade is not null) as "isWorse"`)
}

export interface RecallKitOfAllRow extends RecallKitRow {
  businessId: string
  businessName: string
  customerId: number | null
}

/** The kits of a recall, of every business, by their IDs. */
export async function selectKitsOfAll(tx: SystemTx, filter: KitFilter) {
  const which = sql`k.live and ${where(filter)}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from recall_kits k where ${which}`,
  )
  const rows = await tx.rows(sql<RecallKitOfAllRow>`
    select ${columns}, b.id as "businessId", b.name as "businessName", c.customer_id as "customerId"
    from recall_kits k join recalls r on r.id = k.recall_id join realms m on m.id = k.realm_id
    join businesses b on b.id = m.business_id join kits c on c.realm_id = k.realm_id and c.id = k.kit_id
    where ${which} order by k.recall_id, k.realm_id, k.kit_id limit ${filter.size} offset ${filter.page * filter.size}`)
  return { rows, total }
}

export interface Measured extends Selector {
  results: readonly string[]
}

/** Notes with what a sample was measured, and how that is written. */
export async function saveMeasured(tx: Tx, kitId: string, lots: readonly (Measured & { written: string })[]) {
  await tx.run(sql`
    insert into measured_lots as m (realm_id, kit_id, kind, subject, written, lot, results, reported_at)
    select ${tx.realm.id}, ${kitId}, w.kind, w.subject, w.written, w.lot, array(select json_array_elements_text(w.results)), ${tx.now}
    from json_to_recordset(${JSON.stringify(lots)}::json) as w(kind text, subject text, written text, lot text, results json)
    on conflict (realm_id, kit_id, kind, subject, lot) do update
      set results = array(select distinct unnest(m.results || excluded.results) order by 1)`)
}

/** What is named now for values that the report has had may have been theirs from the start. */
export const noteEarlier = (tx: Tx, kitId: string, lots: readonly Selector[]) =>
  tx.run(sql`
    update measured_lots m set reported_at = k.created_at
    from kits k, json_to_recordset(${JSON.stringify(lots)}::json) as w(kind text, subject text, lot text)
    where k.realm_id = m.realm_id and k.id = m.kit_id and m.realm_id = ${tx.realm.id} and m.kit_id = ${kitId}
      and (m.kind, m.subject, m.lot, m.reported_at) = (w.kind, w.subject, w.lot, ${tx.now})`)

export const selectMeasured = (tx: Tx, kitId: string): Promise<Measured[]> =>
  tx.rows(sql<Measured>`
    select kind, coalesce(written, subject) as subject, lot, results from measured_lots
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} order by kind desc, measured_lots.subject, lot`)

// Lots of kits with the number, those that a component of the number is in, and what was measured with it.
const known = (number: string) => sql`
  with direct as (
    select product, lot from kit_lots where lot = ${number} union select gtin, lot from stock_boxes where lot = ${number}),
  built as (select component, product, kit_lot as lot from kit_lot_components where lot = ${number})`

const kitsIn = (lots: string) => sql`
  select ${sql.lit(lots === 'direct' ? 'kitLot' : 'componentLot')} as kind, b.realm_id, b.kit_id
  from ${sql.ref(lots)} l join stock_boxes b on b.gtin = l.product and b.lot = l.lot where b.kit_id is not null
  union select ${sql.lit(lots === 'direct' ? 'kitLot' : 'componentLot')}, p.realm_id, p.kit_id
  from ${sql.ref(lots)} l join packed_lots p on p.product = l.product and p.lot = l.lot
  union select ${sql.lit(lots === 'direct' ? 'kitLot' : 'componentLot')}, n.* from (${namedThere(sql`table ${sql.ref(lots)}`)}) n`

const holders = (number: string) => sql`
  ${known(number)}, holders as (
    ${kitsIn('direct')} union ${kitsIn('built')}
    union select m.kind, m.realm_id, m.kit_id from measured_lots m where ${spelled(sql`m.lot`)} = ${spelled(number)})`

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
          + (select count(*) from packed_lots p where p.product = l.product and p.lot = l.lot)
          + (select count(*) from (${namedThere(sql`select l.product, l.lot`)}) n) as kits,
        (select count(*) from stock_boxes s where s.gtin = l.product and s.lot = l.lot and s.state = 'inStock') as boxes
      from lots l)
    select kind, subject, ${number}::text as lot, sum(kits)::int as kits, sum(boxes)::int as "boxesInStock",
      coalesce(jsonb_agg(jsonb_build_object('product', product, 'lot', lot)) filter (where kind = 'componentLot' and product is not null),
        '[]') as "builtInto"
    from counted group by kind, subject
    union all select kind, min(coalesce(written, subject)), min(lot), count(distinct (realm_id, kit_id))::int, 0, '[]'
    from measured_lots where ${spelled(sql`lot`)} = ${spelled(number)} group by kind, subject
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
      ${nowhere} as nowhere, ${isRead} as "isRead", ${hasLeft} as "hasLeft", k.customer_id as "customerId", b.id as "businessId", b.name as "businessName"
    from part h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id
    join realms r on r.id = h.realm_id join businesses b on b.id = r.business_id order by h.realm_id, h.kit_id, h.kind`)
  return { rows, total }
}
