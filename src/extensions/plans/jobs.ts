import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { PLACE_PLANS_JOB, placeDue } from './place.ts'
import { selectDuePlans } from './queries.ts'

const BATCH = 100

/** Places what recurring plans ask for: each quarter of an hour, and at once when the clock of a sandbox is advanced. */
export const placePlans = job({
  name: PLACE_PLANS_JOB,
  retryLimit: 3,
  expireInSeconds: 840,
  heartbeatSeconds: 10,
  cron: '*/15 * * * *',
  async handler({ database, actor, realmPorts, log, run }: JobContext) {
    let last: { dueAt: Date; id: string } | undefined
    do {
      const due = await database.asSystem(actor, (tx) => selectDuePlans(tx, last, BATCH))
      for (const { realm, id } of due) {
        run.signal.throwIfAborted()
        // One plan that cannot be worked on now does not hold up the others: it is still due when the job runs next.
        await placeDue(realmPorts(realm), id).catch((err: unknown) =>
          log.error({ err, code: 'PLAN_NOT_PLACED' }, 'the order of a recurring plan could not be placed'),
        )
      }
      last = due.length === BATCH ? due.at(-1) : undefined
    } while (last)
  },
})
