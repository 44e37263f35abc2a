import { accountScope } from '../../domain/scopes.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { SignInPolicy } from './account-schema.ts'
import { changeSignInPolicy, findSignInPolicy } from './members.ts'

const shared = { audience: 'business', tag: 'Users', scope: accountScope, acrossRealms: true } as const

export const getSignInPolicy = defineRoute({
  ...shared,
  method: 'GET',
  path: '/sign-in-policy',
  summary: 'Get what the business demands of its members when they sign in',
  answers: { 200: SignInPolicy },
  handler: async ({ tx }) => ({ status: 200, body: await findSignInPolicy(tx) }),
})

export const setSignInPolicy = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/sign-in-policy',
  summary: 'Change what the business demands of its members when they sign in',
  effects: ['lets-in'],
  grants: ['signIn'],
  description: 'Counts at the next request of each member, in live and in the sandbox.',
  body: SignInPolicy,
  answers: { 200: SignInPolicy },
  needsProof: true,
  handler: async ({ tx, body }) => ({ status: 200, body: await changeSignInPolicy(tx, body) }),
})
