import { DatabaseError } from 'pg'

// Raised by the function kitlane_claimed.
const LOST = 'KT001'
const LOCK_NOT_AVAILABLE = '55P03'

/** Whether rows that a transaction had only read were changed, or held, by another before it claimed them. */
export const isClaimLost = (err: unknown): boolean =>
  err instanceof DatabaseError && (err.code === LOST || err.code === LOCK_NOT_AVAILABLE)
