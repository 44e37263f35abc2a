import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { Role } from './rules.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  passwordHash: string | null
  disabledAt: Date | null
  totpSecret: Buffer | null
  totpEnabled: boolean
  hasPasskey: boolean
  /** When the account last signed in; null: never. */
  signedInAt: Date | null
  /** Somebody followed a link that went to the address alone, or the command line vouched for it. */
  isVerified: boolean
}

const columns = sql`
  id, email, name, password_hash as "passwordHash", disabled_at as "disabledAt", totp_secret as "totpSecret",
  totp_enabled_at is not null as "totpEnabled", signed_in_at as "signedInAt",
  exists (select 1 from passkeys p where p.user_id = users.id) as "hasPasskey", email_verified_at is not null as "isVerified"`

export const selectUserByEmail = (tx: SystemTx, email: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where lower(email) = lower(${email})`)

export const selectUser = (tx: SystemTx, id: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockUser = (tx: SystemTx, id: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where id = ${id} for update`)

/** The account whose e-mail has this hash: the input of a job holds no e-mail. */
export const selectUserByEmailHash = (tx: SystemTx, hash: string): Promise<Account | undefined> =>
  tx.maybeRow(
    sql<Account>`select ${columns} from users where encode(sha256(convert_to(lower(email), 'UTF8')), 'hex') = ${hash}`,
  )

export async function updatePassword(tx: SystemTx, userId: string, hash: string): Promise<void> {
  await tx.run(sql`update users set password_hash = ${hash} where id = ${userId}`)
}

export async function markVerified(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`update users set email_verified_at = ${tx.now} where id = ${userId} and email_verified_at is null`)
}

/** The user of an e-mail, created if missing. */
export async function findOrInsertUser(tx: SystemTx, id: string, email: string): Promise<{ id: string }> {
  await tx.run(sql`
    insert into users (id, email, created_at) values (${id}, ${email}, ${tx.now}) on conflict (lower(email)) do nothing`)
  return tx.row(sql<{ id: string }>`select id from users where lower(email) = lower(${email})`)
}

export async function setUserName(tx: SystemTx, userId: string, name: string): Promise<void> {
  await tx.run(sql`update users set name = ${name} where id = ${userId}`)
}

export async function setUserDisabled(tx: SystemTx, userId: string, disabledAt: Date | null): Promise<void> {
  await tx.run(sql`update users set disabled_at = ${disabledAt} where id = ${userId}`)
}

export interface UserRow {
  id: string
  email: string
  disabledAt: Date | null
  hasPassword: boolean
  totpEnabled: boolean
  hasPasskey: boolean
  lastSeenAt: Date | null
  memberships: { role: Role; business?: string }[]
}

/** Every user with what they may do. */
export const selectUsers = (tx: SystemTx): Promise<UserRow[]> =>
  tx.rows(sql<UserRow>`
    select u.id, u.email, u.disabled_at as "disabledAt", u.password_hash is not null as "hasPassword",
      u.totp_enabled_at is not null as "totpEnabled",
      exists (select 1 from passkeys p where p.user_id = u.id) as "hasPasskey", u.signed_in_at as "lastSeenAt",
      coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('role', m.role, 'business', b.name)))
               filter (where m.role is not null), '[]') as memberships
    from users u left join memberships m on m.user_id = u.id and m.disabled_at is null
    left join businesses b on b.id = m.business_id
    group by u.id order by u.created_at, u.id`)
