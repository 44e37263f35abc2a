import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import type { Line } from '../../credits/rules.ts'
import * as credits from '../../credits/service.ts'
import * as events from '../../events/service.ts'
import { createKits } from '../../kits/create.ts'
import { maybeFindMethod } from '../../payments/methods.ts'
import { methodMissing, methodUnknown } from '../../payments/rules.ts'
import { type ChargeStarted, startPayment } from '../../payments/start.ts'
import { assertOrderable } from '../address.ts'
import { selectRecipient } from '../address-queries.ts'
import { emailRecipients, orderCreated } from '../announce.ts'
import { illegalTransition, lockOrder } from '../lock.ts'
import {
  type LockedOrder,
  selectItems,
  updatePaidByCard,
  updatePaidWithCredits,
  updatePaymentUnderWay,
} from '../queries.ts'
import { kitsOf } from '../rules.ts'

type PendingOrder = LockedOrder & { items: Line[] }

/**
 * Pays a pending order: with credits at once, by card after the commit (settlePayment).
 * @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION, ORDER_NOT_ALLOWED, NOT_ENOUGH_CREDITS, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED
 */
export async function payPendingOrder(
  tx: Tx,
  orderId: string,
  paymentMethod: string,
  idempotencyKey?: string,
): Promise<{ kind: 'paid' } | ChargeStarted> {
  const order = await lockPendingOrder(tx, orderId)
  if (paymentMethod === 'credits') {
    await payWithCredits(tx, order)
    return { kind: 'paid' }
  }
  if (!(await businesses.settings(tx)).purchasingEnabled) {
    throw new AppError('PURCHASING_DISABLED', 'Purchasing is disabled in the settings')
  }
  const method = await maybeFindMethod(tx, paymentMethod === 'card' ? undefined : paymentMethod)
  if (!method) throw paymentMethod === 'card' ? methodMissing() : methodUnknown()
  if (!order.amountMinor || !order.currency) throw new AppError('PAYMENT_FAILED', 'This order has no price')
  const charge = await startPayment(tx, {
    purpose: 'pending_order',
    onDecline: 'refuse',
    method,
    amountMinor: order.amountMinor,
    currency: order.currency,
    request: { orderId },
    idempotencyKey,
  })
  // Until the answer of the card is known, the order is neither paid again nor canceled.
  await updatePaymentUnderWay(tx, orderId, charge.paymentId)
  return charge
}

/** Ends the payment of a pending order by card. Paid: its kits are made. Declined: the order waits as before. */
export async function finishPendingPayment(tx: Tx, orderId: string, isPaid: boolean): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!isPaid) return updatePaymentUnderWay(tx, orderId, null)
  await updatePaidByCard(tx, orderId)
  await shipOrder(tx, { ...order, items: await selectItems(tx, orderId) })
}

async function lockPendingOrder(tx: Tx, id: string): Promise<PendingOrder> {
  const order = await lockOrder(tx, id)
  if (order.status !== 'pending') throw illegalTransition('Only a pending order can be paid', order.status)
  if (order.paymentId) throw illegalTransition('A payment of this order is under way', order.status)
  // A kit for nobody.
  if (order.firstName === null) throw illegalTransition('The person of this order was erased', 'erased')
  if (order.approvalState === 'waiting')
    throw illegalTransition('A provider has not approved this order yet', order.status)
  const items = await selectItems(tx, id)
  await assertOrderable(tx, items, (await selectRecipient(tx, id)).address)
  return { ...order, items }
}

async function payWithCredits(tx: Tx, order: PendingOrder): Promise<void> {
  await credits.spend(tx, order.id, order.items)
  await updatePaidWithCredits(tx, order.id)
  await shipOrder(tx, order)
}

async function shipOrder(tx: Tx, order: PendingOrder): Promise<void> {
  await createKits(tx, kitsOf(order))
  await events.record(tx, [
    orderCreated({ ...order, externalId: order.externalId ?? undefined, createdAt: tx.now }, 'created'),
  ])
  await emailRecipients(tx, [{ ...order, realm: tx.realm }])
  await audit.record(tx, [{ action: 'order.paid', objectType: 'order', objectId: order.id }])
}
