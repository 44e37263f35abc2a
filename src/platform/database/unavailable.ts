import { DatabaseError } from 'pg'
import { AppError } from '../../domain/errors.ts'

// Node's codes, and the messages of `pg` and its pool that come without a code.
const LOST_CODES = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ENOTFOUND EAI_AGAIN ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
)
const LOST_WORDS =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|not queryable|Client was closed/
// Connection failure, and a server that is stopping, stopped or starting.
const LOST_STATES = /^(08|57P0[1-5])/
const READ_ONLY = '25006'

/** Whether the connection was lost or never established. The last statement may still have been executed. */
export function isConnectionLost(err: unknown): boolean {
  if (err instanceof DatabaseError) return LOST_STATES.test(err.code ?? '')
  const { code = '', message = '' } = err as { code?: string; message?: string }
  return LOST_CODES.has(code) || LOST_WORDS.test(message)
}

/** Whether connections like this one are useless for now: lost, or to a read-only database (a standby). */
export const isUnavailable = (err: unknown): boolean =>
  isConnectionLost(err) || (err instanceof DatabaseError && err.code === READ_ONLY)

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
