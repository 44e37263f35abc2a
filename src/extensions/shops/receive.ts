import { newOpaqueId } from '../../domain/ids.ts'
import { selectItems } from '../../modules/orders/queries.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import { emptyDelivery, lockDelivery, selectGoneKits } from './delivery-queries.ts'
import { lockShopOrder, type ShopOrderRow, updateShopOrder } from './order-queries.ts'
import { cancelPlaced, waitFor, workOn } from './place.ts'
import { answerPrivacy, privacyTopics } from './privacy.ts'
import { type ShopRow, selectShop } from './queries.ts'
import { changeAfterOrder, isGone, merged, type ShopOrder } from './rules.ts'
import { fromShopify } from './shopify.ts'
import { fromWooCommerce } from './woocommerce.ts'

/** Works on what a shop sent: once, regardless of who calls, and again after a crash. */
export async function receive(ports: RealmPorts, shopId: string, deliveryId: string): Promise<void> {
  const shopOrderId = await ports.open((tx) => takeIn(tx, shopId, deliveryId))
  if (shopOrderId) await workOn(ports, shopOrderId)
}

/** Writes what a delivery says to its order. Returns the order, where something is to be done with it. */
async function takeIn(tx: Tx, shopId: string, deliveryId: string): Promise<string | undefined> {
  const delivery = await lockDelivery(tx, shopId, deliveryId)
  const shop = await selectShop(tx, shopId)
  if (!delivery || !shop) return undefined
  await emptyDelivery(tx, shopId, deliveryId)
  if (privacyTopics.has(delivery.topic)) {
    await answerPrivacy(tx, shopId, delivery.topic, delivery.body)
    return undefined
  }
  const received =
    shop.kind === 'shopify'
      ? fromShopify(delivery.body, tx.now)
      : fromWooCommerce(delivery.body, delivery.topic, tx.now)
  // The hook has refused what is no order.
  if (!received) return undefined
  const { externalId, number } = received
  const row = await lockShopOrder(tx, { id: newOpaqueId('sho'), shopId, externalId, number })
  return takeOrder(tx, shop, row, received)
}

async function takeOrder(tx: Tx, shop: ShopRow, row: ShopOrderRow, sent: ShopOrder): Promise<string | undefined> {
  const order = row.erased ? sent : merged(row.order, sent)
  // What a person decided of an order counts until the shop changes it.
  const released = row.order && order.changedAt > row.order.changedAt ? [] : row.released
  // Nothing is kept of a person who was erased, whatever the shop sends.
  const now: ShopOrderRow = row.erased ? row : { ...row, number: order.number, order, released }
  if (row.orderId) {
    await changePlaced(tx, row.orderId, { shop, now, order, before: row.order })
    return undefined
  }
  // While its card is charged, and where a person or a retry decides, only the end of it counts.
  const isOpen = !row.paymentId && !row.erased && row.reason !== 'dismissed'
  const isDue = isOpen && (isGone(order) || !['retrying', 'failed'].includes(row.status))
  await updateShopOrder(tx, isDue ? { ...now, dueAt: tx.now } : now)
  return isDue ? row.id : undefined
}

interface PlacedChange {
  shop: ShopRow
  now: ShopOrderRow
  order: ShopOrder
  before: ShopOrder | null
}

/** What the shop changed after its order was placed: a cancellation is done, anything else is for a person. */
async function changePlaced(tx: Tx, orderId: string, { shop, now, order, before }: PlacedChange): Promise<void> {
  if (isGone(order)) return now.status === 'canceled' ? updateShopOrder(tx, now) : cancelPlaced(tx, now)
  if (now.status === 'canceled' && !now.erased) return waitFor(tx, now, 'reopened')
  const posted = { items: shop.items, ordered: await selectItems(tx, orderId), left: await selectGoneKits(tx, orderId) }
  const reason = before && !now.erased ? changeAfterOrder(before, order, posted) : undefined
  return reason ? waitFor(tx, now, reason) : updateShopOrder(tx, now)
}
