import { newOpaqueId, newSecret } from '../../../domain/ids.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { Realm, SystemTx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import * as audit from '../../audit/service.ts'
import { listMethods } from '../methods.ts'
import { type CardSession, deleteSessions, insertSession, selectSessionOfSecret } from './session-queries.ts'

/** The job that saves a card whose page was closed before it came back. */
export const FINISH_CARD_JOB = 'payments.finish-card'

const LASTS_MS = 30 * 60_000
// What a page says to somebody who comes back to it.
const KEPT_MS = 24 * 3600_000

const hashOf = (secret: string): Buffer => sha256(`card-session ${secret}`)

/**
 * Begins to add a card. The answer is the address of a page that works for half an hour; the card is entered into the
 * gateway's own element there, and nothing of it passes through this service. @throws FEATURE_NOT_ENABLED
 */
export async function startCardSession(
  ports: RealmPorts,
  businessName: string,
): Promise<{ url: string; expiresAt: Date }> {
  const { gateway, realm } = ports
  const known = await ports.open(listMethods)
  const { ref: setupRef, customerRef } = await gateway.startSetup({
    businessId: realm.businessId,
    businessName,
    customerRef: known.find((method) => method.gateway === gateway.name)?.customerRef,
    idempotencyKey: newOpaqueId('setup'),
  })
  const secret = newSecret()
  const id = newOpaqueId('card')
  return ports.open(async (tx) => {
    await deleteSessions(tx, new Date(tx.now.getTime() - KEPT_MS))
    const expiresAt = new Date(tx.now.getTime() + LASTS_MS)
    const session: CardSession = { id, gateway: gateway.name, customerRef, setupRef, state: 'open', expiresAt }
    await insertSession(tx, session, hashOf(secret))
    await tx.enqueue(FINISH_CARD_JOB, { realm: tx.realm, sessionId: id }, { startAfter: expiresAt })
    await audit.record(tx, [{ action: 'payment_method.adding', objectType: 'payment_method', objectId: id }])
    return { url: `${tx.context.publicUrl ?? ''}/pay/card/${secret}`, expiresAt }
  })
}

/** The session of an address; undefined where there is none. */
export const maybeFindSession = (
  tx: SystemTx,
  secret: string,
): Promise<(CardSession & { realm: Realm; businessName: string }) | undefined> =>
  selectSessionOfSecret(tx, hashOf(secret))
