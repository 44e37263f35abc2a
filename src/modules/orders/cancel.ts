import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import * as audit from '../audit/service.ts'
import * as credits from '../credits/service.ts'
import * as events from '../events/service.ts'
import { cancelKits } from '../kits/move.ts'

/**
 * Cancels an order while every kit is still preparing, and gives back what it cost.
 * @throws ORDER_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function cancel(tx: Tx, id: string): Promise<void> {
  const order = await tx.maybeRow(sql<{ status: string; paymentMethod: string }>`
    select status, payment_method as "paymentMethod" from orders
    where realm_id = ${tx.realm.id} and id = ${id} for update`)
  if (!order) throw new AppError('ORDER_NOT_FOUND', 'There is no such order')
  if (order.status === 'canceled') throw illegal('The order is canceled already', 'canceled')
  if (order.status === 'created' && !(await cancelKits(tx, id))) {
    throw illegal('The order cannot be canceled: a kit is no longer preparing', 'created')
  }
  if (order.status === 'created' && order.paymentMethod === 'credits') await credits.refund(tx, id)
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
  await audit.record(tx, [{ action: 'order.canceled', objectType: 'order', objectId: id }])
}

const illegal = (message: string, current: string) =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current, allowed: [] } })
