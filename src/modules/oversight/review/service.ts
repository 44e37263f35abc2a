import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { csvCell } from '../../../platform/http/csv.ts'
import { recordSystem } from '../../audit/service.ts'
import { markKindAcknowledged } from '../alarms/queries.ts'
import { raise } from '../alarms/service.ts'
import * as queries from './queries.ts'

/** A review that is older is due again. */
const DUE_MS = 90 * 24 * 3_600_000

export interface AccessReview {
  users: queries.UserAccess[]
  tokens: queries.TokenAccess[]
  /** Of all rights: it changes when somebody gets or loses one, and not when somebody signs in. */
  sha256: Buffer
  isDue: boolean
  signOffs: queries.SignOffRow[]
}

/** Who may do what, with when it was last confirmed. */
export async function accessReview(tx: SystemTx): Promise<AccessReview> {
  const users = await queries.selectUserAccess(tx)
  const tokens = await queries.selectTokenAccess(tx)
  const signOffs = await queries.selectSignOffs(tx, 50)
  return { users, tokens, sha256: hashOf(users, tokens), isDue: isDue(tx.now, signOffs.at(0)?.at), signOffs }
}

const isDue = (now: Date, last: Date | null | undefined) => !last || now.getTime() - last.getTime() > DUE_MS

function hashOf(users: readonly queries.UserAccess[], tokens: readonly queries.TokenAccess[]): Buffer {
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
): Promise<queries.SignOffRow> {
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
  await queries.insertSignOff(tx, row)
  await markKindAcknowledged(tx, 'access_review_due')
  await recordSystem(tx, [{ action: 'access_review.signed', objectType: 'access_review', objectId: row.id }])
  return row
}

/** Raises an alarm when the last review is too old; while nobody reviews, there is one alarm. */
export async function remindOfReview(tx: SystemTx): Promise<void> {
  const [last] = await queries.selectSignOffs(tx, 1)
  const since = last?.at ?? (await queries.selectFirstUserAt(tx))
  if (since && isDue(tx.now, since)) await raise(tx, { kind: 'access_review_due', subject: 'access review', amount: 1 })
}

const header = [
  'Kind',
  'ID',
  'Name',
  'Business',
  'Mode',
  'Rights',
  'State',
  'Second factor',
  'Created',
  'Last sign-in',
  'Ends',
]

/** The review as a file: a row for each role of a user, and one for each token. */
export function reviewCsv({ users, tokens }: Pick<AccessReview, 'users' | 'tokens'>): string {
  const ofUsers = users.flatMap(({ id, email, isDisabled, hasSecondFactor, createdAt, signedInAt, roles }) => {
    const listed = roles.length > 0 ? roles : [{ role: '', businessName: undefined }]
    return listed.map(({ role, businessName }) => [
      ...['user', id, email, businessName ?? (role && 'The operator'), '', role, isDisabled ? 'disabled' : 'active'],
      ...[hasSecondFactor ? 'yes' : 'no', createdAt.toISOString(), signedInAt?.toISOString(), ''],
    ])
  })
  const ofTokens = tokens.map(({ id, name, businessName, mode, scopes, createdAt, expiresAt }) => [
    ...['token', id, name, businessName ?? 'The operator', mode ?? '', scopes.join(' '), 'active', ''],
    ...[createdAt.toISOString(), '', expiresAt?.toISOString()],
  ])
  return `\uFEFF${[header, ...ofUsers, ...ofTokens].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}
