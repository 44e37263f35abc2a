import { z } from 'zod'
import type { Reversal } from '../../../domain/payment-gateway.ts'
import type { JobContext } from '../../../platform/jobs/context.ts'
import { job } from '../../../platform/jobs/job.ts'
import { realmInput } from '../../../platform/jobs/realm-input.ts'
import { isPurchase, settlePurchase } from '../../payments/purchases/settle.ts'
import { selectPayment } from '../../payments/queries.ts'
import { findChargedPayment, selectDisputedPayments } from '../../payments/reversals/queries.ts'
import { lookBack } from '../../payments/reversals/rules.ts'
import { SETTLE_JOB } from '../../payments/start.ts'
import { lookForReversals, noteReversals, REVERSALS_JOB } from './reversals.ts'
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

/** Notes what was given back of a payment at the payment provider. */
export const reversalsJob = job({
  name: REVERSALS_JOB,
  input: z.object({ realm: realmInput, paymentId: z.string() }),
  retryLimit: 20,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 120,
  concurrency: 2,
  handler: ({ realmPorts }: JobContext, { realm, paymentId }) => lookForReversals(realmPorts(realm), paymentId),
})

/** Looks each hour for refunds and disputes whose webhook never came: new ones, and what became of those that are open. */
export const catchUpReversals = job({
  name: 'checkout.catch-up-reversals',
  input: z.object({}),
  retryLimit: 3,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 900,
  cron: '23 * * * *',
  async handler({ database, actor, portsOf, realmPorts }: JobContext) {
    const { gateway } = portsOf('live')
    if (!gateway.reversals) return
    const found: Reversal[] = await gateway.reversals(lookBack(database.now()))
    for (const [ref, facts] of Map.groupBy(found, (one) => one.ref)) {
      const payment = await database.asSystem(actor, (tx) => findChargedPayment(tx, ref))
      if (payment) await realmPorts(payment.realm).open((tx) => noteReversals(tx, payment.id, facts))
    }
    for (const { realm, id } of await database.asSystem(actor, selectDisputedPayments))
      await lookForReversals(realmPorts(realm), id)
  },
})
