import { latinDigits } from '@kitlane/display/text'
import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { AppError } from '../../domain/errors.ts'
import { newPassword } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { requireProof } from '../../platform/http/access.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import * as passkeyQueries from './passkey-queries.ts'
import { type Account, selectUser } from './user-queries.ts'

// RFC 6238 as authenticators know it: SHA-1, six digits, 30 s; one step of tolerance on each side.
const PERIOD_SECONDS = 30
const WINDOW = 1
// RFC 4226 recommends 160 bits.
const SECRET_BYTES = 20
const RECOVERY_CODES = 10

const place = (userId: string) => `users.totp_secret/${userId}`

const generator = (secret: string, label: string) =>
  new TOTP({ issuer: 'Kitlane', label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS })

const normalized = (code: string) => latinDigits(code).replace(/[\s-]/g, '').toLowerCase()
const hashOf = (recoveryCode: string) => sha256(normalized(recoveryCode))

/**
 * Makes a new secret, which counts once a code of it was confirmed. Where there is a passkey, it must have been shown: a
 * password and a stolen session are not enough to add another factor. @throws TOTP_ENABLED, REAUTHENTICATION_REQUIRED
 */
export async function setUp(
  tx: SystemTx,
  userId: string,
  session: SignedIn,
): Promise<{ secret: string; uri: string; qrSvg: string }> {
  const account = await selectUser(tx, userId)
  if (!account || account.totpEnabled) throw new AppError('TOTP_ENABLED', 'Codes are on already: switch them off first')
  if (account.hasPasskey) requireProof(session)
  const secret = new Secret({ size: SECRET_BYTES }).base32
  await passkeyQueries.setTotpSecret(tx, userId, tx.context.seal(secret, place(userId)))
  const uri = generator(secret, account.email).toString()
  return { secret, uri, qrSvg: renderSVG(uri, { ecc: 'M', border: 2 }) }
}

/** Switches codes on, and makes recovery codes, which are shown now only. @throws CODE_WRONG, TOTP_ENABLED */
export async function confirm(tx: SystemTx, userId: string, code: string): Promise<string[]> {
  const account = await selectUser(tx, userId)
  if (!account?.totpSecret) throw wrongCode()
  if (account.totpEnabled) throw new AppError('TOTP_ENABLED', 'Codes are on already')
  if (!(await takeCode(tx, account, code))) throw wrongCode()
  await passkeyQueries.enableTotp(tx, userId)
  const codes = await giveRecoveryCodes(tx, userId)
  await audit.recordSystem(tx, [{ action: 'totp.enabled', objectType: 'user', objectId: userId }])
  return codes
}

/** Makes recovery codes in place of earlier ones. They are shown now only. */
export async function giveRecoveryCodes(tx: SystemTx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newPassword)
  await passkeyQueries.putRecoveryCodes(tx, userId, codes.map(hashOf))
  return codes
}

/** Switches codes off, and forgets the recovery codes of an account that has no passkey either. */
export async function switchOff(tx: SystemTx, { id: userId, totpEnabled }: Account): Promise<void> {
  if (!totpEnabled) return
  await passkeyQueries.setTotpSecret(tx, userId, null)
  await audit.recordSystem(tx, [{ action: 'totp.disabled', objectType: 'user', objectId: userId }])
}

export const wrongCode = (): AppError =>
  new AppError('CODE_WRONG', 'This code is wrong or was used before. Enter the next one of your authenticator app')

/** A code of the authenticator, or a recovery code; each is taken once. */
export async function takeAnyCode(tx: SystemTx, account: Account, code: string): Promise<boolean> {
  if (await takeCode(tx, account, code)) return true
  const isRecovery = await passkeyQueries.takeRecoveryCode(tx, account.id, hashOf(code))
  if (isRecovery) {
    const entry = { action: 'recovery_code.used' as const, objectType: 'user', objectId: account.id }
    await audit.recordSystem(tx, [entry], `user:${account.id}`)
  }
  return isRecovery
}

async function takeCode(tx: SystemTx, { id, email, totpSecret }: Account, code: string): Promise<boolean> {
  const token = normalized(code)
  if (!totpSecret || !/^\d{6}$/.test(token)) return false
  const timestamp = tx.now.getTime()
  const totp = generator(tx.context.open(totpSecret, place(id)), email)
  const delta = totp.validate({ token, timestamp, window: WINDOW })
  if (delta === null) return false
  return passkeyQueries.takeTotpStep(tx, id, TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta)
}

/** Seals the secrets that another key sealed with the key of now. */
export async function resealTotpSecrets(tx: SystemTx): Promise<number> {
  let sealed = 0
  for (const { id, secret } of await passkeyQueries.lockTotpSecrets(tx)) {
    const fresh = tx.context.resealed(secret, place(id))
    if (!fresh) continue
    await passkeyQueries.updateSealedTotp(tx, id, fresh)
    sealed++
  }
  return sealed
}
