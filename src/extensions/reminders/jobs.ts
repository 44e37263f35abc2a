import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { selectRealms } from './queries.ts'
import { REMIND_JOB, rulesToSend, sendDue } from './send.ts'

/** Each quarter of an hour: what is due in all realms, one batch of kits a transaction. */
export const sendReminders = job({
  name: REMIND_JOB,
  retryLimit: 3,
  expireInSeconds: 840,
  cron: '*/15 * * * *',
  async handler({ database, actor, run }: JobContext) {
    for (const realm of await database.asSystem(actor, selectRealms)) {
      const rules = await database.inRealm(realm, actor, rulesToSend)
      for (const rule of rules) {
        let after: string | undefined = ''
        await inBatches(run.signal, async () => {
          after = await database.inRealm(realm, actor, (tx) => sendDue(tx, rule, after ?? ''))
          return after !== undefined
        })
      }
    }
  },
})
