import { describe, expect, it } from 'vitest'
import { judge, type ShopOrder, type ShopTerms } from '../../src/extensions/shops/rules.ts'
import { fromShopify } from '../../src/extensions/shops/shopify.ts'
import { fromWooCommerce } from '../../src/extensions/shops/woocommerce.ts'
import { shopifyLine, shopifyOrder, wooOrder } from '../harness/shops.ts'

const now = new Date('2027-01-04T12:00:10.000Z')
const terms: ShopTerms = {
  items: [{ sku: 'CORE-1', kitType: 'CORE' }, { sku: 'MUG' }],
  countries: null,
  isOn: true,
  isLive: true,
  connectedAt: new Date('2027-01-04T12:00:00.000Z'),
}

/** What becomes of an order: its kind, and the reason where there is one. */
function verdictOf(order: ShopOrder | undefined): string {
  if (!order) return 'no order'
  const verdict = judge(order, { corrected: null, isRequested: false, released: [] }, terms)
  return 'reason' in verdict ? verdict.reason : verdict.kind
}

const ofShopify = (changes: Record<string, unknown>) =>
  verdictOf(fromShopify(shopifyOrder({ created_at: now.toISOString(), ...changes }), now))
const ofWoo = (changes: Record<string, unknown>) =>
  verdictOf(fromWooCommerce(wooOrder({ date_created_gmt: now.toISOString(), ...changes }), 'order.updated', now))

/** A refund of Shopify: by amount, unless it names lines. */
const refund = (amount: string, changes: Record<string, unknown> = {}) => ({
  refund_line_items: [],
  order_adjustments: [],
  transactions: [{ kind: 'refund', status: 'success', amount }],
  ...changes,
})
const adjusted = (amount: string, tax_amount = '0.00') => ({
  order_adjustments: [{ kind: 'refund_discrepancy', amount, tax_amount }],
})
const named = (quantity: unknown, subtotal: string, total_tax = '0.00') => ({
  refund_line_items: [{ line_item_id: 14500000000001, quantity, subtotal, total_tax }],
})
const two = { line_items: [shopifyLine('CORE-1', { quantity: 2, current_quantity: 1, price: '149.00' })] }
const posted = { shipping_lines: [{ price: '8.00', tax_lines: [{ price: '1.00' }] }] }
const part = { financial_status: 'partially_refunded' }

describe('a refund of Shopify', () => {
  it.each([
    ['the price, by amount', { ...part, refunds: [refund('149.00', adjusted('-149.00'))] }, 'partly_refunded'],
    ['the price, with postage', { ...part, ...posted, refunds: [refund('149.00')] }, 'partly_refunded'],
    ['an adjustment alone', { ...part, ...posted, refunds: [{ ...adjusted('-149.00') }] }, 'partly_refunded'],
    ['the postage', { ...part, ...posted, refunds: [refund('8.00')] }, 'place'],
    [
      'the postage with its tax',
      { ...part, ...posted, refunds: [refund('9.00', adjusted('-8.00', '-1.00'))] },
      'place',
    ],
    ['more than the postage', { ...part, ...posted, refunds: [refund('9.01')] }, 'partly_refunded'],
    ['the postage twice', { ...part, ...posted, refunds: [refund('9.00'), refund('9.00')] }, 'partly_refunded'],
    ['the postage in two parts', { ...part, ...posted, refunds: [refund('4.00'), refund('5.00')] }, 'place'],
    ['an amount, where there was no postage', { ...part, refunds: [refund('5.00')] }, 'partly_refunded'],
    [
      'the postage of an order that says its total alone',
      { ...part, total_shipping_price_set: { shop_money: { amount: '9.00' } }, refunds: [refund('9.00')] },
      'place',
    ],
    [
      'the postage, part of which was a discount',
      { ...part, shipping_lines: [{ price: '9.00', discounted_price: '5.00' }], refunds: [refund('9.00')] },
      'partly_refunded',
    ],
    ['an amount that is no number', { ...part, ...posted, refunds: [refund('5,00')] }, 'partly_refunded'],
    [
      'an amount in another currency',
      { ...part, ...posted, refunds: [refund('5', { transactions: [{ amount: '5.00', currency: 'JPY' }] })] },
      'partly_refunded',
    ],
    [
      'that failed',
      { refunds: [refund('149.00', { transactions: [{ status: 'failure', amount: '149.00' }] })] },
      'place',
    ],
    ['that nothing tells of', { ...part, refunds: [] }, 'partly_refunded'],
    ['one of two, by its line', { ...part, ...two, refunds: [refund('160.00', named(1, '149.00', '11.00'))] }, 'place'],
    [
      'one of two, less a fee',
      { ...part, ...two, refunds: [refund('139.00', { ...named(1, '149.00'), ...adjusted('10.00') })] },
      'place',
    ],
    [
      'one of two by its line, and as much again by amount',
      { ...part, ...two, refunds: [refund('298.00', named(1, '149.00'))] },
      'partly_refunded',
    ],
    ['none of a line, with its price', { ...part, refunds: [refund('149.00', named(0, '149.00'))] }, 'partly_refunded'],
    ['a line that still counts it', { ...part, refunds: [named(1, '149.00')] }, 'canceled'],
    ['transactions that cannot be read', { refunds: [{ transactions: 'none' }] }, 'partly_refunded'],
    ['half of a line', { ...part, ...posted, refunds: [named(0.5, '74.50')] }, 'partly_refunded'],
  ])('of %s', (_, changes, expected) => expect(ofShopify(changes)).toBe(expected))
})

