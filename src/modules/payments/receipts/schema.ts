import { z } from 'zod'
import { timestamp } from '../../../platform/http/fields.ts'

const money = (what: string) => z.int().describe(`${what}, in minor units.`)

const ReceiptReference = z.object({
  number: z.string().describe('Gapless for each kind and year.'),
  kind: z
    .enum(['receipt', 'invoice', 'credit_note'])
    .describe('receipt: of orders. invoice: for credits. credit_note: of an order that was given back.'),
  date: timestamp,
  amount: money('What it is about'),
  orderIDs: z.array(z.string()).describe('Empty for a bulk job and for credits.'),
})
export type ReceiptReference = z.input<typeof ReceiptReference>

const Card = z.object({ brand: z.string(), last4: z.string() })

export const ListedPayment = z
  .object({
    paymentID: z.string(),
    date: timestamp,
    status: z
      .enum(['settling', 'charged', 'authorised', 'declined', 'released'])
      .describe(
        'settling: the bank has not answered yet. authorised: held for a bulk job. released: nothing of it was used.',
      ),
    for: z.enum(['orders', 'credits', 'top_up']).describe('top_up: credits that topped themselves up.'),
    amount: money('What the card was asked for'),
    charged: money('What it was charged'),
    refunded: money('What was given back'),
    currency: z.string(),
    card: Card.optional(),
    declineCode: z.string().optional(),
    receipt: ReceiptReference.optional().describe('Charges of versions before have none.'),
    creditNotes: z.array(ReceiptReference),
  })
  .meta({ id: 'Payment' })
export type ListedPayment = z.input<typeof ListedPayment>

const Party = z.object({
  name: z.string(),
  address: z.array(z.string()).describe('A line each.'),
  taxID: z.string().optional(),
})

export const ReceiptDocument = ReceiptReference.extend({
  paymentID: z.string(),
  seller: Party,
  buyer: Party,
  currency: z.string(),
  card: Card.optional(),
  lines: z.array(
    z.object({ panel: z.string(), quantity: z.int(), unitPrice: money('What one costs'), total: money('The line') }),
  ),
  of: z.string().optional().describe('The receipt that a credit note is about.'),
}).meta({ id: 'Receipt' })
export type ReceiptDocument = z.input<typeof ReceiptDocument>
