import { DatabaseError } from 'pg'
import { idConstraints } from '../../domain/ids.ts'

// Serialization failure and deadlock
const RETRIED_STATES = new Set(['40001', '40P01'])
/** How often a transaction is tried in all. */
export const ATTEMPTS = 4

/** Whether a transaction may be tried again: PostgreSQL rolled everything back. */
export function isRetryable(err: unknown): boolean {
  if (!(err instanceof DatabaseError)) return false
  return RETRIED_STATES.has(err.code ?? '') || (err.code === '23505' && idConstraints.has(err.constraint ?? ''))
}
