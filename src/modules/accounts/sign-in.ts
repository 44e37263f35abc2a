import { hashPassword, sha256, verifyPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import * as audit from '../audit/service.ts'
import { canonicalEmail, canonicalPassword, FAILURES, passwordProblem } from './rules.ts'
import { deleteSessionsOf, selectMemberships } from './session-queries.ts'
import { begin, type NewSession } from './sessions.ts'
import {
  type Account,
  countFailures,
  deleteFailure,
  deleteFailures,
  insertFailure,
  selectByEmail,
  selectById,
  updatePassword,
} from './sign-in-queries.ts'
import { takeAnyCode, wrongCode } from './totp.ts'

/** Opens transactions: a password is checked between two, since that takes a tenth of a second. */
export type Open = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

// Made with the parameters of platform/crypto.ts of a password that nobody knows: who has no account waits as long.
const NOBODY = '$argon2id$v=19$m=47104,t=1,p=1$hhuLKUstTByxuRyc/5+WkQ$x5J79iykOwFwYhWvdUdhIrs0cXRfn7/kt1apG0vST0A'

export interface Credentials {
  email: string
  password: string
  code?: string | undefined
  ip: string
}

const codeMissing = () =>
  new AppError('CODE_REQUIRED', 'This account has a second factor: send the code of your authenticator app too')
const failed = () => new AppError('SIGN_IN_FAILED', 'E-mail and password do not match an account')

/** Signs in. @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function signIn(open: Open, credentials: Credentials, cookie: string | undefined): Promise<NewSession> {
  const userId = await authenticate(open, credentials)
  return open((tx) => begin(tx, userId, cookie))
}

/**
 * The user whose e-mail, password and code these are. An attempt counts as failed until it has succeeded, in the
 * database: two processes share the count, and a hundred attempts at once find no gap.
 * @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED
 */
export async function authenticate(
  open: Open,
  { email, password, code, ip }: Credentials,
  membership: 'needed' | 'may be new' = 'needed',
): Promise<string> {
  const key = sha256(canonicalEmail(email))
  const { account, attempt } = await open(async (tx) => ({
    attempt: await beginAttempt(tx, key, ip),
    account: await selectByEmail(tx, canonicalEmail(email)),
  }))
  const matches = await verifyPassword(account?.passwordHash ?? NOBODY, canonicalPassword(password))
  const outcome = await open(async (tx): Promise<AppError | string> => {
    if (!account?.passwordHash || !matches || account.disabledAt) return refuse(tx, account, failed())
    if (membership === 'needed' && (await selectMemberships(tx, account.id)).length === 0) {
      return refuse(tx, account, failed())
    }
    if (account.totpEnabled && !code) {
      await deleteFailure(tx, attempt)
      return codeMissing()
    }
    if (account.totpEnabled && !(await takeAnyCode(tx, account, code ?? ''))) return refuse(tx, account, wrongCode())
    await deleteFailures(tx, key, ip)
    return account.id
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

async function beginAttempt(tx: SystemTx, key: Buffer, ip: string): Promise<number> {
  const since = new Date(tx.now.getTime() - FAILURES.windowMs)
  const { fromHere, inAll, oldest } = await countFailures(tx, key, ip, since)
  if (fromHere >= FAILURES.fromOneAddress || inAll >= FAILURES.inAll) {
    const endsAt = (oldest ?? tx.now).getTime() + FAILURES.windowMs
    const seconds = Math.max(1, Math.ceil((endsAt - tx.now.getTime()) / 1000))
    throw new AppError('RATE_LIMITED', `Too many attempts to sign in: try again in ${Math.ceil(seconds / 60)} min`, {
      extra: { retryAfterSeconds: seconds },
    })
  }
  return insertFailure(tx, key, ip)
}

async function refuse(tx: SystemTx, account: Account | undefined, refusal: AppError): Promise<AppError> {
  const entry = { action: 'session.refused', objectType: 'user', objectId: account?.id ?? 'unknown' }
  await audit.recordSystem(tx, [{ ...entry, details: { code: refusal.code } }])
  return refusal
}

/** The second factor of whoever has no password to prove: guesses count as failed sign-ins. @throws CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function checkCode(
  open: Open,
  account: Account,
  { code, ip }: { code?: string | undefined; ip: string },
): Promise<void> {
  if (!code) throw codeMissing()
  const key = sha256(canonicalEmail(account.email))
  await open((tx) => beginAttempt(tx, key, ip))
  const right = await open(async (tx) => {
    const taken = await takeAnyCode(tx, account, code)
    if (taken) await deleteFailures(tx, key, ip)
    return taken
  })
  if (!right) throw wrongCode()
}

/** A password's hash. @throws VALIDATION_FAILED where it is easy to guess */
export async function newPasswordHash(password: string, email: string, path: string): Promise<string> {
  const problem = passwordProblem(password, email)
  if (problem) throw weak(problem, path)
  return hashPassword(canonicalPassword(password))
}

/** Changes one's own password, and ends every session. @throws SIGN_IN_FAILED, RATE_LIMITED, VALIDATION_FAILED */
export async function changePassword(
  open: Open,
  { userId, current, next, ip }: { userId: string; current: string; next: string; ip: string },
): Promise<void> {
  const account = await open((tx) => selectById(tx, userId))
  if (!account?.passwordHash) throw failed()
  const problem = passwordProblem(next, account.email)
  if (problem) throw weak(problem, 'next')
  const key = sha256(canonicalEmail(account.email))
  await open((tx) => beginAttempt(tx, key, ip))
  if (!(await verifyPassword(account.passwordHash, canonicalPassword(current)))) {
    throw new AppError('SIGN_IN_FAILED', 'The current password is wrong')
  }
  const hash = await hashPassword(canonicalPassword(next))
  await open(async (tx) => {
    await deleteFailures(tx, key, ip)
    await setPassword(tx, userId, hash)
  })
}

const weak = (problem: string, path: string) =>
  new AppError('VALIDATION_FAILED', problem, { details: [{ message: problem, path }] })

/** Writes a password's hash and ends every session of the user. */
export async function setPassword(tx: SystemTx, userId: string, hash: string, actor?: string): Promise<void> {
  await updatePassword(tx, userId, hash)
  await deleteSessionsOf(tx, userId)
  await audit.recordSystem(tx, [{ action: 'password.changed', objectType: 'user', objectId: userId }], actor)
}
