import { z } from 'zod'
import type { ShopLine, ShopOrder } from './rules.ts'
import { said, saidCount, saidId, saidList, timeOf } from './said.ts'

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
export const wooTopics: ReadonlySet<string> = new Set([
  ...['order.created', 'order.updated', 'order.restored', 'order.deleted'],
])

/** What WooCommerce sends, without a signature, when a webhook is set up: it wants 200. */
export const isPing = (rawBody: Buffer): boolean => rawBody.length < 40 && /^webhook_id=\d+$/.test(rawBody.toString())

const Line = z.looseObject({
  ...{ id: said, name: said, sku: saidId, variation_id: saidId, product_id: saidId },
  quantity: saidCount,
})

const Address = z
  .looseObject({
    ...{ first_name: said, last_name: said, email: said, phone: said },
    ...{ address_1: said, address_2: said, city: said, state: said, postcode: said, country: said },
  })
  .nullish()
  .catch(null)

const Order = z.looseObject({
  ...{ id: said, number: said, status: said, date_modified_gmt: said },
  billing: Address,
  shipping: Address,
  line_items: saidList(Line),
  refunds: saidList(z.unknown()),
})

const PAID = new Set(['processing', 'completed'])
const GONE = new Set(['cancelled', 'refunded', 'trash'])

/** The order that a webhook of WooCommerce tells of; undefined where its body is none. A deleted one is only its ID. */
export function fromWooCommerce(body: unknown, topic: string, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || parsed.data.id === '') return undefined
  const order = parsed.data
  const { billing } = order
  // Where the buyer gives no other address, the one of the bill counts.
  const to = order.shipping?.address_1 ? order.shipping : billing
  return {
    externalId: order.id,
    number: order.number.slice(0, 100) || order.id,
    changedAt: timeOf(order.date_modified_gmt && `${order.date_modified_gmt.replace(/Z$/, '')}Z`, now),
    isTest: false,
    isPaid: PAID.has(order.status),
    isCanceled: topic === 'order.deleted' || GONE.has(order.status),
    isPartlyRefunded: order.refunds.length > 0,
    lines: order.line_items.map(
      (line): ShopLine => ({
        ...{ id: line.id, sku: line.sku, variantId: line.variation_id, productId: line.product_id, title: line.name },
        quantity: Math.max(0, line.quantity),
      }),
    ),
    buyer: {
      firstName: to?.first_name ?? '',
      lastName: to?.last_name ?? '',
      email: billing?.email ?? '',
      phone: to?.phone || billing?.phone || '',
      address: {
        ...{
          street1: to?.address_1 ?? '',
          street2: to?.address_2 ?? '',
          city: to?.city ?? '',
          zip: to?.postcode ?? '',
        },
        ...{ state: to?.state ?? '', country: to?.country ?? '' },
      },
    },
  }
}
