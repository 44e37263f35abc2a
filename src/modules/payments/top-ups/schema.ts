import { z } from 'zod'
import { text, timestamp } from '../../../platform/http/fields.ts'

const MAX_CREDITS = 100_000
const MAX_MINOR = 1_000_000_000_000

const below = z.int().min(1).max(MAX_CREDITS)
/** Credits of one purchase. */
export const creditAmount = z.int().min(1).max(MAX_CREDITS)

export const ShownTopUps = z
  .object({
    monthlyCeiling: z.int().optional().describe('What top-ups spend in a month (UTC) at most, in minor units.'),
    spentThisMonth: z.int().describe('Purchases under way included.'),
    topUps: z.array(
      z.object({
        type: z.string().describe('Kit type.'),
        on: z.boolean().describe('Whether credits are bought.'),
        below: z.int().optional().describe('Bought when fewer are left.'),
        amount: z.int().optional().describe('How many are bought.'),
        price: z.int().describe('What one credit costs now, in minor units.'),
        currency: z.string(),
        offReason: z.string().optional().describe('Why it switched itself off.'),
        settling: z.literal(true).optional().describe('A purchase is under way.'),
        retryDate: timestamp.optional().describe('Nothing is bought before.'),
      }),
    ),
  })
  .meta({ id: 'TopUps' })
export type ShownTopUps = z.input<typeof ShownTopUps>

export const TopUpsChange = z.object({
  monthlyCeiling: z.int().min(1).max(MAX_MINOR).nullable().optional().describe('In minor units; null: none.'),
  topUps: z
    .array(
      z.object({
        type: text(50).describe('Kit type.'),
        on: z.boolean().optional().describe('Whether credits are bought.'),
        below: below.optional().describe('Bought when fewer are left.'),
        amount: creditAmount.optional().describe('How many are bought.'),
      }),
    )
    .max(100)
    .optional()
    .describe('By panel.'),
})
export type TopUpsChange = z.output<typeof TopUpsChange>
