import { sql } from 'kysely'
import type { SecretKey } from '../crypto.ts'
import type { SystemTx } from '../database/tx.ts'

/** Destroys the data keys from before a time that others have replaced since. Returns how many. */
export function deleteReplacedKeys(tx: SystemTx, before: Date): Promise<number> {
  return tx.run(sql`
    delete from data_keys old where purpose = 'data' and created_at < ${before} and exists (
      select from data_keys k where k.realm_id = old.realm_id and k.purpose = 'data' and k.created_at >= ${before})`)
}

/** Records the key that replaced the one before, once nothing needs that any more. */
export async function replaceEncryptionKey(tx: SystemTx, { id }: SecretKey): Promise<void> {
  await tx.run(sql`update encryption_key set id = ${id}`)
}
