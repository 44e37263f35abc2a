import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { occurrenceStatuses, skipReasons } from './schema.ts'

export type SkipReason = (typeof skipReasons)[number]

export interface OccurrenceRow {
  date: string
  status: (typeof occurrenceStatuses)[number]
  orderId: string | null
  code: string | null
  reason: SkipReason | null
  attempts: number
  at: Date
}

const columns = sql`o.date, o.status, o.order_id as "orderId", o.code, o.reason, o.attempts, o.at`

/** Newest first. */
export function selectOccurrences(tx: Tx, planId: string): Promise<OccurrenceRow[]> {
  return tx.rows(sql<OccurrenceRow>`
    select ${columns} from plan_occurrences o where o.realm_id = ${tx.realm.id} and o.plan_id = ${planId}
    order by o.date desc`)
}

export function selectOccurrence(tx: Tx, planId: string, date: string): Promise<OccurrenceRow | undefined> {
  return tx.maybeRow(sql<OccurrenceRow>`
    select ${columns} from plan_occurrences o
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
