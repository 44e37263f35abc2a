import { z } from 'zod'
import { text } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { internalKitType } from '../../catalogue/kit-type.ts'
import { creditAmount, ShownTopUps, TopUpsChange } from '../top-ups/schema.ts'
import { changeTopUps, showTopUps } from '../top-ups/start.ts'
import { buyCredits as buy } from './buy.ts'
import { boughtOf, settlePurchase } from './settle.ts'

const tag = 'Credits'

const Bought = z.object({
  paymentID: z.string(),
  credits: z.int().describe('The balance after it.'),
})

export const buyCredits = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/credits/buy',
  tag,
  summary: 'Buy credits by card',
  effects: ['spends'],
  description: 'At the price of their kits.',
  scope: 'payments:write',
  body: z.object({
    type: text(50).describe('Kit type.'),
    amount: creditAmount,
    paymentMethod: text(255).optional().describe('Default: the attached one.'),
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
  effects: ['spends'],
  grants: ['topUp'],
  description:
    'When fewer than `below` credits of a type are left, `amount` are bought by the attached card, one purchase at a time. After three declines a top-up is off. What is not sent stays.',
  scope: 'payments:write',
  body: TopUpsChange,
  answers: { 200: ShownTopUps },
  errors: ['PURCHASING_DISABLED', 'PAYMENT_METHOD_MISSING'],
  handler: async ({ tx, body }) => ({ status: 200, body: await changeTopUps(tx, body) }),
})
