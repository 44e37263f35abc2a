import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { allOperatorScopes } from '../../domain/scopes.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { refuseToGive } from './grants.ts'
import * as tokens from './operator-tokens.ts'
import { askedToken, EndedToken, expiryOf, NewToken, OperatorToken, shownToken, tokenParams } from './token-schema.ts'

/** A new token ends no later than the token that makes it. @throws FORBIDDEN */
function withinOwn({ expiresAt: own }: OperatorAccess, asked: Date | undefined): Date | undefined {
  if (own && asked && asked > own) throw new AppError('FORBIDDEN', 'A token cannot make one that ends later than it')
  return asked ?? own ?? undefined
}

const entry = (action: string, objectId: string) => [{ action, objectType: 'token', objectId }]

export const listOperatorTokens = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/tokens',
  tag: 'Operator: staff',
  summary: 'List the tokens of the operator',
  scope: 'staff',
  answers: { 200: z.array(OperatorToken) },
  handler: async ({ tx }) => ({ status: 200, body: (await tokens.listOperatorTokens(tx)).map(shownToken) }),
})

export const createOperatorToken = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/tokens',
  tag: 'Operator: staff',
  summary: 'Make a token of the operator',
  description: 'With scopes that the caller holds. One that a token makes ends when that token ends, or before.',
  scope: 'staff',
  body: askedToken(z.enum(allOperatorScopes)),
  answers: { 201: NewToken },
  handler: async ({ tx, body, access }) => {
    const { name, scopes = allOperatorScopes } = body
    refuseToGive(access, tokens.heldWith(scopes))
    const expiresAt = withinOwn(access, expiryOf(tx.now, body.expiresDate))
    const made = await tokens.createOperatorToken(tx, { name, scopes, expiresAt })
    await audit.recordSystem(tx, entry('token.created', made.id))
    return { status: 201, body: made }
  },
})

export const revokeOperatorToken = defineRoute({
  audience: 'operator',
  method: 'DELETE',
  path: '/tokens/:tokenID',
  tag: 'Operator: staff',
  summary: 'End a token of the operator',
  scope: 'staff',
  params: tokenParams,
  answers: { 200: EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  handler: async ({ tx, params: { tokenID: id } }) => {
    await tokens.revokeOperatorToken(tx, id)
    await audit.recordSystem(tx, entry('token.revoked', id))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
