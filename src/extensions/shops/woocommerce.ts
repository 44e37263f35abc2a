import { z } from 'zod'
import {
  datesOf,
  isAtMost,
  isOrderId,
  lenientAmount,
  lenientAmountOrZero,
  lenientCount,
  lenientId,
  lenientList,
  lenientString,
  maybeAmount,
  sum,
  timeOf,
} from './lenient.ts'
import type { ShopLine, ShopOrder } from './rules.ts'

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
export const wooTopics: ReadonlySet<string> = new Set([
  ...['order.created', 'order.updated', 'order.restored', 'order.deleted'],
])

/** What WooCommerce sends, without a signature, when a webhook is set up: it wants 200. */
export const isPing = (rawBody: Buffer): boolean => rawBody.length < 40 && /^webhook_id=\d+$/.test(rawBody.toString())

const Line = z.looseObject({
  id: lenientString,
  name: lenientString,
  sku: lenientId,
  variation_id: lenientId,
  product_id: lenientId,
  quantity: lenientCount,
})

const Address = z
  .looseObject({
    first_name: lenientString,
    last_name: lenientString,
    email: lenientString,
    phone: lenientString,
    address_1: lenientString,
    address_2: lenientString,
    city: lenientString,
    state: lenientString,
    postcode: lenientString,
    country: lenientString,
  })
  .nullish()
  .catch(null)

const Order = z.looseObject({
  id: lenientString,
  number: lenientString,
  status: lenientString,
  date_created_gmt: lenientString,
  date_modified_gmt: lenientString,
  date_paid_gmt: lenientString,
  date_paid: lenientString,
  billing: Address,
  shipping: Address,
  line_items: lenientList(Line),
  refunds: lenientList(z.looseObject({ total: lenientAmount })),
  shipping_total: lenientAmountOrZero,
  shipping_tax: lenientAmountOrZero,
  payment_method: lenientString,
})

type State = Pick<ShopOrder, 'isPaid' | 'isCanceled' | 'isClosed' | 'isUnclear'>

const unpaid: State = { isPaid: false, isCanceled: false, isClosed: false, isUnclear: false }
const paid: State = { ...unpaid, isPaid: true }
const gone: State = { ...unpaid, isCanceled: true }

/** https://woocommerce.com/document/managing-orders/order-statuses/ */
const states: Readonly<Record<string, State>> = {
  pending: unpaid,
  'on-hold': unpaid,
  failed: unpaid,
  'checkout-draft': unpaid,
  'auto-draft': unpaid,
  draft: unpaid,
  processing: paid,
  // Somebody has fulfilled it: new orders that are shipped are `processing`.
  completed: { ...paid, isClosed: true },
  cancelled: gone,
  refunded: gone,
  trash: gone,
}

/** The state of an order; in one that an extension has added, a date of payment alone does not say that it is open. */
function stateOf({ status, date_paid, date_paid_gmt }: z.output<typeof Order>): State {
  const isPaid = date_paid !== '' || date_paid_gmt !== ''
  return states[status.replace(/^wc-/, '')] ?? { ...unpaid, isPaid, isUnclear: isPaid }
}

/** Whether a product may have been refunded: the shop does not state of which lines. Amounts up to the postage count as postage. */
function refundOf({
  refunds,
  shipping_total: postage,
  shipping_tax: tax,
}: z.output<typeof Order>): Pick<ShopOrder, 'isPartlyRefunded' | 'refunded'> {
  const refunded = refunds.map(({ total }) => Math.abs(total))
  const total = sum(refunded)
  return { isPartlyRefunded: refunded.includes(0) || !isAtMost(total, postage + tax), refunded: maybeAmount(total) }
}

const inUtc = (time: string): string => time && `${time.replace(/Z$/, '')}Z`

/** The order of a webhook of WooCommerce; undefined if its body is not an order. A deleted one is only its ID. */
export function fromWooCommerce(body: unknown, topic: string, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || !isOrderId(parsed.data.id)) return undefined
  const order = parsed.data
  const { billing } = order
  // Where the buyer gives no other address, the one of the bill counts.
  const to = order.shipping?.address_1 ? order.shipping : billing
  return {
    externalId: order.id,
    number: order.number.slice(0, 100) || order.id,
    ...datesOf(
      { created: timeOf(inUtc(order.date_created_gmt)), changed: timeOf(inUtc(order.date_modified_gmt)) },
      now,
    ),
    isTest: /bogus/i.test(order.payment_method),
    ...(topic === 'order.deleted' ? gone : stateOf(order)),
    ...refundOf(order),
    isEmpty: order.line_items.every(({ quantity }) => quantity === 0),
    lines: order.line_items.map(
      (line): ShopLine => ({
        id: line.id,
        sku: line.sku,
        variantId: line.variation_id,
        productId: line.product_id,
        title: line.name,
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
        street1: to?.address_1 ?? '',
        street2: to?.address_2 ?? '',
        city: to?.city ?? '',
        zip: to?.postcode ?? '',
        state: to?.state ?? '',
        country: to?.country ?? '',
      },
    },
  }
}
