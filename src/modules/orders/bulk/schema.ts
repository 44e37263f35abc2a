import { z } from 'zod'
import { anyOf, anyText, Pagination, paging, timestamp } from '../../../platform/http/fields.ts'

export const jobParams = z.object({ jobId: anyText(64) })

const rowStatus = z.enum(['pending', 'created', 'failed'])

export const BulkJobQuery = z.object({ ...paging(250, 1000), rowStatus: anyOf(rowStatus.options) })

const jobStatus = z.enum(['queued', 'processing', 'completed', 'canceled', 'failed'])

export const BulkJobsQuery = z.object({ ...paging(50, 250), status: anyOf(jobStatus.options) })

export const ListedBulkJob = z
  .object({
    jobId: z.string(),
    status: jobStatus,
    total: z.int().describe('Rows.'),
    processed: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    pending: z.literal(true).optional().describe('Orders of it wait for a provider or payment.'),
    progress: z.number().min(0).max(100).describe('Percent.'),
    createdDate: timestamp,
    startedDate: timestamp.optional(),
    completedDate: timestamp.optional(),
  })
  .meta({ id: 'ListedBulkJob' })
export type ListedBulkJob = z.infer<typeof ListedBulkJob>

export const BulkJob = ListedBulkJob.extend({
  rows: z.array(
    z.object({
      row: z.int().describe('0-based, as sent.'),
      status: rowStatus,
      orderId: z.string().optional(),
      pending: z.literal(true).optional().describe('It waits for a provider or payment.'),
      externalID: z.string().optional(),
      error: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  ),
  pagination: Pagination.describe('Of `rows`.'),
}).meta({ id: 'BulkJob' })
export type BulkJob = z.infer<typeof BulkJob>
