import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { anyText, pagination, paging } from '../../../platform/http/fields.ts'
import { operatorRoute } from '../../../platform/http/operator-route.ts'
import { listFailed, listQueues, retryFailed } from '../../../platform/jobs/inspect.ts'
import { recordSystem } from '../../audit/service.ts'
import { FailedJobs, OperatorOverview, Queue, System } from './schema.ts'
import { overview, shownJob, system } from './service.ts'

const shared = { tag: 'Operator: system', scope: 'system' } as const

export const getSystem = operatorRoute({
  ...shared,
  method: 'GET',
  path: '/system',
  id: 'getSystem',
  summary: 'Get how the service is doing',
  responses: { 200: System },
  handler: async ({ tx }) => ({ status: 200, body: await system(tx) }),
})

export const listJobs = operatorRoute({
  ...shared,
  method: 'GET',
  path: '/jobs',
  id: 'listJobQueues',
  summary: 'List the kinds of jobs',
  description: 'With what waits, runs and has failed.',
  responses: { 200: z.array(Queue) },
  handler: async ({ tx }) => {
    const queues = await listQueues(tx)
    const body = queues.map(({ oldestQueuedAt, cron, ...queue }) => ({
      ...queue,
      ...(oldestQueuedAt && { oldestQueuedDate: oldestQueuedAt.toISOString() }),
      ...(cron && { cron }),
    }))
    return { status: 200, body }
  },
})

export const listFailedJobs = operatorRoute({
  ...shared,
  method: 'GET',
  path: '/jobs/failed',
  id: 'listFailedJobs',
  summary: 'List jobs that failed, newest first',
  query: z.object(paging(50, 250)),
  responses: { 200: FailedJobs },
  handler: async ({ tx, query: { page, size } }) => {
    const { rows, total } = await listFailed(tx, { page, size })
    return { status: 200, body: { data: rows.map(shownJob), pagination: pagination(page, size, total) } }
  },
})

export const retryJob = operatorRoute({
  ...shared,
  method: 'POST',
  path: '/jobs/failed/:jobID/retry',
  id: 'retryFailedJob',
  summary: 'Try a failed job once more',
  params: z.object({ jobID: anyText(64) }),
  responses: { 200: z.object({ id: z.string(), status: z.literal('queued') }) },
  errors: ['JOB_NOT_FOUND'],
  handler: async ({ tx, params: { jobID } }) => {
    if (!(await retryFailed(tx, jobID))) throw new AppError('JOB_NOT_FOUND', 'There is no such job that failed')
    await recordSystem(tx, [{ action: 'job.retried', objectType: 'job', objectId: jobID }])
    return { status: 200, body: { id: jobID, status: 'queued' as const } }
  },
})

export const getOperatorOverview = operatorRoute({
  method: 'GET',
  path: '/overview',
  id: 'getOperatorOverview',
  tag: 'Operator: system',
  summary: 'Get what waits for a person',
  responses: { 200: OperatorOverview },
  handler: async ({ tx, access }) => ({ status: 200, body: await overview(tx, access) }),
})
