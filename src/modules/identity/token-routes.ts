import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { accountScope, allScopes, defaultScopes } from '../../domain/scopes.ts'
import type { Access } from '../../platform/http/caller.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { refuseToGive } from './grants.ts'
import { selectTokens } from './token-queries.ts'
import { addressesWithin, expiryWithin, type TokenMaker } from './token-rules.ts'
import * as tokenSchema from './token-schema.ts'
import * as tokens from './tokens.ts'

const entry = (action: audit.AuditAction, objectId: string, details?: Record<string, unknown>) => [
  { action, objectType: 'token', objectId, ...(details && { details }) },
]

/** Anyone who is in the business for a limited time makes no token that outlasts it. */
const makerOf = ({ support }: Access): TokenMaker => ({ endsAt: support?.endsAt ?? null })

const shared = { audience: 'business', tag: 'Users', scope: accountScope, acrossRealms: true } as const

export const listTokens = defineRoute({
  ...shared,
  method: 'GET',
  path: '/tokens',
  summary: 'List the API tokens of the business in this mode',
  answers: { 200: z.array(tokenSchema.Token) },
  handler: async ({ tx }) => {
    const all = await selectTokens(tx, tx.realm.businessId)
    return { status: 200, body: all.filter(({ mode }) => mode === tx.realm.mode).map(tokenSchema.shownToken) }
  },
})

export const createToken = defineRoute({
  ...shared,
  method: 'POST',
  path: '/tokens',
  summary: 'Make an API token of the business in this mode',
  effects: ['lets-in'],
  grants: ['token'],
  body: tokenSchema.tokenRequest(z.enum(allScopes)),
  answers: { 201: tokenSchema.NewToken },
  needsProof: true,
  handler: async ({ tx, body, access }) => {
    const { name, scopes = defaultScopes } = body
    refuseToGive(access, scopes)
    const maker = makerOf(access)
    const expiresAt = expiryWithin(maker, tokenSchema.expiryOf(tx.now, body.expiresDate), tx.now)
    const addresses = addressesWithin(maker, body.addresses)
    const supportAccessId = access.support?.id
    const made = await tokens.createToken(tx, tx.realm, { name, scopes, expiresAt, addresses, supportAccessId })
    await audit.record(tx, entry('token.created', made.id))
    return { status: 201, body: tokenSchema.shownNew(made) }
  },
})

export const changeToken = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/tokens/:tokenID',
  summary: 'Change the name of an API token, or where it may be used from',
  effects: ['lets-in'],
  grants: ['tokenTerms'],
  description: 'Counts at once.',
  params: tokenSchema.tokenParams,
  body: tokenSchema.TokenChange,
  answers: { 200: tokenSchema.Token },
  errors: ['TOKEN_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id }, body, access }) => {
    const old = await tokens.lockOwnToken(tx, tx.realm, id)
    refuseToGive(access, old.scopes)
    const changed = await tokens.changeToken(tx, 'business', old, body, makerOf(access))
    await audit.record(tx, entry('token.changed', id, { addresses: changed.addresses }))
    return { status: 200, body: tokenSchema.shownToken(changed) }
  },
})

export const rotateToken = defineRoute({
  ...shared,
  method: 'POST',
  path: '/tokens/:tokenID/rotate',
  summary: 'Give an API token a new secret',
  effects: ['lets-in'],
  grants: ['tokenTerms'],
  description:
    'Makes a token with the same name, scopes and addresses. The old one stays valid for `overlapHours`, so that programs can change over.',
  params: tokenSchema.tokenParams,
  body: tokenSchema.Rotation,
  answers: { 201: tokenSchema.Rotated },
  errors: ['TOKEN_NOT_FOUND', 'TOKEN_REPLACED'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id }, body, access }) => {
    const old = await tokens.lockOwnToken(tx, tx.realm, id)
    refuseToGive(access, old.scopes)
    const rotation = { overlapHours: body.overlapHours, expiresAt: tokenSchema.expiryOf(tx.now, body.expiresDate) }
    const made = await tokens.rotateToken(tx, tx.realm, old, rotation, makerOf(access))
    await audit.record(tx, entry('token.rotated', id, { replacedBy: made.id, overlapHours: body.overlapHours }))
    return { status: 201, body: tokenSchema.shownRotated(made) }
  },
})

export const revokeToken = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/tokens/:tokenID',
  summary: 'End an API token',
  effects: [],
  description: 'Counts at once.',
  params: tokenSchema.tokenParams,
  answers: { 200: tokenSchema.EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id } }) => {
    const own = await selectTokens(tx, tx.realm.businessId)
    const token = own.find((one) => one.id === id && one.mode === tx.realm.mode)
    if (!token) {
      throw new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')
    }
    await tokens.revokeToken(tx, id)
    await audit.record(tx, entry('token.revoked', id, { before: { scopes: token.scopes } }))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
