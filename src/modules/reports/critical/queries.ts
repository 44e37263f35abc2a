import { normalizeId } from '@kitlane/display/short-id'
import { type RawBuilder, sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { CriticalResult } from './rules.ts'
import type { CriticalFilter } from './schema.ts'
import { type SealedCritical, sealedCriticals } from './sealed-queries.ts'

/** Where critical results stand. */
export interface CriticalPlace {
  customerId: number
  kitId?: string | null | undefined
  dataId?: string | undefined
  reportId?: string | undefined
}

/** Results that came together are sent together. */
export const subjectOf = ({ kitId, reportId, dataId, customerId }: CriticalPlace): string =>
  kitId ?? reportId ?? dataId ?? String(customerId)

export interface CriticalRow extends SealedCritical {
  id: string
  subject: string
  customerId: number
  kitId: string | null
  reportId: string | null
  dataId: string | null
  raisedAt: Date
  deadlineAt: Date
  step: number
  acknowledgedAt: Date | null
  acknowledgedBy: string | null
  withdrawnAt: Date | null
}

type Unread<R extends CriticalRow> = Omit<R, keyof SealedCritical> & { sealed: Sealed<SealedCritical> }

function opened<R extends CriticalRow>(keys: Keyring, { sealed, ...row }: Unread<R>): R {
  return { ...row, ...sealedCriticals.open(keys, [row.id], sealed) } as unknown as R
}

const columns = sql`
  c.id, c.subject, c.customer_id as "customerId", c.kit_id as "kitId", c.report_id as "reportId", c.data_id as "dataId",
  c.raised_at as "raisedAt", c.deadline_at as "deadlineAt", c.step, c.acknowledged_at as "acknowledgedAt",
  c.acknowledged_by as "acknowledgedBy", c.withdrawn_at as "withdrawnAt", ${sealedCriticals.of('c')} as sealed`

const isOpen = sql`c.acknowledged_at is null and c.withdrawn_at is null`

/** All that were raised for what they came with, locked. */
export async function lockCriticals(tx: Tx, subject: string): Promise<CriticalRow[]> {
  const rows = await tx.rows(sql<Unread<CriticalRow>>`
    select ${columns} from critical_results c where c.realm_id = ${tx.realm.id} and c.subject = ${subject}
    order by c.id for update`)
  const keys = await keyringOf(tx)
  return rows.map((row) => opened<CriticalRow>(keys, row))
}

/** Inserts results about which nobody has been notified. Returns their IDs. */
export async function insertCriticals(
  tx: Tx,
  place: CriticalPlace,
  deadline: Date,
  results: readonly CriticalResult[],
): Promise<string[]> {
  const keys = await keyringOf(tx)
  const items = results.map(({ why, ...result }) => {
    const id = newOpaqueId('crit')
    const said = { why: String(why), whyKept: why.kept() }
    return { id, sealed: sealedCriticals.seal(keys, [id], { ...result, ...said, told: [], acknowledged: null }) }
  })
  await tx.run(sql`
    insert into critical_results (realm_id, id, subject, customer_id, kit_id, data_id, report_id, raised_at, deadline_at,
      due_at, sealed)
    select ${tx.realm.id}, i.id, ${subjectOf(place)}, ${place.customerId}, ${place.kitId ?? null}, ${place.dataId ?? null},
      ${place.reportId ?? null}, ${tx.now}, ${deadline}, ${tx.now}, i.sealed
    from json_to_recordset(${JSON.stringify(items)}::json) as i(id text, sealed bytea)`)
  return items.map(({ id }) => id)
}

/** The report that what waited without one belongs to now. */
export async function joinCriticalsToReport(tx: Tx, subject: string, reportId: string): Promise<void> {
  await tx.run(sql`
    update critical_results set report_id = ${reportId}
    where realm_id = ${tx.realm.id} and subject = ${subject} and report_id is null`)
}

export async function markWithdrawn(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update critical_results set withdrawn_at = ${tx.now}, due_at = null
    where realm_id = ${tx.realm.id} and id = any(${[...ids]})`)
}

/** Closes all that nobody has acknowledged of what they came with. */
export async function withdrawAll(tx: Tx, subject: string): Promise<void> {
  await tx.run(sql`
    update critical_results c set withdrawn_at = ${tx.now}, due_at = null
    where c.realm_id = ${tx.realm.id} and c.subject = ${subject} and ${isOpen}`)
}

/** Opens those again that were withdrawn at a time: they are due at once. */
export async function reopenWithdrawn(tx: Tx, subject: string, at: Date): Promise<void> {
  await tx.run(sql`
    update critical_results set withdrawn_at = null, due_at = ${tx.now}
    where realm_id = ${tx.realm.id} and subject = ${subject} and withdrawn_at = ${at} and acknowledged_at is null`)
}

/** How many of a report nobody has acknowledged. */
export async function countOpenOfReport(tx: Tx, report: { id: string; kitId: string | null }): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from critical_results c
    where c.realm_id = ${tx.realm.id} and c.subject = ${report.kitId ?? report.id} and ${isOpen}`)
  return count
}

export const selectKitOfCritical = async (tx: Tx, id: string): Promise<string | null | undefined> =>
  (
    await tx.maybeRow(sql<{ kitId: string | null }>`
      select kit_id as "kitId" from critical_results where realm_id = ${tx.realm.id} and id = ${id}`)
  )?.kitId

