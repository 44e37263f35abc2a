import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { accountScope, allScopes, defaultScopes } from '../../domain/scopes.ts'
import { adminRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { refuseToGive } from './grants.ts'
import { askedToken, EndedToken, expiryOf, NewToken, shownToken, Token, tokenParams } from './token-schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

const entry = (action: string, objectId: string) => [{ action, objectType: 'token', objectId }]

export const listTheTokens = adminRoute({
  method: 'GET',
  path: '/tokens',
  id: 'listTokens',
  tag: 'Users',
  summary: 'List the API tokens of the business in this mode',
  scope: accountScope,
  responses: { 200: z.array(Token) },
  handler: async ({ tx }) => {
    const tokens = await listTokens(tx, tx.realm.businessId)
    return { status: 200, body: tokens.filter(({ mode }) => mode === tx.realm.mode).map(shownToken) }
  },
})

export const makeToken = adminRoute({
  method: 'POST',
  path: '/tokens',
  id: 'createToken',
  tag: 'Users',
  summary: 'Make an API token of the business in this mode',
  scope: accountScope,
  body: askedToken(z.enum(allScopes)),
  responses: { 201: NewToken },
  errors: ['VALIDATION_FAILED'],
  secret: true,
  handler: async ({ tx, body, access }) => {
    const { name, scopes = defaultScopes } = body
    refuseToGive(access, scopes)
    const made = await createToken(tx, tx.realm, { name, scopes, expiresAt: expiryOf(tx.now, body.expiresDate) })
    await audit.record(tx, entry('token.created', made.id))
    return { status: 201, body: made }
  },
})

export const endToken = adminRoute({
  method: 'DELETE',
  path: '/tokens/:tokenID',
  id: 'revokeToken',
  tag: 'Users',
  summary: 'End an API token',
  description: 'Counts at once.',
  scope: accountScope,
  params: tokenParams,
  responses: { 200: EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  handler: async ({ tx, params: { tokenID: id } }) => {
    const own = await listTokens(tx, tx.realm.businessId)
    if (!own.some((one) => one.id === id && one.mode === tx.realm.mode)) {
      throw new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')
    }
    await revokeToken(tx, id)
    await audit.record(tx, entry('token.revoked', id))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
