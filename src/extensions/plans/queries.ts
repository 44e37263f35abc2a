import { type RawBuilder, sql } from 'kysely'
import { realmColumn } from '../../modules/businesses/queries.ts'
import type { Line } from '../../modules/credits/rules.ts'
import type { Recipient } from '../../modules/orders/request.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { Standing } from './rules.ts'
import type { endings, occurrenceStatuses, planStatuses, skipReasons } from './schema.ts'

export const sealedPlans = sealedColumns<{ recipient: Recipient | null }>({
  table: 'plans',
  key: { id: 'text' },
  clear: { recipient: NEVER },
  emptied: [],
  hashes: { email_hash: { type: 'bytea', of: ({ recipient }, keys) => recipient && emailHash(keys, recipient.email) } },
})

const emailHash = (keys: Keyring, email: string): Buffer => keys.hash('plans.email', email.toLowerCase())

export interface PlanRow extends Standing {
  id: string
  status: (typeof planStatuses)[number]
  endedBy: (typeof endings)[number] | null
  dueAt: Date | null
  paymentId: string | null
  passedMs: number
  items: Line[]
  notify: boolean
  paymentMethod: string | null
  flag: boolean | null
  externalId: string | null
  externalTags: string[]
  createdAt: Date
  /** Null once the person was erased. */
  recipient: Recipient | null
}

const columns = sql`
  p.id, p.status, p.ended_by as "endedBy", json_build_object(p.every_unit, p.every_count) as every,
  p.counted_from as "countedFrom", p.next_index as "nextIndex", p.times, p.placed, p.due_at as "dueAt",
  p.payment_id as "paymentId", p.passed_ms as "passedMs", p.items, p.notify, p.payment_method as "paymentMethod",
  p.payment_flag as flag, p.external_id as "externalId", p.external_tags as "externalTags", p.created_at as "createdAt",
  ${sealedPlans.of('p')} as sealed`

type Unopened = Omit<PlanRow, 'recipient'> & { sealed: Sealed<{ recipient: Recipient | null }> }

const selectPlansWhere = async (tx: Tx, rest: RawBuilder<unknown>): Promise<PlanRow[]> => {
  const rows = await tx.rows(
    sql<Unopened>`select ${columns} from plans p where p.realm_id = ${tx.realm.id} and ${rest}`,
  )
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedPlans.open(keys, [row.id], sealed) }))
}

type Lock = 'none' | 'update'
const forUpdate = (lock: Lock) => (lock === 'update' ? sql`for update` : sql``)

/** A plan, locked until the transaction ends where `lock` says so. */
export async function selectPlan(tx: Tx, id: string, lock: Lock = 'none'): Promise<PlanRow | undefined> {
  const [plan] = await selectPlansWhere(tx, sql`p.id = ${id} ${forUpdate(lock)}`)
  return plan
}

/** Plans for an e-mail address, and plans that made one of some orders. Oldest first. */
export async function selectPlansFor(
  tx: Tx,
  email: string,
  orderIds: readonly string[] = [],
  lock: Lock = 'none',
): Promise<PlanRow[]> {
  const hash = emailHash(await keyringOf(tx), email)
  return selectPlansWhere(
    tx,
    sql`(p.email_hash = ${hash} or p.id in (
      select o.plan_id from plan_occurrences o where o.realm_id = ${tx.realm.id} and o.order_id = any(${orderIds})))
    order by p.created_at, p.id ${forUpdate(lock)}`,
  )
}

export interface PlanFilter {
  statuses?: readonly string[] | undefined
  externalIds?: readonly string[] | undefined
  /** E-mails of recipients. */
  emails?: readonly string[] | undefined
}

