import type { OperatorScope } from '../../domain/scopes.ts'
import type { Database, SystemTx } from '../../platform/database/tx.ts'
import { AddressList } from '../../platform/http/address-list.ts'
import type { AuthenticateOperator } from '../../platform/http/caller.ts'
import { hashToken, parseToken } from '../../platform/tokens.ts'
import * as tokenQueries from './token-queries.ts'
import type { TokenMaker } from './token-rules.ts'
import * as tokens from './tokens.ts'

/** Makes a token for a machine or a member of staff of the operator. Its text is returned once and kept nowhere. */
export async function createOperatorToken(
  tx: SystemTx,
  request: tokens.CreateToken<OperatorScope>,
  madeBy: string | null = null,
): Promise<tokens.MadeToken> {
  const { made, row } = tokens.drawToken('operator', request, tx.now)
  await tokenQueries.insertOperatorToken(tx, row, madeBy)
  return made
}

/** A token of the operator that is still valid, locked. @throws TOKEN_NOT_FOUND */
export async function lockOperatorToken(
  tx: SystemTx,
  id: string,
): Promise<tokenQueries.TokenInfo & { scopes: OperatorScope[] }> {
  const token = await tokenQueries.lockToken(tx, 'operator', id)
  if (!token) throw tokens.noValidToken()
  return { ...token, scopes: token.scopes as OperatorScope[] }
}

/** Gives a token of the operator a new secret. @throws TOKEN_REPLACED, FORBIDDEN */
export const rotateOperatorToken = (
  tx: SystemTx,
  old: tokenQueries.TokenInfo,
  rotation: tokens.Rotation,
  maker: TokenMaker = { endsAt: null },
  madeBy: string | null = null,
): Promise<tokens.RotatedToken> =>
  tokens.replaceToken(tx, 'operator', old, rotation, maker, (request) =>
    createOperatorToken(tx, { ...request, scopes: request.scopes as OperatorScope[] }, madeBy),
  )

/** Ends a token at once. @throws TOKEN_NOT_FOUND */
export async function revokeOperatorToken(tx: SystemTx, id: string): Promise<void> {
  if (!(await tokenQueries.markOperatorTokenRevoked(tx, id))) throw tokens.noValidToken()
}

/** Looks up every token without a cache: the operator's calls are few, and a revocation takes effect at once. */
export function operatorAuthenticator(database: Database): AuthenticateOperator {
  return async (text) => {
    if (parseToken(text)?.kind !== 'operator') return undefined
    const token = await database.asSystem({ name: 'system' }, (tx) =>
      tokenQueries.selectValidOperatorToken(tx, hashToken(text)),
    )
    if (!token) return undefined
    const { id, scopes, expiresAt, addresses, madeBy } = token
    return {
      callerId: id,
      actor: `operator:${id}`,
      countedAs: id,
      expiresAt,
      scopes: new Set(heldWith(scopes)),
      ...(addresses && { addresses: new AddressList(addresses) }),
      ...(madeBy !== null && { madeBy }),
    }
  }
}

/** What a token with these scopes may do. Tokens that got `lab` before `review` and `results` existed can do as much as then. */
export const heldWith = (scopes: readonly OperatorScope[]): readonly OperatorScope[] =>
  scopes.includes('lab') ? [...scopes, 'review', 'results'] : scopes
