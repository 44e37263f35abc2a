import type { EmailContent } from '../emails/layout.ts'
import type { NewEmail } from '../emails/service.ts'
import * as templates from '../emails/templates.ts'
import type { KitRow } from './queries.ts'
import type { KitEvent, Step } from './rules.ts'

type EmailsByEvent = Partial<Record<KitEvent, (kit: KitRow) => EmailContent | undefined>>

/** To whom the kit was sent, from its order to its report: about the box only. Canceled is missing: the order's e-mail says it. */
const toRecipient: EmailsByEvent = {
  kitPreparing: ({ id }) => templates.kitPacked(id),
  kitInTransit: ({ id, shipment }) => templates.kitShipped(id, shipment.toUser),
  kitDelivered: ({ id }) => templates.kitDelivered(id),
  kitRegistered: ({ id }) => templates.boxRegistered(id),
  sampleInTransit: ({ id }) => templates.boxPosted(id),
  sampleReceived: ({ id }) => templates.boxReceived(id),
  reportReady: ({ id, status }) => (status === 'published' ? templates.boxReported(id) : undefined),
  sampleRejected: ({ id }) => templates.boxRejected(id),
  deliveryException: ({ id }) => templates.deliveryException(id),
  collectionException: ({ id }) => templates.boxFailed(id),
  registrationException: ({ id }) => templates.boxInDoubt(id),
}

/** To the person tested, from the registration on. */
const toPerson: EmailsByEvent = {
  kitRegistered: ({ id }) => templates.kitRegistered(id),
  sampleReceived: ({ id }) => templates.sampleReceived(id),
  reportReady: ({ id, status }) => (status === 'published' ? templates.reportReady(id) : undefined),
  sampleRejected: ({ id }) => templates.sampleRejected(id),
  registrationException: ({ id }) => templates.registrationToCheck(id),
  deliveryException: ({ id }) => templates.deliveryException(id),
}

/**
 * The e-mails about a kit after its steps: to the recipient where the order wants them, to the person tested also where
 * `isWanted`. Only where it stands now is news: steps that were filled in before happened at an unknown time.
 */
export function emailsOf(kit: KitRow, steps: readonly Step[], isWanted = false): NewEmail[] {
  const last = steps.at(-1)
  if (!last) return []
  return emailsTo(kit, { recipient: toRecipient[last.event]?.(kit), person: toPerson[last.event]?.(kit) }, isWanted)
}

/** One e-mail to each of both; only the person's where they have the same address. */
export function emailsTo(
  kit: KitRow,
  { recipient, person }: { recipient?: EmailContent | undefined; person?: EmailContent | undefined },
  isWanted = false,
): NewEmail[] {
  const about = { orderId: kit.orderId, kitId: kit.id }
  const { registeredEmail, recipientEmail, customerId, notify } = kit
  const emails: NewEmail[] = []
  if (person && registeredEmail !== null && (notify || isWanted)) {
    const said = kit.registration as { firstName?: string; guardian?: { firstName: string } } | null
    // In doubt the address may belong to another person, who must not learn a name.
    const known = customerId !== null && { name: said?.guardian?.firstName ?? said?.firstName, link: { customerId } }
    emails.push({ content: person, to: registeredEmail, ...known, ...about })
  }
  const isTold = emails.some(({ to }) => to.toLowerCase() === recipientEmail?.toLowerCase())
  if (recipient && recipientEmail !== null && notify && !isTold) {
    emails.push({ content: recipient, to: recipientEmail, name: kit.recipientName, ...about })
  }
  return emails
}
