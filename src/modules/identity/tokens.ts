import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { defaultScopes, type Scope } from '../../domain/scopes.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { AddressList } from '../../platform/http/address-list.ts'
import type { Access } from '../../platform/http/caller.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import {
  insertToken,
  lockToken,
  markReplaced,
  markTokenRevoked,
  type NewTokenRow,
  selectRealmOfToken,
  selectValidToken,
  type TokenInfo,
  type TokenSide,
  updateToken,
} from './token-queries.ts'
import { addressesWithin, expiryWithin, TOKEN_MS, type TokenMaker } from './token-rules.ts'

export type { TokenInfo } from './token-queries.ts'

export interface CreateToken<S extends string = Scope> {
  name: string
  scopes: readonly S[]
  /** Null: never. Undefined: in one year. */
  expiresAt?: Date | null | undefined
  /** The only addresses that it may be used from; null or undefined: any. */
  addresses?: readonly string[] | null | undefined
  /** The support access in which it is made, and with which it ends. */
  supportAccessId?: string | undefined
}

export interface MadeToken {
  id: string
  token: string
  expiresAt: Date | null
}

/** A token's text, and what is kept of it. */
export function drawToken(
  kind: Realm['mode'] | 'operator',
  { name, scopes, addresses, expiresAt }: CreateToken<string>,
  now: Date,
): { made: MadeToken; row: NewTokenRow } {
  const token = newToken(kind)
  const id = newOpaqueId(kind === 'operator' ? 'otk' : 'tok')
  const ends = expiresAt === undefined ? new Date(now.getTime() + TOKEN_MS) : expiresAt
  const known = { id, hash: hashToken(token), hint: token.slice(-4), name, scopes: [...scopes] }
  const row = { ...known, expires_at: ends, addresses: addresses ? [...addresses] : null }
  return { made: { id, token, expiresAt: ends }, row }
}

export const noValidToken = (): AppError =>
  new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')

/** Makes a token of a realm. Its text is returned once and kept nowhere. */
export async function createToken(
  tx: SystemTx,
  realm: Realm,
  {
    scopes = defaultScopes,
    supportAccessId,
    ...request
  }: Omit<CreateToken, 'scopes'> & { scopes?: readonly Scope[] | undefined },
): Promise<MadeToken> {
  const { made, row } = drawToken(realm.mode, { ...request, scopes }, tx.now)
  await insertToken(tx, realm.id, row, supportAccessId ?? null)
  return made
}

export interface Rotation {
  overlapHours: number
  expiresAt: Date | null | undefined
}

export interface RotatedToken extends MadeToken {
  previous: { id: string; endsAt: Date }
}

/**
 * Makes a token in place of one, with the same name, scopes and addresses. The old one stays valid for the overlap, and
 * never for longer than it was. @throws TOKEN_NOT_FOUND, TOKEN_REPLACED, FORBIDDEN
 */
export async function replaceToken(
  tx: SystemTx,
  side: TokenSide,
  old: TokenInfo,
  { overlapHours, expiresAt }: Rotation,
  maker: TokenMaker,
  insert: (request: CreateToken<string>) => Promise<MadeToken>,
): Promise<RotatedToken> {
  if (old.replacedBy !== null) throw new AppError('TOKEN_REPLACED', `This token was replaced by ${old.replacedBy}`)
  const made = await insert({
    name: old.name,
    scopes: old.scopes,
    expiresAt: expiryWithin(maker, expiresAt, tx.now),
    addresses: addressesWithin(maker, old.addresses),
  })
  const overlapEnds = new Date(tx.now.getTime() + overlapHours * 3600_000)
  const endsAt = old.expiresDate && old.expiresDate < overlapEnds ? old.expiresDate : overlapEnds
  await markReplaced(tx, side, { id: old.id, by: made.id, endsAt })
  return { ...made, previous: { id: old.id, endsAt } }
}

/** A token of a realm that is still valid, locked. @throws TOKEN_NOT_FOUND */
export async function lockOwnToken(tx: SystemTx, realm: Realm, id: string): Promise<TokenInfo> {
  const own = (await selectRealmOfToken(tx, id))?.id === realm.id
  const token = own ? await lockToken(tx, 'business', id) : undefined
  if (!token) throw noValidToken()
  return token
}

/** Gives a token of a realm a new secret. @throws TOKEN_NOT_FOUND, TOKEN_REPLACED, FORBIDDEN */
export const rotateToken = (
  tx: SystemTx,
  realm: Realm,
  old: TokenInfo,
  rotation: Rotation,
  maker: TokenMaker = { endsAt: null },
): Promise<RotatedToken> =>
  replaceToken(tx, 'business', old, rotation, maker, (request) =>
    createToken(tx, realm, { ...request, scopes: request.scopes as Scope[] }),
  )

export interface TokenChange {
  name?: string | undefined
  /** Null: any. Undefined: unchanged. */
  addresses?: readonly string[] | null | undefined
}

/** Changes the name of a token, or where it may be used from; every process heeds it at once. @throws FORBIDDEN */
export async function changeToken(
  tx: SystemTx,
  side: TokenSide,
  old: TokenInfo,
  { name = old.name, addresses }: TokenChange,
  maker: TokenMaker = { endsAt: null },
): Promise<TokenInfo> {
  const next = addresses === undefined ? old.addresses : addressesWithin(maker, addresses)
  await updateToken(tx, side, old.id, { name, addresses: next })
  return { ...old, name, addresses: next }
}

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
  const { tokenId, businessId, mode, addresses, supportAccessId, expiresAt } = token
  return {
    callerId: tokenId,
    actor: `token:${tokenId}`,
    countedAs: tokenId,
    realm: { id: token.realmId, businessId, mode },
    twin: { id: token.twinId, businessId, mode: mode === 'live' ? 'sandbox' : 'live' },
    businessName: token.businessName,
    scopes: new Set(token.scopes),
    rateLimitPerMinute: token.rateLimitPerMinute,
    ...(addresses && { addresses: new AddressList(addresses) }),
    ...(supportAccessId !== null && expiresAt && { support: { id: supportAccessId, endsAt: expiresAt } }),
    expiresAt,
  }
}
