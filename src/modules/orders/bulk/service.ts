import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { pagination } from '../../../platform/http/fields.ts'
import * as audit from '../../audit/service.ts'
import * as credits from '../../credits/service.ts'
import * as events from '../../events/service.ts'
import { PLACE_JOB } from './accept.ts'
import {
  type BulkRow,
  deleteJobs,
  failPendingRows,
  type JobRow,
  lockOpenJobs,
  selectJob,
  selectJobs,
  selectRows,
  updateJobEnded,
} from './queries.ts'
import type { BulkJob, ListedBulkJob } from './schema.ts'

const jobNotFound = () => new AppError('JOB_NOT_FOUND', 'There is no such job')

type RowStatus = BulkRow['status']

export interface JobPage {
  page: number
  size: number
  rowStatus?: readonly RowStatus[] | undefined
}

/** One page of jobs without their rows, newest first. */
export async function list(
  tx: Tx,
  { page, size, status }: { page: number; size: number; status?: readonly string[] | undefined },
): Promise<{ jobs: ListedBulkJob[]; total: number }> {
  const { total, rows } = await selectJobs(tx, status, page, size)
  return { jobs: rows.map(toListed), total }
}

function toListed(job: JobRow): ListedBulkJob {
  const processed = job.succeeded + job.failed
  return {
    jobId: job.id,
    status: job.status,
    total: job.total,
    processed,
    succeeded: job.succeeded,
    failed: job.failed,
    ...(job.isPending && { pending: true }),
    progress: Math.floor((processed * 1000) / job.total) / 10,
    createdDate: job.createdAt.toISOString(),
    ...(job.startedAt && { startedDate: job.startedAt.toISOString() }),
    ...(job.completedAt && { completedDate: job.completedAt.toISOString() }),
  }
}

/** A job with one page of its rows. @throws JOB_NOT_FOUND */
export async function find(tx: Tx, id: string, page: JobPage): Promise<BulkJob> {
  const job = await maybeFind(tx, id, page)
  if (!job) throw jobNotFound()
  return job
}

/** A job of test orders in the sandbox that this live token started with `is_test_order`. @throws JOB_NOT_FOUND */
export async function findTest(tx: Tx, id: string, page: JobPage, actor: string): Promise<BulkJob> {
  const job = await selectJob(tx, id)
  if (job?.placedBy !== actor) throw jobNotFound()
  return find(tx, id, page)
}

export async function maybeFind(tx: Tx, id: string, { page, size, rowStatus }: JobPage): Promise<BulkJob | undefined> {
  const job = await selectJob(tx, id)
  if (!job) return undefined
  const rows = await selectRows(tx, id, page, size, rowStatus)
  const totals = { pending: job.total - job.succeeded - job.failed, created: job.succeeded, failed: job.failed }
  return {
    ...toListed(job),
    rows: rows.map(({ row, status, orderId, isPending, externalId, errorCode, errorMessage }) => ({
      row,
      status,
      ...(orderId && { orderId }),
      ...(isPending && { pending: true }),
      ...(externalId && { externalID: externalId }),
      ...(errorCode && { error: { code: errorCode, message: errorMessage ?? '' } }),
    })),
    pagination: pagination(
      page,
      size,
      rowStatus ? rowStatus.reduce((sum, status) => sum + totals[status], 0) : job.total,
    ),
  }
}

/**
 * Cancels what is not placed yet and gives its credits back; orders that were placed stay.
 * @throws JOB_NOT_FOUND, ILLEGAL_TRANSITION when the job has ended
 */
export async function cancel(tx: Tx, id: string): Promise<void> {
  const job = await selectJob(tx, id, 'update')
  if (!job) throw jobNotFound()
  if (isEnded(job)) {
    throw new AppError('ILLEGAL_TRANSITION', 'The job has ended already', {
      extra: { current: job.status, allowed: [] },
    })
  }
  await failPendingRows(tx, id, { code: 'CANCELED', message: 'The job was canceled before this row was placed' })
  await audit.record(tx, [{ action: 'bulk_job.canceled', objectType: 'bulk_job', objectId: id }])
  await endJob(tx, job, 'canceled')
  // The worker releases what the card was authorised for beyond the placed orders: that needs the network.
  if (job.paymentId) await tx.enqueue(PLACE_JOB, { realm: tx.realm, jobId: id })
}

export const isEnded = (job: JobRow): boolean => job.status !== 'queued' && job.status !== 'processing'

/** Ends a job whose rows are all done: releases what is still reserved and tells the business. */
export async function endJob(tx: Tx, { id }: JobRow, status: 'completed' | 'canceled' | 'failed'): Promise<void> {
  await credits.release(tx, id)
  await updateJobEnded(tx, id, status)
  const job = await selectJob(tx, id)
  await events.record(tx, [
    {
      type: 'bulk_order.completed',
      data: {
        jobId: id,
        status,
        total: job?.total,
        succeeded: job?.succeeded,
        failed: job?.failed,
        ...(job?.isPending && { pending: true }),
        completedDate: tx.now.toISOString(),
      },
    },
  ])
}

/** Sandbox: deletes every job, after its reserved credits are released. The database refuses it for live. */
export async function removeAll(tx: Tx): Promise<void> {
  for (const id of await lockOpenJobs(tx)) await credits.release(tx, id)
  await deleteJobs(tx)
}
