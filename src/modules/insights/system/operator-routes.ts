import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { anyText, pagination, paging } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { listFailed, listQueues, retryFailed } from '../../../platform/jobs/inspect.ts'
import { recordSystem } from '../../audit/service.ts'
import { FailedJobs, OldestWaiting, OperatorOverview, Queue, System } from './schema.ts'
import { oldestWaiting, overview, shownJob, system } from './service.ts'

const shared = { tag: 'Operator: system', scope: 'system' } as const

export const getSystem = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/system',
  summary: 'Get how the service is doing',
  answers: { 200: System },
  handler: async ({ tx }) => ({ status: 200, body: await system(tx) }),
})

export const listJobQueues = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/jobs',
  summary: 'List the kinds of jobs',
  description: 'With what waits, runs and has failed.',
  answers: { 200: z.array(Queue) },
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

export const listFailedJobs = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/jobs/failed',
  summary: 'List jobs that failed, newest first',
  query: z.object(paging(50, 250)),
  answers: { 200: FailedJobs },
  handler: async ({ tx, query: { page, size } }) => {
    const { rows, total } = await listFailed(tx, { page, size })
    return { status: 200, body: { data: rows.map(shownJob), pagination: pagination(page, size, total) } }
  },
})

export const retryFailedJob = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'POST',
  path: '/jobs/failed/:jobID/retry',
  summary: 'Try a failed job once more',
  effects: [],
  params: z.object({ jobID: anyText(64) }),
  answers: { 200: z.object({ id: z.string(), status: z.literal('queued') }) },
  errors: ['JOB_NOT_FOUND'],
  handler: async ({ tx, params: { jobID } }) => {
    if (!(await retryFailed(tx, jobID))) throw new AppError('JOB_NOT_FOUND', 'There is no such job that failed')
    await recordSystem(tx, [{ action: 'job.retried', objectType: 'job', objectId: jobID }])
    return { status: 200, body: { id: jobID, status: 'queued' as const } }
  },
})

export const getOperatorOverview = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/overview',
  tag: 'Operator: system',
  summary: 'Get what waits for a person',
  answers: { 200: OperatorOverview },
  handler: async ({ tx, access }) => ({ status: 200, body: await overview(tx, access) }),
})

export const getOldestWaiting = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/overview/oldest',
  tag: 'Operator: system',
  summary: 'Get since when the oldest of what waits has waited',
  description:
    'With `system` also what is to be done before the first live kit; each step says by itself whether it is done.',
  answers: { 200: OldestWaiting },
  handler: async ({ tx, access }) => ({ status: 200, body: await oldestWaiting(tx, access.scopes) }),
})
