import { AppError } from '../../domain/errors.ts'
import { hashPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { isGuessedEarly } from './guesses.ts'
import { canonicalEmail, canonicalPassword, GUESSED_EARLY, passwordProblem } from './rules.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { type Open, reauthenticate } from './sign-in.ts'
import { selectUser, updatePassword } from './user-queries.ts'

/** A password's hash. @throws VALIDATION_FAILED where it is easy to guess */
export async function newPasswordHash(password: string, email: string, path: string): Promise<string> {
  await refuseWeak(password, email, path)
  return hashPassword(canonicalPassword(password))
}

/** Changes one's own password, and ends every session. @throws SIGN_IN_FAILED, RATE_LIMITED, VALIDATION_FAILED */
export async function changePassword(
  open: Open,
  session: SignedIn,
  { current, next }: { current: string; next: string },
): Promise<void> {
  const { email } = (await open((tx) => selectUser(tx, session.userId))) ?? { email: '' }
  await refuseWeak(next, email, 'next')
  await reauthenticate(open, session, { password: current }, async () => undefined)
  const hash = await hashPassword(canonicalPassword(next))
  await open((tx) => setPassword(tx, session.userId, hash))
}

async function refuseWeak(password: string, email: string, path: string): Promise<void> {
  const problem =
    passwordProblem(password, email) ??
    ((await isGuessedEarly(canonicalPassword(password), [...canonicalEmail(email).split('@'), 'kitlane']))
      ? GUESSED_EARLY
      : undefined)
  if (problem) throw new AppError('VALIDATION_FAILED', problem, { details: [{ message: problem, path }] })
}

/** Writes a password's hash and ends every session of the user. */
export async function setPassword(tx: SystemTx, userId: string, hash: string, actor?: string): Promise<void> {
  await updatePassword(tx, userId, hash)
  await deleteSessionsOf(tx, userId)
  await audit.recordSystem(tx, [{ action: 'password.changed', objectType: 'user', objectId: userId }], actor)
}
