import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type Realm, type SystemTx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as businesses from '../businesses/service.ts'
import * as emails from '../emails/service.ts'
import { deleteMembership, selectMembersMadeIn } from './member-queries.ts'
import { administratorsOf, recordOnSide } from './members.ts'
import { ANSWER_MS, stateOf } from './rules.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { supportAccessApproved, supportAccessRequested } from './support-access-emails.ts'
import {
  endOverdue,
  insertSupportAccess,
  lockSupportAccess,
  markSupportAccessEnded,
  type SupportAccessRow,
  selectActive,
  selectOpen,
  startSupportAccess,
} from './support-access-queries.ts'
import { revokeTokensMadeIn } from './token-queries.ts'
import { lockUser } from './user-queries.ts'

/** Notes in the audit of the business what became of an access. It covers both modes and is written to the live one. */
async function note(
  tx: SystemTx,
  { id, businessId }: { id: string; businessId: string },
  action: audit.AuditVerb<'support_access'>,
  more: Pick<audit.AuditEntry, 'details' | 'words'> = {},
): Promise<void> {
  const { live } = await businesses.realmsOf(tx, businessId)
  const entry = { action: `support_access.${action}` as const, objectType: 'support_access', objectId: id }
  await audit.record(within(tx, live), [{ ...entry, ...more }])
}

const notFound = () => new AppError('SUPPORT_ACCESS_NOT_FOUND', 'There is no such support access')

async function lock(tx: SystemTx, id: string): Promise<SupportAccessRow> {
  const access = await lockSupportAccess(tx, id)
  if (!access) throw notFound()
  return access
}

export interface SupportRequest {
  businessId: string
  userId: string
  reason: string
  minutes: number
}

/**
 * Lets somebody of the operator into a business for a limited time: at once, or once an administrator of the business has
 * approved, if the business demands that. @throws BUSINESS_NOT_FOUND, SUPPORT_ACCESS_OPEN
 */
export async function requestSupportAccess(tx: SystemTx, request: SupportRequest): Promise<SupportAccessRow> {
  const { userId, reason, minutes } = request
  const business = await businesses.find(tx, request.businessId)
  // Two requests at once would make two accesses.
  await lockUser(tx, userId)
  const open = await selectOpen(tx, userId, business.id)
  if (open) {
    const sentence =
      open.startedAt === null
        ? 'You have asked already: the business has not answered yet'
        : 'You have access already: end it to ask again'
    throw new AppError('SUPPORT_ACCESS_OPEN', sentence)
  }
  const waits = await businesses.approvesSupport(tx, business.id)
  const id = newOpaqueId('sup')
  const answerBy = waits ? new Date(tx.now.getTime() + ANSWER_MS) : null
  await insertSupportAccess(tx, { id, businessId: business.id, userId, reason, minutes, answerBy })
  const access = await lock(tx, id)
  await note(tx, access, 'requested', { details: { minutes, needsApproval: waits }, words: { reason } })
  if (!waits) return start(tx, access, null)
  await writeToAdmins(tx, access, business.name)
  return access
}

const endOf = (start: Date, minutes: number): Date => new Date(start.getTime() + minutes * 60_000)

async function start(tx: SystemTx, access: SupportAccessRow, approvedBy: string | null): Promise<SupportAccessRow> {
  const { id, userId, minutes, reason } = access
  const endsAt = endOf(tx.now, minutes)
  await startSupportAccess(tx, { id, endsAt, approvedBy })
  await note(tx, access, 'started', {
    details: { user: userId, endsAt: endsAt.toISOString() },
    words: { reason },
  })
  return lock(tx, id)
}

async function writeToAdmins(tx: SystemTx, access: SupportAccessRow, businessName: string): Promise<void> {
  const { live } = await businesses.realmsOf(tx, access.businessId)
  const content = supportAccessRequested(access, businessName)
  const admins = await administratorsOf(tx, access.businessId)
  await emails.queue(
    within(tx, live),
    admins.map(({ email: to, name }) => ({ content, to, name })),
  )
}

/**
 * Approves a request for an administrator of the business; the time counts from now on.
 * @throws SUPPORT_ACCESS_NOT_FOUND, SUPPORT_ACCESS_CLOSED, FORBIDDEN for one's own request
 */
export async function approveSupportAccess(
  tx: SystemTx,
  { businessId, id, adminId }: { businessId: string; id: string; adminId: string },
): Promise<SupportAccessRow> {
  const access = await lock(tx, id)
  if (access.businessId !== businessId) throw notFound()
  if (access.userId === adminId) throw new AppError('FORBIDDEN', 'Another administrator must approve your own request')
  if (stateOf(access, tx.now) !== 'waiting') {
    throw new AppError('SUPPORT_ACCESS_CLOSED', 'This request was answered before, withdrawn, or waited too long')
  }
  await note(tx, access, 'approved')
  const started = await start(tx, access, adminId)
  if (access.userEmail !== null) {
    const { live } = await businesses.realmsOf(tx, businessId)
    const content = supportAccessApproved(access, (await businesses.find(tx, businessId)).name)
    await emails.queue(within(tx, live), [{ content, to: access.userEmail, name: access.userName }])
  }
  return started
}

