import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface SealedSecrets {
  realmId: number
  id: string
  secret: Buffer
  oldSecret: Buffer | null
}

/** The secrets of all endpoints, locked. */
export function lockSecrets(tx: SystemTx): Promise<SealedSecrets[]> {
  return tx.rows(sql<SealedSecrets>`
    select realm_id as "realmId", id, secret, old_secret as "oldSecret" from webhook_endpoints order by realm_id, id for update`)
}

/** The same secrets under another key. */
export async function updateSealed(tx: SystemTx, { realmId, id, secret, oldSecret }: SealedSecrets): Promise<void> {
  await tx.run(sql`
    update webhook_endpoints set secret = ${secret}, old_secret = ${oldSecret} where realm_id = ${realmId} and id = ${id}`)
}
