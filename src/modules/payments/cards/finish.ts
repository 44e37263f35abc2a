import type { Setup } from '../../../domain/payment-gateway.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { saveMethod } from '../methods.ts'
import { selectSession, updateSession } from './session-queries.ts'

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
