import { sql } from 'kysely'
import { isOneOf } from '../../../platform/database/one-of.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import { mapInSlices } from '../../../platform/slices.ts'
import { realmColumn } from '../../businesses/queries.ts'
import type { UnitPrice } from '../../catalogue/queries.ts'
import type { NewOrder } from '../request.ts'

/** The order that a row is to become: it holds a recipient. */
export const sealedRows = sealedColumns<{ request: NewOrder }>({
  table: 'bulk_rows',
  key: { job_id: 'text', row: 'integer' },
  clear: { request: 'request' },
})

export type JobPaymentMethod = 'credits' | 'card' | 'later'
export type JobStatus = 'queued' | 'processing' | 'completed' | 'canceled' | 'failed'

export interface JobRow {
  id: string
  status: JobStatus
  payment: JobPaymentMethod
  paymentId: string | null
  prices: UnitPrice[]
  total: number
  succeeded: number
  failed: number
  createdAt: Date
  startedAt: Date | null
  completedAt: Date | null
  /** Null: it was started by a version that kept none. */
  placedBy: string | null
  /** An order of it waits for a provider or its payment, or will. */
  isPending: boolean
}

// Writing 10,000 as JSON would hold up other requests for 40 ms.
const ROWS_AT_ONCE = 500

const jobColumns = sql`
  id, status, payment_method as payment, payment_id as "paymentId", prices, total, succeeded, failed,
  created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt", placed_by as "placedBy",
  payment_method = 'later' and (status in ('queued', 'processing') or exists (
    select from bulk_rows r join orders o on o.realm_id = r.realm_id and o.id = r.order_id
    where r.realm_id = bulk_jobs.realm_id and r.job_id = bulk_jobs.id and o.status = 'pending'))
  -- Few orders wait for a provider: each has its row by an index.
  or exists (select from orders o join bulk_rows r on r.realm_id = o.realm_id and r.order_id = o.id
    where o.realm_id = bulk_jobs.realm_id and o.status = 'pending' and o.approval_state is not null and r.job_id = bulk_jobs.id)
  as "isPending"`

export async function insertJob(
  tx: Tx,
  job: { id: string; payment: JobPaymentMethod; paymentId?: string; prices: readonly UnitPrice[] },
  orders: readonly NewOrder[],
): Promise<void> {
  await tx.run(sql`
    insert into bulk_jobs (realm_id, id, status, payment_method, payment_id, prices, total, placed_by, worked_at, created_at)
    values (${tx.realm.id}, ${job.id}, 'queued', ${job.payment}, ${job.paymentId ?? null},
      ${JSON.stringify(job.prices)}::jsonb, ${orders.length}, ${tx.actor.name}, ${tx.now}, ${tx.now})`)
  const keys = await keyringOf(tx)
  for (let first = 0; first < orders.length; first += ROWS_AT_ONCE) {
    const rows = await mapInSlices(orders.slice(first, first + ROWS_AT_ONCE), (request, index) => {
      const row = first + index
      return { row, sealed: sealedRows.seal(keys, [job.id, row], { request }), externalId: request.externalId }
    })
    await tx.run(sql`
      insert into bulk_rows (realm_id, job_id, row, status, sealed, external_id)
      select ${tx.realm.id}, ${job.id}, r."row", 'pending', r.sealed, r."externalId"
      from json_to_recordset(${JSON.stringify(rows)}::json) as r("row" int, sealed bytea, "externalId" text)`)
  }
}

export function selectJob(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<JobRow | undefined> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  return tx.maybeRow(sql<JobRow>`
    select ${jobColumns} from bulk_jobs where realm_id = ${tx.realm.id} and id = ${id} ${forUpdate}`)
}

