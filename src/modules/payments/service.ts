import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import { type ChargeResult, GatewayUnknown } from '../../domain/payment-gateway.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import type { PaymentMethod } from './methods-queries.ts'
import * as queries from './queries.ts'
import { issueReceipt } from './receipts/issue.ts'
import { deleteCounters } from './receipts/queries.ts'
import type { PricedLine } from './receipts/rules.ts'
import { forgetTries } from './top-ups/queries.ts'

export interface RequestPayment {
  purpose: queries.PaymentPurpose
  onDecline: 'refuse' | 'pending'
  method: PaymentMethod
  amountMinor: number
  currency: string
  request: unknown
  /** The key of the caller, whose answer waits for this payment. */
  idempotencyKey?: string
}

/** Requests a payment, before anyone asks the gateway to charge the card. Returns the payment's ID. */
export async function requestPayment(tx: Tx, { idempotencyKey, method, ...payment }: RequestPayment): Promise<string> {
  const id = newOpaqueId('pay')
  const requestId = tx.actor.callerRequestId ?? tx.actor.requestId
  await queries.insertPayment(tx, { ...payment, id, method, idempotencyKey, requestId })
  return id
}

// Gateways repeat even their errors under a key. After this time, if they know no charge under it, another key is safe.
const NEW_KEY_AFTER_MS = 5 * 60_000

/**
 * Asks the gateway to charge, with the payment's own key: asking again is safe.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function chargePayment(
  { gateway, realm, open }: RealmPorts,
  payment: queries.Payment,
): Promise<ChargeResult> {
  const { id, attempts, keyNumber } = payment
  // Counted before the call, so that the next attempt knows after a crash that it is not the first one.
  const askedAt = await open(async (tx) => {
    await queries.updateAttempts(tx, id)
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
    if (!(err instanceof GatewayUnknown)) throw err
    const isOld = askedAt.getTime() - payment.createdAt.getTime() > NEW_KEY_AFTER_MS
    if (err.nothingFound && isOld) await open((tx) => queries.updateKeyNumber(tx, id, keyNumber))
    throw new AppError(
      'OVERLOADED',
      'The payment is still being settled; send the same request again with its Idempotency-Key',
      { cause: err, extra: { settling: true } },
    )
  }
}

/** The idempotency key of a call to the gateway. */
const keyOf = (mode: string, ...parts: string[]): string => ['kitlane', mode, ...parts].join(':')

export const refundKeyOf = (mode: string, paymentId: string, orderId: string): string =>
  keyOf(mode, paymentId, orderId, 'refund')

/**
 * Captures the part of an authorisation that was used, with its receipt, and releases the rest. Safe to repeat.
 * @throws GatewayUnknown
 */
export async function captureUsed(
  ports: RealmPorts,
  id: string,
  usedMinor: number,
  linesOf: (tx: Tx) => Promise<PricedLine[]>,
): Promise<void> {
  const payment = await ports.open((tx) => queries.selectPayment(tx, id))
  if (payment.state !== 'authorised' || payment.gatewayRef === null) return
  const { gateway, realm } = ports
  const ref = payment.gatewayRef
  if (usedMinor > 0) {
    await gateway.capture({ ref, amountMinor: usedMinor, idempotencyKey: keyOf(realm.mode, id, 'capture') })
  } else {
    await gateway.release({ ref, idempotencyKey: keyOf(realm.mode, id, 'release') })
  }
  const state = usedMinor > 0 ? 'captured' : 'released'
  await ports.open(async (tx) => {
    const isMine = (await queries.updateAuthorisation(tx, id, { state, capturedMinor: usedMinor })) === 1
    if (!isMine || usedMinor === 0) return
    await issueReceipt(tx, payment, { kind: 'receipt', orderIds: [], amountMinor: usedMinor, lines: await linesOf(tx) })
  })
}

/** Removes what a sandbox has paid, with its receipts. The settings stay; the database refuses it for live. */
export async function removePayments(tx: Tx): Promise<void> {
  await queries.deletePayments(tx)
  await deleteCounters(tx)
  await queries.deleteNotices(tx)
  await forgetTries(tx)
}
