import { AppError } from '../../../domain/errors.ts'
import { type ChargeResult, GatewayUnknown } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { keepAnswer } from '../../../platform/http/idempotency.ts'
import { refusalToWire, toWire, type WireAnswer } from '../../../platform/http/wire.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { priceBookOf } from '../../catalogue/prices.ts'
import { charge, findPayment, type Payment, paymentFailed, recordResult } from '../../payments/service.ts'
import { answerOf } from '../answer.ts'
import { type Outcome, type PricedRequest, placePaid, placePending } from '../create.ts'
import { finishPaying } from '../pending.ts'
import { find } from '../read.ts'

/**
 * Finishes a payment, by whoever comes to it first: the request that made it, or the sweep after a crash. The gateway is
 * asked between two transactions and always with the same key; what the charge was for is done in the one that records it.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function settle(ports: RealmPorts, paymentId: string): Promise<Outcome> {
  const payment = await ports.open((tx) => findPayment(tx, paymentId))
  if (payment.state !== 'requested') return payment.outcome as Outcome
  const result = await ask(ports, payment)
  return ports.open(async (tx) => {
    const locked = await findPayment(tx, paymentId, 'update')
    if (locked.state !== 'requested') return locked.outcome as Outcome
    const outcome = await conclude(tx, locked, result)
    await recordResult(tx, paymentId, result, outcome)
    if (locked.idempotencyKey) await keepAnswer(tx, locked.idempotencyKey, await wireOf(tx, outcome, locked))
    return outcome
  })
}

async function ask(ports: RealmPorts, payment: Payment): Promise<ChargeResult> {
  try {
    return await charge(ports, payment)
  } catch (err) {
    if (!(err instanceof GatewayUnknown)) throw err
    throw new AppError(
      'OVERLOADED',
      'The payment is still being settled; send the same request again with its Idempotency-Key',
      {
        cause: err,
        extra: { settling: true },
      },
    )
  }
}

async function conclude(tx: Tx, payment: Payment, result: ChargeResult): Promise<Outcome> {
  const isPaid = result.outcome !== 'declined'
  if (payment.purpose === 'pending_order') {
    const { orderId } = payment.request as { orderId: string }
    await finishPaying(tx, orderId, isPaid)
    return isPaid ? { kind: 'placed', orderIds: [orderId], pending: false } : { kind: 'declined', code: result.code }
  }
  const request = payment.request as PricedRequest
  if (isPaid) return placePaid(tx, request, payment.id)
  if (payment.onDecline === 'pending') return placePending(tx, request, priceBookOf(request.prices))
  return { kind: 'declined', code: result.code }
}

/** The answer as the caller would have got it, kept for its retry. */
async function wireOf(tx: Tx, outcome: Outcome, payment: Payment): Promise<WireAnswer> {
  if (outcome.kind === 'declined') return refusalToWire(paymentFailed(outcome.code), payment.requestId ?? '')
  if (payment.purpose === 'pending_order') {
    const { orderId } = payment.request as { orderId: string }
    return toWire({ status: 200, body: await find(tx, orderId) })
  }
  return toWire(answerOf(outcome, (payment.request as PricedRequest).isBulk))
}
