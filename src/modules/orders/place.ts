import type { Tx } from '../../platform/database/tx.ts'
import { newOrderIds } from '../../platform/ids.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { Line } from '../credits/rules.ts'
import type { Wallet } from '../credits/service.ts'
import * as events from '../events/service.ts'
import { createKits } from '../kits/create.ts'
import { insertOrders } from './queries.ts'
import { type NewOrder, quantityOf, skuOf } from './rules.ts'

/** How the orders are paid: by a wallet that covers them, or later (no kits until then). */
export type Payment = { method: 'credits'; wallet: Wallet } | { method: 'later'; price(items: readonly Line[]): Price }

export interface Price {
  amountMinor: number
  currency: string
}

/** Places N orders in a fixed number of statements. There is no other way of making an order. Returns their IDs, in order. */
export async function place(tx: Tx, orders: readonly NewOrder[], payment: Payment): Promise<string[]> {
  const ids = newOrderIds(orders.length)
  const placed = orders.map((order, index) => ({ ...order, id: at(ids, index) }))
  const paid = payment.method === 'credits'
  await insertOrders(
    tx,
    placed.map(({ recipient, ...order }) => ({
      ...order,
      ...recipient,
      status: paid ? 'created' : 'pending',
      sku: skuOf(order.items),
      quantity: quantityOf(order.items),
      paymentMethod: paid ? 'credits' : 'none',
      paymentStatus: paid ? 'paid' : 'pending',
      ...(payment.method === 'later' && payment.price(order.items)),
    })),
  )
  if (payment.method === 'credits') {
    await payment.wallet.spend(placed.map(({ id, items }) => ({ orderId: id, items })))
    await createKits(
      tx,
      placed.flatMap(({ id, items }) =>
        items.flatMap(({ kitType, quantity }) => Array.from({ length: quantity }, () => ({ orderId: id, kitType }))),
      ),
    )
  }
  await events.record(
    tx,
    placed.map(({ id, items, externalId }) => ({
      type: 'order.created' as const,
      orderId: id,
      data: {
        orderID: id,
        status: paid ? 'created' : 'pending',
        createdDate: tx.now.toISOString(),
        items: items.map((item) => ({ kitType: publicKitType(item.kitType), quantity: item.quantity })),
        externalID: externalId,
      },
    })),
  )
  await audit.record(
    tx,
    ids.map((id) => ({ action: 'order.placed', objectType: 'order', objectId: id })),
  )
  return ids
}

function at(ids: readonly string[], index: number): string {
  const id = ids[index]
  if (id === undefined) throw new Error('fewer identifiers than orders')
  return id
}
