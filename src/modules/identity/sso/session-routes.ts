import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import { FindSso, FinishSso, Offers, SsoTrial, StartedSso, StartSso } from './schema.ts'
import { findOffer, finishSignIn, finishTrial, startSignIn, startTrial } from './sign-in.ts'

const shared = { audience: 'anyone', method: 'POST', tag: 'Account' } as const

export const findSso = defineRoute({
  ...shared,
  path: '/session/sso/look-up',
  summary: 'See whether an address may sign in at an identity provider',
  effects: [],
  description: 'It depends on the domain alone: the answer is the same whether there is an account or not.',
  body: FindSso,
  answers: { 200: Offers },
  handler: async ({ open, body }) => {
    const offer = await open((tx) => findOffer(tx, body.email))
    const connection = offer && { id: offer.id, name: offer.name, enforced: offer.isEnforced }
    return { status: 200, body: connection ? { connection } : {} }
  },
})

export const startSso = defineRoute({
  ...shared,
  path: '/session/sso',
  summary: 'Begin to sign in at an identity provider',
  effects: [],
  body: StartSso,
  answers: { 200: StartedSso },
  errors: ['CONNECTION_NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'SSO_REFUSED'],
  handler: async ({ open, egress, body }) => ({
    status: 200,
    body: await startSignIn(open, egress, body.connectionID),
  }),
})

export const finishSso = defineRoute({
  ...shared,
  path: '/session/sso/finish',
  summary: 'Sign in with what an identity provider answered',
  effects: ['lets-in'],
  description: 'The answer works once, and only in the browser that asked for it. Sets the cookie of a session.',
  body: FinishSso,
  answers: { 204: z.undefined() },
  errors: ['SSO_FAILED', 'SSO_REFUSED', 'PROVIDER_UNAVAILABLE'],
  handler: async ({ open, egress, body, ...from }) => ({
    status: 204,
    body: undefined,
    cookie: await finishSignIn(open, egress, body, from),
  }),
})

const ofAccount = { audience: 'account', method: 'POST', tag: 'Account', effects: [] } as const

export const startSsoTrial = defineRoute({
  ...ofAccount,
  path: '/session/sso/trial',
  summary: 'Begin to try a single sign-on',
  description: 'For its administrators. The browser goes to the provider as for a sign-in.',
  body: StartSso,
  answers: { 200: StartedSso },
  errors: ['CONNECTION_NOT_FOUND', 'PROVIDER_UNAVAILABLE', 'SECOND_FACTOR_REQUIRED', 'SSO_REFUSED'],
  handler: async ({ open, egress, body, ...trier }) => ({
    status: 200,
    body: await startTrial(open, egress, trier, body.connectionID),
  }),
})

export const finishSsoTrial = defineRoute({
  ...ofAccount,
  path: '/session/sso/trial/finish',
  summary: 'See what a sign-in at an identity provider would do',
  description: 'Signs nobody in and changes nothing. The answer of the provider works once, for who began the trial.',
  body: FinishSso,
  answers: { 200: SsoTrial },
  errors: ['CONNECTION_NOT_FOUND', 'SECOND_FACTOR_REQUIRED', 'SSO_FAILED'],
  handler: async ({ open, egress, body, ...trier }) => ({
    status: 200,
    body: await finishTrial(open, egress, trier, body),
  }),
})
