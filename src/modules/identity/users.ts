import { AppError } from '../../domain/errors.ts'
import { newOpaqueId, newPassword } from '../../domain/ids.ts'
import { hashPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { deleteLinksOf } from './account-link-queries.ts'
import { deleteDevicesOf } from './attempt-queries.ts'
import { lockMember, putMembership } from './member-queries.ts'
import { recordOnSide } from './members.ts'
import { deletePasskeysOf, setTotpSecret } from './passkey-queries.ts'
import { setPassword } from './passwords.ts'
import type { Role } from './rules.ts'
import { deleteSessionsOf } from './session-queries.ts'
import * as userQueries from './user-queries.ts'

/**
 * Gives somebody a role without an invitation, as the command line does. A user who is new gets a generated password,
 * returned once and kept as a hash. @throws USER_EXISTS where they have a role on this side, or never verified the address
 */
export async function createUser(
  tx: SystemTx,
  { email, role, businessId }: { email: string; role: Role; businessId?: string },
): Promise<{ user: { id: string; email: string; role: Role; businessId?: string }; password?: string }> {
  const side = businessId ?? null
  const { id } = await userQueries.findOrInsertUser(tx, newOpaqueId('usr'), email)
  if (await lockMember(tx, side, id)) {
    throw new AppError('USER_EXISTS', 'A user with this e-mail address exists already')
  }
  const account = await userQueries.lockUser(tx, id)
  if (account?.passwordHash && !account.isVerified) throw unverified()
  await putMembership(tx, { userId: id, side, role, acceptedAt: tx.now })
  await recordOnSide(tx, side, 'user.created', id, role)
  const user = { id, email, role, businessId }
  return account?.passwordHash ? { user } : { user, password: await givePassword(tx, id) }
}

const unverified = () =>
  new AppError(
    'USER_EXISTS',
    'An account has this e-mail address, and nobody has shown that it is theirs: a role would go to the person who made it. ' +
      'Give it a new password first, with kitlane user reset-password --drop-codes, then try again',
  )

/** Sets a generated password. The person at the command line hands it over, and so vouches for the address. */
async function givePassword(tx: SystemTx, userId: string): Promise<string> {
  const password = newPassword()
  await setPassword(tx, userId, await hashPassword(password))
  await deleteDevicesOf(tx, userId)
  await userQueries.markVerified(tx, userId)
  return password
}

/**
 * Gives a user a new generated password, and ends their sessions. `dropCodes`: their second factors are lost too.
 * @throws USER_NOT_FOUND
 */
export async function resetPassword(
  tx: SystemTx,
  email: string,
  { dropCodes }: { dropCodes: boolean },
): Promise<{ id: string; password: string }> {
  const { id } = await findUser(tx, email)
  const password = await givePassword(tx, id)
  await deleteLinksOf(tx, id)
  if (dropCodes) {
    await deletePasskeysOf(tx, id)
    await setTotpSecret(tx, id, null)
    await audit.recordSystem(tx, [{ action: 'totp.disabled', objectType: 'user', objectId: id }])
  }
  return { id, password }
}

/** Shuts a user out everywhere, or lets them in again. @throws USER_NOT_FOUND */
export async function setDisabled(tx: SystemTx, email: string, disabled: boolean): Promise<{ id: string }> {
  const { id } = await findUser(tx, email)
  await userQueries.setUserDisabled(tx, id, disabled ? tx.now : null)
  if (disabled) await deleteSessionsOf(tx, id)
  const action = disabled ? 'user.disabled' : 'user.enabled'
  await audit.recordSystem(tx, [{ action, objectType: 'user', objectId: id }])
  return { id }
}

async function findUser(tx: SystemTx, email: string): Promise<{ id: string }> {
  const account = await userQueries.selectUserByEmail(tx, email)
  if (!account) throw new AppError('USER_NOT_FOUND', 'There is no user with this e-mail address')
  return account
}

/** Whether anyone can sign in. */
export const hasUsers = async (tx: SystemTx): Promise<boolean> => (await userQueries.selectUsers(tx)).length > 0
