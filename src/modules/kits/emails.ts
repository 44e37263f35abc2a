import { type Language, maybeFindLanguage } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as customers from '../customers/service.ts'
import type { NewEmail } from '../emails/service.ts'
import * as emails from '../emails/service.ts'
import * as templates from '../emails/templates.ts'
import type { KitRow } from './queries.ts'
import type { KitEvent, Step } from './rules.ts'

type EmailsByEvent = Partial<Record<KitEvent, (kit: KitRow) => templates.PersonEmail | undefined>>

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
  deliveryException: ({ id, replacedBy }) => (replacedBy === null ? templates.deliveryException(id) : undefined),
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
  deliveryException: ({ id, replacedBy }) => (replacedBy === null ? templates.deliveryException(id) : undefined),
}

interface Writing {
  /** The person tested gets an e-mail also where the order wants none. */
  isWanted?: boolean | undefined
  /** Of the person tested, where none is saved with them. */
  language?: Language | undefined
}

/**
 * The e-mails about a kit after its steps: to the recipient where the order wants them, to the person tested also where
 * `isWanted`. Only where it stands now is news: steps that were filled in before happened at an unknown time.
 */
export function emailsOf(kit: KitRow, steps: readonly Step[], writing: Writing = {}): NewEmail[] {
  const last = steps.at(-1)
  if (!last) return []
  return emailsTo(kit, { recipient: toRecipient[last.event]?.(kit), person: toPerson[last.event]?.(kit) }, writing)
}

interface StepEmails {
  recipient?: templates.PersonEmail | undefined
  person?: templates.PersonEmail | undefined
}

/** One e-mail to each of both; only the person's where they have the same address. */
export function emailsTo(
  kit: KitRow,
  { recipient, person }: StepEmails,
  { isWanted = false, language }: Writing = {},
): NewEmail[] {
  const about = { orderId: kit.orderId, kitId: kit.id }
  const { registeredEmail, recipientEmail, customerId, notify } = kit
  const written: NewEmail[] = []
  if (person && registeredEmail !== null && (notify || isWanted)) {
    const registered = kit.registration as { firstName?: string; guardian?: { firstName: string } } | null
    // In doubt the address may belong to another person, who must not learn a name.
    const known = customerId !== null && {
      name: registered?.guardian?.firstName ?? registered?.firstName,
      link: { customerId },
    }
    written.push({ content: person, to: registeredEmail, language, ...known, ...about })
  }
  const isAlreadyWritten = written.some(({ to }) => to.toLowerCase() === recipientEmail?.toLowerCase())
  if (recipient && recipientEmail !== null && notify && !isAlreadyWritten) {
    written.push({ content: recipient, to: recipientEmail, name: kit.firstName, ...about })
  }
  return written
}

/** Queues e-mails about kits: those to a person tested in the language that is saved with them. */
export async function queueEmails(tx: Tx, written: readonly NewEmail[]): Promise<void> {
  const people = written.flatMap(({ link }) => (link ? [link.customerId] : []))
  const saved = await customers.languagesOf(tx, people)
  await emails.queue(
    tx,
    written.map(({ language, ...email }) => ({
      ...email,
      language: maybeFindLanguage([email.link && saved.get(email.link.customerId), language]),
    })),
  )
}

/** Tells the person of a kit that a report that they could read says something else, or more, now. */
export async function queueReportRenewed(tx: Tx, kit: KitRow, what: 'corrected' | 'completed'): Promise<void> {
  await queueEmails(tx, emailsTo(kit, { person: templates.reportRenewed(kit.id, what) }))
}
