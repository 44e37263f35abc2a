import type { OperatorScope } from '../../domain/scopes.ts'
import type { Database, SystemTx } from '../../platform/database/tx.ts'
import type { AuthenticateOperator } from '../../platform/http/caller.ts'
import { hashToken, parseToken } from '../../platform/tokens.ts'
import {
  insertOperatorToken,
  markOperatorTokenRevoked,
  selectOperatorTokens,
  selectValidOperatorToken,
  type TokenInfo,
} from './token-queries.ts'
import { type CreateToken, drawToken, noValidToken } from './tokens.ts'

/** Makes a token for a machine or a member of staff of the operator. Its text is returned once and kept nowhere. */
export async function createOperatorToken(
  tx: SystemTx,
  asked: CreateToken<OperatorScope>,
): Promise<{ id: string; token: string }> {
  const { token, row } = drawToken('operator', asked)
  await insertOperatorToken(tx, row)
  return { id: row.id, token }
}

export const listOperatorTokens = (tx: SystemTx): Promise<TokenInfo[]> => selectOperatorTokens(tx)

/** Ends a token at once. @throws TOKEN_NOT_FOUND */
export async function revokeOperatorToken(tx: SystemTx, id: string): Promise<void> {
  if (!(await markOperatorTokenRevoked(tx, id))) throw noValidToken()
}

/** Looks up every token without a cache: the operator's calls are few, and a revocation takes effect at once. */
export function operatorAuthenticator(database: Database): AuthenticateOperator {
  return async (text) => {
    if (parseToken(text)?.kind !== 'operator') return undefined
    const token = await database.asSystem({ name: 'system' }, (tx) => selectValidOperatorToken(tx, hashToken(text)))
    if (!token) return undefined
    const { id, scopes, expiresAt } = token
    return { callerId: id, actor: `operator:${id}`, countedAs: id, expiresAt, scopes: new Set(heldWith(scopes)) }
  }
}

/** What a token with these scopes may do. Tokens that got `lab` before `review` existed can still review. */
export const heldWith = (scopes: readonly OperatorScope[]): readonly OperatorScope[] =>
  scopes.includes('lab') ? [...scopes, 'review'] : scopes
