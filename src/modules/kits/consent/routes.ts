import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import { kitParams } from '../schema.ts'
import { ConsentText, CurrentTextQuery, NewConsentText, textParams, WithdrawInput, Withdrawn } from './schema.ts'
import * as texts from './texts.ts'
import { withdrawConsent } from './withdraw.ts'

const tag = 'Consent'

export const listConsentTexts = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/consent-texts',
  tag,
  summary: 'List consent texts, newest first',
  description:
    "Every text that the business and the operator published. A person is shown the business's, or else the operator's.",
  scope: 'settings:read',
  answers: { 200: z.array(ConsentText) },
  handler: async ({ tx }) => ({ status: 200, body: await texts.listTexts(tx) }),
})

export const publishConsentText = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/consent-texts',
  tag,
  summary: 'Publish a consent text',
  effects: ['publishes'],
  description:
    'For everybody who registers from now on, in the mode of the token. A published text never changes: publish another one instead. Each consent names the one that was shown.',
  scope: 'settings:write',
  body: NewConsentText,
  answers: { 201: ConsentText },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, body }) => ({ status: 201, body: await texts.publishText(tx, body) }),
})

export const getCurrentConsentText = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/consent-texts/current',
  tag,
  summary: 'Get the consent text to show now',
  description:
    "The business's text precedes the operator's, the panel's that for all panels. Without one in the language asked for, it is in English or another. Show it unchanged, and send its `id` as `consentVersion`.",
  scope: 'kits:read',
  query: CurrentTextQuery,
  answers: { 200: ConsentText },
  errors: ['PANEL_NOT_FOUND'],
  handler: async ({ tx, query }) => ({ status: 200, body: (await texts.currentText(tx, query)).text }),
})

export const getConsentText = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/consent-texts/:textID',
  tag,
  summary: 'Get a consent text, current or not',
  scope: 'kits:read',
  params: textParams,
  answers: { 200: ConsentText },
  errors: ['CONSENT_TEXT_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await texts.findText(tx, params.textID) }),
})

const reasons = {
  researchEnded: 'The results of this person are not shared for research any more',
  notRegistered: 'The consent was taken back: the kit cannot be registered without a new one',
  stopped: 'The consent was taken back, and the test stopped',
  underWay: 'The consent was taken back: the sample will not be tested when it arrives',
  received: 'The consent was taken back after the sample arrived: the laboratory is notified, and the result is kept',
} as const

export const withdrawConsentForKit = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/kits/:kitID/consent/withdrawal',
  tag,
  summary: 'Take back a consent for the person who gave it',
  effects: [],
  description:
    'For a person who asked you; on their pages they can do it themselves. `testing` stops the test unless the sample has arrived, and ends the sharing too. `research` ends only the sharing, of all of their results. A new consent counts again.',
  scope: 'kits:write',
  params: kitParams,
  body: WithdrawInput,
  answers: { 200: Withdrawn },
  errors: ['KIT_NOT_FOUND', 'NOTHING_TO_WITHDRAW'],
  handler: async ({ tx, params: { kitID }, body }) => {
    const { what, outcome, withdrawnAt } = await withdrawConsent(tx, kitID, body.what)
    return {
      status: 200,
      body: { message: reasons[outcome], kitID, what, outcome, withdrawnAt: withdrawnAt.toISOString() },
    }
  },
})
