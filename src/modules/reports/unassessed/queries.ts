import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { ReportedUnassessed, UnassessedResult, WaitingFilter } from './schema.ts'

export interface NewUnassessedRow extends UnassessedResult {
  key: string
  loinc: string | null
  position: string
  suggestions: readonly string[]
  is_critical: boolean
}

export interface CameWith {
  customerId: number
  kitId?: string | undefined
  dataId?: string | undefined
  report?: { id: string; version: number } | undefined
}

/** One statement, however many there are. */
export async function insertUnassessed(
  tx: Tx,
  { customerId, kitId, dataId, report }: CameWith,
  rows: readonly NewUnassessedRow[],
) {
  if (rows.length === 0) return
  const items = rows.map((row, place) => ({ ...row, place, id: newOpaqueId('una') }))
  await tx.run(sql`
    insert into unassessed_results (realm_id, id, customer_id, kit_id, data_id, report_id, first_version, place, key, name, value,
      unit, range, flag, loinc, position, code, reason, suggestions, is_critical, received_at)
    select ${tx.realm.id}, i.id, ${customerId}, ${kitId ?? null}, ${dataId ?? null}, ${report?.id ?? null}, ${report?.version ?? null},
      i.place, i.key, i.name, i.value, i.unit, i.range, i.flag, i.loinc, i.position, i.code, i.reason,
      array(select jsonb_array_elements_text(i.suggestions)), i.is_critical, ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i(id text, place integer, key text, name text, value text, unit text,
      range text, flag text, loinc text, position text, code text, reason text, suggestions jsonb, is_critical boolean)`)
}

/**
 * Closes the results of a kit that come again, by their names. `isHeld`: one of the others must be seen before the report
 * is published. `isLoose`: one of the others has no report yet.
 */
export function replaceUnassessedOfKit(
  tx: Tx,
  kitId: string,
  keys: readonly string[],
  lastVersion: number,
): Promise<{ isHeld: boolean; isLoose: boolean }> {
  const current = sql`realm_id = ${tx.realm.id} and kit_id = ${kitId} and last_version is null`
  return tx.row(sql<{ isHeld: boolean; isLoose: boolean }>`
    with replaced as (
      update unassessed_results set last_version = ${lastVersion}, closed_at = coalesce(closed_at, ${tx.now}),
        closed_by = coalesce(closed_by, 'system'), note = coalesce(note, 'It came again')
      where ${current} and key = any(${[...keys]})
    )
    select coalesce(bool_or(closed_at is null and (is_critical or code = 'unreadable')), false) as "isHeld",
      coalesce(bool_or(report_id is null), false) as "isLoose"
    from unassessed_results where ${current} and key <> all(${[...keys]})`)
}

/** Adds the results that waited before the kit had a report to the report's first version. */
export async function joinUnassessedToReport(
  tx: Tx,
  kitId: string,
  report: { id: string; version: number },
): Promise<void> {
  await tx.run(sql`
    update unassessed_results set report_id = ${report.id}, first_version = ${report.version}
    where realm_id = ${tx.realm.id} and kit_id = ${kitId} and report_id is null and last_version is null`)
}

/** Whether a report has an open critical result that could not be judged. */
export async function hasCriticalUnassessed(tx: Tx, reportId: string): Promise<boolean> {
  const { found } = await tx.row(sql<{ found: boolean }>`
    select exists (select from unassessed_results
      where realm_id = ${tx.realm.id} and report_id = ${reportId} and closed_at is null and is_critical) as found`)
  return found
}

/** Closes the results of a report: who published it has seen them. */
export async function closeUnassessedOfReport(tx: Tx, reportId: string): Promise<void> {
  await tx.run(sql`
    update unassessed_results set closed_at = ${tx.now}, closed_by = ${tx.actor.name}, note = 'The report was published'
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and closed_at is null`)
}

/** False if it is closed already. */
export async function closeUnassessed(tx: Tx, id: string, note: string): Promise<boolean> {
  const closed = await tx.run(sql`
    update unassessed_results set closed_at = ${tx.now}, closed_by = ${tx.actor.name}, note = ${note}
    where realm_id = ${tx.realm.id} and id = ${id} and closed_at is null`)
  return closed === 1
}

export function selectUnassessed(tx: Tx, reportId: string, version: number): Promise<ReportedUnassessed[]> {
  return tx.rows(sql<ReportedUnassessed>`
    select name, value, unit, range, flag, code, reason, is_critical as critical from unassessed_results
    where realm_id = ${tx.realm.id} and report_id = ${reportId} and first_version <= ${version}
      and (last_version is null or last_version >= ${version})
    order by is_critical desc, received_at, place`)
}

export interface WaitingRow extends UnassessedResult {
  id: string
  customerId: number
  kitId: string | null
  reportId: string | null
  dataId: string | null
  docId: string | null
  loinc: string | null
  critical: boolean
  suggestions: string[]
  position: string
  receivedAt: Date
  closedAt: Date | null
  note: string | null
}

export interface OfBusiness {
  business: { id: string; name: string }
  mode: Realm['mode']
}

const columns = sql`
  u.id, u.customer_id as "customerId", u.kit_id as "kitId", u.report_id as "reportId", u.data_id as "dataId",
  (select o.id from documents o where o.realm_id = u.realm_id and o.data_id = u.data_id limit 1) as "docId",
  u.name, u.value, u.unit, u.range, u.flag, u.code, u.reason, u.loinc, u.is_critical as critical, u.suggestions, u.position,
  u.received_at as "receivedAt", u.closed_at as "closedAt", u.note`

const matchesFilter = ({ state, reportID, kitID }: WaitingFilter) => sql`
  u.closed_at ${state === 'open' ? sql`is null` : sql`is not null`}
  and (${reportID ?? null}::text is null or u.report_id = ${reportID ?? null})
  and (${kitID ?? null}::text is null or u.kit_id = ${kitID ?? null})`

const criticalFirst = sql`order by u.is_critical desc, u.received_at, u.place, u.id`

/** Critical ones first, then the oldest. */
export function selectWaiting(tx: Tx, filter: WaitingFilter): Promise<WaitingRow[]> {
  return tx.rows(sql<WaitingRow>`
    select ${columns} from unassessed_results u where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}
    ${criticalFirst} limit ${filter.size} offset ${filter.page * filter.size}`)
}

export async function countWaiting(tx: Tx, filter: WaitingFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from unassessed_results u where u.realm_id = ${tx.realm.id} and ${matchesFilter(filter)}`)
  return count
}

const ofMode = (mode: Realm['mode']) => sql`join realms r on r.id = u.realm_id and r.mode = ${mode}`

export function selectWaitingOfAll(tx: SystemTx, filter: WaitingFilter & { mode: Realm['mode'] }) {
  return tx.rows(sql<WaitingRow & OfBusiness>`
    select ${columns}, jsonb_build_object('id', b.id, 'name', b.name) as business, r.mode
    from unassessed_results u ${ofMode(filter.mode)} join businesses b on b.id = r.business_id where ${matchesFilter(filter)}
    ${criticalFirst} limit ${filter.size} offset ${filter.page * filter.size}`)
}

export async function countWaitingOfAll(
  tx: SystemTx,
  filter: WaitingFilter & { mode: Realm['mode'] },
): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from unassessed_results u ${ofMode(filter.mode)} where ${matchesFilter(filter)}`)
  return count
}

export async function realmOfUnassessed(tx: SystemTx, id: string): Promise<Realm | undefined> {
  const row = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from unassessed_results u join realms r on r.id = u.realm_id where u.id = ${id}`)
  return row?.realm
}
