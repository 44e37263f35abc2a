import { sql } from 'kysely'
import type { OperatorScope, Scope } from '../../domain/scopes.ts'
import { db } from '../../platform/database/sql.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { isUnderWay } from './support-access-queries.ts'

// Tokens of businesses are rows of a realm, those of the operator rows of none: two tables with the same columns.

export interface NewTokenRow {
  id: string
  hash: Buffer
  hint: string
  name: string
  scopes: string[]
  expires_at: Date | null
  addresses: string[] | null
}

export interface TokenInfo {
  id: string
  name: string
  /** The last four characters. */
  hint: string
  scopes: string[]
  createdDate: Date
  expiresDate: Date | null
  revokedDate: Date | null
  /** Exact to a minute. */
  lastUsedDate: Date | null
  /** Null: from anywhere. */
  addresses: string[] | null
  /** The token that a rotation made of it. */
  replacedBy: string | null
}

const columns = sql`
  t.id, t.name, t.hint, t.scopes, t.created_at as "createdDate", t.expires_at as "expiresDate", t.revoked_at as "revokedDate",
  (select u.used_at from token_uses u where u.token_id = t.id) as "lastUsedDate", t.addresses, t.replaced_by as "replacedBy"`

/** A token `t` that is neither revoked nor expired. */
const isValid = (now: Date) => sql`t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now})`

/** `supportAccessId`: the access in which it was made, and with which it ends. */
export async function insertToken(
  tx: SystemTx,
  realmId: number,
  row: NewTokenRow,
  supportAccessId: string | null,
): Promise<void> {
  const made = { ...row, realm_id: realmId, created_at: tx.now, support_access_id: supportAccessId }
  await tx.run(db.insertInto('tokens').values(made))
}

export async function insertOperatorToken(tx: SystemTx, row: NewTokenRow, madeBy: string | null): Promise<void> {
  await tx.run(db.insertInto('operator_tokens').values({ ...row, created_at: tx.now, made_by: madeBy }))
}

export const selectTokens = (tx: SystemTx, businessId: string): Promise<(TokenInfo & { mode: Realm['mode'] })[]> =>
  tx.rows(sql<TokenInfo & { mode: Realm['mode'] }>`
    select ${columns}, r.mode from tokens t join realms r on r.id = t.realm_id
    where r.business_id = ${businessId} order by t.created_at, t.id`)

export const selectOperatorTokens = (tx: SystemTx): Promise<TokenInfo[]> =>
  tx.rows(sql<TokenInfo>`select ${columns} from operator_tokens t order by t.created_at, t.id`)

const tableOf = { business: sql.table('tokens'), operator: sql.table('operator_tokens') }
/** Whose token it is. */
export type TokenSide = keyof typeof tableOf

/** A valid token, locked. */
export const lockToken = (tx: SystemTx, side: TokenSide, id: string): Promise<TokenInfo | undefined> =>
  tx.maybeRow(
    sql<TokenInfo>`select ${columns} from ${tableOf[side]} t where t.id = ${id} and ${isValid(tx.now)} for update of t`,
  )

/** Notes which token replaced one, and when the replaced one ends. */
export async function markReplaced(
  tx: SystemTx,
  side: TokenSide,
  { id, by, endsAt }: { id: string; by: string; endsAt: Date },
): Promise<void> {
  await tx.run(sql`update ${tableOf[side]} set replaced_by = ${by}, expires_at = ${endsAt} where id = ${id}`)
}

export async function updateToken(
  tx: SystemTx,
  side: TokenSide,
  id: string,
  { name, addresses }: { name: string; addresses: string[] | null },
): Promise<void> {
  await tx.run(sql`update ${tableOf[side]} set name = ${name}, addresses = ${addresses} where id = ${id}`)
}

/** Revokes the tokens that were made in a support access, and returns those that were valid until now. */
export const revokeTokensMadeIn = (
  tx: SystemTx,
  supportAccessId: string,
): Promise<{ id: string; mode: Realm['mode'] }[]> =>
  tx.rows(sql<{ id: string; mode: Realm['mode'] }>`
    update tokens t set revoked_at = ${tx.now} from realms r
    where r.id = t.realm_id and t.support_access_id = ${supportAccessId} and t.revoked_at is null
    returning t.id, r.mode`)

export const selectTokensMadeIn = (
  tx: SystemTx,
  supportAccessId: string,
): Promise<{ id: string; isValid: boolean }[]> =>
  tx.rows(sql<{ id: string; isValid: boolean }>`
    select t.id, ${isValid(tx.now)} as "isValid" from tokens t where t.support_access_id = ${supportAccessId}`)

/** True when the token was valid until now. */
export async function markTokenRevoked(tx: SystemTx, id: string): Promise<boolean> {
  const revoked = await tx.run(sql`update tokens set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`)
  return revoked === 1
}

/** True when the token was valid until now. */
export async function markOperatorTokenRevoked(tx: SystemTx, id: string): Promise<boolean> {
  const revoked = await tx.run(
    sql`update operator_tokens set revoked_at = ${tx.now} where id = ${id} and revoked_at is null`,
  )
  return revoked === 1
}

export interface ValidToken {
  tokenId: string
  scopes: Scope[]
  realmId: number
  mode: Realm['mode']
  businessId: string
  businessName: string
  twinId: number
  rateLimitPerMinute: number
  expiresAt: Date | null
  addresses: string[] | null
  /** The support access in which it was made. */
  supportAccessId: string | null
}

/** A valid token with its realm, by the hash of its text. */
export const selectValidToken = (tx: SystemTx, hash: Buffer): Promise<ValidToken | undefined> =>
  tx.maybeRow(sql<ValidToken>`
    select t.id as "tokenId", t.scopes, r.id as "realmId", r.mode, b.id as "businessId", b.name as "businessName",
           w.id as "twinId", r.rate_limit_per_minute as "rateLimitPerMinute", t.expires_at as "expiresAt",
           t.addresses, t.support_access_id as "supportAccessId"
    from tokens t
    join realms r on r.id = t.realm_id
    join realms w on w.business_id = r.business_id and w.mode <> r.mode
    join businesses b on b.id = r.business_id
    where t.hash = ${hash} and ${isValid(tx.now)}
      and (t.support_access_id is null or ${isUnderWay(sql`t.support_access_id`, tx.now)})`)

export interface ValidOperatorToken {
  id: string
  scopes: OperatorScope[]
  expiresAt: Date | null
  addresses: string[] | null
  madeBy: string | null
}

export const selectValidOperatorToken = (tx: SystemTx, hash: Buffer): Promise<ValidOperatorToken | undefined> =>
  tx.maybeRow(sql<ValidOperatorToken>`
    select t.id, t.scopes, t.expires_at as "expiresAt", t.addresses, t.made_by as "madeBy" from operator_tokens t
    where t.hash = ${hash} and ${isValid(tx.now)}`)

export const selectRealmOfToken = (tx: SystemTx, tokenId: string): Promise<Realm | undefined> =>
  tx.maybeRow(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from tokens t join realms r on r.id = t.realm_id where t.id = ${tokenId}`)

/** When tokens were last used. A time within a minute of the one that is there is not written: others may have noted it. */
export async function putTokenUses(tx: SystemTx, uses: readonly { id: string; at: Date }[]): Promise<void> {
  await tx.run(sql`
    insert into token_uses (token_id, used_at)
    select u.id, u.at from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u(id text, at timestamptz) order by u.id
    on conflict (token_id) do update set used_at = excluded.used_at
      where token_uses.used_at <= excluded.used_at - interval '1 minute'`)
}
