import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface Passkey {
  id: string
  userId: string
  /** Base64url. */
  credentialId: string
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
  createdAt: Date
  usedAt: Date | null
}

const columns = sql`
  id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter, transports, name,
  created_at as "createdAt", used_at as "usedAt"`

export const selectPasskeys = (tx: SystemTx, userId: string): Promise<Passkey[]> =>
  tx.rows(sql<Passkey>`select ${columns} from passkeys where user_id = ${userId} order by created_at, id`)

export const selectPasskeyByCredential = (tx: SystemTx, credentialId: string): Promise<Passkey | undefined> =>
  tx.maybeRow(sql<Passkey>`select ${columns} from passkeys where credential_id = ${credentialId}`)

/** False if an account has this credential already. */
export async function insertPasskey(tx: SystemTx, passkey: Omit<Passkey, 'createdAt' | 'usedAt'>): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, transports, name } = passkey
  const inserted = await tx.run(sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${id}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[], ${name}, ${tx.now})
    on conflict (credential_id) do nothing`)
  return inserted === 1
}

/** Counts a use; false if the counter went back since it was read, or the passkey is gone. */
export async function countUse(tx: SystemTx, id: string, counter: number): Promise<boolean> {
  const counted = await tx.run(sql`
    update passkeys set counter = ${counter}, used_at = ${tx.now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)
  return counted === 1
}

export async function deletePasskey(tx: SystemTx, userId: string, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from passkeys where user_id = ${userId} and id = ${id}`)) === 1
}

export async function deletePasskeysOf(tx: SystemTx, userId: string): Promise<number> {
  return tx.run(sql`delete from passkeys where user_id = ${userId}`)
}

export interface Challenge {
  hash: Buffer
  purpose: 'register' | 'sign-in' | 'prove'
  sessionId: string | null
}

/** Keeps a challenge until then, and forgets those that have expired. */
export async function insertChallenge(tx: SystemTx, challenge: Challenge, expiresAt: Date): Promise<void> {
  const { hash, purpose, sessionId } = challenge
  await tx.run(sql`delete from passkey_challenges where expires_at <= ${tx.now}`)
  await tx.run(sql`
    insert into passkey_challenges (hash, purpose, session_id, expires_at)
    values (${hash}, ${purpose}, ${sessionId}, ${expiresAt})`)
}

/** Deletes a challenge; false if it was taken before, has expired or was made for something else. */
export async function takeChallenge(tx: SystemTx, { hash, purpose, sessionId }: Challenge): Promise<boolean> {
  const taken = await tx.run(sql`
    delete from passkey_challenges
    where hash = ${hash} and purpose = ${purpose} and session_id is not distinct from ${sessionId}::text
      and expires_at > ${tx.now}`)
  return taken === 1
}

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
