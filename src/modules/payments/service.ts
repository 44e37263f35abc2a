import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type ChargeResult, GatewayUnknown } from '../../domain/payment-gateway.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import type { PaymentMethod } from './methods.ts'

export type PaymentPurpose = 'orders' | 'bulk' | 'pending_order'
export type PaymentState = 'requested' | 'charged' | 'authorised' | 'declined' | 'captured' | 'released'

export interface Payment {
  id: string
  state: PaymentState
  purpose: PaymentPurpose
  onDecline: 'refuse' | 'pending'
  methodId: string
  customerRef: string
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

export interface RequestPayment {
  purpose: PaymentPurpose
  onDecline: 'refuse' | 'pending'
  method: PaymentMethod
  amountMinor: number
  currency: string
  request: unknown
  /** The caller's, whose answer waits for this payment. */
  idempotencyKey?: string
}

/** Notes that a card is to be charged, before anyone asks the gateway. Returns the payment's ID. */
export async function requestPayment(tx: Tx, payment: RequestPayment): Promise<string> {
  const id = newOpaqueId('pay')
  const { purpose, onDecline, method, amountMinor, currency, request, idempotencyKey } = payment
  await tx.run(sql`
    insert into payments (realm_id, id, state, purpose, on_decline, method_id, customer_ref, amount_minor, currency,
      request, idempotency_key, request_id, actor, checked_at, created_at)
    values (${tx.realm.id}, ${id}, 'requested', ${purpose}, ${onDecline}, ${method.id}, ${method.customerRef}, ${amountMinor},
      ${currency}, ${JSON.stringify(request)}::jsonb, ${idempotencyKey ?? null}, ${tx.actor.callerRequestId ?? tx.actor.requestId ?? null},
      ${tx.actor.name}, ${tx.now}, ${tx.now})`)
  return id
}

const columns = sql`
  id, state, purpose, on_decline as "onDecline", method_id as "methodId", customer_ref as "customerRef",
  amount_minor as "amountMinor", currency, gateway_ref as "gatewayRef", decline_code as "declineCode", request, outcome,
  idempotency_key as "idempotencyKey", request_id as "requestId", attempts, key_number as "keyNumber", created_at as "createdAt"`

/** A payment, locked until the transaction ends where `lock` says so. */
export function findPayment(tx: Tx, id: string, lock: 'none' | 'update' = 'none'): Promise<Payment> {
  const forUpdate = lock === 'update' ? sql`for update` : sql``
  return tx.row(sql<Payment>`
    select ${columns} from payments where realm_id = ${tx.realm.id} and id = ${id} ${forUpdate}`)
}

// Gateways repeat even an error of theirs under its key. Once they surely know no charge of it, another key may be used.
const NEW_KEY_AFTER_MS = 5 * 60_000

/** Asks the gateway to charge, with the payment's own key: asking again is safe. @throws GatewayUnknown */
export async function charge({ gateway, realm, open }: RealmPorts, payment: Payment): Promise<ChargeResult> {
  const { id, attempts, keyNumber } = payment
  // Noted before the call, so that whoever asks after a crash knows that this was not the first time.
  const askedAt = await open(async (tx) => {
    await tx.run(sql`
      update payments set attempts = attempts + 1, checked_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
    return tx.now
  })
  try {
    return await gateway.charge({
      idempotencyKey: keyOf(realm.mode, id, String(keyNumber)),
      amountMinor: payment.amountMinor,
      currency: payment.currency,
      methodId: payment.methodId,
      customerRef: payment.customerRef,
      capture: payment.purpose !== 'bulk',
      metadata: { business: realm.businessId, payment: id },
      again: attempts > 0,
    })
  } catch (err) {
    const isOld = askedAt.getTime() - payment.createdAt.getTime() > NEW_KEY_AFTER_MS
    if (err instanceof GatewayUnknown && err.nothingFound && isOld) {
      await open((tx) =>
        tx.run(sql`
          update payments set key_number = key_number + 1
          where realm_id = ${tx.realm.id} and id = ${id} and key_number = ${keyNumber}`),
      )
    }
    throw err
  }
}

/** What every call about a payment is keyed by at the gateway. */
export const keyOf = (mode: string, ...parts: string[]): string => ['kitlane', mode, ...parts].join(':')

/** Records what the gateway answered and what came of it, and blanks the request. */
export async function recordResult(tx: Tx, id: string, result: ChargeResult, outcome: unknown): Promise<void> {
  const captured = result.outcome === 'charged' ? sql`amount_minor` : sql`0`
  await tx.run(sql`
    update payments set state = ${result.outcome}, gateway_ref = ${result.ref ?? null},
      decline_code = ${result.outcome === 'declined' ? result.code : null}, captured_minor = ${captured},
      request = null, outcome = ${JSON.stringify(outcome)}::jsonb
    where realm_id = ${tx.realm.id} and id = ${id} and state = 'requested'`)
}

/** Takes the part of an authorisation that was used, and lets go of the rest. Safe to repeat. @throws GatewayUnknown */
export async function settleAuthorisation(ports: RealmPorts, id: string, usedMinor: number): Promise<void> {
  const payment = await ports.open((tx) => findPayment(tx, id))
  if (payment.state !== 'authorised' || payment.gatewayRef === null) return
  const { gateway } = ports
  const ref = payment.gatewayRef
  if (usedMinor > 0) {
    const idempotencyKey = keyOf(ports.realm.mode, id, 'capture')
    await gateway.capture({ ref, amountMinor: usedMinor, idempotencyKey })
  } else {
    await gateway.release({ ref, idempotencyKey: keyOf(ports.realm.mode, id, 'release') })
  }
  await ports.open((tx) =>
    tx.run(sql`
      update payments set state = ${usedMinor > 0 ? 'captured' : 'released'}, captured_minor = ${usedMinor}
      where realm_id = ${tx.realm.id} and id = ${id} and state = 'authorised'`),
  )
}

/** What a caller reads when a card was refused: the gateway's word, which names no cardholder. */
export const paymentFailed = (code: string): AppError =>
  new AppError('PAYMENT_FAILED', 'The card was declined', { details: [{ message: 'The card was declined', code }] })

/** Sandbox: forgets every payment and refund; the database refuses it for live. */
export async function removeAll(tx: Tx): Promise<void> {
  await tx.run(sql`delete from payments where realm_id = ${tx.realm.id}`)
}
