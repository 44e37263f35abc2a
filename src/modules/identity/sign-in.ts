import { AppError } from '../../domain/errors.ts'
import { sha256, verifyPassword } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { networkOf } from '../../platform/http/shared-counts.ts'
import { operatorKeyringOf } from '../../platform/sealing/sealed-columns.ts'
import * as audit from '../audit/service.ts'
import * as attemptQueries from './attempt-queries.ts'
import * as rules from './rules.ts'
import { markProved, selectMemberships } from './session-queries.ts'
import { type Browser, beginSession, type NewSession } from './sessions.ts'
import { orSingleSignOn } from './sso/enforcement.ts'
import { confirm, takeAnyCode, wrongCode } from './totp.ts'
import { type Account, selectUser, selectUserByEmail } from './user-queries.ts'

/** Opens transactions: a password is checked between two, since that takes a tenth of a second. */
export type Open = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

// The hash of an unknown password, with the parameters of platform/crypto.ts: refusing an unknown account takes as long as a known one.
const NOBODY = '$argon2id$v=19$m=47104,t=1,p=1$hhuLKUstTByxuRyc/5+WkQ$x5J79iykOwFwYhWvdUdhIrs0cXRfn7/kt1apG0vST0A'

export interface Credentials {
  email: string
  password: string
  code?: string | undefined
}

const codeMissing = (account: Account) =>
  new AppError(
    'CODE_REQUIRED',
    account.totpEnabled
      ? 'This account has a second factor: send the code of your authenticator app too'
      : 'This account has a passkey: sign in with it, or send a recovery code too',
    { extra: { by: rules.factorsOf(account), hasApp: account.totpEnabled } },
  )
const failed = (sentence = 'E-mail and password do not match an account') => new AppError('SIGN_IN_FAILED', sentence)

/** Signs in. @throws SIGN_IN_FAILED, SSO_REQUIRED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function signIn(open: Open, credentials: Credentials, from: Browser): Promise<NewSession> {
  const { userId, proof } = await authenticate(open, credentials, from)
  return open((tx) => beginSession(tx, userId, from, proof))
}

/** The user whose e-mail, password and code these are. @throws SIGN_IN_FAILED, SSO_REQUIRED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function authenticate(
  open: Open,
  { email, password, code }: Credentials,
  from: Browser,
  membership: 'needed' | 'may be new' = 'needed',
): Promise<{ userId: string; proof: rules.Proof }> {
  const { account, attempt } = await open(async (tx) => {
    const account = await selectUserByEmail(tx, rules.canonicalEmail(email))
    return { account, attempt: await beginAttempt(tx, email, await placeOf(tx, account, from)) }
  })
  const matches = await verifyPassword(account?.passwordHash ?? NOBODY, rules.canonicalPassword(password))
  const outcome = await open(async (tx): Promise<AppError | { userId: string; proof: rules.Proof }> => {
    if (!account?.passwordHash || !matches || account.disabledAt) {
      return refuse(tx, account, await orSingleSignOn(tx, email, failed()))
    }
    if (membership === 'needed' && (await selectMemberships(tx, account.id)).length === 0) {
      return refuse(tx, account, await orSingleSignOn(tx, email, failed()))
    }
    const needsCode = rules.hasSecondFactor(account)
    if (needsCode && !code) {
      await attempt.forget(tx)
      return codeMissing(account)
    }
    if (needsCode && !(await takeAnyCode(tx, account, code ?? ''))) return refuse(tx, account, wrongCode())
    await attempt.succeed(tx)
    return { userId: account.id, proof: needsCode ? 'code' : 'password' }
  })
  if (outcome instanceof AppError) throw outcome
  return outcome
}

/** The browser, where the account signed in with it before; else the network. */
async function placeOf(tx: SystemTx, account: Account | undefined, { ip, device }: Browser): Promise<rules.Place> {
  const hash = device === undefined ? undefined : sha256(device)
  // Queried also without an account, so that the duration does not show whether one exists.
  if (hash && (await attemptQueries.selectDevice(tx, hash, account?.id ?? '')).isOwn) {
    return { key: `device:${hash.toString('base64url')}`, known: true }
  }
  return { key: networkOf(ip), known: false }
}

/** An attempt that is under way: it counts as failed until it has succeeded. */
interface Attempt {
  /** Does not count this one. */
  forget(tx: SystemTx): Promise<void>
  /** Forgets all of the account at this place. */
  succeed(tx: SystemTx): Promise<void>
}

