import { createHmac } from 'node:crypto'
import { selectLeftDeliveries, selectUnsent } from '../../src/extensions/shops/delivery-queries.ts'
import { selectDue } from '../../src/extensions/shops/order-queries.ts'
import { workOn } from '../../src/extensions/shops/place.ts'
import { receive } from '../../src/extensions/shops/receive.ts'
import { sendTracking } from '../../src/extensions/shops/send-tracking.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import type { World } from './world.ts'

export const SHOP_SECRET = 'hush-of-the-shop'

/** The signature of shops, implemented again: base64 of the HMAC-SHA256 of the bytes. */
export const signed = (body: string, secret = SHOP_SECRET): string =>
  createHmac('sha256', secret).update(body).digest('base64')

/** The shipping address of a Shopify order. */
export const shopifyAddress = {
  first_name: 'Ada',
  last_name: 'Example',
  company: null,
  phone: '+1 217 555 0100',
  address1: '1 Main Street',
  address2: null,
  city: 'Springfield',
  zip: '62701',
  province: 'Illinois',
  province_code: 'IL',
  country: 'United States',
  country_code: 'US',
}

export const shopifyLine = (sku: string, changes: Record<string, unknown> = {}) => ({
  id: 14500000000001,
  title: `Product ${sku}`,
  quantity: 1,
  current_quantity: 1,
  sku,
  variant_id: 808950810,
  product_id: 632910392,
  requires_shipping: true,
  fulfillment_status: null,
  ...changes,
})

/** An order as Shopify sends it with orders/paid, as far as anything reads it and somewhat more. */
export const shopifyOrder = (changes: Record<string, unknown> = {}) => ({
  id: 5600000000001,
  name: '#1001',
  email: 'ada@example.test',
  contact_email: 'ada@example.test',
  phone: null,
  test: false,
  currency: 'USD',
  financial_status: 'paid',
  fulfillment_status: null,
  cancelled_at: null,
  cancel_reason: null,
  updated_at: '2027-01-04T07:00:01-05:00',
  total_price: '199.00',
  line_items: [shopifyLine('CORE-1')],
  refunds: [],
  shipping_address: shopifyAddress,
  ...changes,
})

/** An order as WooCommerce sends it with order.created. */
export const wooOrder = (changes: Record<string, unknown> = {}) => ({
  id: 727,
  number: '727',
  status: 'processing',
  currency: 'USD',
  total: '199.00',
  date_modified_gmt: '2027-01-04T12:00:01',
  billing: {
    first_name: 'Ada',
    last_name: 'Example',
    email: 'ada@example.test',
    phone: '',
    address_1: '1 Main Street',
    address_2: '',
    city: 'Springfield',
    state: 'IL',
    postcode: '62701',
    country: 'US',
  },
  shipping: { first_name: '', last_name: '', address_1: '', city: '', state: '', postcode: '', country: '' },
  line_items: [{ id: 315, name: 'Core panel', product_id: 93, variation_id: 0, quantity: 1, sku: 'CORE-1' }],
  refunds: [],
  ...changes,
})

let deliveries = 0

interface Sent {
  topic?: string
  /** Default: a new one. */
  delivery?: string
  secret?: string
  signature?: string
  shop?: string
}

const post = (world: World, shopID: string, body: string, headers: Record<string, string>) =>
  fetch(`${world.service.url}/hooks/shops/${shopID}`, { method: 'POST', body, headers }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }))

/** An order is placed in its shop now, unless it says otherwise. */
const placedNow = ({ service }: World, order: unknown, name: string) =>
  typeof order === 'string'
    ? order
    : JSON.stringify({ [name]: service.database.now().toISOString(), ...(order as object) })

/** Sends a webhook as Shopify does. */
export function fromShopify(world: World, shopID: string, order: unknown, sent: Sent & { shop: string }) {
  const body = placedNow(world, order, 'created_at')
  return post(world, shopID, body, {
    'content-type': 'application/json',
    'x-shopify-topic': sent.topic ?? 'orders/paid',
    'x-shopify-webhook-id': sent.delivery ?? `b54557e4-bdd9-4b37-8a5f-${++deliveries}`,
    'x-shopify-shop-domain': sent.shop,
    'x-shopify-api-version': '2026-10',
    ...(sent.signature !== '' && { 'x-shopify-hmac-sha256': sent.signature ?? signed(body, sent.secret) }),
  })
}

/** Sends a webhook as WooCommerce does. */
export function fromWoo(world: World, shopID: string, order: unknown, sent: Sent = {}) {
  const body = placedNow(world, order, 'date_created_gmt')
  return post(world, shopID, body, {
    'content-type': 'application/json',
    'x-wc-webhook-source': 'https://shop.example/',
    'x-wc-webhook-topic': sent.topic ?? 'order.created',
    'x-wc-webhook-delivery-id': sent.delivery ?? `${++deliveries}`,
    'x-wc-webhook-id': '3',
    ...(sent.signature !== '' && { 'x-wc-webhook-signature': sent.signature ?? signed(body, sent.secret) }),
  })
}

/** Does what the jobs do, until nothing is due. Fails where something cannot be worked on. */
export async function workForShopsOf({ service: { database, portsOf } }: World): Promise<void> {
  const actor = { name: 'job:shops.work' }
  const asSystem = <T>(work: Parameters<typeof database.asSystem<T>>[1]) => database.asSystem(actor, work)
  const soon = new Date(database.now().getTime() + 1)
  for (const { realm, shopId, id } of await asSystem((tx) => selectLeftDeliveries(tx, soon, 1000)))
    await receive(realmPorts(database, portsOf, realm, actor), shopId, id)
  for (const { realm, id } of await asSystem((tx) => selectDue(tx, 1000)))
    await workOn(realmPorts(database, portsOf, realm, actor), id)
  for (const { realm, id } of await asSystem((tx) => selectUnsent(tx, 1000)))
    await sendTracking(realmPorts(database, portsOf, realm, actor), id)
}
