import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'

export interface UserAccess {
  id: string
  email: string
  name: string | null
  isDisabled: boolean
  hasSecondFactor: boolean
  createdAt: Date
  signedInAt: Date | null
  roles: { role: string; businessId?: string; businessName?: string }[]
}

/** Everybody with a role, or who could be given one. */
export const selectUserAccess = (tx: SystemTx): Promise<UserAccess[]> =>
  tx.rows(sql<UserAccess>`
    select u.id, u.email, u.name, u.disabled_at is not null as "isDisabled",
      u.totp_enabled_at is not null as "hasSecondFactor", u.created_at as "createdAt", u.signed_in_at as "signedInAt",
      coalesce((select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('role', m.role, 'businessId', m.business_id, 'businessName', b.name))
                                 order by m.business_id nulls first, m.role)
                from memberships m left join businesses b on b.id = m.business_id
                where m.user_id = u.id and m.disabled_at is null), '[]') as roles
    from users u order by u.email, u.id`)

export interface TokenAccess {
  id: string
  name: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date | null
  businessId: string | null
  businessName: string | null
  mode: string | null
}

/** Tokens that are valid now, of the operator and of businesses. */
export const selectTokenAccess = (tx: SystemTx): Promise<TokenAccess[]> =>
  tx.rows(sql<TokenAccess>`
    select t.id, t.name, t.scopes, t.created_at as "createdAt", t.expires_at as "expiresAt", null as "businessId",
      null as "businessName", null as mode
    from operator_tokens t where t.revoked_at is null and (t.expires_at is null or t.expires_at > ${tx.now})
    union all
    select t.id, t.name, t.scopes, t.created_at, t.expires_at, r.business_id, b.name, r.mode
    from tokens t join realms r on r.id = t.realm_id join businesses b on b.id = r.business_id
    where t.revoked_at is null and (t.expires_at is null or t.expires_at > ${tx.now})
    order by "businessName" nulls first, mode, name, id`)

export interface SignOffRow {
  id: string
  at: Date
  reviewedBy: string
  sha256: Buffer
  users: number
  tokens: number
  note: string | null
}

export async function insertSignOff(tx: SystemTx, row: SignOffRow): Promise<void> {
  const { id, at, reviewedBy, sha256, users, tokens, note } = row
  await tx.run(sql`
    insert into access_reviews (id, at, reviewed_by, sha256, users, tokens, note)
    values (${id}, ${at}, ${reviewedBy}, ${sha256}, ${users}, ${tokens}, ${note})`)
}

/** Newest first. */
export const selectSignOffs = (tx: SystemTx, limit: number): Promise<SignOffRow[]> =>
  tx.rows(sql<SignOffRow>`
    select id, at, reviewed_by as "reviewedBy", sha256, users, tokens, note from access_reviews order by at desc limit ${limit}`)

/** Since when there is somebody whose access could be reviewed. */
export async function selectFirstUserAt(tx: SystemTx): Promise<Date | null> {
  return (await tx.row(sql<{ at: Date | null }>`select min(created_at) as at from users`)).at
}
