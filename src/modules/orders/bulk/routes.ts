import { z } from 'zod'
import type { Tx } from '../../../platform/database/tx.ts'
import { Pagination, pagination } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { mayReadTests } from '../../identity/rules.ts'
import { BulkJob, BulkJobQuery, BulkJobsQuery, jobParams, ListedBulkJob } from './schema.ts'
import { cancel, find, findTest, list, maybeFind } from './service.ts'

const tag = 'Bulk orders'

export const listBulkOrderJobs = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/bulk-order-jobs',
  tag,
  summary: 'List bulk order jobs',
  description: 'Newest first, without their rows.',
  scope: 'orders:read',
  query: BulkJobsQuery,
  answers: { 200: z.object({ data: z.array(ListedBulkJob), pagination: Pagination }) },
  handler: async ({ tx, query }) => {
    const { jobs, total } = await list(tx, query)
    return { status: 200, body: { data: jobs, pagination: pagination(query.page, query.size, total) } }
  },
})

export const getBulkOrderJob = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/bulk-order-jobs/:jobId',
  tag,
  summary: 'Get a bulk order job',
  description:
    'Progress, and what came of each row. A live token also reads a job of test orders that it started with `is_test_order`, by its ID.',
  scope: 'orders:read',
  params: jobParams,
  query: BulkJobQuery,
  answers: { 200: BulkJob },
  errors: ['JOB_NOT_FOUND'],
  handler: async ({ tx, params, query, access }) => {
    if (!mayReadTests(access)) return { status: 200, body: await find(tx, params.jobId, query) }
    const job = await maybeFind(tx, params.jobId, query)
    if (job) return { status: 200, body: job }
    const test = (tx: Tx) => findTest(tx, params.jobId, query, access.actor)
    return { after: async (_outside, twin) => ({ status: 200 as const, body: await twin.open(test) }) }
  },
})

export const cancelBulkOrderJob = defineRoute({
  audience: 'business',
  method: 'DELETE',
  path: '/bulk-order-jobs/:jobId',
  tag,
  summary: 'Cancel a bulk order job',
  effects: [],
  description:
    'Rows that are not placed yet fail with `CANCELED` and their credits come back; orders that were placed stay.',
  scope: 'orders:write',
  params: jobParams,
  answers: { 200: BulkJob },
  errors: ['JOB_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => {
    await cancel(tx, params.jobId)
    return { status: 200, body: await find(tx, params.jobId, { page: 0, size: 250 }) }
  },
})
