import { accountScope } from '../../domain/scopes.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { SignInPolicy } from './account-schema.ts'
import { changeSignInPolicy, findSignInPolicy } from './sign-in-policy.ts'

const tag = 'Users'

export const getSignInPolicy = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/sign-in-policy',
  tag,
  summary: 'Get what the business demands of its members when they sign in',
  scope: accountScope,
  answers: { 200: SignInPolicy },
  acrossRealms: true,
  handler: async ({ tx }) => ({ status: 200, body: await findSignInPolicy(tx) }),
})

export const setSignInPolicy = defineRoute({
  audience: 'business',
  method: 'PATCH',
  path: '/sign-in-policy',
  tag,
  summary: 'Change what the business demands of its members when they sign in',
  effects: ['lets-in'],
  grants: ['signIn'],
  description: 'Counts at the next request of each member, in live and in the sandbox.',
  scope: accountScope,
  body: SignInPolicy,
  answers: { 200: SignInPolicy },
  acrossRealms: true,
  needsProof: true,
  handler: async ({ tx, body }) => ({ status: 200, body: await changeSignInPolicy(tx, body) }),
})
