import { z } from 'zod'
import type { ShopLine, ShopOrder } from './rules.ts'
import { maybeTimeOf, said, saidAmount, saidCount, saidId, saidList, timeOf } from './said.ts'

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
export const wooTopics: ReadonlySet<string> = new Set([
  ...['order.created', 'order.updated', 'order.restored', 'order.deleted'],
])

/** What WooCommerce sends, without a signature, when a webhook is set up: it wants 200. */
export const isPing = (rawBody: Buffer): boolean => rawBody.length < 40 && /^webhook_id=\d+$/.test(rawBody.toString())

const Line = z.looseObject({
  ...{ id: said, name: said, sku: saidId, variation_id: saidId, product_id: saidId },
  quantity: saidCount,
  ...{ total: saidAmount, total_tax: saidAmount },
})

const Address = z
  .looseObject({
    ...{ first_name: said, last_name: said, email: said, phone: said },
    ...{ address_1: said, address_2: said, city: said, state: said, postcode: said, country: said },
  })
  .nullish()
  .catch(null)

const Order = z.looseObject({
  ...{ id: said, number: said, status: said },
  ...{ date_created_gmt: said, date_modified_gmt: said, date_paid_gmt: said, date_paid: said },
  billing: Address,
  shipping: Address,
  line_items: saidList(Line),
  refunds: saidList(z.looseObject({ total: saidAmount })),
})

type State = Pick<ShopOrder, 'isPaid' | 'isCanceled' | 'isClosed' | 'isUnclear'>

const unpaid: State = { isPaid: false, isCanceled: false, isClosed: false, isUnclear: false }
const paid: State = { ...unpaid, isPaid: true }
const gone: State = { ...unpaid, isCanceled: true }

/** https://woocommerce.com/document/managing-orders/order-statuses/ */
const states: Readonly<Record<string, State>> = {
  ...{
    pending: unpaid,
    'on-hold': unpaid,
    failed: unpaid,
    'checkout-draft': unpaid,
    'auto-draft': unpaid,
    draft: unpaid,
  },
  processing: paid,
  // Somebody has fulfilled it: new orders that are shipped are `processing`.
  completed: { ...paid, isClosed: true },
  ...{ cancelled: gone, refunded: gone, trash: gone },
}

/** The state of an order; in one that an extension has added, a date of payment alone does not say that it is open. */
function stateOf({ status, date_paid, date_paid_gmt }: z.output<typeof Order>): State {
  const isPaid = date_paid !== '' || date_paid_gmt !== ''
  return states[status.replace(/^wc-/, '')] ?? { ...unpaid, isPaid, isUnclear: isPaid }
}

/**
 * Whether a product may have been refunded: WooCommerce says how much was, not of which lines. Less than the cheapest product cost was
 * none of them, but postage or goodwill.
 */
function isPartlyRefunded({ refunds, line_items }: z.output<typeof Order>): boolean {
  if (refunds.length === 0) return false
  const refunded = Math.abs(refunds.reduce((sum, { total }) => sum + total, 0))
  const prices = line_items.map(({ total, total_tax, quantity }) => (quantity ? (total + total_tax) / quantity : 0))
  // Of an amount that cannot be read nothing is known. A hundredth is less than what rounding adds.
  return !(refunded > 0 && refunded < Math.min(...prices) - 0.01)
}

const inUtc = (time: string): string => time && `${time.replace(/Z$/, '')}Z`

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
    changedAt: timeOf(inUtc(order.date_modified_gmt), now),
    createdAt: maybeTimeOf(inUtc(order.date_created_gmt)),
    isTest: false,
    ...(topic === 'order.deleted' ? gone : stateOf(order)),
    isPartlyRefunded: isPartlyRefunded(order),
    lines: order.line_items.map(
      (line): ShopLine => ({
        ...{ id: line.id, sku: line.sku, variantId: line.variation_id, productId: line.product_id, title: line.name },
        ...(line.quantity === undefined
          ? { quantity: 0, isStrange: true }
          : { quantity: line.quantity, open: line.quantity }),
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
