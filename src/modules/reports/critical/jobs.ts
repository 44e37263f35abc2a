import { z } from 'zod'
import { noChannels } from '../../../domain/operator-channels.ts'
import { inBatches } from '../../../platform/jobs/batches.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { notifyDue } from './notify.ts'
import { TELL_CRITICAL_JOB } from './raise.ts'

/** At once when a critical result is raised, and each minute for deadlines that have passed. */
export const notifyOnCall = job({
  name: TELL_CRITICAL_JOB,
  input: z.object({}),
  retryLimit: 10,
  expireInSeconds: 120,
  cron: '* * * * *',
  async handler({ database, actor, portsOf, run }: JobContext) {
    const { criticalEmail } = portsOf('live').operator ?? noChannels
    const operator = criticalEmail === undefined ? undefined : { email: criticalEmail }
    await inBatches(run.signal, () => database.asSystem(actor, (tx) => notifyDue(tx, operator)))
  },
})
