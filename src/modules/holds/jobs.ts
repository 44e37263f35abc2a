import { z } from 'zod'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { doWhatIsDue } from './discard.ts'
import { selectDue, selectDueRealms } from './queries.ts'

export const HOLDS_JOB = 'holds.due'

/** Every five minutes: e-mails about held samples, and the end of those that nobody mended, one kit a transaction. */
export const endHolds = job({
  name: HOLDS_JOB,
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 280,
  cron: '*/5 * * * *',
  async handler({ database, actor, run }: JobContext) {
    for (const realm of await database.asSystem(actor, selectDueRealms)) {
      let after = ''
      await inBatches(run.signal, async () => {
        const [kitId] = await database.inRealm(realm, actor, (tx) => selectDue(tx, after, 1))
        if (kitId === undefined) return false
        await database.inRealm(realm, actor, (tx) => doWhatIsDue(tx, kitId))
        after = kitId
        return true
      })
    }
  },
})
