import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import { operatorKeyringOf, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'

export interface SupportAccessRow {
  id: string
  businessId: string
  userId: string
  userName: string | null
  userEmail: string | null
  reason: string
  minutes: number
  requestedAt: Date
  /** Null: it needed no approval. */
  answerBy: Date | null
  approvedBy: string | null
  startedAt: Date | null
  endsAt: Date | null
  endedAt: Date | null
  endedBy: 'time' | 'operator' | 'business' | null
}

/** What is sealed of an access, with the operator's keys: the reason may name a person. */
export const sealedVisits = sealedColumns<{ reason: string }>({
  table: 'support_accesses',
  key: { id: 'text' },
  realm: null,
  clear: { reason: 'reason' },
})

type Unread<Row extends SupportAccessRow> = Omit<Row, 'reason'> & { why: Sealed<{ reason: string }> }

async function opened<Row extends SupportAccessRow>(tx: SystemTx, rows: readonly Unread<Row>[]): Promise<Row[]> {
  const keys = await operatorKeyringOf(tx)
  return rows.map(({ why, ...row }) => ({ ...row, ...sealedVisits.open(keys, [row.id], why) }) as unknown as Row)
}

const columns = sql`
  a.id, a.business_id as "businessId", a.user_id as "userId", u.name as "userName", u.email as "userEmail", ${sealedVisits.of('a')} as why,
  a.minutes, a.requested_at as "requestedAt", a.answer_by as "answerBy", a.approved_by as "approvedBy",
  a.started_at as "startedAt", a.ends_at as "endsAt", a.ended_at as "endedAt", a.ended_by as "endedBy"`
const joined = sql`support_accesses a left join users u on u.id = a.user_id`

export type NewSupportAccess = Pick<
  SupportAccessRow,
  'id' | 'businessId' | 'userId' | 'reason' | 'minutes' | 'answerBy'
>

export async function insertSupportAccess(
  tx: SystemTx,
  { id, businessId, userId, reason, minutes, answerBy }: NewSupportAccess,
): Promise<void> {
  const sealed = sealedVisits.seal(await operatorKeyringOf(tx), [id], { reason })
  await tx.run(sql`
    insert into support_accesses (id, business_id, user_id, sealed, minutes, requested_at, answer_by)
    values (${id}, ${businessId}, ${userId}, ${sealed}, ${minutes}, ${tx.now}, ${answerBy})`)
}

export async function startSupportAccess(
  tx: SystemTx,
  { id, endsAt, approvedBy }: { id: string; endsAt: Date; approvedBy: string | null },
): Promise<void> {
  await tx.run(sql`
    update support_accesses set started_at = ${tx.now}, ends_at = ${endsAt}, approved_by = ${approvedBy} where id = ${id}`)
}

export async function markSupportAccessEnded(
  tx: SystemTx,
  { id, by, enderId }: { id: string; by: 'operator' | 'business'; enderId: string },
): Promise<void> {
  await tx.run(sql`
    update support_accesses set ended_at = ${tx.now}, ended_by = ${by}, ender_id = ${enderId} where id = ${id}`)
}

/** The condition that an access goes on: it ends with its time, by hand, and with the role of who is there by it. */
export const isUnderWay = (id: RawBuilder<unknown>, now: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from support_accesses visit
  join memberships staff on staff.user_id = visit.user_id and staff.business_id is null
  join users visitor on visitor.id = visit.user_id
  where visit.id = ${id} and visit.started_at is not null and visit.ended_at is null and visit.ends_at > ${now}
    and staff.role = 'operator-admin' and staff.disabled_at is null and visitor.disabled_at is null)`

/** The access by which a user is in a business now. */
export const selectActive = (
  tx: SystemTx,
  userId: string,
  businessId: string,
): Promise<{ id: string; endsAt: Date } | undefined> =>
  tx.maybeRow(sql<{ id: string; endsAt: Date }>`
    select id, ends_at as "endsAt" from support_accesses
    where user_id = ${userId} and business_id = ${businessId} and started_at is not null and ended_at is null
      and ends_at > ${tx.now} order by ends_at desc limit 1`)

/** A request of a user that is neither answered nor too old, or an access that has not ended. */
export async function selectOpen(
  tx: SystemTx,
  userId: string,
  businessId: string,
): Promise<SupportAccessRow | undefined> {
  const rows = await tx.rows(sql<Unread<SupportAccessRow>>`
    select ${columns} from ${joined}
    where a.user_id = ${userId} and a.business_id = ${businessId} and a.ended_at is null
      and coalesce(a.ends_at, a.answer_by) > ${tx.now} order by a.requested_at desc limit 1`)
  return (await opened(tx, rows))[0]
}

export async function lockSupportAccess(tx: SystemTx, id: string): Promise<SupportAccessRow | undefined> {
  const rows = await tx.rows(
    sql<Unread<SupportAccessRow>>`select ${columns} from ${joined} where a.id = ${id} for update of a`,
  )
  return (await opened(tx, rows))[0]
}

export interface SupportAccessFilter {
  id?: string | undefined
  businessIds?: readonly string[] | undefined
  userId?: string | undefined
}

function conditions({ id, businessIds, userId }: SupportAccessFilter): RawBuilder<unknown> {
  const all = [sql`true`]
  if (id) all.push(sql`a.id = ${id}`)
  if (businessIds) all.push(sql`a.business_id = any(${businessIds})`)
  if (userId) all.push(sql`a.user_id = ${userId}`)
  return sql.join(all, sql` and `)
}

/** Newest first. */
export async function selectSupportAccesses(
  tx: SystemTx,
  filter: SupportAccessFilter,
  { page, size }: { page: number; size: number },
): Promise<{ rows: (SupportAccessRow & { businessName: string })[]; total: number }> {
  const where = conditions(filter)
  const { total } = await tx.row(
    sql<{ total: number }>`select count(*)::int as total from support_accesses a where ${where}`,
  )
  const rows = await tx.rows(sql<Unread<SupportAccessRow & { businessName: string }>>`
    select ${columns}, b.name as "businessName" from ${joined} join businesses b on b.id = a.business_id
    where ${where} order by a.requested_at desc, a.id limit ${size} offset ${page * size}`)
  return { rows: await opened(tx, rows), total }
}

/** Notes the end of accesses whose time is over, and of requests that nobody answered. */
export const endOverdue = (tx: SystemTx): Promise<{ id: string; businessId: string; wasStarted: boolean }[]> =>
  tx.rows(sql<{ id: string; businessId: string; wasStarted: boolean }>`
    update support_accesses set ended_at = coalesce(ends_at, answer_by), ended_by = 'time'
    where ended_at is null and coalesce(ends_at, answer_by) <= ${tx.now}
    returning id, business_id as "businessId", started_at is not null as "wasStarted"`)