/** One page, newest first unless it says otherwise, with the exact total. */
export async function selectPage(
  tx: Tx,
  filter: PlanFilter,
  { page, size, isOldestFirst }: { page: number; size: number; isOldestFirst: boolean },
) {
  const { statuses, externalIds, emails } = filter
  const direction = isOldestFirst ? sql`asc` : sql`desc`
  const keys = await keyringOf(tx)
  const where = sql.join(
    [
      sql`true`,
      ...(statuses ? [sql`p.status = any(${statuses})`] : []),
      ...(externalIds ? [sql`p.external_id = any(${externalIds})`] : []),
      ...(emails ? [sql`p.email_hash = any(${emails.map((email) => emailHash(keys, email))}::bytea[])`] : []),
    ],
    sql` and `,
  )
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*)::int as total from plans p where p.realm_id = ${tx.realm.id} and ${where}`)
  const rows = await selectPlansWhere(
    tx,
    sql`${where} order by p.created_at ${direction}, p.id ${direction} offset ${page * size} limit ${size}`,
  )
  return { total, rows }
}

/** The values of a plan that change, as columns. */
async function valuesOf(tx: Tx, plan: PlanRow) {
  const keys = await keyringOf(tx)
  const content = { recipient: plan.recipient }
  const [unit, count] = 'weeks' in plan.every ? ['weeks', plan.every.weeks] : ['months', plan.every.months]
  const sealed = plan.recipient && sealedPlans.seal(keys, [plan.id], content)
  return { unit, count, sealed, hash: sealedPlans.hashes(keys, content).email_hash }
}

export async function insertPlan(tx: Tx, plan: PlanRow): Promise<void> {
  const { unit, count, sealed, hash } = await valuesOf(tx, plan)
  await tx.run(sql`
    insert into plans (realm_id, id, status, every_unit, every_count, counted_from, next_index, times, due_at, items, notify,
      payment_method, payment_flag, external_id, external_tags, sealed, email_hash, created_at)
    values (${tx.realm.id}, ${plan.id}, ${plan.status}, ${unit}, ${count}, ${plan.countedFrom}, ${plan.nextIndex},
      ${plan.times}, ${plan.dueAt}, ${JSON.stringify(plan.items)}::jsonb, ${plan.notify}, ${plan.paymentMethod},
      ${plan.flag}, ${plan.externalId}, ${plan.externalTags}, ${sealed}::bytea, ${hash}::bytea, ${plan.createdAt})`)
}

/** Writes what changes of a plan that is locked. */
export async function updatePlan(tx: Tx, plan: PlanRow): Promise<void> {
  const { unit, count, sealed, hash } = await valuesOf(tx, plan)
  await tx.run(sql`
    update plans set status = ${plan.status}, ended_by = ${plan.endedBy}, every_unit = ${unit}, every_count = ${count},
      counted_from = ${plan.countedFrom}, next_index = ${plan.nextIndex}, placed = ${plan.placed}, due_at = ${plan.dueAt},
      payment_id = ${plan.paymentId}, items = ${JSON.stringify(plan.items)}::jsonb, external_id = ${plan.externalId},
      sealed = ${sealed}::bytea, email_hash = ${hash}::bytea
    where realm_id = ${tx.realm.id} and id = ${plan.id}`)
}

/** Plans of all businesses that are due, after those that were looked at; the longest due first. */
export function selectDuePlans(
  tx: SystemTx,
  after: { dueAt: Date; id: string } | undefined,
  limit: number,
): Promise<{ realm: Realm; id: string; dueAt: Date }[]> {
  const later = after ? sql`and (p.due_at, p.id) > (${after.dueAt}, ${after.id})` : sql``
  return tx.rows(sql<{ realm: Realm; id: string; dueAt: Date }>`
    select ${realmColumn}, p.id, p.due_at as "dueAt" from plans p join realms r on r.id = p.realm_id
    where p.due_at <= ${tx.now} ${later} order by p.due_at, p.id limit ${limit}`)
}

/** With their occurrences. The database refuses it for live ones. */
export async function deletePlans(tx: Tx): Promise<void> {
  await tx.run(sql`delete from plans where realm_id = ${tx.realm.id}`)
}

/** Moves the calendars of this sandbox's plans ahead by `ms` milliseconds. Returns how many orders fall due by it. */
export async function advanceClock(tx: Tx, ms: number): Promise<{ planOrders: number }> {
  const back = sql`${ms} * interval '1 millisecond'`
  return tx.row(sql<{ planOrders: number }>`
    with moved as (
      update plans p set due_at = p.due_at - ${back}, passed_ms = p.passed_ms + ${ms}
      from (select id from plans where realm_id = ${tx.realm.id} and status <> 'ended' order by id for no key update) l
      where p.realm_id = ${tx.realm.id} and p.id = l.id
      returning p.due_at)
    select count(*)::int as "planOrders" from moved where due_at <= ${tx.now} and due_at + ${back} > ${tx.now}`)
}

type SkipReason = (typeof skipReasons)[number]

export interface OccurrenceRow {
  date: string
  status: (typeof occurrenceStatuses)[number]
  orderId: string | null
  code: string | null
  reason: SkipReason | null
  attempts: number
  at: Date
}

const occurrenceColumns = sql`o.date, o.status, o.order_id as "orderId", o.code, o.reason, o.attempts, o.at`

/** Newest first. */
export function selectOccurrences(tx: Tx, planId: string): Promise<OccurrenceRow[]> {
  return tx.rows(sql<OccurrenceRow>`
    select ${occurrenceColumns} from plan_occurrences o where o.realm_id = ${tx.realm.id} and o.plan_id = ${planId}
    order by o.date desc`)
}

export function selectOccurrence(tx: Tx, planId: string, date: string): Promise<OccurrenceRow | undefined> {
  return tx.maybeRow(sql<OccurrenceRow>`
    select ${occurrenceColumns} from plan_occurrences o
    where o.realm_id = ${tx.realm.id} and o.plan_id = ${planId} and o.date = ${date}`)
}

export async function selectLastDate(tx: Tx, planId: string): Promise<string | undefined> {
  const { last } = await tx.row(sql<{ last: string | null }>`
    select max(date) as last from plan_occurrences where realm_id = ${tx.realm.id} and plan_id = ${planId}`)
  return last ?? undefined
}

interface Attempt {
  date: string
  status: 'placing' | 'placed' | 'failed'
  orderId?: string | undefined
  code?: string | undefined
}

/** What became of a try to place the order of a date. Fails the transaction where the date has its order, or was skipped. */
export async function upsertAttempt(tx: Tx, planId: string, { date, status, orderId, code }: Attempt): Promise<void> {
  const counts = status === 'placing' ? 0 : 1
  const changed = await tx.run(sql`
    insert into plan_occurrences (realm_id, plan_id, date, status, order_id, code, attempts, at)
    values (${tx.realm.id}, ${planId}, ${date}, ${status}, ${orderId ?? null}, ${code ?? null}, ${counts}, ${tx.now})
    on conflict (realm_id, plan_id, date) do update set status = excluded.status, order_id = excluded.order_id,
      code = excluded.code, attempts = plan_occurrences.attempts + excluded.attempts, at = excluded.at
    where plan_occurrences.status in ('placing', 'failed')`)
  if (changed !== 1) throw new Error(`plan ${planId} has placed or skipped ${date} already`)
}

/** Dates without an order. One that was tried keeps its code; its reason is `failed` where it is skipped without being asked for. */
export async function insertSkipped(
  tx: Tx,
  planId: string,
  dates: readonly string[],
  reason: SkipReason,
): Promise<void> {
  if (dates.length === 0) return
  await tx.run(sql`
    insert into plan_occurrences (realm_id, plan_id, date, status, reason, at)
    select ${tx.realm.id}, ${planId}, d, 'skipped', ${reason}, ${tx.now} from unnest(${dates}::date[]) as d
    on conflict (realm_id, plan_id, date) do update set status = 'skipped', at = excluded.at,
      reason = case when excluded.reason = 'requested' then excluded.reason else 'failed' end`)
}
