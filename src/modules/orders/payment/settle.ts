import type { ChargeResult } from '../../../domain/payment-gateway.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { refusalToWire, toWire, type WireAnswer } from '../../../platform/http/wire.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { noticeDecline } from '../../payments/notices.ts'
import { type Payment, selectPayment } from '../../payments/queries.ts'
import { issueReceipt } from '../../payments/receipts/issue.ts'
import { type PricedLine, pricedLines } from '../../payments/receipts/rules.ts'
import { paymentFailed } from '../../payments/rules.ts'
import { type Recorded, settle } from '../../payments/settle.ts'
import { answerOf, type OrderOutcome } from '../answer.ts'
import { lockOrder } from '../lock.ts'
import { type PricedRequest, placePriced } from '../place-priced.ts'
import { selectPricedItems } from '../queries.ts'
import { find } from '../read.ts'
import { linesOf } from '../rules.ts'
import { finishPendingPayment } from './pay-pending.ts'

/**
 * Finishes a payment for orders. The request that made it calls this, and after a crash a job.
 * @throws OVERLOADED while it is not known whether the card was charged
 */
export async function settlePayment(ports: RealmPorts, paymentId: string): Promise<OrderOutcome> {
  const payment = await ports.open((tx) => selectPayment(tx, paymentId))
  return settle(ports, payment, recordCharge)
}

/** What a payment pays for. */
type PaidFor = { purpose: 'pending_order'; orderId: string } | { purpose: 'orders'; request: PricedRequest }

function paidFor({ purpose, request }: Payment): PaidFor {
  return purpose === 'pending_order'
    ? { purpose, orderId: (request as { orderId: string }).orderId }
    : { purpose: 'orders', request: request as PricedRequest }
}

/** Does what the charge was for, with its receipt. An authorisation has none before it is captured. */
async function recordCharge(tx: Tx, payment: Payment, result: ChargeResult): Promise<Recorded<OrderOutcome>> {
  const paid = paidFor(payment)
  const outcome = await placeCharged(tx, payment, paid, result)
  if (result.outcome === 'charged' && outcome.kind === 'placed') {
    const { orderIds } = outcome
    await issueReceipt(tx, payment, {
      kind: 'receipt',
      orderIds,
      amountMinor: payment.amountMinor,
      lines: await linesPaidFor(tx, paid),
    })
  }
  if (result.outcome === 'declined') await noticeDecline(tx, payment, waitingOf(paid, outcome))
  return { outcome, answer: () => wireAnswerOf(tx, outcome, payment) }
}

const linesPaidFor = async (tx: Tx, paid: PaidFor): Promise<PricedLine[]> =>
  paid.purpose === 'pending_order'
    ? pricedItemsOf(tx, paid.orderId)
    : pricedLines(linesOf(paid.request.orders), paid.request.prices)

/** The kits of an order with what one costs. Of an order with one kit type, that follows from its amount. */
async function pricedItemsOf(tx: Tx, orderId: string): Promise<PricedLine[]> {
  const { amountMinor } = await lockOrder(tx, orderId)
  const items = await selectPricedItems(tx, orderId)
  const alone = items.length === 1
  return items.map(({ kitType, quantity, priceMinor }) => ({
    kitType,
    quantity,
    unitMinor: alone ? (amountMinor ?? 0) / quantity : (priceMinor ?? 0),
  }))
}

/** What waits for its payment now: an order, or a job whose orders will. */
function waitingOf(paid: PaidFor, outcome: OrderOutcome): string | undefined {
  if (paid.purpose === 'pending_order') return paid.orderId
  if (outcome.kind === 'job') return outcome.jobId
  return outcome.kind === 'placed' ? outcome.orderIds[0] : undefined
}

/** Declined orders that may wait for their payment become pending ones. */
async function placeCharged(tx: Tx, payment: Payment, paid: PaidFor, result: ChargeResult): Promise<OrderOutcome> {
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
