import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { TOP_UP_JOB } from '../credits/top-up-request.ts'
import { FINISH_CARD_JOB, finishCardSession } from './cards/sessions.ts'
import { noticeExpiringCards, TELL_JOB, tellAdministrators } from './notices.ts'
import { settlePurchase } from './purchases/settle.ts'
import { carryOutRefund, REFUND_JOB } from './refunds.ts'
import { startTopUp } from './top-ups/start.ts'

/** Gives money back to a card. It retries for hours: the gateway may be away that long. */
export const refundOrder = job({
  name: REFUND_JOB,
  input: z.object({ realm: realmInput, orderId: z.string() }),
  retryLimit: 50,
  retryDelaySeconds: 2,
  retryDelayMaxSeconds: 1800,
  expireInSeconds: 120,
  concurrency: 2,
  handler: ({ realmPorts }: JobContext, { realm, orderId }) => carryOutRefund(realmPorts(realm), orderId),
})

/** Buys credits where a balance is low. */
export const topUpCredits = job({
  name: TOP_UP_JOB,
  input: z.object({ realm: realmInput, kitType: z.string() }),
  retryLimit: 5,
  retryDelayMaxSeconds: 600,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  concurrency: 2,
  handler: async ({ realmPorts }: JobContext, { realm, kitType }) => {
    const ports = realmPorts(realm)
    const paymentId = await ports.open((tx) => startTopUp(tx, kitType))
    if (paymentId) await settlePurchase(ports, paymentId)
  },
})

/** Writes to the administrators of a business about its card or its credits. */
export const tellOfPayments = job({
  name: TELL_JOB,
  input: z.object({
    realm: realmInput,
    kind: z.enum(['card_expires', 'card_declined', 'top_up_ceiling', 'top_up_off', 'payment_reversed']),
    subject: z.string(),
  }),
  retryLimit: 20,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 60,
  handler: ({ database, actor, portsOf }: JobContext, notice) =>
    database.asSystem(actor, (tx) => tellAdministrators(tx, notice, portsOf('live').operator?.alarmEmail)),
})

/** Looks each morning for cards that expire. */
export const watchCardExpiry = job({
  name: 'payments.watch-expiry',
  retryLimit: 3,
  expireInSeconds: 300,
  cron: '10 6 * * *',
  handler: ({ database, actor }: JobContext) => database.asSystem(actor, noticeExpiringCards),
})

/** Saves a card whose page was closed before it came back. */
export const finishCard = job({
  name: FINISH_CARD_JOB,
  input: z.object({ realm: realmInput, sessionId: z.string() }),
  retryLimit: 10,
  retryDelayMaxSeconds: 3600,
  expireInSeconds: 120,
  handler: async ({ realmPorts }: JobContext, { realm, sessionId }) => {
    await finishCardSession(realmPorts(realm), sessionId, 'expired')
  },
})
