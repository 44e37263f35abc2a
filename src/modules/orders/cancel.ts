import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as credits from '../credits/service.ts'
import * as emails from '../emails/service.ts'
import { orderCanceled } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import { cancelKits } from '../kits/move.ts'
import { requestRefund } from '../payments/refunds.ts'
import { illegalTransition, lockOrder } from './lock.ts'
import { type LockedOrder, selectItems, sumCanceled, updateCanceled } from './queries.ts'

/**
 * Cancels an order while every kit is still preparing, and gives back what it cost. `reason`: why a provider refused it; it may say something
 * of the recipient, so that the audit, which erases nothing, does not get it.
 * @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function cancel(tx: Tx, id: string, reason?: string): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.status === 'canceled') throw illegalTransition('The order is canceled already', 'canceled')
  if (order.status === 'pending' && order.paymentId)
    throw illegalTransition('A payment of this order is under way', 'pending')
  if (order.status === 'created' && !(await cancelKits(tx, id))) {
    throw illegalTransition('The order cannot be canceled: a kit is no longer preparing', 'created')
  }
  if (order.status === 'created') await refundOrder(tx, order)
  // What another vendor was paid is not given back here.
  await updateCanceled(tx, id, order.paymentMethod === 'none' ? 'canceled' : 'refunded')
  await events.record(tx, [
    {
      type: 'order.canceled',
      orderId: id,
      data: { orderID: id, status: 'canceled', canceledDate: tx.now.toISOString(), ...(reason && { reason }) },
    },
  ])
  // The recipient of a pending order never heard of it.
  if (order.status === 'created' && order.notify && order.email !== null) {
    await emails.queue(tx, [{ content: orderCanceled(id), to: order.email, name: order.firstName, orderId: id }])
  }
  await audit.record(tx, [{ action: 'order.canceled', objectType: 'order', objectId: id }])
}

async function refundOrder(tx: Tx, { id, paymentMethod, paymentId, amountMinor }: LockedOrder): Promise<void> {
  if (paymentMethod === 'credits') await credits.refund(tx, id)
  // An order that costs nothing was never charged.
  if (paymentMethod === 'card' && paymentId && amountMinor)
    await requestRefund(tx, {
      orderId: id,
      paymentId,
      amountMinor,
      items: await selectItems(tx, id),
      canceledMinor: amountMinor + (await sumCanceled(tx, paymentId)),
    })
}
