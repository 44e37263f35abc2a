import type { Letter } from '../emails/layout.ts'
import type { NewEmail } from '../emails/service.ts'
import * as templates from '../emails/templates.ts'
import type { KitRow } from './queries.ts'
import type { KitEvent, Step } from './rules.ts'

/** What is written when a kit gets somewhere. Canceled is missing: the order's letter says it. */
const letters: Partial<Record<KitEvent, (kit: KitRow) => Letter | undefined>> = {
  kitInTransit: ({ id, shipment }) => templates.kitShipped(id, shipment.toUser),
  kitDelivered: ({ id }) => templates.kitDelivered(id),
  kitRegistered: ({ id }) => templates.kitRegistered(id),
  sampleReceived: ({ id }) => templates.sampleReceived(id),
  reportReady: ({ id, status }) => (status === 'published' ? templates.reportReady(id) : undefined),
  sampleRejected: ({ id }) => templates.sampleRejected(id),
  registrationException: ({ id, registeredAt }) => (registeredAt ? templates.registrationToCheck(id) : undefined),
  deliveryException: ({ id }) => templates.deliveryException(id),
}

/**
 * The e-mail about a kit after its steps, where its order wants one or `isWanted`. Only where it stands now is news:
 * steps that were filled in before happened at an unknown time.
 */
export function emailsOf(kit: KitRow, steps: readonly Step[], isWanted = kit.notify): NewEmail[] {
  const last = steps.at(-1)
  const letter = last && letters[last.event]?.(kit)
  return letter ? emailAbout(kit, letter, isWanted) : []
}

/** To the person tested once that is known, before that to whom the kit was sent. */
export function emailAbout(kit: KitRow, letter: Letter, isWanted = kit.notify): NewEmail[] {
  const to = kit.registeredEmail ?? kit.recipientEmail
  if (!isWanted || to === null) return []
  const registered = kit.registration as { firstName?: string } | null
  const name = kit.registeredEmail === null ? kit.recipientName : registered?.firstName
  const link = kit.customerId === null ? undefined : { customerId: kit.customerId }
  return [{ letter, to, name, link, orderId: kit.orderId, kitId: kit.id }]
}
