import type { Actor, Database } from '../../platform/database/tx.ts'
import { replaceEncryptionKey } from '../../platform/sealing/replaced-keys.ts'
import { resealTotpSecrets } from '../identity/totp.ts'
import { resealWebhookSecrets } from '../webhooks/secrets.ts'
import { lockProgress, writeProgress } from './queries.ts'

const KEYS_AT_ONCE = 50
/** The name of the progress of sealing them. */
export const SECRETS = 'seal secrets'

export interface Rewrapped {
  /** Keys that the master key of now has wrapped instead of another. */
  keys: number
  /** Secrets that were sealed with another master key itself. */
  secrets: number
}

/**
 * Puts the master key of now in the place of every earlier one, while everything runs. Interrupted, it goes on when it is
 * called again. The keys of realms stay: what they sealed is untouched.
 */
export async function rotateMasterKey(database: Database, actor: Actor): Promise<Rewrapped> {
  // Outside of the transaction: a key management service is asked for each key.
  const vault = await database.asSystem(actor, async (tx) => tx.vault)
  let keys = 0
  for (;;) {
    const wrapped = await vault.rewrap(KEYS_AT_ONCE)
    keys += wrapped
    if (wrapped === 0) break
  }
  const secrets = await resealSecrets(database, actor)
  await database.asSystem(actor, async (tx) => {
    if (tx.context.masterKey) await replaceEncryptionKey(tx, tx.context.masterKey)
  })
  return { keys, secrets }
}

/** Seals the secrets that versions before sealed with the master key itself. */
const resealSecrets = (database: Database, actor: Actor): Promise<number> =>
  database.asSystem(actor, async (tx) => (await resealTotpSecrets(tx)) + (await resealWebhookSecrets(tx)))

/** The same, once. */
export async function resealSecretsOnce(database: Database, actor: Actor): Promise<void> {
  await database.asSystem(actor, async (tx) => {
    const progress = await lockProgress(tx, SECRETS)
    if (!progress || progress.finishedAt) return
    const sealed = (await resealTotpSecrets(tx)) + (await resealWebhookSecrets(tx))
    await writeProgress(tx, SECRETS, { after: undefined, sealed })
  })
}
