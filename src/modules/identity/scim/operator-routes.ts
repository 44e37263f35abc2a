import { z } from 'zod'
import { defineRoute } from '../../../platform/http/route.ts'
import { connectionParams, EndedScim, ScimToken } from '../sso/schema.ts'
import { createScimToken, endScimToken } from './token.ts'

// The operator's own connections belong to no business.
const side = null
const shared = {
  audience: 'operator',
  tag: 'Operator: staff',
  scope: 'staff',
  path: '/sso-connections/:connectionID/scim-token',
  params: connectionParams,
  errors: ['CONNECTION_NOT_FOUND'],
  needsProof: true,
} as const

export const createOperatorScimToken = defineRoute({
  ...shared,
  method: 'POST',
  summary: 'Make the token with which an identity provider manages the staff (SCIM)',
  effects: ['lets-in'],
  description: 'In place of the one before. It is shown only now.',
  body: z.object({}).optional(),
  answers: { 201: ScimToken },
  handler: async ({ tx, params, access }) => ({
    status: 201,
    body: await createScimToken(tx, side, params.connectionID, access),
  }),
})

export const revokeOperatorScimToken = defineRoute({
  ...shared,
  method: 'DELETE',
  summary: 'End the token with which an identity provider manages the staff',
  effects: [],
  answers: { 200: EndedScim },
  handler: async ({ tx, params }) => {
    await endScimToken(tx, side, params.connectionID)
    return { status: 200, body: { revoked: true as const } }
  },
})
