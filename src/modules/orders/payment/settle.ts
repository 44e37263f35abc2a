import type { ChargeResult } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keepAnswer } from '../../../platform/http/realm-keys.ts'
import { refusalToWire, toWire, type WireAnswer } from '../../../platform/http/wire.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { type Payment, selectPayment, updateCharge } from '../../payments/queries.ts'
import { paymentFailed } from '../../payments/rules.ts'
import { chargePayment } from '../../payments/service.ts'
import { answerOf, type OrderOutcome } from '../answer.ts'
import { type PricedRequest, placePriced } from '../place-priced.ts'
import { find } from '../read.ts'
import { finishPendingPayment } from './pay-pending.ts'

/**
 * Finishes a payment. The request that made it calls this, and after a crash a job. The gateway is asked between two
 * transactions and always with the same key; the second one records its answer and does what the charge was for.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function settlePayment(ports: RealmPorts, paymentId: string): Promise<OrderOutcome> {
  const payment = await ports.open((tx) => selectPayment(tx, paymentId))
  if (payment.state !== 'requested') return payment.outcome as OrderOutcome
  const result = await chargePayment(ports, payment)
  return ports.open(async (tx) => {
    const locked = await selectPayment(tx, paymentId, 'update')
    if (locked.state !== 'requested') return locked.outcome as OrderOutcome
    const outcome = await placeCharged(tx, locked, result)
    await updateCharge(tx, paymentId, result, outcome)
    if (locked.idempotencyKey) await keepAnswer(tx, locked.idempotencyKey, await wireAnswerOf(tx, outcome, locked))
    return outcome
  })
}

/** What a payment pays for. */
type PaidFor = { purpose: 'pending_order'; orderId: string } | { purpose: 'orders'; request: PricedRequest }

function paidFor({ purpose, request }: Payment): PaidFor {
  return purpose === 'pending_order'
    ? { purpose, orderId: (request as { orderId: string }).orderId }
    : { purpose: 'orders', request: request as PricedRequest }
}

/** Does what the charge was for. Declined orders that may wait for their payment become pending ones. */
async function placeCharged(tx: Tx, payment: Payment, result: ChargeResult): Promise<OrderOutcome> {
  const paid = paidFor(payment)
  const declined = result.outcome === 'declined' ? ({ kind: 'declined', code: result.code } as const) : undefined
  if (paid.purpose === 'pending_order') {
    await finishPendingPayment(tx, paid.orderId, !declined)
    return declined ?? { kind: 'placed', orderIds: [paid.orderId], pending: false }
  }
  if (!declined) return placePriced(tx, paid.request, { method: 'card', paymentId: payment.id })
  return payment.onDecline === 'pending' ? placePriced(tx, paid.request, { method: 'later' }) : declined
}

/** The answer that the caller would have got, kept for its retry. */
async function wireAnswerOf(tx: Tx, outcome: OrderOutcome, payment: Payment): Promise<WireAnswer> {
  if (outcome.kind === 'declined') return refusalToWire(paymentFailed(outcome.code), payment.requestId ?? '')
  const paid = paidFor(payment)
  return paid.purpose === 'pending_order'
    ? toWire({ status: 200, body: await find(tx, paid.orderId) })
    : toWire(answerOf(outcome, paid.request.isBulk))
}
