import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { sealOldRows } from './service.ts'

/** Seals what earlier versions wrote in clear, and packs it. Once all is done, it only reads how far it came. */
export const sealRowsOfBefore = job({
  name: 'keys.seal-rows',
  retryLimit: 1,
  expireInSeconds: 3600,
  cron: '6-59/10 * * * *',
  handler: ({ database, actor, run }: JobContext) => sealOldRows(database, actor, run.signal),
})
