import { z } from 'zod'
import { text, timestamp } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { startCardSession } from './cards/sessions.ts'
import { attachMethod, detachMethod, listMethods, toAnswer } from './methods.ts'

const tag = 'Payment methods'

const Method = z
  .object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    attached: z.boolean().describe('Whether it is the one that orders by card are charged to.'),
  })
  .meta({ id: 'PaymentMethod' })

export const listPaymentMethods = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/payment-methods',
  tag,
  summary: 'List saved payment methods',
  scope: 'payments:read',
  answers: { 200: z.array(Method) },
  handler: async ({ tx }) => ({ status: 200, body: (await listMethods(tx)).map(toAnswer) }),
})

export const attachPaymentMethod = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/payment-methods',
  tag,
  summary: 'Attach a payment method',
  effects: ['spends'],
  grants: ['card'],
  description:
    'Saves a payment method of the gateway by its ID (`pm_…`), which orders by card are charged to. In the sandbox: `pm_card_visa`, `pm_card_declined`, `pm_card_authentication_required`, `pm_card_slow`, `pm_card_lost_reply`.',
  scope: 'payments:write',
  body: z.object({ id: text(255) }),
  answers: { 201: Method },
  errors: ['PAYMENT_FAILED', 'PROVIDER_UNAVAILABLE'],
  handler: async ({ access, body }) => ({
    after: async (ports) => ({
      status: 201 as const,
      body: toAnswer(await attachMethod(ports, body.id, access.businessName)),
    }),
  }),
})

export const addCard = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/payment-methods/sessions',
  tag,
  summary: 'Begin to add a card',
  effects: ['spends'],
  grants: ['card'],
  description:
    "Answers with the address of a page that works once, for half an hour: a card is entered there in the payment provider's own fields, and attached.",
  scope: 'payments:write',
  answers: { 201: z.object({ url: z.string(), expiresDate: timestamp }) },
  errors: ['FEATURE_NOT_ENABLED', 'PROVIDER_UNAVAILABLE'],
  handler: async ({ access }) => ({
    after: async (ports) => {
      const { url, expiresAt } = await startCardSession(ports, access.businessName)
      return { status: 201 as const, body: { url, expiresDate: expiresAt.toISOString() } }
    },
  }),
})

export const detachPaymentMethod = defineRoute({
  audience: 'business',
  method: 'DELETE',
  path: '/payment-methods/:id',
  tag,
  summary: 'Remove a payment method',
  effects: ['deletes'],
  scope: 'payments:write',
  params: z.object({ id: text(255) }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['PAYMENT_METHOD_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    await detachMethod(tx, params.id)
    return { status: 200, body: { message: 'The payment method was removed' } }
  },
})