export async function lockCritical(tx: Tx, id: string): Promise<CriticalRow | undefined> {
  const row = await tx.maybeRow(sql<Unread<CriticalRow>>`
    select ${columns} from critical_results c where c.realm_id = ${tx.realm.id} and c.id = ${id} for update`)
  return row && opened<CriticalRow>(await keyringOf(tx), row)
}

const contentOf = (row: CriticalRow): SealedCritical => {
  const { key, name, value, unit, why, whyKept, told, acknowledged } = row
  return { key, name, value, unit, why, ...(whyKept && { whyKept }), told, acknowledged }
}

export async function markAcknowledged(tx: Tx, row: CriticalRow): Promise<void> {
  const sealed = sealedCriticals.seal(await keyringOf(tx), [row.id], contentOf(row))
  await tx.run(sql`
    update critical_results set acknowledged_at = ${tx.now}, acknowledged_by = ${tx.actor.name}, due_at = null,
      sealed = ${sealed}::bytea
    where realm_id = ${tx.realm.id} and id = ${row.id}`)
}

/** A result whose next contact has to be notified. */
export interface DueCritical extends CriticalRow {
  realm: Realm
}

// One piece of the job's work.
const AT_ONCE = 100

/**
 * Those that are due, oldest first, and what came with them, locked. One caller at a time: two would share what came together,
 * and tell it twice.
 */
export async function lockDue(tx: SystemTx): Promise<DueCritical[]> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('due critical results'))`)
  const rows = await tx.rows(sql<Unread<DueCritical>>`
    select ${columns}, jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from critical_results c join realms r on r.id = c.realm_id
    where c.due_at <= ${tx.now} and (c.realm_id, c.subject) in (
      select realm_id, subject from critical_results where due_at <= ${tx.now} order by due_at, id limit ${AT_ONCE})
    order by c.due_at, c.id for update of c skip locked`)
  const keyrings = await keyringsOf(
    tx,
    rows.map(({ realm }) => ({ realmId: realm.id })),
  )
  return rows.map((row) => opened<DueCritical>(keyringIn(keyrings, row.realm.id), row))
}

/** Notes that somebody was notified, or that nobody is on the list, and when the next one is. */
export async function updateNotified(tx: Tx, row: CriticalRow, dueAt: Date | null): Promise<void> {
  const sealed = sealedCriticals.seal(await keyringOf(tx), [row.id], contentOf(row))
  await tx.run(sql`
    update critical_results set step = ${row.step}, due_at = ${dueAt}, sealed = ${sealed}::bytea
    where realm_id = ${tx.realm.id} and id = ${row.id}`)
}

const matches = ({ state, reportID, kitID, customerID }: CriticalFilter) => sql`
  ${state.includes('all') ? sql`true` : isOpen}
  and ${isOneOf(sql`c.report_id`, reportID?.map(normalizeId))} and ${isOneOf(sql`c.kit_id`, kitID?.map(normalizeId))}
  and ${customerID ? sql`c.customer_id = any(${customerID}::bigint[])` : sql`true`}`

const order = (state: CriticalFilter['state']): RawBuilder<unknown> =>
  state.includes('all') ? sql`order by c.raised_at desc, c.id` : sql`order by c.raised_at, c.id`

/** All of a person, in the order in which they were raised. */
export async function selectCriticalsOfCustomer(tx: Tx, customerId: number): Promise<CriticalRow[]> {
  const rows = await tx.rows(sql<Unread<CriticalRow>>`
    select ${columns} from critical_results c where c.realm_id = ${tx.realm.id} and c.customer_id = ${customerId}
    order by c.raised_at, c.id`)
  const keys = await keyringOf(tx)
  return rows.map((row) => opened<CriticalRow>(keys, row))
}

/** Open ones from the oldest, all from the newest. */
export async function selectCriticals(tx: Tx, filter: CriticalFilter): Promise<CriticalRow[]> {
  const rows = await tx.rows(sql<Unread<CriticalRow>>`
    select ${columns} from critical_results c where c.realm_id = ${tx.realm.id} and ${matches(filter)}
    ${order(filter.state)} limit ${filter.size} offset ${filter.page * filter.size}`)
  const keys = await keyringOf(tx)
  return rows.map((row) => opened<CriticalRow>(keys, row))
}

export async function countCriticals(tx: Tx, filter: CriticalFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from critical_results c where c.realm_id = ${tx.realm.id} and ${matches(filter)}`)
  return count
}

export interface OfBusiness {
  business: { id: string; name: string }
  realmId: number
}

const ofLive = sql`join realms r on r.id = c.realm_id and r.mode = 'live'`

/** Live ones of every business. */
export async function selectCriticalsOfAll(
  tx: SystemTx,
  filter: CriticalFilter,
): Promise<(CriticalRow & OfBusiness)[]> {
  const rows = await tx.rows(sql<Unread<CriticalRow & OfBusiness>>`
    select c.realm_id as "realmId", ${columns}, jsonb_build_object('id', b.id, 'name', b.name) as business
    from critical_results c ${ofLive} join businesses b on b.id = r.business_id where ${matches(filter)}
    ${order(filter.state)} limit ${filter.size} offset ${filter.page * filter.size}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map((row) => opened<CriticalRow & OfBusiness>(keyringIn(keyrings, row.realmId), row))
}

export async function countCriticalsOfAll(tx: SystemTx, filter: CriticalFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from critical_results c ${ofLive} where ${matches(filter)}`)
  return count
}

export async function realmOfCritical(tx: SystemTx, id: string): Promise<Realm | undefined> {
  const row = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from critical_results c join realms r on r.id = c.realm_id where c.id = ${id} and r.mode = 'live'`)
  return row?.realm
}
