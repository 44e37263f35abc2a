import { z } from 'zod'
import { text } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { internalKitType } from '../../catalogue/kit-type.ts'
import { creditAmount, ShownTopUps, TopUpsChange } from '../top-ups/schema.ts'
import { changeTopUps, showTopUps } from '../top-ups/settings.ts'
import { buyCredits as buy } from './buy.ts'
import { boughtOf, settlePurchase } from './settle.ts'

const tag = 'Credits'

const Bought = z
  .object({
    paymentID: z.string(),
    type: z.string().describe('Kit type.'),
    amount: z.int().describe('Credits bought.'),
    credits: z.int().describe('The balance after it.'),
    charged: z.int().describe('In minor units.'),
    currency: z.string(),
  })
  .meta({ id: 'BoughtCredits' })

export const buyCredits = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/credits/buy',
  tag,
  summary: 'Buy credits by card',
  description:
    'Charges the attached card, or a saved one by its ID, for credits at the price of their kits, and adds them to the balance. Send an `Idempotency-Key`: a repeated request then buys once.',
  scope: 'payments:write',
  body: z.object({
    type: text(50).describe('Kit type.'),
    amount: creditAmount,
    paymentMethod: text(255).optional().describe('A saved payment method (`pm_…`); without it, the attached one.'),
  }),
  answers: { 201: Bought },
  errors: [
    'KIT_TYPE_NOT_PROVISIONED',
    'PURCHASING_DISABLED',
    'PAYMENT_METHOD_MISSING',
    'PAYMENT_METHOD_NOT_FOUND',
    'PAYMENT_FAILED',
  ],
  handler: async ({ tx, body: { type, amount, paymentMethod: methodId }, idempotencyKey }) => {
    const { paymentId } = await buy(tx, { kitType: internalKitType(type), amount, methodId, idempotencyKey })
    return {
      after: async (ports) => ({ status: 201 as const, body: boughtOf(await settlePurchase(ports, paymentId)) }),
    }
  },
})

export const getTopUps = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/credits/top-up',
  tag,
  summary: 'Get the automatic top-up of credits',
  description: 'One entry for each panel that can be ordered. All are off until they are switched on.',
  scope: 'credits:read',
  answers: { 200: ShownTopUps },
  handler: async ({ tx }) => ({ status: 200, body: await showTopUps(tx) }),
})

export const changeTopUp = defineRoute({
  audience: 'business',
  method: 'PATCH',
  path: '/credits/top-up',
  tag,
  summary: 'Change the automatic top-up of credits',
  description:
    'When fewer than `below` credits of a type are left, `amount` are bought by the attached card at the price of that moment, one purchase at a time. All top-ups of a month together stay below `monthlyCeiling`; credits that somebody buys do not count. A decline is tried again an hour later; after three, the top-up switches itself off and the administrators are told by e-mail. What is not sent stays.',
  scope: 'payments:write',
  body: TopUpsChange,
  answers: { 200: ShownTopUps },
  errors: ['PURCHASING_DISABLED', 'PAYMENT_METHOD_MISSING'],
  handler: async ({ tx, body }) => ({ status: 200, body: await changeTopUps(tx, body) }),
})
