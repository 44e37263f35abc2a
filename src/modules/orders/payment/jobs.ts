import { z } from 'zod'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { realmInput } from '../../../platform/jobs/realm-input.ts'
import { isPurchase, settlePurchase } from '../../payments/purchases/settle.ts'
import { selectPayment } from '../../payments/queries.ts'
import { SETTLE_JOB } from '../../payments/start.ts'
import { settlePayment } from './settle.ts'
import { sweepPayments } from './sweep.ts'

/** Settles a payment whose request died or gave up. */
export const settlePaymentJob = job({
  name: SETTLE_JOB,
  input: z.object({ realm: realmInput, paymentId: z.string() }),
  retryLimit: 20,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  concurrency: 4,
  handler: async ({ realmPorts }: JobContext, { realm, paymentId }) => {
    const ports = realmPorts(realm)
    const { purpose } = await ports.open((tx) => selectPayment(tx, paymentId))
    await (isPurchase(purpose) ? settlePurchase(ports, paymentId) : settlePayment(ports, paymentId))
  },
})

/** Looks for what a crash left unfinished. */
export const sweepPaymentsJob = job({
  name: 'checkout.sweep',
  input: z.object({}),
  retryLimit: 1,
  expireInSeconds: 60,
  cron: '* * * * *',
  handler: async ({ database, actor }: JobContext) => database.asSystem(actor, sweepPayments),
})
