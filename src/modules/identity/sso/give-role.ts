import type { SystemTx } from '../../../platform/database/tx.ts'
import { deleteMembership, hasOtherAdmin, type Side } from '../member-queries.ts'
import { recordOnSide } from '../members.ts'
import type { Role } from '../rules.ts'
import { deleteSessionsOf } from '../session-queries.ts'
import { type Account, markVerified } from '../user-queries.ts'
import * as linkQueries from './link-queries.ts'
import type { ConnectionRow } from './queries.ts'

/** The transaction with the connection as the one who acts: its groups decide, regardless of who signs in. */
export const asConnection = (tx: SystemTx, { id }: ConnectionRow): SystemTx => ({
  ...tx,
  actor: { ...tx.actor, name: `sso:${id}` },
})

/** Gives a user whom a provider vouches for the role of their groups. */
export async function giveRole(tx: SystemTx, connection: ConnectionRow, user: Account, role: Role): Promise<void> {
  const { id: connectionId, side } = connection
  if (!user.isVerified) {
    // Anyone who made the account may know its password, and not be the owner of the address.
    await linkQueries.deletePassword(tx, user.id)
    await deleteSessionsOf(tx, user.id)
    await markVerified(tx, user.id)
  }
  const membership = await linkQueries.lockMembership(tx, user.id, side)
  const isMember = membership !== undefined && membership.acceptedAt !== null
  if (isMember && membership.role === role && membership.connectionId === connectionId) return
  await linkQueries.putConnectedMembership(tx, { userId: user.id, side, role, connectionId })
  await linkQueries.deleteInvitations(tx, user.id, side)
  if (isMember && membership.role === role) return
  const action = isMember ? 'user.role_changed' : 'user.joined'
  await recordOnSide(asConnection(tx, connection), side, action, user.id, role)
}

/** Takes the role away that groups gave, and ends the sessions. A role that a person gave stays. */
export async function withdrawRole(tx: SystemTx, connection: ConnectionRow, userId: string): Promise<void> {
  const { id, side, emergencyUserId } = connection
  if (userId === emergencyUserId) return
  const membership = await linkQueries.lockMembership(tx, userId, side)
  if (membership?.connectionId !== id) return
  await deleteSessionsOf(tx, userId)
  await recordOnSide(asConnection(tx, connection), side, 'user.removed', userId)
  await deleteMembership(tx, userId, side)
}

const isAdmin = (role: Role): boolean => role === 'operator-admin' || role === 'business-admin'

/**
 * Whether groups may give a member this role. A first sign-in with a table that has a mistake must not take the only
 * administrator away; of a role that came from groups, groups decide.
 */
export async function keepsAnAdmin(
  tx: SystemTx,
  side: Side,
  userId: string,
  { role, connectionId }: linkQueries.SideMembership,
  next: Role,
): Promise<boolean> {
  return connectionId !== null || !isAdmin(role) || isAdmin(next) || (await hasOtherAdmin(tx, side, userId))
}
