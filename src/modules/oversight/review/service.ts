import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { recordSystem } from '../../audit/service.ts'
import { markKindAcknowledged } from '../alarms/queries.ts'
import { raise } from '../alarms/service.ts'
import {
  insertSignOff,
  type SignOffRow,
  selectFirstUserAt,
  selectSignOffs,
  selectTokenAccess,
  selectUserAccess,
  type TokenAccess,
  type UserAccess,
} from './queries.ts'

/** A review that is older is due again. */
const DUE_MS = 90 * 24 * 3_600_000

export interface AccessReview {
  users: UserAccess[]
  tokens: TokenAccess[]
  /** Of all rights: it changes when somebody gets or loses one, and not when somebody signs in. */
  sha256: Buffer
  isDue: boolean
  signOffs: SignOffRow[]
}

/** Who may do what, with when it was last confirmed. */
export async function accessReview(tx: SystemTx): Promise<AccessReview> {
  const users = await selectUserAccess(tx)
  const tokens = await selectTokenAccess(tx)
  const signOffs = await selectSignOffs(tx, 50)
  return { users, tokens, sha256: hashOf(users, tokens), isDue: isDue(tx.now, signOffs.at(0)?.at), signOffs }
}

const isDue = (now: Date, last: Date | null | undefined) => !last || now.getTime() - last.getTime() > DUE_MS

function hashOf(users: readonly UserAccess[], tokens: readonly TokenAccess[]): Buffer {
  const rights = [
    ...users.map(({ id, email, isDisabled, hasSecondFactor, roles }) => [
      ...['user', id, email, isDisabled, hasSecondFactor],
      roles.map(({ role, businessId = '' }) => `${role} ${businessId}`),
    ]),
    ...tokens.map(({ id, scopes, expiresAt, businessId, mode }) => ['token', id, scopes, expiresAt, businessId, mode]),
  ]
  return sha256(
    rights
      .map((line) => JSON.stringify(line))
      .sort()
      .join('\n'),
  )
}

/**
 * Keeps that somebody has read the list with this hash, and that everybody on it should have access.
 * @throws ACCESS_REVIEW_CHANGED
 */
export async function signOff(
  tx: SystemTx,
  { shown, note }: { shown: string; note?: string | undefined },
): Promise<SignOffRow> {
  const { users, tokens, sha256: hash } = await accessReview(tx)
  if (hash.toString('hex') !== shown)
    throw new AppError('ACCESS_REVIEW_CHANGED', 'The list has changed since it was shown: read it again')
  const row = {
    id: newOpaqueId('rev'),
    at: tx.now,
    reviewedBy: tx.actor.name,
    sha256: hash,
    note: note ?? null,
    users: users.length,
    tokens: tokens.length,
  }
  await insertSignOff(tx, row)
  await markKindAcknowledged(tx, 'access_review_due')
  await recordSystem(tx, [{ action: 'access_review.signed', objectType: 'access_review', objectId: row.id }])
  return row
}

/** Raises an alarm when the last review is too old; while nobody reviews, there is one alarm. */
export async function remindOfReview(tx: SystemTx): Promise<void> {
  const [last] = await selectSignOffs(tx, 1)
  const since = last?.at ?? (await selectFirstUserAt(tx))
  if (since && isDue(tx.now, since)) await raise(tx, { kind: 'access_review_due', subject: 'access review', amount: 1 })
}
