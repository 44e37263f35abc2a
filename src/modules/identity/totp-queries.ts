import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

/** Takes the time step of a code; false when this one, or a later one, was taken before. */
export async function takeTotpStep(tx: SystemTx, userId: string, step: number): Promise<boolean> {
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
  await dropIdleRecoveryCodes(tx, userId)
}

/** Forgets the recovery codes of an account that has no second factor. */
export async function dropIdleRecoveryCodes(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`
    delete from recovery_codes where user_id = ${userId}
      and not exists (select 1 from passkeys where user_id = ${userId})
      and not exists (select 1 from users where id = ${userId} and totp_enabled_at is not null)`)
}

export async function enableTotp(tx: SystemTx, userId: string): Promise<void> {
  await tx.run(sql`update users set totp_enabled_at = ${tx.now} where id = ${userId}`)
}

/** Keeps these recovery codes in place of the earlier ones. */
export async function putRecoveryCodes(tx: SystemTx, userId: string, codes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
  await tx.run(sql`insert into recovery_codes (user_id, hash) select ${userId}, unnest(${codes}::bytea[])`)
}

/** The secrets of all second factors, locked. */
export function lockTotpSecrets(tx: SystemTx): Promise<{ id: string; secret: Buffer }[]> {
  return tx.rows(sql<{ id: string; secret: Buffer }>`
    select id, totp_secret as secret from users where totp_secret is not null order by id for update`)
}

/** The same secret under another key. */
export async function updateSealedTotp(tx: SystemTx, id: string, secret: Buffer): Promise<void> {
  await tx.run(sql`update users set totp_secret = ${secret} where id = ${id}`)
}
