import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import * as credits from '../credits/service.ts'
import * as emails from '../emails/service.ts'
import { orderCanceled } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import { cancelKits } from '../kits/move.ts'
import { requestRefund } from '../payments/refunds.ts'

/**
 * Cancels an order while every kit is still preparing, and gives back what it cost.
 * @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function cancel(tx: Tx, id: string): Promise<void> {
  const order = await lockOrder(tx, id)
  if (order.status === 'canceled') throw illegal('The order is canceled already', 'canceled')
  if (order.status === 'pending' && order.paymentId) throw illegal('A payment of this order is under way', 'pending')
  if (order.status === 'created' && !(await cancelKits(tx, id))) {
    throw illegal('The order cannot be canceled: a kit is no longer preparing', 'created')
  }
  if (order.status === 'created') await giveBack(tx, order)
  const paymentStatus = order.status === 'pending' ? 'canceled' : 'refunded'
  await tx.run(sql`
    update orders set status = 'canceled', payment_status = ${paymentStatus}
    where realm_id = ${tx.realm.id} and id = ${id}`)
  await events.record(tx, [
    {
      type: 'order.canceled',
      orderId: id,
      data: { orderID: id, status: 'canceled', canceledDate: tx.now.toISOString() },
    },
  ])
  // Of a pending order its recipient was never told.
  if (order.status === 'created' && order.notify && order.email !== null) {
    await emails.queue(tx, [{ content: orderCanceled(id), to: order.email, name: order.firstName, orderId: id }])
  }
  await audit.record(tx, [{ action: 'order.canceled', objectType: 'order', objectId: id }])
}

async function giveBack(tx: Tx, { id, paymentMethod, paymentId, amountMinor }: LockedOrder): Promise<void> {
  if (paymentMethod === 'credits') await credits.refund(tx, id)
  // A charge of nothing was never made.
  if (paymentMethod === 'card' && paymentId && amountMinor)
    await requestRefund(tx, { orderId: id, paymentId, amountMinor })
}

export interface LockedOrder {
  id: string
  status: 'created' | 'pending' | 'canceled'
  paymentMethod: 'credits' | 'card' | 'none'
  paymentId: string | null
  amountMinor: number | null
  currency: string | null
  externalId: string | null
  notify: boolean
  email: string | null
  firstName: string | null
}

/** An order, locked until the transaction ends. @throws ORDER_NOT_FOUND */
export async function lockOrder(tx: Tx, id: string): Promise<LockedOrder> {
  const order = await tx.maybeRow(sql<LockedOrder>`
    select id, status, payment_method as "paymentMethod", payment_id as "paymentId", amount_minor as "amountMinor", currency,
           external_id as "externalId", notify, email, first_name as "firstName"
    from orders where realm_id = ${tx.realm.id} and id = ${id} for update`)
  if (!order) throw new AppError('ORDER_NOT_FOUND', 'There is no such order')
  return order
}

export const illegal = (message: string, current: string) =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current, allowed: [] } })
