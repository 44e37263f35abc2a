import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { MailDelayed } from '../../domain/mailer.ts'
import {
  type Language,
  maybeFindLanguage,
  type Translator,
  translatorOf,
} from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import * as customers from '../customers/service.ts'
import { insertEmails, selectBrand } from '../emails/queries.ts'
import {
  countSent,
  countUnscheduled,
  deleteConsent,
  deleteStop,
  endConsent,
  insertStop,
  isEndedByPerson,
  isStopped,
  selectConsents,
  selectCustomersOfNumber,
  type TextConsentRow,
  uncountSent,
  upsertConsent,
} from './queries.ts'
import { phoneOf, UNSCHEDULED_A_DAY } from './rules.ts'
import type { TextConsent, TextConsentInput } from './schema.ts'

export const SEND_TEXT_JOB = 'text-messages.send'

/** The number that a customer agreed to get text messages at, and since when. @throws CUSTOMER_NOT_FOUND, TEXT_CONSENT_NOT_FOUND */
export async function consentOf(tx: Tx, idOrExternalId: string): Promise<TextConsent> {
  const { id } = await customers.find(tx, idOrExternalId)
  const found = await maybeFindTextConsent(tx, id)
  if (!found) throw new AppError('TEXT_CONSENT_NOT_FOUND', 'This customer has not agreed to text messages')
  return found
}

const shown = ({ customerId, phone, wording, source, givenAt, endedAt, endedBy }: TextConsentRow): TextConsent => ({
  customerID: customerId,
  phone,
  wording,
  source,
  agreedDate: givenAt.toISOString(),
  ...(endedAt && { endedDate: endedAt.toISOString() }),
  ...(endedBy && { endedBy }),
})

/**
 * Keeps what a customer agreed to elsewhere, with the business's proof.
 * @throws CUSTOMER_NOT_FOUND, VALIDATION_FAILED, TEXT_MESSAGES_STOPPED
 */
export async function keepConsent(tx: Tx, idOrExternalId: string, input: TextConsentInput): Promise<TextConsent> {
  const { id } = await customers.find(tx, idOrExternalId, 'update')
  const phone = phoneOf(input.phone)
  const at = input.agreedDate === undefined ? tx.now : new Date(input.agreedDate)
  if (!phone) refuse([{ path: 'phone', message: 'Write the number with its country, such as +1 555 010 1234' }])
  if (at > tx.now) refuse([{ path: 'agreedDate', message: 'This lies in the future' }])
  if (
    (await isEndedByPerson(tx, id, phone)) ||
    (await isStopped(tx, phone, 'reply')) ||
    (await isStopped(tx, phone, 'page'))
  )
    throw new AppError(
      'TEXT_MESSAGES_STOPPED',
      'The person stopped the text messages. Only they can begin them again: by answering START, or on their own page.',
    )
  await agree(tx, id, { phone, wording: input.wording, ip: null, source: 'api', at })
  return consentOf(tx, String(id))
}

/**
 * Keeps what a person agreed to on their own page. False: STOP came from this number, which is not the one that they had, so
 * that only START from it begins again.
 */
export async function agreeOnPage(tx: Tx, customerId: number, given: Parameters<typeof agree>[2]): Promise<boolean> {
  const [before] = await selectConsents(tx, [customerId])
  if (before?.phone !== given.phone && (await isStopped(tx, given.phone, 'reply'))) return false
  await deleteStop(tx, given.phone, 'reply')
  await deleteStop(tx, given.phone, 'page')
  await agree(tx, customerId, given)
  return true
}

/** Keeps what a person agreed to. A text message confirms what is new, as far as the limits of their number and of them allow. */
export async function agree(tx: Tx, customerId: number, given: Parameters<typeof upsertConsent>[2]): Promise<void> {
  const [before] = await selectConsents(tx, [customerId])
  await upsertConsent(tx, customerId, given)
  await record(tx, customerId, 'text_consent.given', { source: given.source })
  if (before && before.endedAt === null && before.phone === given.phone) return
  if ((await countUnscheduled(tx, 'customer', String(customerId))) > UNSCHEDULED_A_DAY.customer) return
  const t = translatorOf(maybeFindLanguage([await customers.languageOf(tx, customerId)]) ?? 'en')
  const { name } = await selectBrand(tx)
  await queueUnscheduled(tx, { kind: 'text_agreed', to: given.phone, text: t('text.agreed', { business: name }) })
}

/** Writes a confirmation, or an answer to HELP, unless the number got three of them today. */
export async function queueUnscheduled(tx: Tx, message: NewTextMessage): Promise<void> {
  if ((await countUnscheduled(tx, 'number', message.to)) <= UNSCHEDULED_A_DAY.number)
    await queueTextMessages(tx, [message])
}

