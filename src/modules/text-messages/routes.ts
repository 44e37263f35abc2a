import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as customers from '../customers/service.ts'
import { TextConsent, TextConsentInput } from './schema.ts'
import { consentOf, end, keepConsent } from './service.ts'

const path = '/customers/:id/text-consent'
const params = z.object({ id: anyText(128) })

const shared = { audience: 'business', tag: 'Reminders', params } as const

export const getTextConsent = defineRoute({
  ...shared,
  method: 'GET',
  path,
  summary: 'Get the consent to text messages',
  scope: 'customers:read',
  answers: { 200: TextConsent },
  errors: ['CUSTOMER_NOT_FOUND', 'TEXT_CONSENT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params }) => ({ status: 200, body: await consentOf(tx, params.id) }),
})

export const keepTextConsent = defineRoute({
  ...shared,
  method: 'POST',
  path,
  summary: 'Keep a consent to text messages',
  effects: ['changes-who-is-told'],
  description:
    'For people who agreed elsewhere. On their page they can agree and stop. A text message confirms it: a number gets at most three a day. Only the person can begin text messages again that they stopped.',
  scope: 'customers:write',
  body: TextConsentInput,
  answers: { 200: TextConsent },
  errors: ['CUSTOMER_NOT_FOUND', 'TEXT_MESSAGES_STOPPED'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params, body }) => ({ status: 200, body: await keepConsent(tx, params.id, body) }),
})

export const endTextConsent = defineRoute({
  ...shared,
  method: 'DELETE',
  path,
  summary: 'End the consent to text messages',
  effects: ['changes-who-is-told'],
  scope: 'customers:write',
  answers: { 200: TextConsent },
  errors: ['CUSTOMER_NOT_FOUND', 'TEXT_CONSENT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  async handler({ tx, params }) {
    const { id } = await customers.find(tx, params.id)
    await end(tx, id, 'business')
    return { status: 200, body: await consentOf(tx, params.id) }
  },
})
