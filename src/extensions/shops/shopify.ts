import { z } from 'zod'
import * as lenient from './lenient.ts'
import type { ShopLine, ShopOrder } from './rules.ts'

/** The topics whose body is an order. https://shopify.dev/docs/api/webhooks */
export const shopifyTopics: ReadonlySet<string> = new Set([
  ...['orders/create', 'orders/paid', 'orders/updated', 'orders/cancelled'],
  ...['orders/fulfilled', 'orders/partially_fulfilled'],
])

const Line = z.looseObject({
  id: lenient.lenientString,
  admin_graphql_api_id: lenient.lenientString,
  sku: lenient.lenientId,
  variant_id: lenient.lenientId,
  product_id: lenient.lenientId,
  title: lenient.lenientString,
  quantity: lenient.lenientCount,
  // What is left of it after refunds and removals; older versions of the API do not say it.
  current_quantity: z.unknown().optional(),
  // Of that, what nobody has fulfilled and nobody is fulfilling.
  fulfillable_quantity: z.unknown().optional(),
  fulfillment_status: lenient.lenientString,
  gift_card: lenient.lenientBoolean,
})
type Line = z.output<typeof Line>

const Address = z.looseObject({
  first_name: lenient.lenientString,
  last_name: lenient.lenientString,
  phone: lenient.lenientString,
  address1: lenient.lenientString,
  address2: lenient.lenientString,
  city: lenient.lenientString,
  province: lenient.lenientString,
  province_code: lenient.lenientString,
  zip: lenient.lenientString,
  country_code: lenient.lenientString,
})

const Adjustment = z.looseObject({ amount: lenient.lenientAmount, tax_amount: lenient.lenientAmountOrZero })
const Transaction = z.looseObject({
  amount: lenient.lenientAmount,
  status: lenient.lenientString,
  currency: lenient.lenientString,
})
// Of a list that cannot be read the amount is unknown.
const Refund = z.looseObject({
  refund_line_items: lenient.lenientList(
    z.looseObject({
      line_item_id: lenient.lenientString,
      quantity: lenient.lenientCount,
      subtotal: lenient.lenientAmount,
      total_tax: lenient.lenientAmountOrZero,
    }),
  ),
  order_adjustments: lenient.lenientList(Adjustment).catch([{ amount: Number.NaN, tax_amount: 0 }]),
  transactions: lenient.lenientList(Transaction).catch([{ amount: Number.NaN, status: '', currency: '' }]),
})
type Refund = z.output<typeof Refund>

const Postage = z.looseObject({
  price: lenient.lenientAmount,
  discounted_price: z.unknown().optional(),
  tax_lines: lenient.lenientList(z.looseObject({ price: lenient.lenientAmount })),
})

const Order = z.looseObject({
  id: lenient.lenientString,
  admin_graphql_api_id: lenient.lenientString,
  name: lenient.lenientString,
  email: lenient.lenientString,
  contact_email: lenient.lenientString,
  phone: lenient.lenientString,
  test: lenient.lenientBoolean,
  financial_status: lenient.lenientString,
  fulfillment_status: lenient.lenientString,
  cancelled_at: lenient.lenientString,
  closed_at: lenient.lenientString,
  created_at: lenient.lenientString,
  updated_at: lenient.lenientString,
  line_items: lenient.lenientList(Line),
  refunds: lenient.lenientList(Refund),
  currency: lenient.lenientString,
  taxes_included: lenient.lenientBoolean,
  shipping_lines: lenient.lenientList(Postage).catch([]),
  total_shipping_price_set: z
    .looseObject({ shop_money: z.looseObject({ amount: lenient.lenientAmount }) })
    .nullish()
    .catch(null),
  gateway: lenient.lenientString,
  payment_gateway_names: z.unknown().optional(),
  shipping_address: Address.nullish().catch(null),
})
type Order = z.output<typeof Order>

type Payment = 'paid' | 'unpaid' | 'canceled'

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/OrderDisplayFinancialStatus */
const payments: Readonly<Record<string, Payment>> = {
  paid: 'paid',
  partially_refunded: 'paid',
  '': 'unpaid',
  pending: 'unpaid',
  unpaid: 'unpaid',
  authorized: 'unpaid',
  partially_paid: 'unpaid',
  expired: 'unpaid',
  refunded: 'canceled',
  voided: 'canceled',
}

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/OrderDisplayFulfillmentStatus. Others are in somebody's hands. */
const fulfilments: Readonly<Record<string, 'open' | 'closed'>> = {
  '': 'open',
  unfulfilled: 'open',
  open: 'open',
  partial: 'open',
  partially_fulfilled: 'open',
  fulfilled: 'closed',
  restocked: 'closed',
}

/** An ID as text: as a number, one of more than 15 digits would have lost its end. */
const idOf = ({ id, admin_graphql_api_id: gid }: { id: string; admin_graphql_api_id: string }): string =>
  gid.split('/').at(-1) || id

