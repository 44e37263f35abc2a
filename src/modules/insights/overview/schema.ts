import { z } from 'zod'
import { kitAttentions, kitExceptions, lifetimeStatuses } from '../../kits/lifecycle.ts'

export const attentionKinds = [
  ...kitAttentions,
  'pendingPayment',
  'shopOrders',
  'heldSamples',
  'recalledKits',
  'inReview',
  'lowCredits',
  'noContact',
  'dataRequests',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

const Attention = z.object({
  kind: z
    .enum(attentionKinds)
    .describe(
      'late: kits that wait longer than usual. exception, rejected: kits that need a person, and have no replacement. pendingPayment: orders that can be paid. shopOrders: `example` is the shop of the oldest. heldSamples: `example` ends next. recalledKits: nobody wrote to their people. lowCredits: kit types. noContact: live pages say to ask the business, and there is no `contactEmail`. dataRequests: of people, for a copy or erasure.',
    ),
  count: z.int(),
  more: z.literal(true).optional().describe('There are more: late kits are counted up to 1,000 at each stage.'),
  example: z.string().optional().describe('The ID of one of them; for lowCredits the kit type.'),
})
export type Attention = z.infer<typeof Attention>

export const Overview = z
  .object({
    orders: z.object({ total: z.int(), last30Days: z.int(), pending: z.int().describe('Not paid yet.') }),
    kits: z
      .array(z.object({ stage: z.enum([...lifetimeStatuses, ...kitExceptions]), count: z.int() }))
      .describe('Where every kit is now: the nine lifetime statuses in order, then the exceptions.'),
    attention: z.array(Attention).describe('Only what there is any of.'),
    credits: z.array(
      z.object({
        type: z.string().describe('Kit type.'),
        name: z.string(),
        available: z.int(),
        low: z.boolean().describe('Below `lowCreditThreshold` of the settings.'),
      }),
    ),
    days: z
      .array(
        z.object({
          date: z.iso.date(),
          orders: z.int(),
          reports: z.int().optional().describe('Published first on that day; needs `reports:read`.'),
        }),
      )
      .describe('The last 30 days, UTC, today last.'),
  })
  .meta({ id: 'Overview' })
export type Overview = z.infer<typeof Overview>
