import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { ConnectionRow } from '../sso/queries.ts'
import * as queries from './queries.ts'
import { type GroupFields, nameTaken, patchGroup, readGroup } from './rules.ts'
import { type Resources, syncUser } from './sync.ts'

async function find(tx: SystemTx, { id: connectionId }: ConnectionRow, id: string): Promise<queries.ScimGroupRow> {
  const row = await queries.selectScimGroup(tx, connectionId, id)
  if (!row) throw new AppError('USER_NOT_FOUND', 'There is no such group')
  return row
}

const idsOf = ({ members }: queries.ScimGroupRow): string[] => members.map(({ id }) => id)

const fieldsOf = (row: queries.ScimGroupRow): GroupFields => ({
  displayName: row.displayName,
  externalId: row.externalId,
  members: idsOf(row),
})

async function write(
  tx: SystemTx,
  connection: ConnectionRow,
  id: string,
  fields: GroupFields,
  before?: queries.ScimGroupRow,
): Promise<queries.ScimGroupRow> {
  if (await queries.isScimGroupTaken(tx, connection.id, { id, displayName: fields.displayName })) throw nameTaken()
  await queries.putScimGroup(tx, { id, connectionId: connection.id, fields })
  const after = await find(tx, connection, id)
  const isRenamed = before && (before.displayName !== after.displayName || before.externalId !== after.externalId)
  const [old, now] = [before ? idsOf(before) : [], idsOf(after)]
  const stayed = new Set(isRenamed ? [] : now.filter((one) => old.includes(one)))
  const changed = [...new Set([...old, ...now])].filter((one) => !stayed.has(one))
  await syncThese(tx, connection, changed)
  return after
}

async function syncThese(tx: SystemTx, connection: ConnectionRow, ids: readonly string[]): Promise<void> {
  for (const row of await queries.selectScimUsersIn(tx, connection.id, ids)) await syncUser(tx, connection, row)
}

export const scimGroups: Resources<queries.ScimGroupRow> = {
  find,
  create: (tx, connection, body) => write(tx, connection, newOpaqueId('scg'), readGroup(body)),
  replace: async (tx, connection, id, body) =>
    write(tx, connection, id, readGroup(body), await find(tx, connection, id)),
  async patch(tx, connection, id, operations) {
    const before = await find(tx, connection, id)
    return write(tx, connection, id, patchGroup(fieldsOf(before), operations), before)
  },
  /** Its people lose the role that it gave. */
  async remove(tx, connection, id) {
    const before = await find(tx, connection, id)
    await queries.deleteScimGroup(tx, id)
    await syncThese(tx, connection, idsOf(before))
  },
}