/** Whose request to end an access it is: `businessId` for the business, which reaches its own only. */
export interface Ender {
  id: string
  businessId?: string
}

/** Ends an access before its time, or refuses or withdraws a request. @throws SUPPORT_ACCESS_NOT_FOUND, SUPPORT_ACCESS_CLOSED */
export async function endSupportAccess(tx: SystemTx, id: string, ender: Ender): Promise<SupportAccessRow> {
  const access = await lock(tx, id)
  if (ender.businessId !== undefined && access.businessId !== ender.businessId) throw notFound()
  const state = stateOf(access, tx.now)
  if (state !== 'active' && state !== 'waiting') {
    throw new AppError('SUPPORT_ACCESS_CLOSED', 'This support access has ended already')
  }
  // Anyone who asked may be in the business's own pages when they end it.
  const by = ender.businessId === undefined || ender.id === access.userId ? 'operator' : 'business'
  await markSupportAccessEnded(tx, { id, by, enderId: ender.id })
  await note(tx, access, state === 'active' ? 'ended' : by === 'business' ? 'refused' : 'withdrawn', {
    details: { by },
  })
  await endWhatItMade(tx, access)
  return lock(tx, id)
}

/** Ends what lets somebody in and was made in an access. Tokens and users that the business kept stay. */
async function endWhatItMade(
  tx: SystemTx,
  { id, businessId }: Pick<SupportAccessRow, 'id' | 'businessId'>,
): Promise<void> {
  const realms = await businesses.realmsOf(tx, businessId)
  for (const token of await revokeTokensMadeIn(tx, id)) {
    await audit.record(within(tx, realms[token.mode]), [
      { action: 'token.revoked', objectType: 'token', objectId: token.id, details: { supportAccess: id } },
    ])
  }
  await removeMembersMadeIn(tx, businessId, id)
}

/** Takes those off a business who were invited in a support access that is over, and whom nobody kept. */
async function removeMembersMadeIn(tx: SystemTx, businessId: string, supportAccessId: string): Promise<void> {
  for (const { id } of await selectMembersMadeIn(tx, supportAccessId)) {
    await deleteSessionsOf(tx, id)
    await deleteMembership(tx, id, businessId)
    await recordOnSide(tx, businessId, 'user.removed', id)
  }
}

/** The access by which somebody of the operator is in a business now. */
export const maybeActive = selectActive

/** @throws SUPPORT_ACCESS_REQUIRED where a person of the operator has no access to the business at the moment */
export async function findActive(
  tx: SystemTx,
  userId: string,
  businessId: string,
): Promise<{ id: string; endsAt: Date }> {
  const active = await selectActive(tx, userId, businessId)
  if (!active) throw await required(tx, userId, businessId)
  return active
}

/** What is missing: a request, or its answer. */
export async function required(tx: SystemTx, userId: string, businessId: string): Promise<AppError> {
  const waits = (await selectOpen(tx, userId, businessId)) !== undefined
  const sentence = waits
    ? 'Your request for support access waits for an administrator of the business'
    : 'Ask for support access to this business first, with a reason'
  return new AppError('SUPPORT_ACCESS_REQUIRED', sentence, { extra: { waits } })
}

/** Notes that somebody used an access: each request, so that the business sees all that was done. */
export async function noteUse(
  tx: SystemTx,
  { access, realm, route }: { access: { id: string }; realm: Realm; route: string },
): Promise<void> {
  const entry = { action: 'support_access.used' as const, objectType: 'support_access', objectId: access.id }
  await audit.record(within(tx, realm), [{ ...entry, details: { route } }])
}

/** Whether the operator needs an approval for each access. */
export async function changeApproval(tx: SystemTx, businessId: string, approvalRequired: boolean): Promise<void> {
  if ((await businesses.approvesSupport(tx, businessId)) === approvalRequired) return
  await businesses.setApprovesSupport(tx, businessId, approvalRequired)
  const { live } = await businesses.realmsOf(tx, businessId)
  const entry = { action: 'support_access.approval_changed' as const, objectType: 'business', objectId: businessId }
  await audit.record(within(tx, live), [{ ...entry, details: { approvalRequired } }])
}

/** Writes to the audit that accesses ended because their time was over. */
export async function closeOverdue(tx: SystemTx): Promise<void> {
  for (const { wasStarted, ...access } of await endOverdue(tx)) {
    await note(tx, access, wasStarted ? 'ended' : 'unanswered', wasStarted ? { details: { by: 'time' } } : {})
    await endWhatItMade(tx, access)
  }
}
