import { z } from 'zod'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { foldTallies } from './queries.ts'

/** Keeps the counts few: a line is written for each change. */
export const foldCounts = job({
  name: 'overview.fold-counts',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 60,
  cron: '* * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, foldTallies),
})
