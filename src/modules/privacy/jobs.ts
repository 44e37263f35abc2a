import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { purge } from './retention/run.ts'

/** Ends what has reached its term. Interrupted, the next run goes on. */
export const purgeRecords = job({
  name: 'retention.purge',
  retryLimit: 3,
  expireInSeconds: 3600,
  cron: '23 4 * * *',
  async handler({ database, actor, run }: JobContext) {
    await purge(database, actor, { signal: run.signal })
  },
})