describe('a refund of WooCommerce', () => {
  const sold = { shipping_total: '5.00', shipping_tax: '1.00' }
  const refunds = (...totals: unknown[]) => ({ ...sold, refunds: totals.map((total, id) => ({ id, total })) })
  it.each([
    ['the price before tax', refunds('-100.00'), 'partly_refunded'],
    ['more', refunds('-110.00'), 'partly_refunded'],
    ['less than the price', refunds('-6.01'), 'partly_refunded'],
    ['the postage', refunds('-5.00'), 'place'],
    ['the postage with its tax', refunds('-6.00'), 'place'],
    ['the postage, without its sign', refunds('5.00'), 'place'],
    ['the price, without its sign', refunds('100.00'), 'partly_refunded'],
    ['amounts that cancel out', refunds('-100.00', '100.00'), 'partly_refunded'],
    ['the postage twice', refunds('-6.00', '-6.00'), 'partly_refunded'],
    ['nothing', refunds('0.00'), 'partly_refunded'],
    ['no amount', refunds(null), 'partly_refunded'],
    ['what is no number', refunds('-5,00'), 'partly_refunded'],
    ['an amount, where postage is unreadable', { ...refunds('-5.00'), shipping_total: 'free' }, 'partly_refunded'],
    ['an amount, where there is no postage', { refunds: [{ total: '-5.00' }] }, 'partly_refunded'],
  ])('of %s', (_, changes, expected) => expect(ofWoo(changes)).toBe(expected))
})

describe('an order of Shopify in live', () => {
  it.each<[Record<string, unknown>, string]>([
    ...[true, 'true', 'false', 1, 0, '', {}].map((test): [Record<string, unknown>, string] => [{ test }, 'test_order']),
    ...[false, null, undefined].map((test): [Record<string, unknown>, string] => [{ test }, 'place']),
    [{ gateway: 'bogus' }, 'test_order'],
    [{ payment_gateway_names: ['gift_card', '(for testing) Bogus Gateway'] }, 'test_order'],
    [{ gateway: 'manual', payment_gateway_names: ['shopify_payments'] }, 'place'],
  ])('with %j', (changes, expected) => expect(ofShopify(changes)).toBe(expected))
})

describe('an order that lists nothing', () => {
  const none = shopifyLine('CORE-1', { quantity: 0, current_quantity: 0 })
  it.each([
    ['no lines', { line_items: [] }, 'quantity_unclear'],
    ['null', { line_items: null }, 'quantity_unclear'],
    ['none of each', { line_items: [none, shopifyLine('MUG', { id: 2, quantity: 0 })] }, 'quantity_unclear'],
    ['none of one and one of another', { line_items: [none, shopifyLine('CORE-1', { id: 2 })] }, 'place'],
    ['all refunded', { line_items: [shopifyLine('CORE-1', { current_quantity: 0 })] }, 'canceled'],
    ['no lines, unpaid', { line_items: [], financial_status: 'pending' }, 'unpaid'],
    ['no lines, canceled', { line_items: [], cancelled_at: '2027-01-04T12:00:00Z' }, 'canceled'],
  ])('of Shopify: %s', (_, changes, expected) => expect(ofShopify(changes)).toBe(expected))

  it.each([[{ line_items: [] }], [{ line_items: null }], [{ line_items: [{ id: 1, sku: 'CORE-1', quantity: 0 }] }]])(
    'of WooCommerce: %j',
    (changes) => expect(ofWoo(changes)).toBe('quantity_unclear'),
  )
})

describe('the dates of an order', () => {
  it.each([
    ['created_at', '2030-01-01T00:00:00Z', 'state_unclear'],
    ['created_at', '2027-01-04T12:01:11Z', 'state_unclear'],
    ['created_at', '2027-01-04T12:01:00Z', 'place'],
    ['created_at', '2027-01-04T11:59:00Z', 'place'],
    ['created_at', '2027-01-04T11:58:59Z', 'before_connection'],
    ['created_at', 'yesterday', 'state_unclear'],
    ['created_at', '5', 'state_unclear'],
    ['created_at', null, 'state_unclear'],
    ['updated_at', null, 'state_unclear'],
    ['updated_at', 'garbage', 'state_unclear'],
    ['updated_at', '2027-13-45T99:00:00Z', 'state_unclear'],
    ['updated_at', '2099-01-01T00:00:00Z', 'state_unclear'],
    ['updated_at', '2027-01-04T13:00:00Z', 'place'],
  ])('%s %j', (field, time, expected) => {
    expect(ofShopify({ [field]: time })).toBe(expected)
    const inWoo = field === 'created_at' ? 'date_created_gmt' : 'date_modified_gmt'
    expect(ofWoo({ [inWoo]: time?.replace('Z', '') })).toBe(expected)
  })
})

describe('an order of Shopify', () => {
  const kit = shopifyLine('CORE-1', { quantity: 1 })
  const card = {
    ...shopifyLine('GIFT-50', { id: 14500000000077, quantity: 1 }),
    gift_card: true,
    requires_shipping: false,
  }

  it.each([
    ['a kit and a gift card is placed', { line_items: [kit, card] }, 'place'],
    ['a gift card alone is skipped', { line_items: [card] }, 'no_kits'],
    [
      'a kit and a line that says gift_card: false of goods nobody knows waits',
      { line_items: [kit, { ...card, gift_card: false }] },
      'unknown_item',
    ],
    [
      'a phone number that is none is placed without it',
      { phone: 'n/a', shipping_address: { ...shopifyOrder({}).shipping_address, phone: '0' } },
      'place',
    ],
  ])('with %s', (_, changes, verdict) => {
    expect(ofShopify(changes)).toBe(verdict)
  })
})
