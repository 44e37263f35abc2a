import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { recordOnSide } from '../members.ts'
import { deleteSessionsOf } from '../session-queries.ts'
import { domainOf } from '../sso/claims.ts'
import { asConnection, giveRole, keepsAnAdmin, withdrawRole } from '../sso/give-role.ts'
import { lockMembership } from '../sso/link-queries.ts'
import type { ConnectionRow } from '../sso/queries.ts'
import { roleOf } from '../sso/rules.ts'
import { findOrInsertUser, lockUser, selectUserByEmail } from '../user-queries.ts'
import { type ScimUserRow, setMembershipDisabled, setScimUserId } from './queries.ts'
import type { Operation } from './rules.ts'

/** What a provider does with users, and alike with groups. @throws USER_NOT_FOUND, VALIDATION_FAILED, USER_EXISTS */
export interface Resources<Row> {
  find(tx: SystemTx, connection: ConnectionRow, id: string): Promise<Row>
  create(tx: SystemTx, connection: ConnectionRow, body: unknown): Promise<Row>
  replace(tx: SystemTx, connection: ConnectionRow, id: string, body: unknown): Promise<Row>
  patch(tx: SystemTx, connection: ConnectionRow, id: string, operations: readonly Operation[]): Promise<Row>
  remove(tx: SystemTx, connection: ConnectionRow, id: string): Promise<void>
}

/** What the group table compares: the names and the provider's IDs of a person's groups. */
export const groupNames = ({ groups }: Pick<ScimUserRow, 'groups'>): string[] =>
  groups.flatMap(({ displayName, externalId }) => (externalId === null ? [displayName] : [displayName, externalId]))

/** Whether the address is of a domain that was verified for the connection. */
export const isOurs = ({ domains }: ConnectionRow, { email }: { email: string }): boolean =>
  domains.some(({ domain, isVerified }) => isVerified && domain === domainOf(email))

/** Brings what a person may do in line with what the provider says of them. It counts at once: sessions are not cached. */
export async function syncUser(tx: SystemTx, connection: ConnectionRow, row: ScimUserRow): Promise<void> {
  if (!row.isActive) return block(tx, connection, row)
  const role = isOurs(connection, row) ? roleOf(groupNames(row), connection.groupRoles) : undefined
  if (!role) {
    if (row.userId !== null) await withdrawRole(tx, connection, row.userId)
    return
  }
  const userId = row.userId ?? (await findOrInsertUser(tx, newOpaqueId('usr'), row.email)).id
  if (row.userId === null) await setScimUserId(tx, row.id, userId)
  const user = await lockUser(tx, userId)
  if (!user || userId === connection.emergencyUserId) return
  const membership = await lockMembership(tx, userId, connection.side)
  if (membership?.acceptedAt && !(await keepsAnAdmin(tx, connection.side, userId, membership, role))) return
  await giveRole(tx, connection, user, role)
}

/** Shuts somebody out of the side, regardless of who gave the role, and ends their sessions. The emergency account stays. */
async function block(tx: SystemTx, connection: ConnectionRow, row: ScimUserRow): Promise<void> {
  const userId = row.userId ?? (isOurs(connection, row) ? (await selectUserByEmail(tx, row.email))?.id : undefined)
  if (userId === undefined || userId === connection.emergencyUserId) return
  if (row.userId === null) await setScimUserId(tx, row.id, userId)
  const { side } = connection
  if (!(await setMembershipDisabled(tx, { userId, side, disabledAt: tx.now }))) return
  await deleteSessionsOf(tx, userId)
  await recordOnSide(asConnection(tx, connection), side, 'user.disabled', userId)
}
