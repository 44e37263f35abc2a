import { DatabaseError } from 'pg'
import { AppError, StartError } from '../../domain/errors.ts'
import { driverSentence, isAmong, waysToBeAway } from '../ways-to-be-away.ts'

const DISK_FULL = '53100'

/** Failures to connect: whatever they say (a name, a password, a certificate, an unknown host), the database is away. */
const connectFailures = new WeakSet<object>()

/** Marks the failure of a connect, and throws it. */
export function failedToConnect(err: unknown): never {
  if (typeof err === 'object' && err !== null) connectFailures.add(err)
  throw err
}

/** Whether the connection was lost or never established. The last statement may still have been executed. */
export function isConnectionLost(err: unknown): boolean {
  // A server that panics, as with a full disk for its log, ends all connections.
  if (err instanceof DatabaseError) return err.severity === 'PANIC' || isAmong(waysToBeAway.ended, err.code)
  const { code, message = '' } = err as { code?: string; message?: string }
  // A client says by SQLSTATE too that no host is one to connect to.
  const isClientError = /^08\w{3}$/.test(code ?? '')
  return isClientError || isNetworkFault(err) || driverSentence(message) !== undefined
}

/** Whether the network failed: no server has spoken. */
export function isNetworkFault(err: unknown): boolean {
  const { code = '', syscall } = err as { code?: string; syscall?: string }
  // A socket that is not there, rather than a file.
  return code === 'ENOENT' ? syscall === 'connect' : (waysToBeAway.network as readonly string[]).includes(code)
}

/** Whether a connection ended, by whichever SQLSTATE the server ended it. */
export const isEnded = (err: unknown): boolean =>
  isConnectionLost(err) || (err instanceof DatabaseError && err.severity === 'FATAL')

/** Whether connections like this one are useless for now: never made, ended, to a standby, or with stale statements. */
export function isUnavailable(err: unknown): boolean {
  if (typeof err === 'object' && err !== null && connectFailures.has(err) && !(err instanceof StartError)) return true
  if (isEnded(err)) return true
  if (!(err instanceof DatabaseError)) return false
  // A migration has changed what a prepared statement answers.
  return isAmong(waysToBeAway.useless, err.code) || err.routine === 'RevalidateCachedQuery'
}

/** Whether the database has no room for a change, and undid it. It still reads. */
export const isStorageFull = (err: unknown): boolean =>
  err instanceof DatabaseError && err.code === DISK_FULL && !isEnded(err)

/** Whether the database refuses for now, and did nothing. */
export const isBusy = (err: unknown): boolean => err instanceof DatabaseError && isAmong(waysToBeAway.busy, err.code)

/** Whether the database went away during this work, be it before or after COMMIT was sent. */
export const wentAway = (err: unknown): boolean => isConnectionLost(err) || isOutcomeUnknown(err)

/** Whether this is `unknownOutcome`. */
export const isOutcomeUnknown = (err: unknown): err is AppError =>
  err instanceof AppError && err.cause instanceof Error && isEnded(err.cause)

/**
 * Whether a group of requests failed with the database: no member caused it, and the COMMIT may be done. One by one, they
 * would wait in vain or be done twice.
 */
export const isOfDatabase = (err: unknown): boolean =>
  err instanceof AppError ? err.code === 'OVERLOADED' : isUnavailable(err) || isStorageFull(err)

// Raised by the function kitlane_claimed.
const LOST = 'KT001'
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether rows that a transaction had only read were changed, or held, by another before it claimed them. */
export const isClaimLost = (err: unknown): boolean =>
  err instanceof DatabaseError && (err.code === LOST || err.code === LOCK_NOT_AVAILABLE)
