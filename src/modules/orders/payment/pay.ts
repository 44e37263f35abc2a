import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as businesses from '../../businesses/service.ts'
import { maybeFindMethod, methodMissing, methodUnknown } from '../../payments/methods.ts'
import { lockPending, markPaying, payWithCredits } from '../pending.ts'
import { startPayment } from './start.ts'

export type Paying = { kind: 'paid' } | { kind: 'charging'; paymentId: string }

/**
 * Pays a pending order: with credits at once, by card after the commit (`settle`).
 * @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION, NOT_ENOUGH_CREDITS, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED
 */
export async function payOrder(
  tx: Tx,
  orderId: string,
  paymentMethod: string,
  idempotencyKey?: string,
): Promise<Paying> {
  const order = await lockPending(tx, orderId)
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
  const paymentId = await startPayment(tx, {
    purpose: 'pending_order',
    onDecline: 'refuse',
    method,
    amountMinor: order.amountMinor,
    currency: order.currency,
    request: { orderId },
    idempotencyKey,
  })
  await markPaying(tx, orderId, paymentId)
  return { kind: 'charging', paymentId }
}