/**
 * Counts an attempt at an account as failed, in the database: two processes share the count, and a hundred attempts at
 * once find no gap. @throws RATE_LIMITED
 */
async function beginAttempt(tx: SystemTx, email: string, place: rules.Place): Promise<Attempt> {
  // An address can be guessed, so its hash needs a key. Versions before wrote none: while both run, each counts its own.
  const account = (await operatorKeyringOf(tx)).hash('sign_in_failures.account', rules.canonicalEmail(email))
  const since = new Date(tx.now.getTime() - rules.FAILURES.windowMs)
  const { atPlace, oldestAtPlace, atAccount, oldestAtAccount } = await attemptQueries.countFailures(
    tx,
    account,
    place,
    since,
  )
  if (atPlace >= rules.FAILURES.atOnePlace) throw locked(tx, place, oldestAtPlace)
  if (!place.known) {
    if (atAccount >= rules.FAILURES.atOneAccount) throw locked(tx, place, oldestAtAccount)
    const { count, oldest } = await attemptQueries.countOfNetwork(tx, place.key, since)
    const limit = (await attemptQueries.isSprayed(tx, since))
      ? rules.FAILURES.fromOneNetworkThen
      : rules.FAILURES.fromOneNetwork
    if (count >= limit) throw locked(tx, place, oldest)
  }
  const id = await attemptQueries.insertFailure(tx, account, place)
  return {
    forget: (later) => attemptQueries.deleteFailure(later, id),
    succeed: (later) => attemptQueries.deleteFailures(later, account, place),
  }
}

function locked(tx: SystemTx, { known }: rules.Place, oldest: Date | null): AppError {
  const endsAt = (oldest ?? tx.now).getTime() + rules.FAILURES.windowMs
  const seconds = Math.max(1, Math.ceil((endsAt - tx.now.getTime()) / 1000))
  const sentence = `Too many wrong attempts: try again in ${Math.ceil(seconds / 60)} min`
  const message = known ? sentence : `${sentence}, or choose a new password by e-mail, which lets you in at once`
  return new AppError('RATE_LIMITED', message, { extra: { retryAfterSeconds: seconds } })
}

/** Writes a refused sign-in or proof to the audit. */
async function refuse(tx: SystemTx, account: Account | undefined, refusal: AppError): Promise<AppError> {
  const entry = { action: 'session.refused' as const, objectType: 'user', objectId: account?.id ?? 'unknown' }
  await audit.recordSystem(tx, [{ ...entry, details: { code: refusal.code } }])
  return refusal
}

/**
 * Does `work` for a person who is signed in, after they gave their password once more, and a code where `code` is given.
 * A session may be stolen: wrong guesses count, and only both right together end the count.
 * @throws SIGN_IN_FAILED, CODE_REQUIRED, CODE_WRONG, RATE_LIMITED
 */
export async function reauthenticate<T>(
  open: Open,
  session: SignedIn,
  { password, code }: { password: string; code?: string },
  work: (tx: SystemTx, account: Account) => Promise<T>,
): Promise<T> {
  const { account, attempt } = await open(async (tx) => {
    const account = await selectUser(tx, session.userId)
    if (!account) throw failed()
    return { account, attempt: await beginAttempt(tx, account.email, rules.placeOfSession(session)) }
  })
  const matches = await verifyPassword(account.passwordHash ?? NOBODY, rules.canonicalPassword(password))
  const outcome = await open(async (tx) => {
    if (!matches) return { refusal: await refuse(tx, account, failed('The password is wrong')) }
    if (code !== undefined && account.totpEnabled && !(await takeAnyCode(tx, account, code))) {
      return { refusal: await refuse(tx, account, wrongCode()) }
    }
    await attempt.succeed(tx)
    await markProved(tx, session.sessionId, code !== undefined && account.totpEnabled ? 'code' : 'password')
    return { done: await work(tx, account) }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.done
}

/** Checks the second factor of a person who followed a link: guesses count as failed sign-ins. @throws CODE_REQUIRED, CODE_WRONG, RATE_LIMITED */
export async function checkCode(
  open: Open,
  account: Account,
  code: string | undefined,
  place: rules.Place,
): Promise<void> {
  if (!code) throw codeMissing(account)
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
    const account = await selectUser(tx, session.userId)
    return beginAttempt(tx, account?.email ?? '', rules.placeOfSession(session))
  })
  return open(async (tx) => {
    const recoveryCodes = await confirm(tx, session.userId, code)
    await attempt.succeed(tx)
    return recoveryCodes
  })
}
