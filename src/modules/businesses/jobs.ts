import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { foldTallies } from './tally-queries.ts'

/** Keeps tallies short: each change adds a line. */
export const foldTalliesRegularly = job({
  name: 'overview.fold-counts',
  retryLimit: 1,
  expireInSeconds: 60,
  // An idle service should make at most two transactions a second; each job of each minute makes five in a minute.
  cron: '*/2 * * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, foldTallies),
})
