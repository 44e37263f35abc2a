import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { defaultScopes, type Scope } from '../../domain/scopes.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import type { Access } from '../../platform/http/caller.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import {
  insertToken,
  markTokenRevoked,
  type NewTokenRow,
  selectRealmOfToken,
  selectTokens,
  selectValidToken,
  type TokenInfo,
} from './token-queries.ts'

export type { TokenInfo } from './token-queries.ts'

export interface CreateToken<S extends string = Scope> {
  name: string
  scopes: readonly S[]
  expiresAt?: Date | undefined
}

/** A token's text, and what is kept of it. */
export function drawToken(
  kind: Realm['mode'] | 'operator',
  { name, scopes, expiresAt }: CreateToken<string>,
): { token: string; row: NewTokenRow } {
  const token = newToken(kind)
  const id = newOpaqueId(kind === 'operator' ? 'otk' : 'tok')
  const known = { id, hash: hashToken(token), hint: token.slice(-4), name, scopes: [...scopes] }
  return { token, row: { ...known, expires_at: expiresAt ?? null } }
}

export const noValidToken = (): AppError =>
  new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')

/** Makes a token of a realm. Its text is returned once and kept nowhere. */
export async function createToken(
  tx: SystemTx,
  realm: Realm,
  { scopes = defaultScopes, ...asked }: Omit<CreateToken, 'scopes'> & { scopes?: readonly Scope[] | undefined },
): Promise<{ id: string; token: string }> {
  const { token, row } = drawToken(realm.mode, { ...asked, scopes })
  await insertToken(tx, realm.id, row)
  return { id: row.id, token }
}

/** The tokens of a business, of both modes. */
export const listTokens = (tx: SystemTx, businessId: string): Promise<(TokenInfo & { mode: Realm['mode'] })[]> =>
  selectTokens(tx, businessId)

/** Ends a token; every process forgets it at once. @throws TOKEN_NOT_FOUND */
export async function revokeToken(tx: SystemTx, id: string): Promise<void> {
  if (!(await markTokenRevoked(tx, id))) throw noValidToken()
}

/** The realm of a token. @throws TOKEN_NOT_FOUND */
export async function realmOfToken(tx: SystemTx, tokenId: string): Promise<Realm> {
  const realm = await selectRealmOfToken(tx, tokenId)
  if (!realm) throw new AppError('TOKEN_NOT_FOUND', 'There is no such token')
  return realm
}

/** What a token text stands for now; undefined when it is unknown, revoked or expired. */
export async function lookUp(tx: SystemTx, text: string): Promise<(Access & { expiresAt: Date | null }) | undefined> {
  const token = await selectValidToken(tx, hashToken(text))
  if (!token) return undefined
  const { tokenId, businessId, mode } = token
  return {
    callerId: tokenId,
    actor: `token:${tokenId}`,
    countedAs: tokenId,
    realm: { id: token.realmId, businessId, mode },
    twin: { id: token.twinId, businessId, mode: mode === 'live' ? 'sandbox' : 'live' },
    businessName: token.businessName,
    scopes: new Set(token.scopes),
    rateLimitPerMinute: token.rateLimitPerMinute,
    expiresAt: token.expiresAt,
  }
}
