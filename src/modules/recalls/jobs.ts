import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { hasDue, selectDue, selectRecallRow, setState } from './queries.ts'
import { RECALLS_JOB, workKits } from './work.ts'

const BATCH = 100
// Whoever has a recalled kit is to hear of it soon: the pause is half as long as the work, where other jobs take three times.
const PAUSE = 1 / 6

/** Goes through the kits of recalls. What a crash left is due still, and the next run takes it. */
export const workRecalls = job({
  name: RECALLS_JOB,
  input: z.object({}),
  retryLimit: 20,
  retryDelayMaxSeconds: 5,
  expireInSeconds: 3600,
  heartbeatSeconds: 10,
  cron: '* * * * *',
  async handler({ database, actor, run }: JobContext) {
    const due = await database.asSystem(actor, selectDue)
    for (const { recallId, realm } of due) {
      await inBatches(
        run.signal,
        () =>
          database.inRealm(realm, actor, async (tx) => {
            const recall = await selectRecallRow(tx, recallId)
            return recall !== undefined && (await workKits(tx, recall, BATCH)) > 0
          }),
        (ms) => delay(ms * PAUSE),
      )
    }
    await database.asSystem(actor, async (tx) => {
      for (const id of new Set(due.map(({ recallId }) => recallId))) {
        if (!(await hasDue(tx, id))) await setState(tx, id, 'done')
      }
    })
  },
})