/** The order of a webhook of Shopify; undefined if its body is not an order. */
export function fromShopify(body: unknown, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || !lenient.isOrderId(parsed.data.id) || !lenient.isOrderId(idOf(parsed.data))) return undefined
  const order = parsed.data
  const refunded = new Map<string, number>()
  for (const { line_item_id: id, quantity = 0 } of order.refunds.flatMap((refund) => refund.refund_line_items))
    refunded.set(id, (refunded.get(id) ?? 0) + quantity)
  const payment = payments[order.financial_status.toLowerCase()]
  const fulfilment = fulfilments[order.fulfillment_status.toLowerCase()]
  const to = order.shipping_address
  return {
    externalId: idOf(order),
    number: order.name.replace(/^#/, '').slice(0, 100) || idOf(order),
    ...lenient.datesOf({ created: lenient.timeOf(order.created_at), changed: lenient.timeOf(order.updated_at) }, now),
    isTest: order.test || /bogus/i.test(JSON.stringify([order.gateway, order.payment_gateway_names])),
    isPaid: payment === 'paid',
    isCanceled: order.cancelled_at !== '' || payment === 'canceled',
    isClosed: order.closed_at !== '' || fulfilment === 'closed',
    isUnclear: payment === undefined || fulfilment === undefined,
    ...refundOf(order),
    isEmpty: order.line_items.every(({ quantity }) => quantity === 0),
    lines: order.line_items.map(
      (line): ShopLine => ({
        id: idOf(line),
        sku: line.sku,
        variantId: line.variant_id,
        productId: line.product_id,
        title: line.title,
        ...quantitiesOf(line, refunded.get(line.id) ?? 0),
        ...(line.gift_card && { isGiftCard: true }),
      }),
    ),
    buyer: {
      firstName: to?.first_name ?? '',
      lastName: to?.last_name ?? '',
      email: order.email || order.contact_email,
      phone: to?.phone || order.phone,
      address: {
        street1: to?.address1 ?? '',
        street2: to?.address2 ?? '',
        city: to?.city ?? '',
        zip: to?.zip ?? '',
        state: to?.province_code || to?.province || '',
        country: to?.country_code ?? '',
      },
    },
  }
}

/** Whether a product may have been refunded that no line names: more than the postage was, or nobody knows how much. */
function refundOf(order: Order): Pick<ShopOrder, 'isPartlyRefunded' | 'refunded'> {
  const { refunds, line_items: lines } = order
  const isNamed =
    refunds.some((refund) => refund.refund_line_items.length > 0) ||
    lines.some(({ quantity = 0, current_quantity: left }) => typeof left === 'number' && left < quantity)
  const beyond = lenient.sum(refunds.map((refund) => beyondLines(order, refund)))
  const isUnexplained = order.financial_status.toLowerCase() === 'partially_refunded' && beyond === 0 && !isNamed
  return {
    isPartlyRefunded: isUnexplained || !lenient.isAtMost(beyond, postageOf(order)),
    refunded: lenient.maybeAmount(beyond),
  }
}

/** What was paid back beyond the price of the lines that a refund names; NaN where that cannot be read. */
function beyondLines(order: Order, { refund_line_items: named, order_adjustments, transactions }: Refund): number {
  const ids = new Set(order.line_items.map(({ id }) => id))
  if (named.some(({ quantity }) => quantity === undefined)) return Number.NaN
  if (transactions.some(({ currency }) => currency !== '' && order.currency !== '' && currency !== order.currency))
    return Number.NaN
  const lines = named.filter(({ line_item_id: id, quantity }) => quantity !== 0 && ids.has(id))
  const ofLines = lines.map(({ subtotal, total_tax: tax }) => subtotal + (order.taxes_included ? 0 : tax))
  const paid = transactions.filter(({ status }) => !['failure', 'error'].includes(status.toLowerCase()))
  const paidBack =
    paid.length === 0 ? 0 : lenient.sum(paid.map(({ amount }) => Math.abs(amount))) - lenient.sum(ofLines)
  const adjusted = lenient.sum(order_adjustments.map(({ amount, tax_amount: tax }) => amount + tax))
  // Beside lines an amount above 0 is what the shop kept, such as a fee.
  return Math.max(0, paidBack, lines.length > 0 ? -adjusted : Math.abs(adjusted))
}

function postageOf({ shipping_lines: lines, total_shipping_price_set: total, taxes_included }: Order): number {
  if (lines.length === 0) return total?.shop_money.amount ?? 0
  return lenient.sum(
    lines.map(({ price, discounted_price: discounted, tax_lines }) => {
      const net = discounted === undefined || discounted === null ? price : lenient.lenientAmount.parse(discounted)
      return net + (taxes_included ? 0 : lenient.sum(tax_lines.map((tax) => tax.price)))
    }),
  )
}

/** How many of a line were bought, less what was refunded, and how many of these nobody has fulfilled. */
function quantitiesOf(line: Line, refunded: number): Pick<ShopLine, 'quantity' | 'open' | 'isStrange'> {
  const numberOr = (value: unknown, otherwise: number | undefined) =>
    value === undefined || value === null ? otherwise : lenient.lenientCount.parse(value)
  const current = numberOr(line.current_quantity, undefined)
  const hasCurrent = line.current_quantity !== undefined && line.current_quantity !== null
  const left = line.quantity && Math.max(0, line.quantity - refunded)
  const isLess = current !== undefined && left !== undefined && refunded > 0 && left < current
  const quantity = hasCurrent && !isLess ? current : left
  const status = line.fulfillment_status.toLowerCase()
  // Without the number, a line that is fulfilled in part does not say how much of it is open.
  const guess = status === 'fulfilled' ? 0 : status === 'partial' ? undefined : quantity
  const open = numberOr(line.fulfillable_quantity, guess)
  if (line.quantity === undefined || quantity === undefined || open === undefined)
    return { quantity: 0, isStrange: true }
  return { quantity, open: Math.min(open, quantity) }
}
