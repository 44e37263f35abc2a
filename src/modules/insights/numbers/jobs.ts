import { z } from 'zod'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { countChanges } from './count.ts'

/** Counts the days with many changes, and every six hours all that changed, so that numbers cost the same however many kits there are. */
export const countNumbersRegularly = job({
  name: 'numbers.count',
  input: z.object({}),
  retryLimit: 1,
  // The first run of an installation with ten million kits takes hours, and goes on after it was stopped.
  expireInSeconds: 6 * 3600,
  cron: '*/5 * * * *',
  handler: ({ database, actor, run }: JobContext) => countChanges(database, actor, run.signal),
})
