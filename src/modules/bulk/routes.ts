import { route } from '../../platform/http/route.ts'
import { BulkJob, BulkJobQuery, jobParams } from './schema.ts'
import { cancel, find } from './service.ts'

const tag = 'Bulk orders'

export const getBulkOrderJob = route({
  method: 'GET',
  path: '/bulk-order-jobs/:jobId',
  id: 'getBulkOrderJob',
  tag,
  summary: 'Get a bulk order job',
  description: 'Progress, and what came of each row.',
  scope: 'orders:read',
  params: jobParams,
  query: BulkJobQuery,
  responses: { 200: BulkJob },
  errors: ['JOB_NOT_FOUND'],
  handler: async ({ tx, params, query }) => ({ status: 200, body: await find(tx, params.jobId, query) }),
})

export const cancelBulkOrderJob = route({
  method: 'DELETE',
  path: '/bulk-order-jobs/:jobId',
  id: 'cancelBulkOrderJob',
  tag,
  summary: 'Cancel a bulk order job',
  description:
    'Rows that are not placed yet fail with `CANCELED` and their credits come back; orders that were placed stay.',
  scope: 'orders:write',
  params: jobParams,
  responses: { 200: BulkJob },
  errors: ['JOB_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => {
    await cancel(tx, params.jobId)
    return { status: 200, body: await find(tx, params.jobId, { page: 0, size: 250 }) }
  },
})