/** One page of jobs, newest first, and how many there are. */
export async function selectJobs(
  tx: Tx,
  statuses: readonly string[] | undefined,
  page: number,
  size: number,
): Promise<{ total: number; rows: JobRow[] }> {
  const where = sql`realm_id = ${tx.realm.id} and ${isOneOf(sql`status`, statuses)}`
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*) as total from bulk_jobs where ${where}`)
  const rows = await tx.rows(sql<JobRow>`
    select ${jobColumns} from bulk_jobs where ${where}
    order by created_at desc, id limit ${size} offset ${page * size}`)
  return { total, rows }
}

export interface BulkRow {
  row: number
  status: 'pending' | 'created' | 'failed'
  orderId: string | null
  /** Its order waits for a provider or its payment. */
  isPending: boolean
  externalId: string | null
  errorCode: string | null
  errorMessage: string | null
}

/** One page of a job's rows, in their order. Rows are numbered from 0 without gaps, so an unfiltered page is a range. */
export function selectRows(
  tx: Tx,
  jobId: string,
  page: number,
  size: number,
  statuses?: readonly string[],
): Promise<BulkRow[]> {
  const part = statuses
    ? sql`and status = any(${statuses}) order by row offset ${page * size}`
    : sql`and row >= ${page * size} order by row`
  return tx.rows(sql<BulkRow>`
    select row, status, order_id as "orderId", exists (
             select from orders o where o.realm_id = bulk_rows.realm_id and o.id = bulk_rows.order_id and o.status = 'pending') as "isPending",
           external_id as "externalId", error_code as "errorCode", error_message as "errorMessage"
    from bulk_rows where realm_id = ${tx.realm.id} and job_id = ${jobId} ${part} limit ${size}`)
}

/** The next rows to place, in their order. The caller holds the lock of the job. */
export async function selectPendingRows(
  tx: Tx,
  jobId: string,
  limit: number,
): Promise<{ row: number; request: NewOrder }[]> {
  const rows = await tx.rows(sql<{ row: number; value: Sealed<{ request: NewOrder }> }>`
    select row, ${sealedRows.of('bulk_rows')} as value from bulk_rows
    where realm_id = ${tx.realm.id} and job_id = ${jobId} and status = 'pending' order by row limit ${limit}`)
  const keys = await keyringOf(tx)
  return rows.map(({ row, value }) => ({ row, ...sealedRows.open(keys, [jobId, row], value) }))
}

export interface RowResult {
  row: number
  orderId?: string
  error?: { code: string; message: string }
}

/** Writes the results of rows and counts them. A row that is done keeps no recipient. */
export async function updateRows(tx: Tx, jobId: string, results: readonly RowResult[]): Promise<void> {
  await tx.run(sql`
    update bulk_rows b set status = case when r."orderId" is null then 'failed' else 'created' end, request = null,
      sealed = null, order_id = r."orderId", error_code = r.error->>'code', error_message = r.error->>'message'
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r("row" int, "orderId" text, error jsonb)
    where b.realm_id = ${tx.realm.id} and b.job_id = ${jobId} and b.row = r."row"`)
  const succeeded = results.filter((result) => result.orderId).length
  await tx.run(sql`
    update bulk_jobs set status = 'processing', started_at = coalesce(started_at, ${tx.now}), worked_at = ${tx.now},
      succeeded = succeeded + ${succeeded}, failed = failed + ${results.length - succeeded}
    where realm_id = ${tx.realm.id} and id = ${jobId}`)
}

/** Fails all rows that are still to be placed. Returns how many. */
export async function failPendingRows(
  tx: Tx,
  jobId: string,
  error: { code: string; message: string },
): Promise<number> {
  const failed = await tx.run(sql`
    update bulk_rows set status = 'failed', request = null, sealed = null, error_code = ${error.code}, error_message = ${error.message}
    where realm_id = ${tx.realm.id} and job_id = ${jobId} and status = 'pending'`)
  await tx.run(sql`update bulk_jobs set failed = failed + ${failed} where realm_id = ${tx.realm.id} and id = ${jobId}`)
  return failed
}

export async function updateJobEnded(
  tx: Tx,
  jobId: string,
  status: 'completed' | 'canceled' | 'failed',
): Promise<void> {
  await tx.run(sql`
    update bulk_jobs set status = ${status}, completed_at = ${tx.now}, started_at = coalesce(started_at, ${tx.now})
    where realm_id = ${tx.realm.id} and id = ${jobId}`)
}

/** Jobs that are not done, locked. */
export async function lockOpenJobs(tx: Tx): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select id from bulk_jobs where realm_id = ${tx.realm.id} and status in ('queued', 'processing') order by id for update`)
  return rows.map((row) => row.id)
}

export async function deleteJobs(tx: Tx): Promise<void> {
  await tx.run(sql`delete from bulk_jobs where realm_id = ${tx.realm.id}`)
}

interface RealmJob {
  realm: Realm
  id: string
}

/** Jobs that no worker has touched since `before`. */
export function touchStaleJobs(tx: SystemTx, before: Date): Promise<RealmJob[]> {
  return tx.rows(sql<RealmJob>`
    update bulk_jobs j set worked_at = ${tx.now} from realms r
    where r.id = j.realm_id and j.status in ('queued', 'processing') and j.worked_at < ${before} returning ${realmColumn}, j.id`)
}

/** Jobs that have ended and whose card is still authorised. */
export function selectUnsettledJobs(tx: SystemTx, limit: number): Promise<RealmJob[]> {
  return tx.rows(sql<RealmJob>`
    select ${realmColumn}, j.id from payments p
    join bulk_jobs j on j.realm_id = p.realm_id and j.payment_id = p.id join realms r on r.id = j.realm_id
    where p.state = 'authorised' and j.status in ('completed', 'canceled', 'failed') limit ${limit}`)
}
