import { AppError } from '../../../domain/errors.ts'
import { newSecret } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { type Granter, refuseToGiveRole } from '../grants.ts'
import type { Side } from '../member-queries.ts'
import { recordConnection } from '../sso/connections.ts'
import { lockConnection } from '../sso/queries.ts'
import { setScimToken } from './queries.ts'

/**
 * Makes the token with which a provider manages the people of a connection, in place of the one before. Its holder gives
 * the roles of the group table, so the caller needs all that these hold. @throws CONNECTION_NOT_FOUND, FORBIDDEN
 */
export async function createScimToken(
  tx: SystemTx,
  side: Side,
  connectionId: string,
  granter: Granter,
): Promise<{ token: string; url: string }> {
  const connection = await find(tx, side, connectionId)
  for (const { role } of connection.groupRoles) refuseToGiveRole(granter, role)
  const token = `kl_scim_${newSecret()}`
  await setScimToken(tx, connectionId, sha256(token))
  await recordConnection(tx, side, 'scim.token_created', connectionId)
  return { token, url: `${tx.context.publicUrl ?? ''}/scim/v2` }
}

/** Ends the token. What the provider made stays. @throws CONNECTION_NOT_FOUND */
export async function endScimToken(tx: SystemTx, side: Side, connectionId: string): Promise<void> {
  await find(tx, side, connectionId)
  await setScimToken(tx, connectionId, null)
  await recordConnection(tx, side, 'scim.token_revoked', connectionId)
}

async function find(tx: SystemTx, side: Side, connectionId: string) {
  const row = await lockConnection(tx, connectionId)
  if (!row || row.side !== side) throw new AppError('CONNECTION_NOT_FOUND', 'There is no such single sign-on')
  return row
}
