import { AppError } from '../../domain/errors.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { networkOf } from '../../platform/http/attempts.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { operatorKeyringOf } from '../../platform/sealing/sealed-columns.ts'
import {
  countFailures,
  countOfNetwork,
  deleteFailure,
  deleteFailures,
  insertFailure,
  isSprayed,
  type Place,
  selectDevice,
} from './attempt-queries.ts'
import { canonicalEmail, FAILURES } from './rules.ts'
import type { Browser } from './sessions.ts'
import type { Account } from './user-queries.ts'

/** A session is a place that the account knows: guesses from elsewhere do not lock it. */
export const placeOfSession = ({ sessionId }: SignedIn): Place => ({ key: `session:${sessionId}`, known: true })

/** A person with a link that only the mailbox saw. All links share the attempts, since new links can be requested. */
export const placeOfMailbox: Place = { key: 'mailbox', known: true }

/** The browser, where the account signed in with it before; else the network. */
export async function placeOf(tx: SystemTx, account: Account | undefined, { ip, device }: Browser): Promise<Place> {
  const hash = device === undefined ? undefined : sha256(device)
  // Queried also without an account, so that the duration does not show whether one exists.
  if (hash && (await selectDevice(tx, hash, account?.id ?? '')).isOwn) {
    return { key: `device:${hash.toString('base64url')}`, known: true }
  }
  return { key: networkOf(ip), known: false }
}

/** An attempt that is under way: it counts as failed until it has succeeded. */
export interface Attempt {
  /** Does not count this one. */
  forget(tx: SystemTx): Promise<void>
  /** Forgets all of the account at this place. */
  succeed(tx: SystemTx): Promise<void>
}

/**
 * Counts an attempt at an account as failed, in the database: two processes share the count, and a hundred attempts at
 * once find no gap. @throws RATE_LIMITED
 */
export async function beginAttempt(tx: SystemTx, email: string, place: Place): Promise<Attempt> {
  // An address can be guessed, so its hash needs a key. Versions before wrote none: while both run, each counts its own.
  const account = (await operatorKeyringOf(tx)).hash('sign_in_failures.account', canonicalEmail(email))
  const since = new Date(tx.now.getTime() - FAILURES.windowMs)
  const { atPlace, oldestAtPlace, atAccount, oldestAtAccount } = await countFailures(tx, account, place, since)
  if (atPlace >= FAILURES.atOnePlace) throw locked(tx, place, oldestAtPlace)
  if (!place.known) {
    if (atAccount >= FAILURES.atOneAccount) throw locked(tx, place, oldestAtAccount)
    const { count, oldest } = await countOfNetwork(tx, place.key, since)
    const limit = (await isSprayed(tx, since)) ? FAILURES.fromOneNetworkThen : FAILURES.fromOneNetwork
    if (count >= limit) throw locked(tx, place, oldest)
  }
  const id = await insertFailure(tx, account, place)
  return {
    forget: (later) => deleteFailure(later, id),
    succeed: (later) => deleteFailures(later, account, place),
  }
}

function locked(tx: SystemTx, { known }: Place, oldest: Date | null): AppError {
  const endsAt = (oldest ?? tx.now).getTime() + FAILURES.windowMs
  const seconds = Math.max(1, Math.ceil((endsAt - tx.now.getTime()) / 1000))
  const sentence = `Too many wrong attempts: try again in ${Math.ceil(seconds / 60)} min`
  const message = known ? sentence : `${sentence}, or choose a new password by e-mail, which lets you in at once`
  return new AppError('RATE_LIMITED', message, { extra: { retryAfterSeconds: seconds } })
}
