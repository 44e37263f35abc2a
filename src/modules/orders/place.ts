import type { Tx } from '../../platform/database/tx.ts'
import { newOrderIds } from '../../platform/ids.ts'
import * as audit from '../audit/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { Price } from '../catalogue/prices.ts'
import type { Line } from '../credits/rules.ts'
import type { Spending } from '../credits/service.ts'
import * as emails from '../emails/service.ts'
import { orderPlaced } from '../emails/templates.ts'
import * as events from '../events/service.ts'
import { createKits } from '../kits/create.ts'
import { insertOrders } from './queries.ts'
import { type NewOrder, quantityOf, skuOf } from './rules.ts'

/** How the orders are paid: with credits, by a card that was charged for all of them, or later (no kits until then). */
export type Payment =
  | { method: 'credits'; spend(orders: readonly Spending[]): Promise<void> }
  | { method: 'card'; paymentId: string; price: PriceOf }
  | { method: 'later'; price: PriceOf }

export type PriceOf = (items: readonly Line[]) => Price

/** Places N orders in a fixed number of statements. There is no other way of making an order. Returns their IDs, in order. */
export async function place(tx: Tx, orders: readonly NewOrder[], payment: Payment): Promise<string[]> {
  const ids = newOrderIds(orders.length)
  const placed = orders.map((order, index) => ({ ...order, id: at(ids, index) }))
  const isPaid = payment.method !== 'later'
  await insertOrders(
    tx,
    placed.map(({ recipient, ...order }) => ({
      ...order,
      ...recipient,
      status: isPaid ? 'created' : 'pending',
      sku: skuOf(order.items),
      quantity: quantityOf(order.items),
      paymentMethod: payment.method === 'later' ? 'none' : payment.method,
      paymentStatus: isPaid ? 'paid' : 'pending',
      ...(payment.method !== 'credits' && payment.price(order.items)),
      ...(payment.method === 'card' && { paymentId: payment.paymentId }),
    })),
  )
  if (payment.method === 'credits') await payment.spend(placed.map(({ id, items }) => ({ orderId: id, items })))
  if (isPaid) await createKits(tx, placed.flatMap(kitsOf))
  await events.record(
    tx,
    placed.map((order) => created(tx, order, isPaid ? 'created' : 'pending')),
  )
  if (isPaid)
    await tellRecipients(
      tx,
      placed.filter(({ notify }) => notify).map(({ recipient, ...order }) => ({ ...order, ...recipient })),
    )
  await audit.record(
    tx,
    ids.map((id) => ({ action: 'order.placed', objectType: 'order', objectId: id })),
  )
  return ids
}

/** One kit for each credit. */
export const kitsOf = ({ id, items }: { id: string; items: readonly Line[] }) =>
  items.flatMap(({ kitType, quantity }) => Array.from({ length: quantity }, () => ({ orderId: id, kitType })))

interface Told {
  id: string
  items: readonly Line[]
  email: string
  firstName: string | null
}

/** That their orders are placed, once they are paid. */
export async function tellRecipients(tx: Tx, orders: readonly Told[]): Promise<void> {
  await emails.queue(
    tx,
    orders.map(({ id, items, email, firstName }) => ({
      letter: orderPlaced(id, quantityOf(items)),
      ...{ to: email, name: firstName, orderId: id },
    })),
  )
}

interface Announced {
  id: string
  items: readonly Line[]
  externalId?: string
}

/** `order.created`: on placing, and again when a pending order is paid. */
export function created(tx: Tx, { id, items, externalId }: Announced, status: 'created' | 'pending'): events.NewEvent {
  return {
    type: 'order.created',
    orderId: id,
    data: {
      orderID: id,
      status,
      createdDate: tx.now.toISOString(),
      items: items.map((item) => ({ kitType: publicKitType(item.kitType), quantity: item.quantity })),
      externalID: externalId,
    },
  }
}

function at(ids: readonly string[], index: number): string {
  const id = ids[index]
  if (id === undefined) throw new Error('fewer identifiers than orders')
  return id
}
