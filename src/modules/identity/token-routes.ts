import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { accountScope, allScopes, defaultScopes } from '../../domain/scopes.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { refuseToGive } from './grants.ts'
import { askedToken, EndedToken, expiryOf, NewToken, shownToken, Token, tokenParams } from './token-schema.ts'
import * as tokens from './tokens.ts'

const entry = (action: string, objectId: string) => [{ action, objectType: 'token', objectId }]

export const listTokens = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/tokens',
  tag: 'Users',
  summary: 'List the API tokens of the business in this mode',
  scope: accountScope,
  answers: { 200: z.array(Token) },
  acrossRealms: true,
  handler: async ({ tx }) => {
    const all = await tokens.listTokens(tx, tx.realm.businessId)
    return { status: 200, body: all.filter(({ mode }) => mode === tx.realm.mode).map(shownToken) }
  },
})

export const createToken = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/tokens',
  tag: 'Users',
  summary: 'Make an API token of the business in this mode',
  scope: accountScope,
  body: askedToken(z.enum(allScopes)),
  answers: { 201: NewToken },
  secret: true,
  acrossRealms: true,
  handler: async ({ tx, body, access }) => {
    const { name, scopes = defaultScopes } = body
    refuseToGive(access, scopes)
    const made = await tokens.createToken(tx, tx.realm, { name, scopes, expiresAt: expiryOf(tx.now, body.expiresDate) })
    await audit.record(tx, entry('token.created', made.id))
    return { status: 201, body: made }
  },
})

export const revokeToken = defineRoute({
  audience: 'business',
  method: 'DELETE',
  path: '/tokens/:tokenID',
  tag: 'Users',
  summary: 'End an API token',
  description: 'Counts at once.',
  scope: accountScope,
  params: tokenParams,
  answers: { 200: EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  acrossRealms: true,
  handler: async ({ tx, params: { tokenID: id } }) => {
    const own = await tokens.listTokens(tx, tx.realm.businessId)
    if (!own.some((one) => one.id === id && one.mode === tx.realm.mode)) {
      throw new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')
    }
    await tokens.revokeToken(tx, id)
    await audit.record(tx, entry('token.revoked', id))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
