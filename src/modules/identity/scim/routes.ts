import { z } from 'zod'
import { accountScope } from '../../../domain/scopes.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { defineRoutes } from '../../../platform/http/route.ts'
import { connectionParams, EndedScim, ScimToken } from '../sso/schema.ts'
import { createScimToken as create, endScimToken } from './token.ts'

const business = { tag: 'Users', scope: accountScope, acrossRealms: true } as const
const operator = { tag: 'Operator: staff', scope: 'staff' } as const
const ofOneConnection = {
  path: '/sso-connections/:connectionID/scim-token',
  params: connectionParams,
  errors: ['CONNECTION_NOT_FOUND'],
  needsProof: true,
} as const

// The operator's own connections belong to no business.
const sideOf = (tx: SystemTx & Partial<Tx>) => tx.realm?.businessId ?? null

export const { business: createScimToken, operator: createOperatorScimToken } = defineRoutes({
  ...ofOneConnection,
  audiences: {
    business: { ...business, grants: ['scim'] },
    operator: { ...operator, summary: 'Make the token with which an identity provider manages the staff (SCIM)' },
  },
  method: 'POST',
  summary: 'Make the token with which your identity provider manages users (SCIM)',
  effects: ['lets-in'],
  description: 'In place of the one before. It is shown only now.',
  body: z.object({}).optional(),
  answers: { 201: ScimToken },
  handler: async ({ tx, params, access }) => ({
    status: 201,
    body: await create(tx, sideOf(tx), params.connectionID, access),
  }),
})

export const { business: revokeScimToken, operator: revokeOperatorScimToken } = defineRoutes({
  ...ofOneConnection,
  audiences: {
    business,
    operator: { ...operator, summary: 'End the token with which an identity provider manages the staff' },
  },
  method: 'DELETE',
  summary: 'End the token with which your identity provider manages users',
  effects: [],
  answers: { 200: EndedScim },
  handler: async ({ tx, params }) => {
    await endScimToken(tx, sideOf(tx), params.connectionID)
    return { status: 200, body: { revoked: true as const } }
  },
})
