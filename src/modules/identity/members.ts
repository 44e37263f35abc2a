import { AppError } from '../../domain/errors.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as businesses from '../businesses/service.ts'
import { type Granter, refuseToGiveRole } from './grants.ts'
import {
  deleteMembership,
  hasOtherAdmin,
  keepMembership,
  lockMember,
  type MemberRow,
  putSecondFactorRequired,
  type Side,
  selectMembers,
  selectSecondFactorRequired,
  updateMembership,
} from './member-queries.ts'
import { hasSecondFactor, type Role } from './rules.ts'
import { deleteSessionsOf } from './session-queries.ts'
import { isEmergencyAccount } from './sso/queries.ts'

type Status = 'active' | 'invited' | 'disabled'

export interface Member {
  id: string
  email: string
  name?: string
  role: Role
  status: Status
  totpEnabled: boolean
  secondFactor: boolean
  lastSeenDate?: string
  endsWithSupportAccess?: true
}

/** Who administers a side now. */
export const administratorsOf = async (tx: SystemTx, side: Side): Promise<MemberRow[]> =>
  (await selectMembers(tx, side)).filter(
    ({ role, acceptedAt, disabledAt, supportAccessId }) =>
      role === (side === null ? 'operator-admin' : 'business-admin') &&
      acceptedAt !== null &&
      disabledAt === null &&
      supportAccessId === null,
  )

/** Of somebody who has not accepted yet, a side learns no more than it knew: they may be known elsewhere. */
export function shownMember(row: MemberRow): Member {
  const { id, email, role } = row
  const made = row.supportAccessId !== null && { endsWithSupportAccess: true as const }
  if (row.acceptedAt === null)
    return { id, email, role, status: 'invited', totpEnabled: false, secondFactor: false, ...made }
  return {
    id,
    email,
    role,
    ...(row.name !== null && { name: row.name }),
    status: row.disabledAt ? 'disabled' : 'active',
    totpEnabled: row.totpEnabled,
    secondFactor: hasSecondFactor(row),
    ...(row.lastSeenAt && { lastSeenDate: row.lastSeenAt.toISOString() }),
    ...made,
  }
}

/** The users of one side: a business, or the operator (null). */
export const listMembers = async (tx: SystemTx, side: Side): Promise<Member[]> =>
  (await selectMembers(tx, side)).map(shownMember)

/** Notes a change of a side's users, in the live realm of the business. */
export async function recordOnSide(
  tx: SystemTx,
  side: Side,
  action: audit.AuditAction,
  userId: string,
  role?: Role,
  before?: { role: Role },
): Promise<void> {
  const details = { ...(role && { role }), ...(before && { before }) }
  const entry = { action, objectType: 'user', objectId: userId, ...((role || before) && { details }) }
  if (side === null) return audit.recordSystem(tx, [entry])
  const { live } = await businesses.realmsOf(tx, side)
  return audit.record(within(tx, live), [entry])
}

/**
 * Keeps somebody who was invited in a support access, and would go with it: an administrator of the business vouches for
 * them. @throws USER_NOT_FOUND, FORBIDDEN for a role that holds more than the granter
 */
export async function keepMember(tx: SystemTx, side: Side, userId: string, granter: Granter): Promise<Member> {
  const { role } = await findMember(tx, side, userId)
  refuseToGiveRole(granter, role)
  if (await keepMembership(tx, userId, side)) await recordOnSide(tx, side, 'user.kept', userId, role)
  return shownMember(await findMember(tx, side, userId))
}

interface MemberChange {
  role?: Role | undefined
  disabled?: boolean | undefined
}

/**
 * Gives a user of a side another role, or disables them there, which ends their sessions; both count at once.
 * @throws USER_NOT_FOUND, LAST_ADMIN, EMERGENCY_ACCOUNT_REQUIRED, FORBIDDEN for a role that holds more than the granter
 */
export async function changeMember(
  tx: SystemTx,
  side: Side,
  userId: string,
  change: MemberChange,
  granter: Granter,
): Promise<Member> {
  const member = await findMember(tx, side, userId)
  const role = change.role ?? member.role
  const disabled = change.disabled ?? member.disabledAt !== null
  if (role !== member.role || (member.disabledAt && !disabled)) refuseToGiveRole(granter, role)
  if (disabled || role !== member.role) await keepAnAdmin(tx, side, member, disabled ? undefined : role)
  await updateMembership(tx, { userId, side, role, disabledAt: disabled ? (member.disabledAt ?? tx.now) : null })
  if (disabled && !member.disabledAt) {
    await deleteSessionsOf(tx, userId)
    await recordOnSide(tx, side, 'user.disabled', userId)
  }
  if (!disabled && member.disabledAt) await recordOnSide(tx, side, 'user.enabled', userId)
  if (role !== member.role) await recordOnSide(tx, side, 'user.role_changed', userId, role)
  return shownMember(await findMember(tx, side, userId))
}

/** Takes a user off a side and ends their sessions. @throws USER_NOT_FOUND, LAST_ADMIN, EMERGENCY_ACCOUNT_REQUIRED */
export async function removeMember(tx: SystemTx, side: Side, userId: string): Promise<Member> {
  const member = await findMember(tx, side, userId)
  await keepAnAdmin(tx, side, member, undefined)
  await deleteSessionsOf(tx, userId)
  await deleteMembership(tx, userId, side)
  await recordOnSide(tx, side, 'user.removed', userId, undefined, { role: member.role })
  return shownMember(member)
}

async function findMember(tx: SystemTx, side: Side, userId: string): Promise<MemberRow> {
  const member = await lockMember(tx, side, userId)
  if (!member) throw new AppError('USER_NOT_FOUND', 'There is no such user')
  return member
}

async function keepAnAdmin(
  tx: SystemTx,
  side: Side,
  { id, role, acceptedAt, supportAccessId }: MemberRow,
  next?: Role,
): Promise<void> {
  if (await isEmergencyAccount(tx, side, id)) {
    throw new AppError(
      'EMERGENCY_ACCOUNT_REQUIRED',
      'This is the emergency account of a single sign-on: name another one there first',
    )
  }
  const isAdmin = (one: Role | undefined) => one === 'operator-admin' || one === 'business-admin'
  if (!isAdmin(role) || isAdmin(next) || acceptedAt === null || supportAccessId !== null) return
  if (await hasOtherAdmin(tx, side, id)) return
  throw new AppError('LAST_ADMIN', 'Somebody must stay administrator: make another user one first')
}

interface SignInPolicy {
  secondFactorRequired: boolean
}

/** What a business demands of its members when they sign in. */
export const findSignInPolicy = async (tx: SystemTx & Tx): Promise<SignInPolicy> => ({
  secondFactorRequired: (await selectSecondFactorRequired(tx, tx.realm.businessId)) ?? false,
})

/** Changes it; it counts at the next request of each member. */
export async function changeSignInPolicy(tx: SystemTx & Tx, change: SignInPolicy): Promise<SignInPolicy> {
  const { businessId } = tx.realm
  await putSecondFactorRequired(tx, businessId, change.secondFactorRequired)
  const { live } = await businesses.realmsOf(tx, businessId)
  const entry = {
    action: 'sign_in_policy.changed' as const,
    objectType: 'business',
    objectId: businessId,
    details: { ...change },
  }
  await audit.record(within(tx, live), [entry])
  return change
}
