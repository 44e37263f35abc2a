import { z } from 'zod'
import { anyText } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { ConsentText, NewConsentText, UnconfirmedWithdrawal } from './schema.ts'
import { listDefaultTexts, publishDefaultText } from './texts.ts'
import { confirmWithdrawal, listUnconfirmed } from './withdraw.ts'

export const listDefaultConsentTexts = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/consent-texts',
  tag: 'Operator: businesses',
  summary: "List the operator's consent texts, newest first",
  description: 'They are shown to the people of businesses that published none of their own.',
  scope: 'businesses',
  answers: { 200: z.array(ConsentText) },
  handler: async ({ tx }) => ({ status: 200, body: await listDefaultTexts(tx) }),
})

export const publishDefaultConsentText = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/consent-texts',
  tag: 'Operator: businesses',
  summary: "Publish the operator's consent text",
  effects: ['publishes'],
  description: 'For everybody who registers from now on. A published text never changes: publish another one instead.',
  scope: 'businesses',
  body: NewConsentText,
  answers: { 201: ConsentText },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, body }) => ({ status: 201, body: await publishDefaultText(tx, body) }),
})

export const listConsentWithdrawals = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/lab/consent-withdrawals',
  tag: 'Operator: laboratory',
  summary: 'List withdrawn consents that the laboratory has to know of, oldest first',
  description:
    'Of live kits whose sample is under way or has arrived, until somebody confirms that the laboratory knows.',
  scope: 'lab',
  answers: { 200: z.array(UnconfirmedWithdrawal) },
  accesses: { lists: 'kit', ids: (withdrawals) => withdrawals.map(({ kitID }) => kitID) },
  handler: async ({ tx }) => ({ status: 200, body: await listUnconfirmed(tx) }),
})

export const confirmConsentWithdrawal = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/consent-withdrawals/:withdrawalID/confirmation',
  tag: 'Operator: laboratory',
  summary: 'Confirm that the laboratory knows of a withdrawn consent',
  effects: [],
  scope: 'lab',
  params: z.object({ withdrawalID: anyText(64) }),
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['WITHDRAWAL_NOT_FOUND'],
  handler: async ({ tx, params }) => {
    await confirmWithdrawal(tx, params.withdrawalID)
    return { status: 200, body: { message: 'The laboratory knows of it' } }
  },
})
