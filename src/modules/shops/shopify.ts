import { z } from 'zod'
import type { ShopLine, ShopOrder } from './rules.ts'
import { said, saidCount, saidId, saidList, saidYes, timeOf } from './said.ts'

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
  current_quantity: z.number().nullish().catch(null),
})

const Address = z.looseObject({
  ...{ first_name: said, last_name: said, phone: said },
  ...{ address1: said, address2: said, city: said, province: said, province_code: said, zip: said, country_code: said },
})

const Order = z.looseObject({
  id: said,
  admin_graphql_api_id: said,
  name: said,
  ...{ email: said, contact_email: said, phone: said },
  ...{ test: saidYes, financial_status: said, cancelled_at: said, updated_at: said },
  line_items: saidList(Line),
  refunds: saidList(
    z.looseObject({ refund_line_items: saidList(z.looseObject({ line_item_id: said, quantity: saidCount })) }),
  ),
  shipping_address: Address.nullish().catch(null),
})

/** An ID as text: as a number, one of more than 15 digits would have lost its end. */
const idOf = ({ id, admin_graphql_api_id: gid }: { id: string; admin_graphql_api_id: string }): string =>
  gid.split('/').at(-1) || id

/** The order that a webhook of Shopify tells of; undefined where its body is none. */
export function fromShopify(body: unknown, now: Date): ShopOrder | undefined {
  const parsed = Order.safeParse(body)
  if (!parsed.success || parsed.data.id === '') return undefined
  const order = parsed.data
  const refunded = new Map<string, number>()
  for (const { line_item_id: id, quantity } of order.refunds.flatMap((refund) => refund.refund_line_items))
    refunded.set(id, (refunded.get(id) ?? 0) + quantity)
  const to = order.shipping_address
  return {
    externalId: idOf(order),
    number: order.name.replace(/^#/, '').slice(0, 100) || idOf(order),
    changedAt: timeOf(order.updated_at, now),
    isTest: order.test,
    isPaid: ['paid', 'partially_refunded'].includes(order.financial_status),
    isCanceled: order.cancelled_at !== '' || ['refunded', 'voided'].includes(order.financial_status),
    // Its lines say what was refunded.
    isPartlyRefunded: false,
    lines: order.line_items.map(
      (line): ShopLine => ({
        ...{ id: idOf(line), sku: line.sku, variantId: line.variant_id, productId: line.product_id, title: line.title },
        quantity: Math.max(0, line.current_quantity ?? line.quantity - (refunded.get(line.id) ?? 0)),
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
