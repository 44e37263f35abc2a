import { type Language, maybeFindLanguage } from '../../../domain/translations/translator.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import * as emails from '../../emails/service.ts'
import { newLink } from '../../emails/templates.ts'
import * as links from '../../links/service.ts'
import type { KnownPerson } from '../queries.ts'

export const NEW_LINK_JOB = 'recipient.send-link'
const PLACE = 'jobs.recipient.send-link'

/**
 * Queues the sending of a link: the same work for every e-mail. The input of a job is not encrypted, so the e-mail is sealed.
 * `language`: of the page, for people who have none yet.
 */
export async function requestLink(tx: SystemTx, email: string, language: Language): Promise<void> {
  await tx.enqueue(NEW_LINK_JOB, { sealed: tx.context.seal(email, PLACE).toString('base64'), language })
}

export const openLinkRequest = (tx: SystemTx, sealed: string): string =>
  tx.context.open(Buffer.from(sealed, 'base64'), PLACE)

/** Sends a person a new link to their pages, at most 5 a day. @throws Error without PUBLIC_URL */
export async function sendNewLink(
  tx: Tx,
  { customerId, email, firstName }: Omit<KnownPerson, 'realm'>,
  languageChoice?: string,
): Promise<void> {
  if (!tx.context.publicUrl) throw new Error('PUBLIC_URL is needed for a link')
  if (!(await links.mayRenew(tx, customerId))) return
  const link = { customerId, isRenewal: true }
  const language = maybeFindLanguage([await customers.languageOf(tx, customerId), languageChoice])
  await emails.queue(tx, [{ content: newLink, language, to: email, name: firstName, link }])
  await audit.record(tx, [{ action: 'customer.link_sent', objectType: 'customer', objectId: String(customerId) }])
}
