import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import * as audit from '../audit/service.ts'
import { deleteSessionsOfUser } from './session-queries.ts'

/** Ends one of a person's own sessions, which may be the one that asks. @throws SESSION_NOT_FOUND */
export async function endOwnSession(tx: SystemTx, { userId }: SignedIn, id: string): Promise<void> {
  const ended = await deleteSessionsOfUser(tx, userId, { id })
  if (ended.length === 0) throw new AppError('SESSION_NOT_FOUND', 'You have no such session: perhaps it has ended')
  await record(tx, ended)
}

/** Ends all sessions of a person except the one that asks. Returns how many there were. */
export async function endOtherSessions(tx: SystemTx, { userId, sessionId }: SignedIn): Promise<number> {
  const ended = await deleteSessionsOfUser(tx, userId, { except: sessionId })
  await record(tx, ended)
  return ended.length
}

const record = (tx: SystemTx, ids: readonly string[]): Promise<void> =>
  audit.recordSystem(
    tx,
    ids.map((objectId) => ({ action: 'session.revoked', objectType: 'session', objectId })),
  )
