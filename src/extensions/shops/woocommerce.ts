import { z } from 'zod'
import * as lenient from './lenient.ts'
import type { ShopLine, ShopOrder } from './rules.ts'

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks */
export const wooTopics: ReadonlySet<string> = new Set([
  ...['order.created', 'order.updated', 'order.restored', 'order.deleted'],
])

/** What WooCommerce sends, without a signature, when a webhook is set up: it wants 200. */
export const isPing = (rawBody: Buffer): boolean => rawBody.length < 40 && /^webhook_id=\d+$/.test(rawBody.toString())

const Line = z.looseObject({
  id: lenient.lenientString,
  name: lenient.lenientString,
  sku: lenient.lenientId,
  variation_id: lenient.lenientId,
  product_id: lenient.lenientId,
  quantity: lenient.lenientCount,
})

const Address = z
  .looseObject({
    first_name: lenient.lenientString,
    last_name: lenient.lenientString,
    email: lenient.lenientString,
    phone: lenient.lenientString,
    address_1: lenient.lenientString,
    address_2: lenient.lenientString,
    city: lenient.lenientString,
    state: lenient.lenientString,
    postcode: lenient.lenientString,
    country: lenient.lenientString,
  })
  .nullish()
  .catch(null)

const Order = z.looseObject({
  id: lenient.lenientString,
  number: lenient.lenientString,
  status: lenient.lenientString,
  date_created_gmt: lenient.lenientString,
  date_modified_gmt: lenient.lenientString,
  date_paid_gmt: lenient.lenientString,
  date_paid: lenient.lenientString,
  billing: Address,
  shipping: Address,
  line_items: lenient.lenientList(Line),
  refunds: lenient.lenientList(z.looseObject({ total: lenient.lenientAmount })),
  shipping_total: lenient.lenientAmountOrZero,
  shipping_tax: lenient.lenientAmountOrZero,
  payment_method: lenient.lenientString,
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
  const total = lenient.sum(refunded)
  return {
    isPartlyRefunded: refunded.includes(0) || !lenient.isAtMost(total, postage + tax),
    refunded: lenient.maybeAmount(total),
  }
}

const inUtc = (time: string): string => time && `${time.replace(/Z$/, '')}Z`

/** The order of a webhook of WooCommerce; undefined if its body is not an order. A deleted one is only its ID. */
export function fromWooCommerce(body: unknown, topic: string, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || !lenient.isOrderId(parsed.data.id)) return undefined
  const order = parsed.data
  const { billing } = order
  // Where the buyer gives no other address, the one of the bill counts.
  const to = order.shipping?.address_1 ? order.shipping : billing
  return {
    externalId: order.id,
    number: order.number.slice(0, 100) || order.id,
    ...lenient.datesOf(
      {
        created: lenient.timeOf(inUtc(order.date_created_gmt)),
        changed: lenient.timeOf(inUtc(order.date_modified_gmt)),
      },
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
