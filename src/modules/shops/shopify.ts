import { z } from 'zod'
import type { ShopLine, ShopOrder } from './rules.ts'
import { maybeTimeOf, said, saidCount, saidId, saidList, saidYes, timeOf } from './said.ts'

/** The topics whose body is an order. https://shopify.dev/docs/api/webhooks */
export const shopifyTopics: ReadonlySet<string> = new Set([
  ...['orders/create', 'orders/paid', 'orders/updated', 'orders/cancelled'],
  ...['orders/fulfilled', 'orders/partially_fulfilled'],
])

const Line = z.looseObject({
  id: said,
  admin_graphql_api_id: said,
  sku: saidId,
  variant_id: saidId,
  product_id: saidId,
  title: said,
  quantity: saidCount,
  // What is left of it after refunds and removals; older versions of the API do not say it.
  current_quantity: z.unknown().optional(),
  // Of that, what nobody has fulfilled and nobody is fulfilling.
  fulfillable_quantity: z.unknown().optional(),
  fulfillment_status: said,
})
type Line = z.output<typeof Line>

const Address = z.looseObject({
  ...{ first_name: said, last_name: said, phone: said },
  ...{ address1: said, address2: said, city: said, province: said, province_code: said, zip: said, country_code: said },
})

const Order = z.looseObject({
  id: said,
  admin_graphql_api_id: said,
  name: said,
  ...{ email: said, contact_email: said, phone: said },
  ...{ test: saidYes, financial_status: said, fulfillment_status: said, cancelled_at: said, closed_at: said },
  ...{ created_at: said, updated_at: said },
  line_items: saidList(Line),
  refunds: saidList(
    z.looseObject({ refund_line_items: saidList(z.looseObject({ line_item_id: said, quantity: saidCount })) }),
  ),
  shipping_address: Address.nullish().catch(null),
})

type Payment = 'paid' | 'unpaid' | 'canceled'

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/OrderDisplayFinancialStatus */
const payments: Readonly<Record<string, Payment>> = {
  ...{ paid: 'paid', partially_refunded: 'paid' },
  ...{
    '': 'unpaid',
    pending: 'unpaid',
    unpaid: 'unpaid',
    authorized: 'unpaid',
    partially_paid: 'unpaid',
    expired: 'unpaid',
  },
  ...{ refunded: 'canceled', voided: 'canceled' },
}

/** https://shopify.dev/docs/api/admin-graphql/2026-10/enums/OrderDisplayFulfillmentStatus. Others are in somebody's hands. */
const fulfilments: Readonly<Record<string, 'open' | 'closed'>> = {
  ...{ '': 'open', unfulfilled: 'open', open: 'open', partial: 'open', partially_fulfilled: 'open' },
  ...{ fulfilled: 'closed', restocked: 'closed' },
}

/** An ID as text: as a number, one of more than 15 digits would have lost its end. */
const idOf = ({ id, admin_graphql_api_id: gid }: { id: string; admin_graphql_api_id: string }): string =>
  gid.split('/').at(-1) || id

/** The order that a webhook of Shopify tells of; undefined where its body is none. */
export function fromShopify(body: unknown, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || parsed.data.id === '') return undefined
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
    changedAt: timeOf(order.updated_at, now),
    createdAt: maybeTimeOf(order.created_at),
    isTest: order.test,
    isPaid: payment === 'paid',
    isCanceled: order.cancelled_at !== '' || payment === 'canceled',
    isClosed: order.closed_at !== '' || fulfilment === 'closed',
    isUnclear: payment === undefined || fulfilment === undefined,
    // Its lines say what was refunded.
    isPartlyRefunded: false,
    lines: order.line_items.map(
      (line): ShopLine => ({
        ...{ id: idOf(line), sku: line.sku, variantId: line.variant_id, productId: line.product_id, title: line.title },
        ...quantitiesOf(line, refunded.get(line.id) ?? 0),
      }),
    ),
    buyer: {
      firstName: to?.first_name ?? '',
      lastName: to?.last_name ?? '',
      email: order.email || order.contact_email,
      phone: to?.phone || order.phone,
      address: {
        ...{ street1: to?.address1 ?? '', street2: to?.address2 ?? '', city: to?.city ?? '', zip: to?.zip ?? '' },
        ...{ state: to?.province_code || to?.province || '', country: to?.country_code ?? '' },
      },
    },
  }
}

/** How many of a line were bought, less what was refunded, and how many of these nobody has fulfilled. */
function quantitiesOf(line: Line, refunded: number): Pick<ShopLine, 'quantity' | 'open' | 'isStrange'> {
  const saidOr = (value: unknown, otherwise: number | undefined) =>
    value === undefined || value === null ? otherwise : saidCount.parse(value)
  const current = saidOr(line.current_quantity, undefined)
  const isCurrentSaid = line.current_quantity !== undefined && line.current_quantity !== null
  const quantity = isCurrentSaid ? current : line.quantity && Math.max(0, line.quantity - refunded)
  const status = line.fulfillment_status.toLowerCase()
  // Without the number, a line that is fulfilled in part does not say how much of it is open.
  const guess = status === 'fulfilled' ? 0 : status === 'partial' ? undefined : quantity
  const open = saidOr(line.fulfillable_quantity, guess)
  if (line.quantity === undefined || quantity === undefined || open === undefined)
    return { quantity: 0, isStrange: true }
  return { quantity, open: Math.min(open, quantity) }
}
