import { type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import type { EmailContent } from '../emails/layout.ts'
import { queueOperatorEmail } from '../emails/operator-emails.ts'
import { cardDeclined, cardExpires, paymentReversed, topUpCeiling, topUpOff } from '../emails/payment-templates.ts'
import * as emails from '../emails/service.ts'
import { administratorsOf } from '../identity/members.ts'
import { insertNotice, type NoticeFacts, type Payment, selectExpiringCards, updateNoticeTold } from './queries.ts'

/** The job that writes to the administrators of a business. */
export const TELL_JOB = 'payments.tell-administrators'

const EXPIRES_WITHIN_DAYS = 30

const contents = {
  card_expires: cardExpires,
  card_declined: cardDeclined,
  top_up_ceiling: topUpCeiling,
  top_up_off: topUpOff,
  payment_reversed: paymentReversed,
} as const satisfies Record<string, (facts: NoticeFacts, billing: string) => EmailContent>

export type NoticeKind = keyof typeof contents

/** Has the administrators of the business told, once for each kind and subject. */
export async function noticeOnce(tx: Tx, kind: NoticeKind, subject: string, facts: NoticeFacts): Promise<void> {
  if ((await insertNotice(tx, kind, subject, facts)) === 0) return
  await tx.enqueue(TELL_JOB, { realm: tx.realm, kind, subject })
}

/** Says that the card for `subject` was declined: an order that waits, or a job whose orders will. Nothing without one. */
export async function noticeDecline(tx: Tx, payment: Payment, subject: string | undefined): Promise<void> {
  if (subject === undefined) return
  const { cardBrand: brand, cardLast4: last4 } = payment
  await noticeOnce(tx, 'card_declined', subject, {
    card: brand !== null && last4 !== null ? `${brand} ···· ${last4}` : 'the saved card',
    waiting: subject,
  })
}

/** Writes one notice to the administrators, or to the business's own address where nobody administers it. */
export async function tellAdministrators(
  tx: SystemTx,
  { realm, kind, subject }: { realm: Realm; kind: NoticeKind; subject: string },
  operatorEmail?: string,
): Promise<void> {
  const facts = await updateNoticeTold(tx, realm, kind, subject)
  if (!facts) return
  const content = contents[kind](facts, `/app/b/${realm.businessId}/${realm.mode}/billing`)
  // The operator's money went back, too.
  if (kind === 'payment_reversed' && operatorEmail) await queueOperatorEmail(tx, { content, to: operatorEmail })
  const administrators = await administratorsOf(tx, realm.businessId)
  const readers = administrators.map(({ email, name }) => ({ to: email, name }))
  await emails.queue(
    within(tx, realm),
    readers.length > 0 ? readers.map((reader) => ({ content, ...reader })) : [{ content, to: 'business' }],
  )
}

/** Has businesses told whose card for orders expires within 30 days. */
export async function noticeExpiringCards(tx: SystemTx): Promise<void> {
  for (const { realm, id, brand, last4, expMonth, expYear } of await selectExpiringCards(
    tx,
    'card_expires',
    EXPIRES_WITHIN_DAYS,
  )) {
    const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
    await noticeOnce(within(tx, realm), 'card_expires', id, { card: `${brand} ···· ${last4}`, month })
  }
}
