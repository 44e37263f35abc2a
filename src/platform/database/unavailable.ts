import { DatabaseError } from 'pg'
import { AppError } from '../../domain/errors.ts'

// Node's codes, and the messages of `pg` and its pool that come without a code.
const LOST_CODES = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
)
const LOST_WORDS =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|Client was closed/
// Connection failure; a transaction that stood still or took too long, whose connection the server ends; and a server that is
// stopping, stopped or starting.
const LOST_STATES = /^(08|25P0[34]|57P0[1-5])/
const READ_ONLY = '25006'
const DISK_FULL = '53100'

/** Whether the connection was lost or never established. The last statement may still have been executed. */
export function isConnectionLost(err: unknown): boolean {
  // A server that panics, as with a full disk for its log, ends all connections.
  if (err instanceof DatabaseError) return err.severity === 'PANIC' || LOST_STATES.test(err.code ?? '')
  return isNetworkFault(err) || LOST_WORDS.test((err as Error).message ?? '')
}

/** Whether the network failed: no server has spoken. */
export function isNetworkFault(err: unknown): boolean {
  const { code = '', syscall } = err as { code?: string; syscall?: string }
  // A socket that is not there, rather than a file.
  return code === 'ENOENT' ? syscall === 'connect' : LOST_CODES.has(code)
}

/** Whether connections like this one are useless for now: lost, or to a read-only database (a standby). */
export const isUnavailable = (err: unknown): boolean =>
  isConnectionLost(err) || (err instanceof DatabaseError && err.code === READ_ONLY)

/** Whether the database has no room for a change, and undid it. It still reads. */
export const isStorageFull = (err: unknown): boolean =>
  err instanceof DatabaseError && err.code === DISK_FULL && !isConnectionLost(err)

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
  err instanceof AppError && err.cause instanceof Error && isConnectionLost(err.cause)

/**
 * Whether a group of requests failed with the database: no member caused it, and the COMMIT may be done. One by one, they
 * would wait in vain or be done twice.
 */
export const isOfDatabase = (err: unknown): boolean =>
  err instanceof AppError ? err.code === 'OVERLOADED' : isUnavailable(err) || isStorageFull(err)
