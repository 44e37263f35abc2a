import { z } from 'zod'
import { forgetCounts } from '../../platform/database/block-counts.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'

export const forgetListCounts = job({
  name: 'orders.forget-list-counts',
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '41 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, forgetCounts),
})
