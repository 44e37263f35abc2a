import { newOpaqueId, newSecret } from '../../../domain/ids.ts'
import type { Setup } from '../../../domain/payment-gateway.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { Realm, SystemTx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import * as audit from '../../audit/service.ts'
import { listMethods, saveMethod } from '../methods.ts'
import {
  type CardSession,
  deleteSessions,
  insertSession,
  selectSession,
  selectSessionOfSecret,
  updateSession,
} from '../methods-queries.ts'

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

/**
 * Asks the gateway what became of a card that was being added, and saves it as the one for orders if it was: once, however
 * often and by whomever this is called. `expired` ends a session that came to nothing.
 */
export async function finishCardSession(
  ports: RealmPorts,
  sessionId: string,
  isExpired?: 'expired',
): Promise<Setup | undefined> {
  const session = await ports.open((tx) => selectSession(tx, sessionId))
  if (session?.state !== 'open') return undefined
  const { gateway } = ports
  // A card of the gateway that was set up before this one.
  if (gateway.name !== session.gateway) return undefined
  const setup = await gateway.findSetup(session.setupRef)
  const isOver = setup.state === 'saved' || isExpired === 'expired'
  // The bank may still decide: the job comes again.
  if (isExpired && setup.state === 'processing') throw new Error('the card is still being checked')
  if (!isOver) return setup
  await ports.open(async (tx) => {
    const locked = await selectSession(tx, sessionId, 'update')
    if (locked?.state !== 'open') return
    await updateSession(tx, sessionId, setup.state === 'saved' ? 'saved' : 'ended')
    if (setup.state !== 'saved') return
    const { methodId: id, customerRef, card } = setup.method
    await saveMethod(tx, { id, gateway: gateway.name, customerRef, ...card, isDefault: true })
  })
  return setup
}
