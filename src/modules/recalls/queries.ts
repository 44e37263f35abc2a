import { type RawBuilder, sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { stands } from '../kits/recall-queries.ts'
import { spelled } from '../stock/lot-queries.ts'
import type { UndeliveredState } from '../undelivered/decision.ts'
import {
  MILDEST,
  type RecallAction,
  type RecallGrade,
  type RecallKind,
  type RecallState,
  type Stage,
  type StageFacts,
} from './decision.ts'

/** The recall that sandboxes play, which the migration writes. */
export const PLAYED = 'rcl_sandbox'

/** Which lot of what. An empty subject is every reagent. */
export interface Selector {
  kind: RecallKind
  subject: string
  lot: string
}

/** Whether a parcel of a kit `k` left a warehouse, recorded or not. */
export const hasLeft: RawBuilder<boolean> = sql`exists (
  select from warehouse_orders w where w.realm_id = k.realm_id and w.kit_id = k.id
    and (w.state = 'notRecorded' or w.before_record is not null or jsonb_array_length(w.parcels) > 0))`

/** Of these kits, those of which a parcel left a warehouse. */
export async function selectLeft(tx: Tx, kitIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select k.id from kits k where k.realm_id = ${tx.realm.id} and k.id = any(${kitIds}) and ${hasLeft}`)
  return new Set(rows.map(({ id }) => id))
}

/** Kits whose warehouse names a lot for them that stock did not know then, or that is not recorded yet. */
export const namedThere = (lots: RawBuilder<unknown>) => sql`
  select w.realm_id, w.kit_id from (${lots}) l left join stock_products s on s.gtin = l.product
  join kits k on k.kit_type = coalesce(s.kit_type, l.product) join warehouse_orders w on w.realm_id = k.realm_id and w.kit_id = k.id
  where ${spelled(sql`l.lot`)} in (select ${spelled(sql`n #>> '{}'`)}
      from jsonb_path_query(jsonb_build_array(w.parcels, w.before_record->'parcels'), '$[*][*].lots[*]') n)
    and not exists (select from packed_lots p where p.realm_id = k.realm_id and p.kit_id = k.id and ${spelled(sql`p.lot`)} = ${spelled(sql`l.lot`)})
    and not exists (select from stock_boxes b where b.realm_id = k.realm_id and b.kit_id = k.id and ${spelled(sql`b.lot`)} = ${spelled(sql`l.lot`)})`

const ofLots = (lots: RawBuilder<unknown>) => sql`
  select b.realm_id, b.kit_id from (${lots}) l join stock_boxes b on b.gtin = l.product and b.lot = l.lot where b.kit_id is not null
  union select p.realm_id, p.kit_id from (${lots}) l join packed_lots p on p.product = l.product and p.lot = l.lot
  union ${namedThere(lots)}`

/** Lots of kits that a lot is in. */
const kitLotsOf = ({ kind, subject, lot }: Selector) =>
  kind === 'kitLot'
    ? sql`select ${subject}::text as product, ${lot}::text as lot`
    : sql`select product, kit_lot as lot from kit_lot_components where component = ${subject} and lot = ${lot}`

/** The kits that hold a lot, or were measured with it: all of them, and no other. */
const holders = (selector: Selector) => {
  const { kind, subject, lot } = selector
  if (kind === 'componentLot' || kind === 'kitLot') return ofLots(kitLotsOf(selector))
  return sql`
    select distinct m.realm_id, m.kit_id from measured_lots m
    where m.kind = ${kind} and ${spelled(sql`m.lot`)} = ${spelled(lot)} and (${subject} = '' or m.subject = ${subject})`
}

/**
 * What is done about the box of a kit `k` that, as far as is known, nobody has or can fetch. A carrier that goes on sets the kit right, and who
 * registers a box after it was reported as here says that they have it. */
export const nowhere: RawBuilder<UndeliveredState | null> = sql`(
  select u.state from undelivered_kits u where u.realm_id = k.realm_id and u.kit_id = k.id and u.is_with_nobody and u.state <> 'waiting'
    and (k.kit_status = 'deliveryException' or k.kit_status = 'inTransit' and u.outcome = 'labelCanceled'
      or k.kit_status = 'registered' and u.is_here and k.registered_at <= u.since))`

/** Whether a version of the report of a kit `k` can be read while a later one waits. */
export const isRead: RawBuilder<boolean> = sql`(k.report_status = 'inReview' and exists (
  select from reports p where p.realm_id = k.realm_id and p.kit_id = k.id and p.kept_version is not null))`

export interface StageCount extends StageFacts {
  count: number
}

/** How many kits hold a lot, by their statuses, and of how many businesses they are. */
export async function countHolders(tx: SystemTx, selector: Selector) {
  const rows = await tx.rows(sql<StageCount & { realms: number[] }>`
    select k.kit_status as "kitStatus", k.sample_status as "sampleStatus", k.report_status as status, ${nowhere} as nowhere,
           ${isRead} as "isRead", ${hasLeft} as "hasLeft", count(*)::int as count, array_agg(distinct k.realm_id) as realms
    from (${holders(selector)}) h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id group by 1, 2, 3, 4, 5, 6`)
  const realms = new Set(rows.flatMap((row) => row.realms))
  return { rows: rows.map(({ realms: _, ...row }) => row), businesses: realms.size }
}

// An arbitrary constant.
const MEASURED_LOCK = 704_553_223

/** Lets results come in beside each other (`shared`), and not while a recall of what they were measured with looks for its kits. */
export async function lockMeasured(tx: SystemTx | Tx, how: 'alone' | 'shared'): Promise<void> {
  const lock = how === 'alone' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`
  await tx.run(sql`select ${lock}(${MEASURED_LOCK})`)
}

/** How many boxes in stock are of a lot. */
export async function countBoxes(tx: SystemTx, selector: Selector): Promise<number> {
  if (selector.kind !== 'componentLot' && selector.kind !== 'kitLot') return 0
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from (${kitLotsOf(selector)}) l
    join stock_boxes b on b.gtin = l.product and b.lot = l.lot where b.state = 'inStock'`)
  return total
}

/** Notes the kits that hold a lot and that the recall, which runs again, does not have yet, in the order in which kits are locked. Returns how many. */
export async function insertHolders(tx: SystemTx, recallId: string, selector: Selector): Promise<number> {
  await tx.run(sql`update recalls set state = 'running' where id = ${recallId} and state = 'done'`)
  return tx.run(sql`
    insert into recall_kits (recall_id, realm_id, kit_id, order_id, live, found_at)
    select ${recallId}, k.realm_id, k.id, k.order_id, true, ${tx.now}
    from (${holders(selector)}) h join kits k on k.realm_id = h.realm_id and k.id = h.kit_id
    where not exists (select from recall_kits r where r.recall_id = ${recallId} and r.realm_id = k.realm_id and r.kit_id = k.id)
    order by k.realm_id, k.id on conflict do nothing`)
}

/** Notes kits of a realm, unless the recall has them. */
export async function insertKits(tx: Tx, recallId: string, kitIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into recall_kits (recall_id, realm_id, kit_id, order_id, live, found_at)
    select ${recallId}, k.realm_id, k.id, k.order_id, ${tx.realm.mode === 'live'}, ${tx.now} from kits k
    where k.realm_id = ${tx.realm.id} and k.id = any(${kitIds}) on conflict do nothing`)
}

