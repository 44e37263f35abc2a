import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { db } from '../../platform/database/sql.ts'
import type { Database, SystemTx } from '../../platform/database/tx.ts'
import type { AuthenticateOperator, OperatorScope } from '../../platform/http/operator-route.ts'
import { hashToken, newToken, parseToken } from '../../platform/tokens.ts'

export interface OperatorTokenInfo {
  id: string
  name: string
  /** The last four characters. */
  hint: string
  scopes: string[]
  createdDate: Date
  expiresDate: Date | null
  revokedDate: Date | null
}

/** Makes a token for a machine or a member of staff of the operator. Its text is returned once and kept nowhere. */
export async function createOperatorToken(
  tx: SystemTx,
  { name, scopes, expiresAt }: { name: string; scopes: readonly OperatorScope[]; expiresAt?: Date },
): Promise<{ id: string; token: string }> {
  const token = newToken('operator')
  const id = newOpaqueId('otk')
  const values = { id, hash: hashToken(token), hint: token.slice(-4), name, scopes: [...scopes] }
  await tx.run(
    db.insertInto('operator_tokens').values({ ...values, created_at: tx.now, expires_at: expiresAt ?? null }),
  )
  return { id, token }
}

export function listOperatorTokens(tx: SystemTx): Promise<OperatorTokenInfo[]> {
  return tx.rows(sql<OperatorTokenInfo>`
    select id, name, hint, scopes, created_at as "createdDate", expires_at as "expiresDate", revoked_at as "revokedDate"
    from operator_tokens order by created_at, id`)
}

/** Ends a token at once. @throws TOKEN_NOT_FOUND */
export async function revokeOperatorToken(tx: SystemTx, id: string): Promise<void> {
  const revoked = await tx.run(
    db.updateTable('operator_tokens').set({ revoked_at: tx.now }).where('id', '=', id).where('revoked_at', 'is', null),
  )
  if (revoked === 0) throw new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')
}

/** Looks each token up anew: the operator's calls are few, and a revocation counts at once. */
export function operatorAuthenticator(database: Database): AuthenticateOperator {
  return async (token) => {
    if (parseToken(token)?.kind !== 'operator') return undefined
    const found = await database.asSystem({ name: 'system' }, (tx) =>
      tx.maybeRow(sql<{ id: string; scopes: OperatorScope[]; expiresAt: Date | null }>`
        select id, scopes, expires_at as "expiresAt" from operator_tokens
        where hash = ${hashToken(token)} and revoked_at is null and (expires_at is null or expires_at > ${tx.now})`),
    )
    if (!found) return undefined
    const { id, scopes, expiresAt } = found
    const access = { callerId: id, actor: `operator:${id}`, countedAs: id, expiresAt }
    return { ...access, scopes: new Set(heldWith(scopes)) }
  }
}

/** What a token with these scopes may do. Those that were given `lab` before `review` existed go on reviewing. */
export const heldWith = (scopes: readonly OperatorScope[]): readonly OperatorScope[] =>
  scopes.includes('lab') ? [...scopes, 'review'] : scopes
