import type { SystemTx } from '../../platform/database/tx.ts'
import { lockSecrets, updateSealed } from './queries.ts'
import { resealed } from './secrets.ts'

/** Seals the signing secrets that another key sealed with the key of now. */
export async function resealWebhookSecrets(tx: SystemTx): Promise<number> {
  let count = 0
  for (const { realmId, id, secret, oldSecret } of await lockSecrets(tx)) {
    const fresh = resealed(tx.context, realmId, id, secret)
    const freshOld = oldSecret && resealed(tx.context, realmId, id, oldSecret)
    if (!fresh && !freshOld) continue
    await updateSealed(tx, { realmId, id, secret: fresh ?? secret, oldSecret: freshOld ?? oldSecret })
    count++
  }
  return count
}