export interface RecallRow extends Selector {
  id: string
  grade: RecallGrade | null
  reason: string
  actions: RecallAction[]
  state: RecallState
  createdBy: string
  createdAt: Date
  finishedAt: Date | null
  closedAt: Date | null
}

// Kits are added, and come back to be looked at again, in transactions of businesses, which may not write recalls.
const state: RawBuilder<RecallState> = sql`(case when r.state = 'done' and exists (
  select from recall_kits k where k.recall_id = r.id and k.done_at is null) then 'running' else r.state end)`

const columns = sql`r.id, r.kind, coalesce(r.written, r.subject) as subject, r.lot, r.grade, r.reason, r.actions, ${state} as state, r.created_by as "createdBy",
  r.created_at as "createdAt", r.finished_at as "finishedAt", r.closed_at as "closedAt"`

/** Writes a recall, or what is said now of the one of the same lot. */
export async function saveRecall(
  tx: SystemTx,
  row: Omit<RecallRow, 'state' | 'createdBy' | 'createdAt' | 'finishedAt' | 'closedAt'> & { written: string | null },
) {
  await tx.run(sql`
    insert into recalls as r (id, kind, subject, written, lot, grade, reason, actions, state, created_by, created_at)
    values (${row.id}, ${row.kind}, ${row.subject}, ${row.written}, ${row.lot}, ${row.grade}, ${row.reason},
      ${row.actions}::text[], 'running', ${tx.actor.name}, ${tx.now})
    on conflict (kind, subject, lot) where state <> 'closed' do update
      set state = 'running', written = excluded.written, reason = excluded.reason, grade = coalesce(excluded.grade, r.grade), finished_at = null`)
}

/** Whether a kit `k` was worked on while its recall `r` was said to be less bad. */
const knowsLess: RawBuilder<boolean> = sql`${stands('k')} and k.grade > coalesce(r.grade, ${MILDEST})`

/** Looks again at the kits of running recalls that are worse now than was said of them. */
export const reopenWorse = (tx: SystemTx) =>
  tx.run(sql`
    update recall_kits k set done_at = null from recalls r
    where r.id = k.recall_id and r.state = 'running' and k.done_at is not null and ${knowsLess}`)

