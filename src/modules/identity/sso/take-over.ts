import type { SystemTx } from '../../../platform/database/tx.ts'
import { hasOtherAdmin, type Side } from '../member-queries.ts'
import type { Role } from '../rules.ts'
import type { SideMembership } from './link-queries.ts'

const isAdmin = (role: Role): boolean => role === 'operator-admin' || role === 'business-admin'

/**
 * Whether groups may give a member this role. A first sign-in with a table that has a mistake must not take the only
 * administrator away; of a role that came from groups, groups decide.
 */
export async function keepsAnAdmin(
  tx: SystemTx,
  side: Side,
  userId: string,
  { role, connectionId }: SideMembership,
  next: Role,
): Promise<boolean> {
  return connectionId !== null || !isAdmin(role) || isAdmin(next) || (await hasOtherAdmin(tx, side, userId))
}
