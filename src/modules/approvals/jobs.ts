import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { settlePayment } from '../orders/payment/settle.ts'
import { PAY_JOB, payApproved } from './decide.ts'
import { notifyOfWaiting } from './providers.ts'

/** Pays an order that a provider approved. A charge that a crash leaves is settled by its own job. */
export const payApprovedOrder = job({
  name: PAY_JOB,
  input: z.object({ realm: realmInput, orderId: z.string() }),
  retryLimit: 20,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 120,
  concurrency: 4,
  handler: async ({ realmPorts }: JobContext, { realm, orderId }) => {
    const ports = realmPorts(realm)
    const charge = await ports.open((tx) => payApproved(tx, orderId)).catch(ignoreMissing)
    if (charge) await settlePayment(ports, charge.paymentId)
  },
})

/** Writes to providers that orders wait. */
export const notifyProviders = job({
  name: 'approvals.notify',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 120,
  cron: '* * * * *',
  handler: ({ database, actor, portsOf }: JobContext) =>
    database.asSystem(actor, (tx) => notifyOfWaiting(tx, portsOf('live').operator?.alarmEmail)),
})

/** The order may be gone by now. */
function ignoreMissing(err: unknown): undefined {
  if (err instanceof AppError && err.code === 'ORDER_NOT_FOUND') return undefined
  throw err
}