export const selectRecallRow = (
  tx: Tx | SystemTx,
  id: string,
  lock: 'locked' | '' = '',
): Promise<RecallRow | undefined> =>
  tx.maybeRow(sql<RecallRow>`select ${columns} from recalls r where r.id = ${id} ${sql.raw(lock && 'for update')}`)

/** The recall of a lot that is not closed, if its number is written so before another one. */
export const selectOpenOf = (tx: SystemTx, { kind, subject, lot }: Selector): Promise<RecallRow | undefined> =>
  tx.maybeRow(sql<RecallRow>`
    select ${columns} from recalls r
    where r.kind = ${kind} and r.subject = ${subject} and r.state <> 'closed'
      and (r.lot = ${lot} or r.kind in ('run', 'reagentLot') and ${spelled(sql`r.lot`)} = ${spelled(lot)})
    order by r.lot <> ${lot}, r.created_at, r.id limit 1`)

/** Recalls of runs and lots of reagents that are not closed, by what a laboratory says of a sample. */
export const selectOpenOfMeasured = (tx: Tx, lots: readonly Selector[]): Promise<RecallRow[]> =>
  tx.rows(sql<RecallRow>`
    select ${columns} from recalls r
    join json_to_recordset(${JSON.stringify(lots)}::json) as m(kind text, subject text, lot text)
      on m.kind = r.kind and ${spelled(sql`m.lot`)} = ${spelled(sql`r.lot`)} and (r.subject = '' or r.subject = m.subject)
    where r.state <> 'closed'`)

/** Recalls of a lot of kits, or of a component that it is built from, which are not closed. */
export const selectOpenOfKitLot = (tx: SystemTx, { product, lot }: { product: string; lot: string }) =>
  tx.rows(sql<RecallRow>`
    select ${columns} from recalls r where r.state <> 'closed' and (r.kind = 'kitLot' and r.subject = ${product} and r.lot = ${lot}
      or r.kind = 'componentLot' and exists (select from kit_lot_components c
        where c.component = r.subject and c.lot = r.lot and c.product = ${product} and c.kit_lot = ${lot}))`)

/** Ends recalls of which no kit is due any more, those that found none among them. */
export const endRecalls = (tx: SystemTx) =>
  tx.run(sql`
    update recalls r set state = 'done', finished_at = ${tx.now}
    where state = 'running' and not exists (
      select from recall_kits k where k.recall_id = r.id and (k.done_at is null or ${knowsLess}))`)

export const closeRecall = (tx: SystemTx, id: string) =>
  tx.run(sql`update recalls set state = 'closed', closed_at = ${tx.now} where id = ${id} and state <> 'closed'`)

export async function selectPage(
  tx: SystemTx,
  { page, size, states }: { page: number; size: number; states: readonly RecallState[] | undefined },
) {
  const which = sql`r.id <> ${PLAYED} and ${isOneOf(state, states)}`
  const { total } = await tx.row(sql<{ total: number }>`select count(*)::int as total from recalls r where ${which}`)
  const rows = await tx.rows(sql<RecallRow>`
    select ${columns} from recalls r where ${which} order by r.created_at desc, r.id limit ${size} offset ${page * size}`)
  return { rows, total }
}

export interface Progress {
  stage: Stage | null
  kits: number
  due: number
  told: number
  replaced: number
  released: number
  /** Free kits that are not there yet; null where that is not asked for. */
  underWay: number | null
  releasedUnderWay: number | null
}

/** How far a recall is, by where its kits were. Each free kit that is under way is looked up. */
export function selectProgress(tx: SystemTx, id: string, hasUnderWay: boolean): Promise<Progress[]> {
  const isUnderWay = sql`k.replaced_by is not null and exists (
    select from kits n where n.realm_id = k.realm_id and n.id = k.replaced_by and n.kit_status in ('preparing', 'inTransit'))`
  const underWay = hasUnderWay
    ? sql`(count(*) filter (where ${isUnderWay}))::int as "underWay",
        (count(*) filter (where not ${stands('k')} and ${isUnderWay}))::int as "releasedUnderWay"`
    : sql`null as "underWay", null as "releasedUnderWay"`
  return tx.rows(sql<Progress>`
    select stage, ${underWay}, count(*)::int as kits, (count(*) filter (where done_at is null))::int as due, count(told_at)::int as told,
           count(replaced_by)::int as replaced, (count(*) filter (where not ${stands('k')}))::int as released
    from recall_kits k where recall_id = ${id} group by stage`)
}

/** Recalls with kits that are due, each with the realms of these. */
export const selectDue = (tx: SystemTx): Promise<{ recallId: string; realm: Realm }[]> =>
  tx.rows(sql<{ recallId: string; realm: Realm }>`
    select d.recall_id as "recallId", jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from (select distinct recall_id, realm_id from recall_kits where done_at is null) d join realms r on r.id = d.realm_id
    order by 1, r.id`)
