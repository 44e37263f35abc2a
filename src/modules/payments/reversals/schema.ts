import { z } from 'zod'
import { timestamp } from '../../../platform/http/fields.ts'

/** What went back of a payment at the payment provider. */
export const reversalFields = {
  id: z.string().describe("The payment provider's."),
  kind: z.enum(['refund', 'dispute']),
  status: z
    .enum(['done', 'failed', 'inquiry', 'open', 'won', 'lost'])
    .describe('Of a refund: done, failed. Of a dispute: the others; in an inquiry no money has moved.'),
  amount: z.int().describe('What went back, in minor units.'),
  date: timestamp,
  reason: z.string().optional().describe("The payment provider's word, such as `fraudulent`."),
  creditsRevoked: z.int().optional().describe('Credits that the payment bought.'),
  creditsWaiting: z.int().optional().describe('Credits that could not be revoked.'),
  waitingReason: z.string().optional().describe('Why they wait. Absent: the operator has decided.'),
  settledDate: timestamp.optional().describe('When the operator decided about them.'),
  settledReason: z.string().optional().describe('What the operator decided.'),
}
