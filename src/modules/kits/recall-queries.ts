import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { spelled } from '../stock/lot-queries.ts'

/** What recalls say of a kit, from the moment at which they found it. */
export interface KitRecall {
  kitId: string
  stopsUse: boolean
  rejectsSample: boolean
  holdsReport: boolean
  marksResults: boolean
}

/** Whether a recall has a kit in a row of `recall_kits`: it was not released, or other values came since of what was recalled. */
export const stands = (row: 'c' | 'f' | 'k' | 'u' | 'recall_kits') =>
  sql<boolean>`coalesce(${sql.ref(`${row}.released_at`)} < ${sql.ref(`${row}.found_at`)}, true)`

/**
 * Whether a version `v` of the report of a kit `f` may have values of what its recall `c` names. One that was there as the kit was
 * released was found to be right, and one whose results named runs, or lots of reagents, until then named others only.
 */
const mayHaveValues = sql<boolean>`(coalesce(v.created_at > f.released_at, true) and (c.kind not in ('run', 'reagentLot') or (
  select bool_or(${spelled(sql`m.lot`)} = ${spelled(sql`c.lot`)} and (c.subject = '' or m.subject = c.subject)) from measured_lots m
  where m.realm_id = f.realm_id and m.kit_id = f.kit_id and m.kind = c.kind and m.reported_at <= v.created_at) is not false))`

/** The same of the version that can be read; true where there is none. */
export const isReadWithValues = sql<boolean>`coalesce((
  select ${mayHaveValues} from reports r join report_versions v on v.realm_id = r.realm_id and v.report_id = r.id
    and v.version = case r.status when 'published' then r.version when 'inReview' then r.kept_version end
  where r.realm_id = f.realm_id and r.kit_id = f.kit_id), true)`

/** Those of these kits that a recall has found and nobody has released. */
export async function selectRecalled(tx: Tx, kitIds: readonly string[]): Promise<ReadonlyMap<string, KitRecall>> {
  if (kitIds.length === 0) return new Map()
  const rows = await tx.rows(sql<KitRecall>`
    select f.kit_id as "kitId", bool_or('stopUse' = any(c.actions)) as "stopsUse",
           bool_or('rejectSamples' = any(c.actions)) as "rejectsSample",
           bool_or('holdReports' = any(c.actions)) as "holdsReport",
           bool_or('markResults' = any(c.actions) and ${isReadWithValues}) as "marksResults"
    from recall_kits f join recalls c on c.id = f.recall_id
    where f.realm_id = ${tx.realm.id} and f.kit_id = any(${kitIds}) and ${stands('f')} group by f.kit_id`)
  return new Map(rows.map((row) => [row.kitId, row]))
}

/** Whether the sample of a kit comes to nothing: it is to be rejected, or nobody can register it. */
export async function isSampleRecalled(
  tx: Tx,
  { id, registeredAt }: { id: string; registeredAt: Date | null },
): Promise<boolean> {
  const recall = await selectRecallOf(tx, id)
  return recall !== undefined && (recall.rejectsSample || (recall.stopsUse && registeredAt === null))
}

/** What recalls say of a kit; undefined where there is none. */
export const selectRecallOf = async (tx: Tx, kitId: string): Promise<KitRecall | undefined> =>
  (await selectRecalled(tx, [kitId])).get(kitId)

/** Whether a recall holds the report of a kit back. */
export const isReportHeld = async (tx: Tx, kitId: string | null): Promise<boolean> =>
  kitId !== null && (await selectRecallOf(tx, kitId))?.holdsReport === true

/** Whether recalls had the person of a kit told, or sent a kit in its place that is packed; and whether what is sent in its place is theirs. */
export const selectRecallSent = (tx: Tx, kitId: string): Promise<{ isGivenUp: boolean; isReplaced: boolean }> =>
  tx.row(sql<{ isGivenUp: boolean; isReplaced: boolean }>`
    select coalesce(bool_or(c.told_at is not null or n.kit_status not in ('preparing', 'canceled')), false) as "isGivenUp",
      coalesce(bool_or(c.replaced_by = k.replaced_by), false) as "isReplaced"
    from recall_kits c join kits k on k.realm_id = c.realm_id and k.id = c.kit_id
    left join kits n on n.realm_id = c.realm_id and n.id = c.replaced_by
    where c.realm_id = ${tx.realm.id} and c.kit_id = ${kitId}`)

const has = (
  action: 'markResults' | 'holdReports' | 'stopUse',
  kitId = sql`r.kit_id`,
  realmId = sql`r.realm_id`,
  also = sql`true`,
) => sql<boolean>`exists (
  select from recall_kits f join recalls c on c.id = f.recall_id
  where f.realm_id = ${realmId} and f.kit_id = ${kitId} and ${stands('f')} and ${sql.lit(action)} = any(c.actions) and ${also})`

/** Whether the results of a version `v` of a report `r` are marked as recalled. */
export const isMarked: RawBuilder<boolean> = has('markResults', sql`r.kit_id`, sql`r.realm_id`, mayHaveValues)

/** Whether a recall says of a kit `k` that it must not be used, nor registered. */
export const isUseStopped: RawBuilder<boolean> = has('stopUse', sql`k.id`, sql`k.realm_id`)

/** Whether a recall holds a report `r` back. */
export const isHeldByRecall: RawBuilder<boolean> = has('holdReports')

/** When recalls of a report `r` last began or ended; null: there is none. */
export const recallChangedAt: RawBuilder<Date | null> = sql`(
  select greatest(max(k.found_at), max(k.released_at)) from recall_kits k where k.realm_id = r.realm_id and k.kit_id = r.kit_id)`

/**
 * Whether nobody wrote to the person of a recalled kit `u` that was used, or was stopped; until its recall `c` is closed. A box that
 * reached nobody has no person, and of an erased one nobody knows whom to tell.
 */
export const isUntold: RawBuilder<boolean> = sql`(
  c.state <> 'closed' and ${stands('u')} and (u.stage in ('published', 'settled') or u.stage <> 'undelivered' and u.done <> '{}')
  and not 'told' = any(u.done) and not exists (
    select from kits e where e.realm_id = u.realm_id and e.id = u.kit_id and e.registered_at is not null and e.customer_id is null))`

/** Whether a kit `k` was recalled, and nobody has released it. */
export const isRecalled: RawBuilder<boolean> = sql`exists (
  select from recall_kits c where c.realm_id = k.realm_id and c.kit_id = k.id and ${stands('c')})`
