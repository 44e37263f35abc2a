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

const money = (what: string) => z.int().describe(`${what}, in minor units.`)

const reference = {
  number: z.string().describe('Gapless.'),
  date: timestamp,
  amount: money('The total'),
  orderIDs: z.array(z.string()).describe('None of a bulk job.'),
}
const ReceiptReference = z.object(reference).meta({ id: 'ReceiptReference' })
export type ReceiptReference = z.input<typeof ReceiptReference>

const Card = z.object({ brand: z.string(), last4: z.string() }).meta({ id: 'PaidCard' })

export const ListedPayment = z
  .object({
    paymentID: z.string(),
    date: timestamp,
    status: z
      .enum(['settling', 'charged', 'authorised', 'declined', 'released'])
      .describe('settling: not answered yet. released: nothing of an authorisation was used.'),
    purpose: z.enum(['orders', 'credits', 'top_up']).describe('top_up: bought by themselves.'),
    amount: money('Asked for'),
    charged: money('Charged'),
    refunded: money('Given back'),
    currency: z.string(),
    card: Card.optional(),
    declineCode: z.string().optional().describe('What the bank said.'),
    receipt: ReceiptReference.optional().describe('Of the charge.'),
    reversals: z.array(z.object(reversalFields)).describe('Refunds and disputes made at the payment provider.'),
    creditNotes: z.array(ReceiptReference).describe('Of orders that were given back.'),
  })
  .meta({ id: 'Payment' })
export type ListedPayment = z.input<typeof ListedPayment>

const Party = z
  .object({
    name: z.string(),
    address: z.array(z.string()).describe('A line each.'),
    taxNumber: z.string().optional().describe('Tax number.'),
  })
  .meta({ id: 'ReceiptParty' })

export const ReceiptDocument = z
  .object({
    ...reference,
    kind: z.enum(['receipt', 'invoice', 'credit_note']).describe('receipt: of orders. invoice: of credits.'),
    paymentID: z.string(),
    seller: Party.describe('The operator.'),
    buyer: Party.describe('The business.'),
    currency: z.string(),
    card: Card.optional(),
    lines: z.array(
      z.object({
        panel: z.string().describe('Its name.'),
        quantity: z.int(),
        unitPrice: money('Of one'),
        total: money('The line'),
      }),
    ),
    of: z.string().optional().describe('The receipt that a credit note is about.'),
  })
  .meta({ id: 'Receipt' })
export type ReceiptDocument = z.input<typeof ReceiptDocument>
