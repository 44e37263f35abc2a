import { z } from 'zod'
import { accountScope } from '../../../domain/scopes.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { connectionParams, EndedScim, ScimToken } from '../sso/schema.ts'
import { createScimToken as create, endScimToken } from './token.ts'

const shared = {
  audience: 'business',
  tag: 'Users',
  scope: accountScope,
  acrossRealms: true,
  path: '/sso-connections/:connectionID/scim-token',
  params: connectionParams,
  errors: ['CONNECTION_NOT_FOUND'],
  needsProof: true,
} as const

export const createScimToken = defineRoute({
  ...shared,
  method: 'POST',
  summary: 'Make the token with which your identity provider manages users (SCIM)',
  effects: ['lets-in'],
  grants: ['scim'],
  description: 'In place of the one before. It is shown only now.',
  body: z.object({}).optional(),
  answers: { 201: ScimToken },
  handler: async ({ tx, params, access }) => ({
    status: 201,
    body: await create(tx, tx.realm.businessId, params.connectionID, access),
  }),
})

export const revokeScimToken = defineRoute({
  ...shared,
  method: 'DELETE',
  summary: 'End the token with which your identity provider manages users',
  effects: [],
  answers: { 200: EndedScim },
  handler: async ({ tx, params }) => {
    await endScimToken(tx, tx.realm.businessId, params.connectionID)
    return { status: 200, body: { revoked: true as const } }
  },
})
