import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { recordOnSide } from '../members.ts'
import { deleteSessionsOf } from '../session-queries.ts'
import { asConnection } from '../sso/give-role.ts'
import { deleteIdentity, dropMembership } from '../sso/link-queries.ts'
import type { ConnectionRow } from '../sso/queries.ts'
import * as queries from './queries.ts'
import { emailTaken, nameTaken, patchUser, readUser, refusal, type UserFields } from './rules.ts'
import { isOurs, type Resources, syncUser } from './sync.ts'

async function find(tx: SystemTx, { id: connectionId }: ConnectionRow, id: string): Promise<queries.ScimUserRow> {
  const row = await queries.selectScimUser(tx, connectionId, id)
  if (!row) throw new AppError('USER_NOT_FOUND', 'There is no such user')
  return row
}

const fieldsOf = ({ userName, externalId, email, isActive, profile }: queries.ScimUserRow): UserFields => ({
  userName,
  externalId,
  email,
  active: isActive,
  ...profile,
})

async function write(
  tx: SystemTx,
  connection: ConnectionRow,
  id: string,
  fields: UserFields,
  before?: queries.ScimUserRow,
): Promise<queries.ScimUserRow> {
  const { email, userName, active } = fields
  // What a provider sent before its domain was taken back may still be ended.
  if (active && !isOurs(connection, fields)) {
    throw refusal('invalidValue', 'The e-mail address is not of a domain that is verified for this single sign-on')
  }
  const taken = await queries.isScimTaken(tx, connection.id, { id, userName, email })
  if (taken.name) throw nameTaken()
  if (taken.email) throw emailTaken()
  await queries.putScimUser(tx, { id, connectionId: connection.id, fields })
  const row = await find(tx, connection, id)
  if (before && !before.isActive && active) await unblock(tx, connection, row)
  await syncUser(tx, connection, row)
  return find(tx, connection, id)
}

/** Lets somebody in again whom the provider had shut out. */
async function unblock(tx: SystemTx, connection: ConnectionRow, { userId }: queries.ScimUserRow): Promise<void> {
  if (userId === null) return
  const { side } = connection
  if (!(await queries.setMembershipDisabled(tx, { userId, side, disabledAt: null }))) return
  await recordOnSide(asConnection(tx, connection), side, 'user.enabled', userId)
}

export const scimUsers: Resources<queries.ScimUserRow> = {
  find,
  create: (tx, connection, body) => write(tx, connection, newOpaqueId('scu'), readUser(body)),
  async replace(tx, connection, id, body) {
    const before = await find(tx, connection, id)
    return write(tx, connection, id, readUser(body, fieldsOf(before)), before)
  },
  async patch(tx, connection, id, operations) {
    const before = await find(tx, connection, id)
    return write(tx, connection, id, patchUser(fieldsOf(before), operations), before)
  },
  /** From the side, regardless of who gave the role, and ends their sessions. */
  async remove(tx, connection, id) {
    const row = await find(tx, connection, id)
    await syncUser(tx, connection, { ...row, isActive: false })
    const { userId } = await find(tx, connection, id)
    await queries.deleteScimUser(tx, id)
    if (userId === null || userId === connection.emergencyUserId) return
    await deleteIdentity(tx, connection.id, userId)
    if (!(await dropMembership(tx, userId, connection.side))) return
    await deleteSessionsOf(tx, userId)
    await recordOnSide(asConnection(tx, connection), connection.side, 'user.removed', userId)
  },
}
