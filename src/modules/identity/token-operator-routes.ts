import { z } from 'zod'
import { allOperatorScopes } from '../../domain/scopes.ts'
import type { OperatorAccess } from '../../platform/http/caller.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as audit from '../audit/service.ts'
import { personOf, refuseToGive } from './grants.ts'
import * as tokens from './operator-tokens.ts'
import { selectOperatorTokens } from './token-queries.ts'
import { addressesWithin, expiryWithin, type TokenMaker } from './token-rules.ts'
import * as tokenSchema from './token-schema.ts'
import { changeToken } from './tokens.ts'

/** A new token ends no later than the token that makes it, and is bound to its addresses. */
const makerOf = ({ expiresAt, addresses }: OperatorAccess): TokenMaker => ({ endsAt: expiresAt, addresses })

const entry = (action: audit.AuditAction, objectId: string, details?: Record<string, unknown>) => [
  { action, objectType: 'token', objectId, ...(details && { details }) },
]

const shared = { audience: 'operator', tag: 'Operator: staff', scope: 'staff' } as const

export const listOperatorTokens = defineRoute({
  ...shared,
  method: 'GET',
  path: '/tokens',
  summary: 'List the tokens of the operator',
  answers: { 200: z.array(tokenSchema.OperatorToken) },
  handler: async ({ tx }) => ({ status: 200, body: (await selectOperatorTokens(tx)).map(tokenSchema.shownToken) }),
})

export const createOperatorToken = defineRoute({
  ...shared,
  method: 'POST',
  path: '/tokens',
  summary: 'Make a token of the operator',
  effects: ['lets-in'],
  description:
    'With scopes that the caller holds. One that a token makes ends when that token ends, or before, and is bound to the same addresses.',
  body: tokenSchema.tokenRequest(z.enum(allOperatorScopes)),
  answers: { 201: tokenSchema.NewToken },
  needsProof: true,
  handler: async ({ tx, body, access }) => {
    const { name, scopes = allOperatorScopes } = body
    refuseToGive(access, tokens.heldWith(scopes))
    const expiresAt = expiryWithin(makerOf(access), tokenSchema.expiryOf(tx.now, body.expiresDate), tx.now)
    const addresses = addressesWithin(makerOf(access), body.addresses)
    const made = await tokens.createOperatorToken(tx, { name, scopes, expiresAt, addresses }, personOf(access))
    await audit.recordSystem(tx, entry('token.created', made.id))
    return { status: 201, body: tokenSchema.shownNew(made) }
  },
})

export const changeOperatorToken = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/tokens/:tokenID',
  summary: 'Change the name of a token of the operator, or where it may be used from',
  effects: ['lets-in'],
  description: 'Counts at once. The caller holds all scopes of the token.',
  params: tokenSchema.tokenParams,
  body: tokenSchema.TokenChange,
  answers: { 200: tokenSchema.OperatorToken },
  errors: ['TOKEN_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id }, body, access }) => {
    const old = await tokens.lockOperatorToken(tx, id)
    refuseToGive(access, tokens.heldWith(old.scopes))
    const changed = await changeToken(tx, 'operator', old, body, makerOf(access))
    await audit.recordSystem(tx, entry('token.changed', id, { addresses: changed.addresses }))
    return { status: 200, body: tokenSchema.shownToken(changed) }
  },
})

export const rotateOperatorToken = defineRoute({
  ...shared,
  method: 'POST',
  path: '/tokens/:tokenID/rotate',
  summary: 'Give a token of the operator a new secret',
  effects: ['lets-in'],
  description:
    'Makes a token with the same name, scopes and addresses. The old one stays valid for `overlapHours`, so that programs can change over. The caller holds all scopes of the token.',
  params: tokenSchema.tokenParams,
  body: tokenSchema.Rotation,
  answers: { 201: tokenSchema.Rotated },
  errors: ['TOKEN_NOT_FOUND', 'TOKEN_REPLACED'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id }, body, access }) => {
    const old = await tokens.lockOperatorToken(tx, id)
    refuseToGive(access, tokens.heldWith(old.scopes))
    const rotation = { overlapHours: body.overlapHours, expiresAt: tokenSchema.expiryOf(tx.now, body.expiresDate) }
    const made = await tokens.rotateOperatorToken(tx, old, rotation, makerOf(access), personOf(access))
    await audit.recordSystem(tx, entry('token.rotated', id, { replacedBy: made.id, overlapHours: body.overlapHours }))
    return { status: 201, body: tokenSchema.shownRotated(made) }
  },
})

export const revokeOperatorToken = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/tokens/:tokenID',
  summary: 'End a token of the operator',
  effects: [],
  params: tokenSchema.tokenParams,
  answers: { 200: tokenSchema.EndedToken },
  errors: ['TOKEN_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params: { tokenID: id } }) => {
    await tokens.revokeOperatorToken(tx, id)
    await audit.recordSystem(tx, entry('token.revoked', id))
    return { status: 200, body: { id, revoked: true as const } }
  },
})
