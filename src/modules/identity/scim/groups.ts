import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { ConnectionRow } from '../sso/queries.ts'
import {
  deleteScimGroup,
  isScimGroupTaken,
  putScimGroup,
  type ScimGroupRow,
  selectScimGroup,
  selectScimUsersIn,
} from './queries.ts'
import { type GroupFields, nameTaken, type Operation, patchGroup, readGroup } from './rules.ts'
import { syncUser } from './sync.ts'

/** @throws USER_NOT_FOUND */
export async function findScimGroup(
  tx: SystemTx,
  { id: connectionId }: ConnectionRow,
  id: string,
): Promise<ScimGroupRow> {
  const row = await selectScimGroup(tx, connectionId, id)
  if (!row) throw new AppError('USER_NOT_FOUND', 'There is no such group')
  return row
}

const idsOf = ({ members }: ScimGroupRow): string[] => members.map(({ id }) => id)

const fieldsOf = (row: ScimGroupRow): GroupFields => ({
  displayName: row.displayName,
  externalId: row.externalId,
  members: idsOf(row),
})

/** @throws VALIDATION_FAILED, USER_EXISTS */
export function createScimGroup(tx: SystemTx, connection: ConnectionRow, body: unknown): Promise<ScimGroupRow> {
  return write(tx, connection, newOpaqueId('scg'), readGroup(body))
}

/** @throws USER_NOT_FOUND, VALIDATION_FAILED, USER_EXISTS */
export async function replaceScimGroup(
  tx: SystemTx,
  connection: ConnectionRow,
  id: string,
  body: unknown,
): Promise<ScimGroupRow> {
  return write(tx, connection, id, readGroup(body), await findScimGroup(tx, connection, id))
}

/** @throws USER_NOT_FOUND, VALIDATION_FAILED, USER_EXISTS */
export async function patchScimGroup(
  tx: SystemTx,
  connection: ConnectionRow,
  id: string,
  operations: readonly Operation[],
): Promise<ScimGroupRow> {
  const before = await findScimGroup(tx, connection, id)
  return write(tx, connection, id, patchGroup(fieldsOf(before), operations), before)
}

async function write(
  tx: SystemTx,
  connection: ConnectionRow,
  id: string,
  fields: GroupFields,
  before?: ScimGroupRow,
): Promise<ScimGroupRow> {
  if (await isScimGroupTaken(tx, connection.id, { id, displayName: fields.displayName })) throw nameTaken()
  await putScimGroup(tx, { id, connectionId: connection.id, fields })
  const after = await findScimGroup(tx, connection, id)
  const isRenamed = before && (before.displayName !== after.displayName || before.externalId !== after.externalId)
  const [old, now] = [before ? idsOf(before) : [], idsOf(after)]
  const stayed = new Set(isRenamed ? [] : now.filter((one) => old.includes(one)))
  const changed = [...new Set([...old, ...now])].filter((one) => !stayed.has(one))
  await syncThese(tx, connection, changed)
  return after
}

/** Deletes a group; its people lose the role that it gave. @throws USER_NOT_FOUND */
export async function deleteScimGroupOf(tx: SystemTx, connection: ConnectionRow, id: string): Promise<void> {
  const before = await findScimGroup(tx, connection, id)
  await deleteScimGroup(tx, id)
  await syncThese(tx, connection, idsOf(before))
}

async function syncThese(tx: SystemTx, connection: ConnectionRow, ids: readonly string[]): Promise<void> {
  for (const row of await selectScimUsersIn(tx, connection.id, ids)) await syncUser(tx, connection, row)
}
