import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { defaultScopes, type Scope } from '../../domain/scopes.ts'
import { db } from '../../platform/database/sql.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import type { Access } from '../../platform/http/route.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'

export interface CreateToken {
  name: string
  scopes?: readonly Scope[]
  expiresAt?: Date
}

export interface TokenInfo {
  id: string
  name: string
  mode: Realm['mode']
  /** The last four characters. */
  hint: string
  scopes: string[]
  createdDate: Date
  expiresDate: Date | null
  revokedDate: Date | null
}

/** Makes a token of a realm. Its text is returned once and kept nowhere. */
export async function createToken(
  tx: SystemTx,
  realm: Realm,
  { name, scopes = defaultScopes, expiresAt }: CreateToken,
): Promise<{ id: string; token: string }> {
  const token = newToken(realm.mode)
  const id = newOpaqueId('tok')
  await tx.run(
    db.insertInto('tokens').values({
      realm_id: realm.id,
      id,
      hash: hashToken(token),
      hint: token.slice(-4),
      name,
      scopes: [...scopes],
      created_at: tx.now,
      expires_at: expiresAt ?? null,
    }),
  )
  return { id, token }
}

export function listTokens(tx: SystemTx, businessId: string): Promise<TokenInfo[]> {
  return tx.rows(sql<TokenInfo>`
    select t.id, t.name, r.mode, t.hint, t.scopes, t.created_at as "createdDate",
           t.expires_at as "expiresDate", t.revoked_at as "revokedDate"
    from tokens t join realms r on r.id = t.realm_id
    where r.business_id = ${businessId} order by t.created_at, t.id`)
}

/** Ends a token; every process forgets it at once. @throws TOKEN_NOT_FOUND */
export async function revokeToken(tx: SystemTx, id: string): Promise<void> {
  const revoked = await tx.run(
    db.updateTable('tokens').set({ revoked_at: tx.now }).where('id', '=', id).where('revoked_at', 'is', null),
  )
  if (revoked === 0) throw new AppError('TOKEN_NOT_FOUND', 'There is no such token that is still valid')
}

interface AccessRow {
  tokenId: string
  scopes: Scope[]
  realmId: number
  mode: Realm['mode']
  businessId: string
  businessName: string
  twinId: number
  rateLimitPerMinute: number
  expiresAt: Date | null
}

/** What a token text stands for now; undefined when it is unknown, revoked or expired. */
export async function lookUp(tx: SystemTx, token: string): Promise<(Access & { expiresAt: Date | null }) | undefined> {
  const row = await tx.maybeRow(sql<AccessRow>`
    select t.id as "tokenId", t.scopes, r.id as "realmId", r.mode, b.id as "businessId", b.name as "businessName",
           w.id as "twinId", r.rate_limit_per_minute as "rateLimitPerMinute", t.expires_at as "expiresAt"
    from tokens t
    join realms r on r.id = t.realm_id
    join realms w on w.business_id = r.business_id and w.mode <> r.mode
    join businesses b on b.id = r.business_id
    where t.hash = ${hashToken(token)} and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${tx.now})`)
  if (!row) return undefined
  return {
    callerId: row.tokenId,
    actor: `token:${row.tokenId}`,
    countedAs: row.tokenId,
    realm: { id: row.realmId, businessId: row.businessId, mode: row.mode },
    twin: { id: row.twinId, businessId: row.businessId, mode: row.mode === 'live' ? 'sandbox' : 'live' },
    businessName: row.businessName,
    scopes: new Set(row.scopes),
    rateLimitPerMinute: row.rateLimitPerMinute,
    expiresAt: row.expiresAt,
  }
}
