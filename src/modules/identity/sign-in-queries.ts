import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  passwordHash: string | null
  disabledAt: Date | null
  totpSecret: Buffer | null
  totpEnabled: boolean
  /** Somebody followed a link that went to the address alone, or the command line vouched for it. */
  isVerified: boolean
}

const columns = sql`
  id, email, name, password_hash as "passwordHash", disabled_at as "disabledAt", totp_secret as "totpSecret",
  totp_enabled_at is not null as "totpEnabled", email_verified_at is not null as "isVerified"`

export const selectByEmail = (tx: SystemTx, email: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where lower(email) = lower(${email})`)

export const selectById = (tx: SystemTx, id: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where id = ${id}`)

/** The same, locked until the transaction ends. */
export const lockById = (tx: SystemTx, id: string): Promise<Account | undefined> =>
  tx.maybeRow(sql<Account>`select ${columns} from users where id = ${id} for update`)

/** The account whose e-mail has this hash: a job names nobody. */
export const selectByEmailHash = (tx: SystemTx, hash: string): Promise<Account | undefined> =>
  tx.maybeRow(
    sql<Account>`select ${columns} from users where encode(sha256(convert_to(lower(email), 'UTF8')), 'hex') = ${hash}`,
  )

export async function updatePassword(tx: SystemTx, userId: string, hash: string): Promise<void> {
  await tx.run(sql`update users set password_hash = ${hash} where id = ${userId}`)
}

export async function markVerified(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`update users set email_verified_at = ${tx.now} where id = ${userId} and email_verified_at is null`)
}

/** False when this time step, or a later one, was taken before. */
export async function takeStep(tx: SystemTx, userId: string, step: number): Promise<boolean> {
  const taken = await tx.run(sql`
    update users set totp_last_step = ${step}
    where id = ${userId} and (totp_last_step is null or totp_last_step < ${step})`)
  return taken === 1
}

export async function takeRecoveryCode(tx: SystemTx, userId: string, hash: Buffer): Promise<boolean> {
  return (await tx.run(sql`delete from recovery_codes where user_id = ${userId} and hash = ${hash}`)) === 1
}

export async function setTotpSecret(tx: SystemTx, userId: string, secret: Buffer | null): Promise<void> {
  await tx.run(sql`
    update users set totp_secret = ${secret}, totp_enabled_at = null, totp_last_step = null where id = ${userId}`)
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
}

export async function enableTotp(tx: SystemTx, userId: string, codes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`update users set totp_enabled_at = ${tx.now} where id = ${userId}`)
  await tx.run(sql`insert into recovery_codes (user_id, hash) select ${userId}, unnest(${codes}::bytea[])`)
}
