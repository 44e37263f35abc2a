import pLimit from 'p-limit'
import { z } from 'zod'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import type { AppJob, JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'

interface DueWork {
  /** The job for one kit, and the one for all that is due. */
  names: { one: string; due: string }
  atOnce: number
  /** How many kits a minute. */
  batch: number
  /** What is due, that which waits longest first. */
  selectDue(tx: SystemTx, limit: number): Promise<{ realm: Realm; kitId: string }[]>
  /** Done each minute, before what is due is selected. */
  before?(context: JobContext): Promise<void>
  work(context: JobContext, realm: Realm, kitId: string): Promise<void>
  failure: { code: string; message: string }
}

/**
 * Work that is due for kits, as two jobs: one does it for a kit at once, the other each minute for what is due again and for what a crash
 * left behind. What fails is due again later.
 */
export function dueJobs({ names, atOnce, batch, selectDue, before, work, failure }: DueWork): [AppJob, AppJob] {
  const one = job({
    name: names.one,
    input: z.object({ realm: realmInput, kitId: z.string() }),
    retryLimit: 2,
    expireInSeconds: 300,
    concurrency: atOnce,
    handler: (context: JobContext, { realm, kitId }) => work(context, realm, kitId),
  })
  const due = job({
    name: names.due,
    input: z.object({}),
    retryLimit: 1,
    expireInSeconds: 900,
    heartbeatSeconds: 10,
    cron: '* * * * *',
    async handler(context: JobContext) {
      const { database, actor, log, run } = context
      await before?.(context)
      const limit = pLimit(atOnce)
      const kits = await database.asSystem(actor, (tx) => selectDue(tx, batch))
      const workOn = async ({ realm, kitId }: (typeof kits)[number]) => {
        if (run.signal.aborted) return
        await work(context, realm, kitId).catch((err: unknown) =>
          log.error({ err, code: failure.code }, failure.message),
        )
      }
      await Promise.all(kits.map((kit) => limit(() => workOn(kit))))
    },
  })
  return [one as AppJob, due as AppJob]
}
