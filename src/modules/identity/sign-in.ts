import { AppError } from '../../domain/errors.ts'
import { hashPassword, verifyPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/account-route.ts'
import * as audit from '../audit/service.ts'
import type { Place } from './attempt-queries.ts'
import { beginAttempt, placeOf, placeOfSession } from './attempts.ts'
import { isGuessedEarly } from './guesses.ts'
import { canonicalEmail, canonicalPassword, GUESSED_EARLY, passwordProblem } from './rules.ts'
import { deleteSessionsOf, selectMemberships } from './session-queries.ts'
import { type Browser, begin, type NewSession } from './sessions.ts'
import { type Account, selectByEmail, selectById, updatePassword } from './sign-in-queries.ts'
import { confirm, takeAnyCode, wrongCode } from './totp.ts'

/** Opens transactions: a password is checked between two, since that takes a tenth of a second. */
export type Open = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

// Made with the parameters of platform/crypto.ts of a password that nobody knows: who has no account waits as long.
const NOBODY = '$argon2id$v=19$m=47104,t=1,p=1$hhuLKUstTByxuRyc/5+WkQ$x5J79iykOwFwYhWvdUdhIrs0cXRfn7/kt1apG0vST0A'

export interface Credentials {
  email: string
  password: string
  code?: string | undefined
}

const codeMissing = () =>
  new AppError('CODE_REQUIRED', 'This account has a second factor: send the code of your authenticator app too')
const failed = (sentence = 'E-mail and password do not match an account') => new AppError('SIGN_IN_FAILED', sentence)

/** Signs in. @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function signIn(open: Open, credentials: Credentials, from: Browser): Promise<NewSession> {
  const userId = await authenticate(open, credentials, from)
  return open((tx) => begin(tx, userId, from))
}

/** The user whose e-mail, password and code these are. @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function authenticate(
  open: Open,
  { email, password, code }: Credentials,
  from: Browser,
  membership: 'needed' | 'may be new' = 'needed',
): Promise<string> {
  const { account, attempt } = await open(async (tx) => {
    const account = await selectByEmail(tx, canonicalEmail(email))
    return { account, attempt: await beginAttempt(tx, email, await placeOf(tx, account, from)) }
  })
  const matches = await verifyPassword(account?.passwordHash ?? NOBODY, canonicalPassword(password))
  const outcome = await open(async (tx): Promise<AppError | string> => {
    if (!account?.passwordHash || !matches || account.disabledAt) return refuse(tx, account, failed())
    if (membership === 'needed' && (await selectMemberships(tx, account.id)).length === 0) {
      return refuse(tx, account, failed())
    }
    if (account.totpEnabled && !code) {
      await attempt.forget(tx)
      return codeMissing()
    }
    if (account.totpEnabled && !(await takeAnyCode(tx, account, code ?? ''))) return refuse(tx, account, wrongCode())
    await attempt.succeed(tx)
    return account.id
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

async function refuse(tx: SystemTx, account: Account | undefined, refusal: AppError): Promise<AppError> {
  const entry = { action: 'session.refused', objectType: 'user', objectId: account?.id ?? 'unknown' }
  await audit.recordSystem(tx, [{ ...entry, details: { code: refusal.code } }])
  return refusal
}

/**
 * Lets go on only who knows the password of the account that is signed in, and its code where one is asked for; then does
 * `work`. A session may be stolen: its guesses count, and only both right together end the count.
 * @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED
 */
export async function prove<T>(
  open: Open,
  session: SignedIn,
  { password, code }: { password: string; code?: string },
  work: (tx: SystemTx, account: Account) => Promise<T>,
): Promise<T> {
  const { account, attempt } = await open(async (tx) => {
    const account = await selectById(tx, session.userId)
    if (!account) throw failed()
    return { account, attempt: await beginAttempt(tx, account.email, placeOfSession(session)) }
  })
  const matches = await verifyPassword(account.passwordHash ?? NOBODY, canonicalPassword(password))
  const outcome = await open(async (tx) => {
    if (!matches) return { refusal: await refuse(tx, account, failed('The password is wrong')) }
    if (code !== undefined && account.totpEnabled && !(await takeAnyCode(tx, account, code))) {
      return { refusal: await refuse(tx, account, wrongCode()) }
    }
    await attempt.succeed(tx)
    return { done: await work(tx, account) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.done
}

/** The second factor of whoever followed a link: guesses count as failed sign-ins. @throws CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function checkCode(open: Open, account: Account, code: string | undefined, place: Place): Promise<void> {
  if (!code) throw codeMissing()
  const attempt = await open((tx) => beginAttempt(tx, account.email, place))
  const refusal = await open(async (tx) => {
    if (!(await takeAnyCode(tx, account, code))) return refuse(tx, account, wrongCode())
    await attempt.succeed(tx)
  })
  if (refusal) throw refusal
}

/** Switches codes on with a first code; guesses count. @throws CODE_WRONG, TOTP_ENABLED, RATE_LIMITED */
export async function confirmCodes(open: Open, session: SignedIn, code: string): Promise<string[]> {
  const attempt = await open(async (tx) => {
    const account = await selectById(tx, session.userId)
    return beginAttempt(tx, account?.email ?? '', placeOfSession(session))
  })
  return open(async (tx) => {
    const recoveryCodes = await confirm(tx, session.userId, code)
    await attempt.succeed(tx)
    return recoveryCodes
  })
}

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
  const { email } = (await open((tx) => selectById(tx, session.userId))) ?? { email: '' }
  await refuseWeak(next, email, 'next')
  await prove(open, session, { password: current }, async () => undefined)
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
