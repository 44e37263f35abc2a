import { z } from 'zod'
import { said, timestamp } from '../../../platform/http/fields.ts'

/** What went back of a payment at the payment provider. */
export const reversalFields = {
  id: z.string().describe("The payment provider's."),
  kind: z.enum(['refund', 'dispute']),
  status: z
    .enum(['done', 'failed', 'inquiry', 'open', 'won', 'lost'])
    .describe('done, failed: of a refund. inquiry: no money has moved.'),
  amount: z.int().describe('In minor units.'),
  date: timestamp,
  reason: z.string().optional().describe('Such as `fraudulent`.'),
  creditsRevoked: z.int().optional().describe('Of those bought.'),
  creditsWaiting: z.int().optional().describe('Not revoked.'),
  waitingReason: said.optional().describe('Why they wait.'),
  settledDate: timestamp.optional(),
  settledReason: z.string().optional().describe('The decision.'),
}
