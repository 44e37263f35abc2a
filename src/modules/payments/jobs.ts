import { z } from 'zod'
import type { JobContext } from '../../platform/jobs/context.ts'
import { job } from '../../platform/jobs/job.ts'
import { realmInput } from '../../platform/jobs/realm-input.ts'
import { carryOutRefund, REFUND_JOB } from './refunds.ts'

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
