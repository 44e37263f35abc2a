import { DatabaseError } from 'pg'
import { AppError, StartError } from '../../domain/errors.ts'

/** Every way in which a database is away, in the words of the network, the driver and the server. Tests try each. */
export const waysToBeAway = {
  /** Codes of Node and of its resolver, on a connection that stood. */
  network: [
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'],
    ...['ENETDOWN', 'ENETRESET', 'ENOTCONN', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
    ...['ERR_SOCKET_CLOSED', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END'],
  ],
  /** What `pg` and its pool say without a code. */
  driver: [
    ...['timeout exceeded when trying to connect', 'timeout expired', 'Query read timeout'],
    ...['Connection terminated', 'not queryable', 'Client was closed', 'Cannot use a pool after calling end'],
  ],
  /**
   * SQLSTATE, whole or its beginning, after which a connection is gone: it failed; its transaction stood still or took too long;
   * the server is stopping, stopped or starting, or lost its disk.
   */
  ended: ['08', '25P03', '25P04', '57P01', '57P02', '57P03', '57P04', '57P05', '58'],
  /**
   * After which a connection is of no use, and another may be: it is to a standby, or what it had prepared is not there any more
   * behind a pooler that was restarted.
   */
  useless: ['25006', '26000'],
  /** The server is there, did nothing, and may do it in a moment: conflicts, resources, locks, cancellations, old snapshots. */
  busy: ['40', '53', '55', '57', '72'],
} as const

const among = (states: readonly string[], code: string | undefined): boolean =>
  code !== undefined && states.some((state) => code.startsWith(state))
const DISK_FULL = '53100'

/** Failures to connect: whatever they say (a name, a password, a certificate, a host that is none), the database is away. */
const connectFailures = new WeakSet<object>()

/** Marks the failure of a connect, and throws it. */
export function failedToConnect(err: unknown): never {
  if (typeof err === 'object' && err !== null) connectFailures.add(err)
  throw err
}

/** Whether the connection was lost or never established. The last statement may still have been executed. */
export function isConnectionLost(err: unknown): boolean {
  // A server that panics, as with a full disk for its log, ends all connections.
  if (err instanceof DatabaseError) return err.severity === 'PANIC' || among(waysToBeAway.ended, err.code)
  const { code, message = '' } = err as { code?: string; message?: string }
  // A client says by SQLSTATE too that no host is one to connect to.
  const isSaidByClient = /^08\w{3}$/.test(code ?? '')
  return isSaidByClient || isNetworkFault(err) || waysToBeAway.driver.some((words) => message.includes(words))
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
  return among(waysToBeAway.useless, err.code) || err.routine === 'RevalidateCachedQuery'
}

/** Whether the database refuses for now, and did nothing. */
export const isBusy = (err: unknown): boolean => err instanceof DatabaseError && among(waysToBeAway.busy, err.code)

/** Whether the database has no room for a change, and undid it. It still reads. */
export const isStorageFull = (err: unknown): boolean =>
  err instanceof DatabaseError && err.code === DISK_FULL && !isEnded(err)

export const storageFull = (cause: unknown): AppError =>
  new AppError(
    'STORAGE_FULL',
    'The disk of the database is full. Nothing was changed; the operator has to give it space',
    {
      cause,
    },
  )

/** The refusal that a caller receives: the request itself is fine. */
export const unavailable = (cause: unknown): AppError =>
  new AppError('OVERLOADED', 'The database cannot be reached or takes no changes now, try again in a moment', { cause })

/** COMMIT was sent, and no answer arrived. */
export const unknownOutcome = (cause: unknown): AppError =>
  new AppError(
    'OVERLOADED',
    'The database went away before it said whether this was done. Send it again with the same Idempotency-Key: it is not done twice',
    { cause },
  )

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
