import type { ShopKind, ShopOrderStatus } from './schema.ts'

/** The product of the played orders. */
export const PLAYED_SKU = 'KITLANE-DOCTOR'

/** An order as a shop sends it, and what is right to come of it. */
export interface Shape {
  kind: ShopKind
  words: string
  topic: string
  /** What differs from a paid order of one kit. */
  changes: Record<string, unknown>
  /** Sent after it of the same order. */
  later?: { topic: string; changes: Record<string, unknown> }
  becomes: ShopOrderStatus
  reason?: string
}

const line = (id: number, changes: Record<string, unknown> = {}) => ({
  id,
  title: 'Played kit',
  name: 'Played kit',
  sku: PLAYED_SKU,
  quantity: 1,
  ...changes,
})
const shopify = (words: string, becomes: ShopOrderStatus, changes = {}, more: Partial<Shape> = {}): Shape => ({
  kind: 'shopify',
  words,
  topic: 'orders/paid',
  changes,
  becomes,
  ...more,
})
const woo = (words: string, becomes: ShopOrderStatus, changes = {}, more: Partial<Shape> = {}): Shape => ({
  ...shopify(words, becomes, changes, more),
  kind: 'woocommerce',
  topic: 'order.created',
})

/** By the documented lifecycles of both. */
export const shapes: readonly Shape[] = [
  shopify('a paid order', 'placed'),
  shopify('an order that is not paid', 'unpaid', { financial_status: 'pending' }, { topic: 'orders/create' }),
  shopify('an order half of which is fulfilled', 'placed', {
    fulfillment_status: 'partial',
    line_items: [line(1, { quantity: 2, current_quantity: 2, fulfillable_quantity: 1, fulfillment_status: 'partial' })],
  }),
  shopify('an order that is fulfilled', 'skipped', { fulfillment_status: 'fulfilled' }, { reason: 'fulfilled' }),
  shopify('an order with a tip', 'placed', {
    line_items: [line(1), { id: 2, title: 'Tip', sku: null, variant_id: null, quantity: 1, gift_card: true }],
  }),
  shopify(
    'an order of an unknown product',
    'waiting',
    { line_items: [line(1, { sku: 'OTHER' })] },
    { reason: 'unknown_item' },
  ),
  shopify('an order without a street', 'waiting', { shipping_address: null }, { reason: 'recipient_incomplete' }),
  shopify(
    'a paid order that is canceled',
    'canceled',
    {},
    {
      later: {
        topic: 'orders/cancelled',
        changes: { cancelled_at: '2026-01-01T00:00:00Z', financial_status: 'refunded' },
      },
    },
  ),
  woo('an order in processing', 'placed'),
  woo('an order that is not paid', 'unpaid', { status: 'pending' }),
  woo('an order that is completed', 'skipped', { status: 'completed' }, { reason: 'fulfilled' }),
  woo(
    'an order in a state of an extension',
    'waiting',
    { status: 'ready-to-pick', date_paid_gmt: '2026-01-01T00:00:00' },
    { reason: 'state_unclear' },
  ),
  woo(
    'an order of half a kit',
    'waiting',
    { line_items: [line(1, { quantity: 0.5 })] },
    { reason: 'quantity_unclear' },
  ),
  woo(
    'an order that is refunded',
    'canceled',
    {},
    { later: { topic: 'order.updated', changes: { status: 'refunded' } } },
  ),
]

const person = { first_name: 'Ada', last_name: 'Example', phone: '', city: 'Springfield' }

/** The body of a paid order of one kit, placed at `at` and changed at `changedAt`. */
export function orderOf(
  kind: ShopKind,
  id: number,
  { at, changedAt }: { at: Date; changedAt: Date },
): Record<string, unknown> {
  const email = 'doctor@kitlane.invalid'
  if (kind === 'shopify')
    return {
      id,
      name: `#D${id}`,
      email,
      test: false,
      currency: 'USD',
      financial_status: 'paid',
      fulfillment_status: null,
      cancelled_at: null,
      created_at: at.toISOString(),
      updated_at: changedAt.toISOString(),
      line_items: [line(1)],
      refunds: [],
      shipping_address: { ...person, address1: '1 Main Street', zip: '62701', province_code: 'IL', country_code: 'US' },
    }
  const gmt = (time: Date) => time.toISOString().slice(0, 19)
  return {
    id,
    number: `D${id}`,
    status: 'processing',
    currency: 'USD',
    total: '1.00',
    date_created_gmt: gmt(at),
    date_modified_gmt: gmt(changedAt),
    line_items: [line(1)],
    refunds: [],
    billing: { ...person, email, address_1: '1 Main Street', postcode: '62701', state: 'IL', country: 'US' },
    shipping: {},
  }
}
