import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { inBatches } from '../../platform/jobs/batches.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { endRecalls, reopenWorse, selectDue, selectRecallRow } from './queries.ts'
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
    const failed: unknown[] = []
    // Those that an earlier run had in hand when the recall became worse.
    await database.asSystem(actor, reopenWorse)
    for (const { recallId, realm } of await database.asSystem(actor, selectDue)) {
      const batch = () =>
        database.inRealm(realm, actor, async (tx) => {
          const recall = await selectRecallRow(tx, recallId)
          return recall !== undefined && (await workKits(tx, recall, BATCH)) > 0
        })
      // What fails in one business keeps no other one waiting.
      await inBatches(run.signal, batch, (ms) => delay(ms * PAUSE)).catch((error: unknown) => failed.push(error))
    }
    await database.asSystem(actor, endRecalls)
    if (failed.length > 0) throw failed[0]
  },
})
