import { sql } from 'kysely'
import { isOneOf } from '../../platform/database/one-of.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Deed, RecallGrade, RecallKind, Stage } from './decision.ts'
import type { Selector } from './queries.ts'

/** The next kits of a realm that are due, in the order in which kits are locked. */
export async function selectDueKits(tx: Tx, recallId: string, size: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ kitId: string }>`
    select kit_id as "kitId" from recall_kits
    where recall_id = ${recallId} and realm_id = ${tx.realm.id} and done_at is null order by kit_id limit ${size}`)
  return rows.map(({ kitId }) => kitId)
}

export interface DueKit {
  kitId: string
  deeds: Deed[]
  isReleased: boolean
}

/** Of these kits, which are locked, those that are still due. */
export const lockDue = (tx: Tx, recallId: string, kitIds: readonly string[]): Promise<DueKit[]> =>
  tx.rows(sql<DueKit>`
    select kit_id as "kitId", done as deeds, released_at is not null as "isReleased" from recall_kits
    where recall_id = ${recallId} and realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and done_at is null
    order by kit_id for update`)

export interface WorkedKit {
  kitId: string
  stage: Stage
  deeds: readonly Deed[]
  replacedBy: string | null
  isTold: boolean
}

/** Writes what was done with kits. */
export async function saveWorked(tx: Tx, recallId: string, worked: readonly WorkedKit[]): Promise<void> {
  await tx.run(sql`
    update recall_kits k set stage = w.stage, done = array(select json_array_elements_text(w.deeds)),
      replaced_by = coalesce(w."replacedBy", k.replaced_by), told_at = case when w."isTold" then ${tx.now} else k.told_at end,
      done_at = ${tx.now}
    from json_to_recordset(${JSON.stringify(worked)}::json)
      as w("kitId" text, stage text, deeds json, "replacedBy" text, "isTold" boolean)
    where k.recall_id = ${recallId} and k.realm_id = ${tx.realm.id} and k.kit_id = w."kitId"`)
}

/** Lets the recalls of kits look at them again: they are elsewhere now. Returns how many. */
export const reopen = (tx: Tx, kitIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    update recall_kits set done_at = null
    where realm_id = ${tx.realm.id} and kit_id = any(${kitIds}) and done_at is not null and released_at is null`)

/** Kits whose shipments are taken back hold nothing any more; those of a sandbox begin their life again. */
export async function dropKits(tx: Tx, kitIds: readonly string[]): Promise<void> {
  const which = sql`realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`
  await tx.run(sql`delete from recall_kits where ${which} and (done_at is null or not live)`)
  await tx.run(sql`update recall_kits set released_at = ${tx.now} where ${which} and released_at is null`)
}

/** Releases kits from a recall. Returns those that it had. */
export const releaseKits = (tx: SystemTx, recallId: string, kitIds: readonly string[]) =>
  tx.rows(sql<{ realmId: number; kitId: string; orderId: string }>`
    update recall_kits set released_at = ${tx.now}, done_at = coalesce(done_at, ${tx.now})
    where recall_id = ${recallId} and kit_id = any(${kitIds}) and released_at is null
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

const columns = sql`k.kit_id as "kitId", k.order_id as "orderId", k.recall_id as "recallId", r.kind, r.subject, r.lot, r.grade,
  r.reason, k.stage, k.done as deeds, k.replaced_by as "replacedBy", k.found_at as "foundAt", k.told_at as "toldAt",
  k.done_at as "doneAt", k.released_at as "releasedAt"`

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
  const which = sql`k.realm_id = ${tx.realm.id} and ${where(filter)}`
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from recall_kits k where ${which}`,
  )
  const rows = await tx.rows(sql<RecallKitRow>`
    select ${columns} from recall_kits k join recalls r on r.id = k.recall_id where ${which}
    order by k.found_at desc, k.kit_id, k.recall_id limit ${filter.size} offset ${filter.page * filter.size}`)
  return { rows, total }
}

export interface RecallKitOfAllRow extends RecallKitRow {
  businessId: string
  businessName: string
  customerId: number | null
}

/** The kits of a recall, of every business, by their IDs. */
export async function selectKitsOfAll(
  tx: SystemTx,
  filter: KitFilter,
): Promise<{ rows: RecallKitOfAllRow[]; total: number }> {
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

/** Notes with what a sample was measured. */
export async function saveMeasured(tx: Tx, kitId: string, lots: readonly Measured[]): Promise<void> {
  await tx.run(sql`
    insert into measured_lots as m (realm_id, kit_id, kind, subject, lot, results, reported_at)
    select ${tx.realm.id}, ${kitId}, w.kind, w.subject, w.lot, array(select json_array_elements_text(w.results)), ${tx.now}
    from json_to_recordset(${JSON.stringify(lots)}::json) as w(kind text, subject text, lot text, results json)
    on conflict (realm_id, kit_id, kind, subject, lot) do update
      set results = array(select distinct unnest(m.results || excluded.results) order by 1)`)
}

export const selectMeasured = (tx: Tx, kitId: string): Promise<Measured[]> =>
  tx.rows(sql<Measured>`
    select kind, subject, lot, results from measured_lots
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} order by kind desc, subject, lot`)
