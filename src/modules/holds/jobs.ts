import { z } from 'zod'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { doWhatIsDue } from './discard.ts'
import { selectDueRealms, selectNextDue } from './queries.ts'

export const HOLDS_JOB = 'holds.due'

/** Every five minutes: e-mails about held samples, and the end of those that nobody mended, one kit a transaction. */
export const endHolds = job({
  name: HOLDS_JOB,
  input: z.object({}),
  retryLimit: 3,
  expireInSeconds: 280,
  cron: '*/5 * * * *',
  async handler({ database, actor, run }: JobContext) {
    // A kit that fails keeps none of the others from its end.
    const failures: unknown[] = []
    for (const realm of await database.asSystem(actor, selectDueRealms)) {
      let after = ''
      await inBatches(run.signal, async () => {
        const kitId = await database.inRealm(realm, actor, (tx) => selectNextDue(tx, after))
        if (kitId === undefined) return false
        after = kitId
        await database.inRealm(realm, actor, (tx) => doWhatIsDue(tx, kitId)).catch((err) => failures.push(err))
        return true
      })
    }
    if (failures.length > 0) throw new AggregateError(failures, 'holds.due failed for some kits')
  },
})
