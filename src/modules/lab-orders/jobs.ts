import pLimit from 'p-limit'
import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { selectDue } from './queries.ts'
import { DUE_JOB, SEND_JOB } from './record.ts'
import { sendDue } from './send.ts'

const AT_ONCE = 8
const BATCH = 500

/** Says to a laboratory what is due of one order. What fails is due again later, and the other job takes it. */
export const sendLabOrder = job({
  name: SEND_JOB,
  input: z.object({ realm: realmInput, kitId: z.string() }),
  retryLimit: 2,
  expireInSeconds: 120,
  concurrency: AT_ONCE,
  async handler({ database, actor, portsOf }: JobContext, { realm, kitId }) {
    const { callLaboratory } = portsOf(realm.mode)
    if (callLaboratory) await sendDue({ database, actor, callLaboratory }, realm, kitId)
  },
})

/** Every minute: orders that are sent again, and what a crash left behind. */
export const sendDueLabOrders = job({
  name: DUE_JOB,
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 600,
  heartbeatSeconds: 10,
  cron: '* * * * *',
  async handler({ database, actor, portsOf, log, run }: JobContext) {
    const { callLaboratory } = portsOf('live')
    if (!callLaboratory) return
    const atOnce = pLimit(AT_ONCE)
    const due = await database.asSystem(actor, (tx) => selectDue(tx, BATCH))
    const send = async ({ realm, kitId }: (typeof due)[number]) => {
      if (run.signal.aborted) return
      await sendDue({ database, actor, callLaboratory }, realm, kitId).catch((err: unknown) =>
        log.error({ err, code: 'LAB_ORDER_NOT_SENT' }, 'an order to a laboratory could not be sent'),
      )
    }
    await Promise.all(due.map((one) => atOnce(() => send(one))))
  },
})
