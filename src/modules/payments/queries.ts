import { sql } from 'kysely'
import type { ChargeResult } from '../../domain/payment-gateway.ts'
import type { Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { sealedText } from '../../platform/sealing/sealed-bytes.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { realmColumn } from '../businesses/queries.ts'
import type { Line } from '../credits/rules.ts'

export type PaymentPurpose = 'orders' | 'bulk' | 'pending_order' | 'credits' | 'top_up'
export type PaymentState = 'requested' | 'charged' | 'authorised' | 'declined' | 'captured' | 'released'

export interface Payment {
  id: string
  state: PaymentState
  purpose: PaymentPurpose
  onDecline: 'refuse' | 'pending'
  methodId: string
  customerRef: string
  /** Absent in payments of versions before. */
  cardBrand: string | null
  cardLast4: string | null
  amountMinor: number
  currency: string
  gatewayRef: string | null
  declineCode: string | null
  /** What is to be done once it is known whether the card was charged; null after that. */
  request: unknown
  outcome: unknown
  idempotencyKey: string | null
  requestId: string | null
  /** How often the gateway was asked. */
  attempts: number
  keyNumber: number
  createdAt: Date
}

interface NewPayment {
  id: string
  purpose: PaymentPurpose
  onDecline: 'refuse' | 'pending'
  method: { id: string; customerRef: string; brand: string; last4: string }
  amountMinor: number
  currency: string
  request: unknown
  idempotencyKey: string | undefined
  requestId: string | undefined
}

/** What a payment is to pay for, in JSON: it holds recipients. */
export const sealedRequests = sealedText({
  table: 'payments',
  key: { id: 'text' },
  clear: '$.request::text',
  emptied: ['request'],
})

/** A payment that nobody asked the gateway for yet. */
export async function insertPayment(tx: Tx, payment: NewPayment): Promise<void> {
  const { id, purpose, onDecline, method, amountMinor, currency, request } = payment
  const sealed = await sealedRequests.sealText(await keyringOf(tx), [id], JSON.stringify(request))
  await tx.run(sql`
    insert into payments (realm_id, id, state, purpose, on_decline, method_id, customer_ref, card_brand,
      card_last4, amount_minor, currency, sealed, idempotency_key, request_id, actor, checked_at, created_at)
    values (${tx.realm.id}, ${id}, 'requested', ${purpose}, ${onDecline}, ${method.id}, ${method.customerRef},
      ${method.brand}, ${method.last4}, ${amountMinor}, ${currency}, ${sealed}, ${payment.idempotencyKey ?? null}, ${payment.requestId ?? null},
      ${tx.actor.name}, ${tx.now}, ${tx.now})`)
}

const columns = sql`
  id, state, purpose, on_decline as "onDecline", method_id as "methodId", customer_ref as "customerRef",
  card_brand as "cardBrand", card_last4 as "cardLast4", amount_minor as "amountMinor", currency, gateway_ref as "gatewayRef", decline_code as "declineCode", request, sealed, outcome,
  idempotency_key as "idempotencyKey", request_id as "requestId", attempts, key_number as "keyNumber", created_at as "createdAt"`

/** A payment, locked until the transaction ends where `lock` says so. */
export async function selectPayment(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<Payment> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  const { sealed, ...payment } = await tx.row(sql<Payment & { sealed: Buffer | null }>`
    select ${columns} from payments where realm_id = ${tx.realm.id} and id = ${id} ${forUpdate}`)
  if (!sealed) return payment
  return { ...payment, request: JSON.parse(await sealedRequests.openText(await keyringOf(tx), [id], sealed)) }
}

export async function updateAttempts(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`
    update payments set attempts = attempts + 1, checked_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
}

/** Moves on to the next key at the gateway, unless somebody else did. */
export async function updateKeyNumber(tx: Tx, id: string, keyNumber: number): Promise<void> {
  await tx.run(sql`
    update payments set key_number = key_number + 1
    where realm_id = ${tx.realm.id} and id = ${id} and key_number = ${keyNumber}`)
}

/** Records what the gateway answered and what came of it, and blanks the request. */
export async function updateCharge(tx: Tx, id: string, result: ChargeResult, outcome: unknown): Promise<void> {
  const captured = result.outcome === 'charged' ? sql`amount_minor` : sql`0`
  await tx.run(sql`
    update payments set state = ${result.outcome}, gateway_ref = ${result.ref ?? null},
      decline_code = ${result.outcome === 'declined' ? result.code : null}, captured_minor = ${captured},
      request = null, sealed = null, outcome = ${JSON.stringify(outcome)}::jsonb
    where realm_id = ${tx.realm.id} and id = ${id} and state = 'requested'`)
}

/** Returns 1, or 0 where it is ended already. */
export function updateAuthorisation(
  tx: Tx,
  id: string,
  { state, capturedMinor }: { state: 'captured' | 'released'; capturedMinor: number },
): Promise<number> {
  return tx.run(sql`
    update payments set state = ${state}, captured_minor = ${capturedMinor}
    where realm_id = ${tx.realm.id} and id = ${id} and state = 'authorised'`)
}

/** With their refunds. The database refuses it for live ones. */
export async function deletePayments(tx: Tx): Promise<void> {
  await tx.run(sql`delete from payments where realm_id = ${tx.realm.id}`)
}

interface InRealm {
  realm: Realm
  id: string
}

/** Payments that are still requested and that nobody asked the gateway about since `before`. */
export function touchStalePayments(tx: SystemTx, before: Date): Promise<InRealm[]> {
  return tx.rows(sql<InRealm>`
    update payments p set checked_at = ${tx.now} from realms r
    where r.id = p.realm_id and p.state = 'requested' and p.checked_at < ${before} returning ${realmColumn}, p.id`)
}

/** Orders whose refund was requested before `before`, oldest first. */
export function selectStaleRefunds(tx: SystemTx, before: Date, limit: number): Promise<InRealm[]> {
  return tx.rows(sql<InRealm>`
    select ${realmColumn}, f.order_id as id from refunds f join realms r on r.id = f.realm_id
    where f.state = 'requested' and f.failed_at is null and f.created_at < ${before} order by f.created_at limit ${limit}`)
}

/** Selects realm_id and key of requests whose answer waits for a payment. */
export const openPaymentKeys = sql`
  select realm_id, idempotency_key as key from payments where state = 'requested' and idempotency_key is not null`

/** The live realm of a payment that is still requested. */
export async function selectRealmOfOpenPayment(tx: SystemTx, paymentId: string): Promise<Realm | undefined> {
  const open = await tx.maybeRow(sql<{ realm: Realm }>`
    select ${realmColumn} from payments p join realms r on r.id = p.realm_id
    where p.id = ${paymentId} and p.state = 'requested' and r.mode = 'live'`)
  return open?.realm
}

export interface NewRefund {
  orderId: string
  paymentId: string
  amountMinor: number
  /** The kits that are given back. */
  items: Line[]
}

export async function insertRefund(tx: Tx, { orderId, paymentId, amountMinor, items }: NewRefund): Promise<void> {
  await tx.run(sql`
    insert into refunds (realm_id, order_id, payment_id, amount_minor, items, state, created_at)
    values (${tx.realm.id}, ${orderId}, ${paymentId}, ${amountMinor}, ${JSON.stringify(items)}::jsonb, 'requested', ${tx.now})`)
}

interface OpenRefund {
  paymentId: string
  amountMinor: number
  gatewayRef: string | null
  paymentState: string
  currency: string
  /** Null in refunds of versions before. */
  items: Line[] | null
}

export function selectOpenRefund(tx: Tx, orderId: string): Promise<OpenRefund | undefined> {
  return tx.maybeRow(sql<OpenRefund>`
    select r.payment_id as "paymentId", r.amount_minor as "amountMinor", p.gateway_ref as "gatewayRef", p.state as "paymentState",
           p.currency, r.items
    from refunds r join payments p on p.realm_id = r.realm_id and p.id = r.payment_id
    where r.realm_id = ${tx.realm.id} and r.order_id = ${orderId} and r.state = 'requested' and r.failed_at is null`)
}

/** Returns 1, or 0 where it is done already. */
export function updateRefundDone(tx: Tx, orderId: string): Promise<number> {
  return tx.run(sql`
    update refunds set state = 'done', done_at = ${tx.now}
    where realm_id = ${tx.realm.id} and order_id = ${orderId} and state = 'requested' and failed_at is null`)
}

interface OwnRefund {
  orderId: string
  amountMinor: number
  isDone: boolean
}

/** The refunds of a payment that this program made or is about to make. */
export function selectOwnRefunds(tx: Tx, paymentId: string): Promise<OwnRefund[]> {
  return tx.rows(sql<OwnRefund>`
    select order_id as "orderId", amount_minor as "amountMinor", state = 'done' as "isDone" from refunds
    where realm_id = ${tx.realm.id} and payment_id = ${paymentId} and failed_at is null order by created_at, order_id`)
}

export async function updateRefundFailed(tx: Tx, orderId: string): Promise<void> {
  await tx.run(sql`
    update refunds set failed_at = ${tx.now} where realm_id = ${tx.realm.id} and order_id = ${orderId} and failed_at is null`)
}

export async function updateRefundAmount(tx: Tx, orderId: string, amountMinor: number): Promise<void> {
  await tx.run(sql`
    update refunds set amount_minor = ${amountMinor} where realm_id = ${tx.realm.id} and order_id = ${orderId}`)
}

/** What an e-mail says, as the reader of its kind expects it. Nothing about a person. */
export type NoticeFacts = Record<string, string | number>

/** Returns 1, or 0 where the administrators were told before. */
export function insertNotice(tx: Tx, kind: string, subject: string, facts: NoticeFacts): Promise<number> {
  return tx.run(sql`
    insert into payment_notices (realm_id, kind, subject, facts, created_at)
    values (${tx.realm.id}, ${kind}, ${subject}, ${JSON.stringify(facts)}::jsonb, ${tx.now}) on conflict do nothing`)
}

/** The facts of a notice that is told now; undefined where it was told before. */
export async function updateNoticeTold(
  tx: SystemTx,
  realm: Realm,
  kind: string,
  subject: string,
): Promise<NoticeFacts | undefined> {
  const told = await tx.maybeRow(sql<{ facts: NoticeFacts }>`
    update payment_notices set told_at = ${tx.now}
    where realm_id = ${realm.id} and kind = ${kind} and subject = ${subject} and told_at is null returning facts`)
  return told?.facts
}

interface ExpiringCard {
  realm: Realm
  id: string
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

/** Cards for orders that are good for at most `days` more days, or no longer, and about which nobody was told. */
export function selectExpiringCards(tx: SystemTx, kind: string, days: number): Promise<ExpiringCard[]> {
  return tx.rows(sql<ExpiringCard>`
    select ${realmColumn}, m.id, m.brand, m.last4, m.exp_month as "expMonth", m.exp_year as "expYear"
    from payment_methods m join realms r on r.id = m.realm_id
    where m.is_default
      and make_timestamptz(m.exp_year, m.exp_month, 1, 0, 0, 0, 'UTC') + interval '1 month'
        <= ${tx.now}::timestamptz + ${days} * interval '1 day'
      and not exists (select from payment_notices n
        where n.realm_id = m.realm_id and n.kind = ${kind} and n.subject = m.id)
    order by m.realm_id`)
}

/** In a sandbox that is emptied. */
export async function deleteNotices(tx: Tx): Promise<void> {
  await tx.run(sql`delete from payment_notices where realm_id = ${tx.realm.id}`)
}
