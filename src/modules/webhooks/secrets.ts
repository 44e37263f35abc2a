import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { ProcessContext } from '../../platform/database/process-context.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { lockSecrets, updateSealed } from './queries.ts'

const SECRET_BYTES = 32

/** A new signing secret in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const place = (realmId: number, endpointId: string) => `webhook_endpoints.secret/${realmId}/${endpointId}`

export const sealSecret = (context: ProcessContext, realmId: number, endpointId: string, secret: string): Buffer =>
  context.seal(secret, place(realmId, endpointId))

/** The same secret under the key of now; undefined if that sealed it. */
const resealed = (context: ProcessContext, realmId: number, endpointId: string, sealed: Buffer) =>
  context.resealed(sealed, place(realmId, endpointId))

const MAX_OPEN_SIGNERS = 1000

/** Makes the signer of a sealed secret. Opening one costs more than a signature, so the last ones are kept open. */
export function openSigners(context: ProcessContext): (realmId: number, endpointId: string, sealed: Buffer) => Webhook {
  const signers = new Map<string, Webhook>()
  return (realmId, endpointId, sealed) => {
    const key = sealed.toString('latin1')
    const known = signers.get(key)
    if (known) return known
    const signer = new Webhook(context.open(sealed, place(realmId, endpointId)))
    if (signers.size >= MAX_OPEN_SIGNERS) signers.clear()
    signers.set(key, signer)
    return signer
  }
}

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
