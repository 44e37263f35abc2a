import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { allOperatorScopes, type OperatorAccess, operatorRoute } from '../../platform/http/operator-route.ts'
import * as audit from '../audit/service.ts'
import { refuseToGive } from './grants.ts'
import { createOperatorToken, heldWith, listOperatorTokens, revokeOperatorToken } from './operator-tokens.ts'
import { askedToken, EndedToken, expiryOf, NewToken, OperatorToken, shownToken, tokenParams } from './token-schema.ts'

/** A token that is made ends no later than the one that makes it. @throws FORBIDDEN */
function withinOwn({ expiresAt: own }: OperatorAccess, asked: Date | undefined): Date | undefined {
  if (own && asked && asked > own) throw new AppError('FORBIDDEN', 'A token cannot make one that ends later than it')
  return asked ?? own ?? undefined
}

const entry = (action: string, objectId: string) => [{ action, objectType: 'token', objectId }]

export const listTokens = operatorRoute({
  method: 'GET',
  path: '/tokens',
  id: 'listOperatorTokens',
  tag: 'Operator: staff',
  summary: 'List the tokens of the operator',
  scope: 'staff',
  responses: { 200: z.array(OperatorToken) },
  handler: async ({ tx }) => ({ status: 200, body: (await listOperatorTokens(tx)).map(shownToken) }),
})

export const makeOperatorToken = operatorRoute({
  method: 'POST',
  path: '/tokens',
  id: 'createOperatorToken',
  tag: 'Operator: staff',
  summary: 'Make a token of the operator',
  description: 'With scopes that the caller holds. One that a token makes ends when that token ends, or before.',
  scope: 'staff',
  body: askedToken(z.enum(allOperatorScopes)),
  responses: { 201: NewToken },
  errors: ['VALIDATION_FAILED'],
  handler: async ({ tx, body, access }) => {
    const { name, scopes = allOperatorScopes } = body
    refuseToGive(access, heldWith(scopes))
    const expiresAt = withinOwn(access, expiryOf(tx.now, body.expiresDate))
    const made = await createOperatorToken(tx, { name, scopes, expiresAt })
    await audit.recordSystem(tx, entry('token.created', made.id))
    return { status: 201, body: made }
  },
})

export const endOperatorToken = operatorRoute({
  method: 'DELETE',
  path: '/tokens/:tokenID',
  id: 'revokeOperatorToken',
  tag: 'Operator: staff',
  summary: 'End a token of the operator',
  scope: 'staff',
  params: tokenParams,
  responses: { 200: EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  handler: async ({ tx, params: { tokenID: id } }) => {
    await revokeOperatorToken(tx, id)
    await audit.recordSystem(tx, entry('token.revoked', id))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