/** Whether a message may still go to a number: somebody of the realm agreed to it, and nobody stopped it meanwhile. */
export async function mayGet(tx: Tx, phone: string): Promise<boolean> {
  return !(await isStopped(tx, phone, 'reply')) && (await selectCustomersOfNumber(tx, phone)).length > 0
}

/**
 * Counts a message that is to be sent now. @throws MailDelayed where its number, or the business, had as many as a day allows: it
 * waits, and what it counted is rolled back.
 */
export async function takeTurn(tx: Tx, phone: string): Promise<void> {
  const { textsPerNumberADay, textsPerBusinessADay } = tx.context.settings
  if ((await countSent(tx, 'sent_number', phone)) > textsPerNumberADay) throw new MailDelayed('text_limit_of_number')
  if ((await countSent(tx, 'sent_business', '')) > textsPerBusinessADay) throw new MailDelayed('text_limit_of_business')
}

/** The sender did not take it. */
export async function giveTurnBack(tx: Tx, phone: string): Promise<void> {
  await uncountSent(tx, 'sent_number', phone)
  await uncountSent(tx, 'sent_business', '')
}

/** Ends it: no text message follows. Nothing happens where it has ended, or there is none. */
export async function end(tx: Tx, customerId: number, by: NonNullable<TextConsent['endedBy']>): Promise<void> {
  if (!(await endConsent(tx, customerId, by))) return
  await keepStops(tx, customerId)
  await record(tx, customerId, 'text_consent.ended', { by })
}

/** Keeps for the number what the person stopped: their record may get another one, or be erased. Returns the numbers. */
async function keepStops(tx: Tx, customerId: number): Promise<string[]> {
  const consents = await selectConsents(tx, [customerId])
  for (const { phone, endedBy } of consents) {
    if (endedBy === 'person') await insertStop(tx, phone, 'page')
    if (endedBy === 'reply' || endedBy === 'carrier') await insertStop(tx, phone, 'reply')
  }
  return consents.map(({ phone }) => phone)
}

/** The same for everybody of the realm who gets them at a number: its carrier takes none any more, since STOP came from it. */
export async function endOfNumber(tx: Tx, phone: string): Promise<void> {
  await insertStop(tx, phone, 'reply')
  for (const id of await selectCustomersOfNumber(tx, phone)) await end(tx, id, 'carrier')
}

const record = (tx: Tx, customerId: number, action: audit.AuditAction, details: Record<string, string>) =>
  audit.record(tx, [{ action, objectType: 'customer', objectId: String(customerId), details }])

/** The number that each of these customers gets text messages at now. */
export async function numbersOf(tx: Tx, customerIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await selectConsents(tx, customerIds)
  return new Map(rows.flatMap(({ customerId, phone, endedAt }) => (endedAt ? [] : [[customerId, phone] as const])))
}

export interface NewTextMessage {
  kind: `text_${string}`
  to: string
  text: string
  orderId?: string
  kitId?: string
}

/**
 * Writes text messages in the transaction that caused them, beside the e-mails: sent, kept, listed and erased as those
 * are. Those of a sandbox are only kept.
 */
export async function queueTextMessages(tx: Tx, messages: readonly NewTextMessage[]): Promise<void> {
  if (messages.length === 0) return
  const { name } = await selectBrand(tx)
  const rows = messages.map((message) => ({
    id: newOpaqueId('mail'),
    senderName: name,
    subject: '',
    html: '',
    ...message,
  }))
  const isLive = tx.realm.mode === 'live'
  await insertEmails(tx, rows, isLive ? 'queued' : 'kept')
  if (!isLive) return
  for (const { id } of rows) await tx.enqueue(SEND_TEXT_JOB, { realm: tx.realm, emailId: id })
}

/** The language that is saved with each of these people. */
export async function translatorsOf(tx: Tx, customerIds: readonly number[]): Promise<ReadonlyMap<number, Translator>> {
  const saved = await customers.languagesOf(tx, [...customerIds])
  const languageOf = (id: number): Language => maybeFindLanguage([saved.get(id)]) ?? 'en'
  return new Map(customerIds.map((id) => [id, translatorOf(languageOf(id))]))
}

/** Deletes what a person agreed to. Returns the number, by which the messages to it are found. */
export async function eraseTextConsent(tx: Tx, customerId: number): Promise<string[]> {
  // Also of what ended under a release that kept nothing for the number.
  const numbers = await keepStops(tx, customerId)
  await deleteConsent(tx, customerId)
  return numbers
}

/** What a person agreed to; undefined for nothing. */
export async function maybeFindTextConsent(tx: Tx, customerId: number): Promise<TextConsent | undefined> {
  const [row] = await selectConsents(tx, [customerId])
  return row && shown(row)
}
