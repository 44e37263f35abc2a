import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { endedSlots } from './lines.ts'
import { emptySlot, filledSlots } from './queries.ts'

/** Ends the log of requests by the day. */
export const emptyOldRequests = job({
  name: 'request-log.empty-old',
  // Somebody reads the log just then.
  retryLimit: 5,
  retryDelaySeconds: 10,
  expireInSeconds: 60,
  cron: '17 * * * *',
  async handler({ database, actor }: JobContext) {
    const now = database.now()
    const filled = await database.asSystem(actor, (tx) =>
      filledSlots(tx, endedSlots(now, tx.context.settings.requestLogDays)),
    )
    for (const slot of filled) await database.asSystem(actor, (tx) => emptySlot(tx, slot))
  },
})
