import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { operatorWith } from '../harness/operator.ts'
import { CARDIO, CORE, recipient } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import {
  fromShopify,
  fromWoo,
  SHOP_SECRET,
  shopifyAddress,
  shopifyLine,
  shopifyOrder,
  signed,
  wooOrder,
  workForShopsOf,
} from '../harness/shops.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 86_400_000
const SHOP = 'adas-kits.myshopify.com'
const clock = manualClock(new Date('2027-01-04T12:00:10.000Z'))
let world: World
let owner: Client

beforeAll(async () => {
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  owner = await world.owner()
})
afterAll(() => world.stop())

type Mode = 'live' | 'sandbox'

const items = [{ sku: 'CORE-1', kitType: CORE }, { sku: 'MUG' }]

async function connect(
  clinic: TestBusiness,
  changes: Record<string, unknown> = {},
  mode: Mode = 'live',
): Promise<string> {
  const wanted = { kind: 'shopify', url: `https://${SHOP}`, webhookSecret: SHOP_SECRET, items, ...changes }
  const { status, body, text } = await clinic[mode].post('/shops', wanted)
  expect(status, text).toBe(201)
  return body.shopID
}
const connectWoo = (clinic: TestBusiness, changes: Record<string, unknown> = {}) =>
  connect(clinic, { kind: 'woocommerce', url: 'https://shop.example.com', ...changes })

interface Told {
  topic?: string
  secret?: string
  signature?: string
  shop?: string
  delivery?: string
}

/** Sends an order and works on it. */
async function send(shopID: string, order: Record<string, unknown>, told: Told = {}) {
  const { status, text } = await fromShopify(world, shopID, shopifyOrder(order), { shop: SHOP, ...told })
  expect(status, text).toBe(200)
  await workForShopsOf(world)
}
async function sendWoo(shopID: string, order: Record<string, unknown>, told: Told = {}) {
  const { status, text } = await fromWoo(world, shopID, wooOrder(order), told)
  expect(status, text).toBe(200)
  await workForShopsOf(world)
}

const shopOrdersOf = async (clinic: TestBusiness, shopID: string, mode: Mode = 'live') =>
  (await clinic[mode].get(`/shops/${shopID}/orders`)).body.data
const ordersOf = async (clinic: TestBusiness, mode: Mode = 'live') => (await clinic[mode].get('/orders')).body.data

/** What the business was told of its shops' orders. */
async function announced(clinic: TestBusiness): Promise<[string, string][]> {
  await world.settled()
  const { data } = (await clinic.live.get('/events?type=shop.order_failed&size=250')).body
  return data.map(({ data: { status, code } }: { data: { status: string; code: string } }) => [status, code])
}

let parcels = 0

/** Packs so many kits of the newest order. */
async function pack(clinic: TestBusiness, count: number): Promise<void> {
  const [{ kits }] = await ordersOf(clinic)
  const operator = await operatorWith(world, ['fulfilment'])
  for (const { kitID } of kits.slice(0, count)) {
    const parcel = { kitID, carrier: 'UPS', outboundTrackingNumber: `1ZPACKED${++parcels}` }
    expect((await operator('POST', '/fulfilment/shipments', parcel)).status).toBe(200)
  }
}

async function connected(changes: Record<string, unknown> = {}) {
  const clinic = await world.business()
  return { clinic, shopID: await connect(clinic, changes) }
}

describe('a shop', () => {
  it('is connected with the address that its webhooks go to, and shows no secret', async () => {
    const clinic = await world.business()
    const shopID = await connect(clinic, { accessToken: 'shpat_very-secret' })
    const { body, text } = await clinic.live.get(`/shops/${shopID}`)
    expect(body).toMatchObject({
      shopID,
      kind: 'shopify',
      url: `https://${SHOP}`,
      enabled: true,
      connected: true,
      writesBack: true,
      hookUrl: `${world.service.url}/hooks/shops/${shopID}`,
      waiting: 0,
      isNotifyReceiver: true,
      items: [{ sku: 'CORE-1', kitType: CORE }, { sku: 'MUG' }],
    })
    expect(text).not.toMatch(/hush|very-secret/)
    expect((await clinic.live.get('/shops')).body).toEqual([body])
    const { rows } = await owner.query('select secret, access from shops where id = $1', [shopID])
    expect(`${rows[0].secret} ${rows[0].access}`).not.toMatch(/hush|very-secret/)
  })

  it('of WooCommerce gets a secret that is shown once', async () => {
    const clinic = await world.business()
    const { body } = await clinic.live.post('/shops', {
      kind: 'woocommerce',
      url: 'https://shop.example.com/store/',
      items,
    })
    expect(body).toMatchObject({
      url: 'https://shop.example.com/store',
      webhookSecret: expect.stringMatching(/^\S{43}$/),
    })
    await sendWoo(body.shopID, {}, { secret: body.webhookSecret })
    expect(await ordersOf(clinic)).toHaveLength(1)
    expect((await clinic.live.get(`/shops/${body.shopID}`)).body.webhookSecret).toBeUndefined()
  })

  it.each([
    ['an address in this network', { url: 'https://10.0.0.1' }, 'url'],
    ['an address of Shopify that is not its own', { url: 'https://kits.example.com' }, 'url'],
    ['no client secret of Shopify', { webhookSecret: undefined }, 'webhookSecret'],
    ['a key of WooCommerce for Shopify', { consumerKey: 'ck_1' }, 'consumerKey'],
    ['a product that is named twice', { items: [{ sku: 'A', productID: '1' }] }, 'items.0'],
    ['an unknown kit', { items: [{ sku: 'A', kitType: 'NOSUCHKIT' }] }, 'items.0.kitType'],
    ['a product that is a kit and is none', { items: [{ sku: 'A', kitType: CORE }, { sku: 'A' }] }, 'items.1'],
    [
      'a product that is one kit and two',
      { items: [{ title: 'A', kitType: CORE }, { sku: 'B' }, { title: 'A', kitType: CORE, quantity: 2 }] },
      'items.2',
    ],
  ])('with %s is refused', async (_, changes, path) => {
    const clinic = await world.business()
    const wanted = { kind: 'shopify', url: `https://${SHOP}`, webhookSecret: SHOP_SECRET, ...changes }
    const { status, body } = await clinic.live.post('/shops', wanted)
    expect(status).toBe(400)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  it('is connected once at a time; disconnected and connected again it places no order twice', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    const again = await clinic.live.post('/shops', { kind: 'shopify', url: `https://${SHOP}`, webhookSecret: 'x' })
    expect([again.status, again.body.details[0].path]).toEqual([400, 'url'])
    expect((await clinic.live.request('DELETE', `/shops/${shopID}`)).status).toBe(200)
    const { body } = await clinic.live.get(`/shops/${shopID}`)
    expect(body).toMatchObject({ connected: false, enabled: false, writesBack: false })
    expect((await fromShopify(world, shopID, shopifyOrder(), { shop: SHOP })).status).toBe(404)
    expect(await connect(clinic)).toBe(shopID)
    await send(shopID, { updated_at: '2027-01-05T07:00:00-05:00' })
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it('is connected once by those who connect it at the same moment: the others read why not', async () => {
    const clinic = await world.business()
    // In one round of three some met at the same row; in thirty some always did.
    for (let round = 0; round < 30; round++) {
      const body = { kind: 'woocommerce', url: `https://twice${round}.example.com` }
      const all = await Promise.all(Array.from({ length: 4 }, () => clinic.live.post('/shops', body)))
      expect(all.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400])
    }
    expect((await clinic.live.get('/shops')).body).toHaveLength(30)
  })

  it('signs with its old secret for a day after the secret was changed', async () => {
    const { clinic, shopID } = await connected()
    const { status } = await clinic.live.post(`/shops/${shopID}/rotate-secret`, { webhookSecret: 'a-new-one' })
    expect(status).toBe(200)
    const statusWith = async (secret: string) =>
      (await fromShopify(world, shopID, shopifyOrder(), { shop: SHOP, secret })).status
    expect([await statusWith(SHOP_SECRET), await statusWith('a-new-one')]).toEqual([200, 200])
    clock.advance(DAY_MS + 1000)
    expect([await statusWith(SHOP_SECRET), await statusWith('a-new-one')]).toEqual([401, 200])
    expect((await clinic.live.post(`/shops/${shopID}/rotate-secret`, {})).status).toBe(400)
  })

  it('is in the audit, with its orders, and names nobody there', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { line_items: [shopifyLine('NEW')] })
    await clinic.live.post(`/shops/${shopID}/items`, { sku: 'NEW', kitType: CORE })
    await workForShopsOf(world)
    await clinic.live.request('PATCH', `/shops/${shopID}`, { enabled: false })
    await clinic.live.request('DELETE', `/shops/${shopID}`)
    const { rows } = await owner.query(
      `select a.action, a.details::text as details from audit_entries a join realms r on r.id = a.realm_id
       where r.business_id = $1 and a.object_type in ('shop', 'shop_order') order by a.id`,
      [clinic.id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      ...[
        'shop.connected',
        'shop_order.waits',
        'shop.changed',
        'shop_order.placed',
        'shop.changed',
        'shop.disconnected',
      ],
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Ada|example\.test/)
  })
})

describe('what a shop sends', () => {
  it('becomes an order as POST /create-order would place it', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {
      line_items: [shopifyLine('CORE-1', { quantity: 2, current_quantity: 2 }), shopifyLine('MUG', { id: 2 })],
    })
    const [order] = await ordersOf(clinic)
    expect(order).toMatchObject({
      externalID: '1001',
      externalTags: [SHOP],
      sku: CORE,
      quantity: 2,
      status: 'created',
      isNotifyReceiver: true,
      recipientName: 'Ada Example',
      recipientEmail: 'ada@example.test',
      payment: { method: 'credits', status: 'paid' },
      recipientAddress: { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
    })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([
      { number: '1001', status: 'placed', orderId: order.orderID, recipientName: 'Ada Example', attempts: 1 },
    ])
  })

  it('by WooCommerce becomes one, posted to the address of the bill where there is no other', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, {})
    expect(await ordersOf(clinic)).toMatchObject([
      {
        externalID: '727',
        externalTags: ['shop.example.com'],
        recipientAddress: { city: 'Springfield', country: 'US' },
      },
    ])
  })

  it.each([
    ['with another secret', { secret: 'another' }, 401],
    ['without a signature', { signature: '' }, 401],
    ['with a signature of another body', { signature: signed('{}') }, 401],
    ['with a signature in hexadecimal', { signature: Buffer.from(signed('{}'), 'base64').toString('hex') }, 401],
    ['of another shop of the same app', { shop: 'evil.myshopify.com' }, 400],
    ['of a topic that is no order', { topic: 'products/update' }, 200],
  ])('%s changes nothing', async (_, told, expected) => {
    const { clinic, shopID } = await connected()
    const { status } = await fromShopify(world, shopID, shopifyOrder(), { shop: SHOP, ...told })
    expect(status).toBe(expected)
    await workForShopsOf(world)
    expect(await shopOrdersOf(clinic, shopID)).toEqual([])
    expect((await clinic.live.get(`/shops/${shopID}`)).body.heardDate).toBeUndefined()
  })

  it('to another connection than its own is refused', async () => {
    const [one, other] = [await connected(), await connected({ webhookSecret: 'the secret of the other' })]
    expect((await fromShopify(world, other.shopID, shopifyOrder(), { shop: SHOP })).status).toBe(401)
    expect((await fromShopify(world, `${one.shopID}x`, shopifyOrder(), { shop: SHOP })).status).toBe(404)
  })

  it.each(['no JSON', '[]', '{"code":"woocommerce_rest_cannot_view"}'])(
    'that is no order is refused: %s',
    async (body) => {
      const { shopID } = await connected()
      expect((await fromShopify(world, shopID, body, { shop: SHOP })).status).toBe(400)
    },
  )

  it.each(['abc', -5, 0, 1.5, 1e30, true, null, '007', '1e3'])('whose order has the ID %j is refused', async (id) => {
    const { clinic, shopID } = await connected()
    expect((await fromShopify(world, shopID, shopifyOrder({ id }), { shop: SHOP })).status).toBe(400)
    const woo = await connectWoo(clinic)
    expect((await fromWoo(world, woo, wooOrder({ id }))).status).toBe(400)
    await workForShopsOf(world)
    expect(await shopOrdersOf(clinic, shopID)).toEqual([])
  })

  it('of another order under the number of a delivery that came is worked on, and the same again is not', async () => {
    const { clinic, shopID } = await connected()
    const delivery = 'the same number'
    await send(shopID, {}, { delivery })
    await send(shopID, { id: 5600000000002, name: '#1002' }, { delivery })
    await send(shopID, { id: 5600000000002, name: '#1002' }, { delivery })
    expect((await ordersOf(clinic)).map(({ externalID }: { externalID: string }) => externalID).sort()).toEqual([
      '1001',
      '1002',
    ])
    const { rows } = await owner.query('select count(*)::int as kept from shop_deliveries where shop_id = $1', [shopID])
    expect(rows).toEqual([{ kept: 2 }])
  })

  it('that is larger than a megabyte is refused, an order of 500 lines is not', async () => {
    const { clinic, shopID } = await connected()
    const lines = Array.from({ length: 500 }, (_, id) => shopifyLine('MUG', { id, properties: ['x'.repeat(600)] }))
    await send(shopID, { line_items: [shopifyLine('CORE-1'), ...lines] })
    expect(await ordersOf(clinic)).toHaveLength(1)
    const huge = shopifyOrder({ note: 'x'.repeat(1024 * 1024) })
    expect((await fromShopify(world, shopID, huge, { shop: SHOP })).status).toBe(413)
  })

  it('as the ping of WooCommerce, which has no signature, is answered with 200 and does nothing', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    expect((await fromWoo(world, shopID, 'webhook_id=1', { signature: '' })).status).toBe(200)
    expect((await fromWoo(world, shopID, wooOrder(), { signature: '' })).status).toBe(401)
    const { shopID: shopify } = await connected()
    expect((await fromShopify(world, shopify, 'webhook_id=1', { shop: SHOP, signature: '' })).status).toBe(401)
  })

  it('is sealed until it is worked on, and gone after', async () => {
    const { shopID } = await connected()
    await fromShopify(world, shopID, shopifyOrder(), { shop: SHOP })
    const rowOf = async () =>
      (await owner.query('select sealed from shop_deliveries where shop_id = $1', [shopID])).rows[0]
    const { sealed } = await rowOf()
    expect(sealed.toString('latin1')).not.toMatch(/Ada|Springfield/)
    await workForShopsOf(world)
    expect(await rowOf()).toEqual({ sealed: null })
    const { rows } = await owner.query('select o::text as row from shop_orders o where shop_id = $1', [shopID])
    expect(JSON.stringify(rows)).not.toMatch(/Ada|Springfield|example\.test/)
    expect(world.logged.join('')).not.toMatch(/Ada|Springfield|ada@/)
  })
})

describe('an order of a shop', () => {
  it('with a product that nothing is said of waits, and is placed once somebody says what it is', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {
      line_items: [shopifyLine('CORE-1'), shopifyLine('ABC', { id: 7, variant_id: 70, product_id: 71 })],
    })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([
      {
        status: 'waiting',
        reason: 'unknown_item',
        unknownItems: [{ sku: 'ABC', variantID: '70', productID: '71', title: 'Product ABC' }],
      },
    ])
    expect((await clinic.live.get(`/shops/${shopID}`)).body.waiting).toBe(1)
    expect(await ordersOf(clinic)).toEqual([])
    expect(
      (await clinic.live.post(`/shops/${shopID}/items`, { sku: 'ABC', kitType: CARDIO, quantity: 2 })).status,
    ).toBe(200)
    await workForShopsOf(world)
    const [order] = await ordersOf(clinic)
    expect(order.items).toEqual(
      expect.arrayContaining([
        { kitType: CORE, quantity: 1 },
        { kitType: CARDIO, quantity: 2 },
      ]),
    )
    await world.settled()
    const { body } = await clinic.live.get('/events?size=250')
    const told = body.data.filter(({ type }: { type: string }) => type === 'shop.order_failed')
    expect(told.map(({ data }: { data: { status: string; code: string } }) => [data.status, data.code])).toEqual([
      ['waiting', 'unknown_item'],
    ])
  })

  it('with a line that has no product, such as a tip, is placed once its title is said to be no kit, like all after it', async () => {
    const { clinic, shopID } = await connected()
    const tip = { ...shopifyLine('', { id: 9, title: 'Tip', variant_id: null, product_id: null }), sku: null }
    await send(shopID, { line_items: [shopifyLine('CORE-1'), tip] })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([
      { status: 'waiting', reason: 'unknown_item', unknownItems: [{ title: 'Tip' }] },
    ])
    expect((await clinic.live.post(`/shops/${shopID}/items`, { title: 'Tip' })).status).toBe(200)
    await workForShopsOf(world)
    await send(shopID, { id: 2, name: '#1002', line_items: [shopifyLine('CORE-1'), tip] })
    // A product of the same title is not meant.
    await send(shopID, { id: 3, name: '#1003', line_items: [shopifyLine('TIP', { title: 'Tip' })] })
    const orders = await shopOrdersOf(clinic, shopID)
    expect(orders.map(({ status }: { status: string }) => status).sort()).toEqual(['placed', 'placed', 'waiting'])
  })

  it('whose buyer wrote the whole name into one field is placed', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { shipping_address: { ...shopifyAddress, first_name: null, last_name: 'Ada Mary Example' } })
    expect(await ordersOf(clinic)).toMatchObject([{ recipientName: 'Ada Mary Example' }])
  })

  it.each([
    ['partly_refunded', { refunds: [{ id: 1, total: '-9.00' }] }],
    ['state_unclear', { status: 'awaiting-shipment', date_paid_gmt: '2027-01-04T12:00:00' }],
  ])(
    'that waits as %s is placed once a person asks for it, unless the shop changes it before',
    async (reason, doubt) => {
      const clinic = await world.business({ credits: 0 })
      const shopID = await connectWoo(clinic, { paymentMethod: 'credits' })
      await sendWoo(shopID, doubt)
      const [{ shopOrderID, ...order }] = await shopOrdersOf(clinic, shopID)
      expect(order).toMatchObject({ status: 'waiting', reason })
      const retry = async () => {
        expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})).status).toBe(200)
        await workForShopsOf(world)
        return (await shopOrdersOf(clinic, shopID))[0]
      }
      expect(await retry()).toMatchObject({ status: 'retrying', reason: 'NOT_ENOUGH_CREDITS' })
      await sendWoo(shopID, { ...doubt, date_modified_gmt: '2027-01-04T13:00:00' }, { topic: 'order.updated' })
      await world.grant(clinic, CORE, 1)
      expect(await retry()).toMatchObject({ status: 'waiting', reason })
      expect(await retry()).toMatchObject({ status: 'placed' })
    },
  )

  it('is found by variant, then SKU, then product', async () => {
    const { clinic, shopID } = await connected({
      items: [{ productID: '9', kitType: CORE }, { variantID: '8', kitType: CARDIO }, { sku: 'X' }],
    })
    const line = (id: number, changes: Record<string, unknown>) => shopifyLine('', { id, variant_id: null, ...changes })
    await send(shopID, {
      line_items: [line(1, { product_id: 9 }), line(2, { product_id: 9, variant_id: 8, sku: 'X' })],
    })
    expect((await ordersOf(clinic))[0].items).toEqual(
      expect.arrayContaining([
        { kitType: CORE, quantity: 1 },
        { kitType: CARDIO, quantity: 1 },
      ]),
    )
  })

  it('of nothing but other goods is skipped', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { line_items: [shopifyLine('MUG')] })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'skipped', reason: 'no_kits' }])
  })

  it.each([
    ['without an address', { shipping_address: null }, 'recipient_incomplete'],
    ['without an e-mail address', { email: '', contact_email: null }, 'recipient_incomplete'],
    [
      'without a state in the United States',
      { shipping_address: { ...shopifyAddress, province: null, province_code: null } },
      'recipient_incomplete',
    ],
    ['without a country', { shipping_address: { ...shopifyAddress, country_code: null } }, 'recipient_incomplete'],
    [
      'to a country that is not served',
      { shipping_address: { ...shopifyAddress, country_code: 'FR' } },
      'country_not_served',
    ],
    ['for a test', { test: true }, 'test_order'],
    [
      'of more kits than an order has',
      { line_items: [shopifyLine('CORE-1', { quantity: 1001, current_quantity: 1001 })] },
      'too_many_kits',
    ],
  ])('%s waits for a person', async (_, order, reason) => {
    const { clinic, shopID } = await connected({ countries: ['us', 'de'] })
    await send(shopID, order)
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason }])
    expect(await ordersOf(clinic)).toEqual([])
  })

  it('to Germany, whose addresses have no state, is placed', async () => {
    const { clinic, shopID } = await connected()
    const berlin = {
      ...shopifyAddress,
      city: 'Berlin',
      zip: '10115',
      province: null,
      province_code: null,
      country_code: 'DE',
    }
    await send(shopID, { shipping_address: berlin })
    expect(await ordersOf(clinic)).toMatchObject([{ recipientAddress: { city: 'Berlin', state: '', country: 'DE' } }])
  })

  it('is held to countries that are written as in addresses, and to none that do not exist', async () => {
    const { clinic, shopID } = await connected({ countries: ['UK', 'us', 'Germany'] })
    expect((await clinic.live.get(`/shops/${shopID}`)).body.countries).toEqual(['GB', 'US', 'DE'])
    for (const wrong of ['XX', 'Georgia', ''])
      expect((await clinic.live.request('PATCH', `/shops/${shopID}`, { countries: ['US', wrong] })).body).toMatchObject(
        {
          code: 'VALIDATION_FAILED',
          details: [{ path: 'countries.1' }],
        },
      )
  })

  it('whose recipient is incomplete is placed with the one that a person sends', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { shipping_address: null })
    const [{ shopOrderID, lacks }] = await shopOrdersOf(clinic, shopID)
    expect(lacks).toEqual(expect.arrayContaining(['first_name', 'address.street1']))
    const retried = await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, { recipient })
    expect(retried.status).toBe(200)
    await workForShopsOf(world)
    expect(await ordersOf(clinic)).toMatchObject([{ recipientName: 'Ada Example' }])
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ shopOrderID, status: 'placed' }])
    const again = await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})
    expect([again.status, again.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
  })

  it('that a person dismisses is left alone, whatever the shop sends', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { line_items: [shopifyLine('NEW')] })
    const [{ shopOrderID }] = await shopOrdersOf(clinic, shopID)
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/dismiss`)).body).toMatchObject({
      status: 'skipped',
      reason: 'dismissed',
    })
    await clinic.live.post(`/shops/${shopID}/items`, { sku: 'NEW', kitType: CORE })
    await send(shopID, { line_items: [shopifyLine('NEW')], updated_at: '2027-01-06T00:00:00Z' })
    expect(await ordersOf(clinic)).toEqual([])
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/dismiss`)).status).toBe(409)
  })

  it('of a shop that is switched off waits until it is switched on', async () => {
    const { clinic, shopID } = await connected({ enabled: false })
    await send(shopID, {})
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'shop_off' }])
    await clinic.live.request('PATCH', `/shops/${shopID}`, { enabled: true })
    await workForShopsOf(world)
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it('for a test is placed in a sandbox, and never in live', async () => {
    const clinic = await world.business()
    const live = await connect(clinic)
    const sandbox = await connect(clinic, {}, 'sandbox')
    await send(live, { test: true })
    await send(sandbox, { test: true })
    expect([await ordersOf(clinic), await ordersOf(clinic, 'sandbox')].map((orders) => orders.length)).toEqual([0, 1])
    expect((await clinic.live.get(`/shops/${sandbox}`)).body.code).toBe('SHOP_NOT_FOUND')
    expect((await clinic.sandbox.get(`/shops/${live}/orders`)).body.code).toBe('SHOP_NOT_FOUND')
    await clinic.sandbox.post('/sandbox/reset')
    expect(await shopOrdersOf(clinic, sandbox, 'sandbox')).toEqual([])
    expect(await shopOrdersOf(clinic, live)).toHaveLength(1)
  })

  it('that is unpaid waits for its payment in the shop', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, { status: 'pending' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'unpaid' }])
    await sendWoo(
      shopID,
      { status: 'processing', date_modified_gmt: '2027-01-04T12:05:00' },
      { topic: 'order.updated' },
    )
    expect(await ordersOf(clinic)).toHaveLength(1)
  })
})

describe('an order that is not known to be new, paid and open', () => {
  const old = '2025-12-01T00:00:00Z'
  const part = (quantity: number, open: number) => ({
    quantity,
    current_quantity: quantity,
    fulfillable_quantity: open,
  })

  it('from before the connection waits once for a person, and is placed once that person asks for it', async () => {
    const { clinic, shopID } = await connected()
    await clinic.live.request('PATCH', '/settings', { contactEmail: 'desk@clinic.test' })
    await send(shopID, { created_at: old }, { topic: 'orders/updated' })
    await send(shopID, { created_at: old, updated_at: '2027-01-06T00:00:00Z' }, { topic: 'orders/paid' })
    const [{ shopOrderID, ...order }] = await shopOrdersOf(clinic, shopID)
    expect(order).toMatchObject({ status: 'waiting', reason: 'before_connection' })
    expect(await ordersOf(clinic)).toEqual([])
    expect((await clinic.live.get(`/shops/${shopID}`)).body.waiting).toBe(1)
    expect(await announced(clinic)).toEqual([['waiting', 'before_connection']])
    expect((await clinic.live.get('/overview')).body.attention).toContainEqual({
      kind: 'shopOrders',
      count: 1,
      example: shopID,
    })
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})).status).toBe(200)
    await workForShopsOf(world)
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it('from while the shop was disconnected is not placed when it is connected again', async () => {
    const { clinic, shopID } = await connected()
    await clinic.live.request('DELETE', `/shops/${shopID}`)
    clock.advance(3600_000)
    const created_at = clock.now().toISOString()
    clock.advance(3600_000)
    await connect(clinic)
    await send(shopID, { created_at }, { topic: 'orders/updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'before_connection' }])
  })

  it.each([
    ['fulfilled', { fulfillment_status: 'fulfilled' }, 'skipped', 'fulfilled'],
    ['archived', { closed_at: '2027-01-05T00:00:00Z' }, 'skipped', 'fulfilled'],
    ['with its kits fulfilled', { line_items: [shopifyLine('CORE-1', part(1, 0))] }, 'skipped', 'fulfilled'],
    ['whose payment is only authorised', { financial_status: 'authorized' }, 'unpaid', undefined],
    ['that is partly paid', { financial_status: 'partially_paid' }, 'unpaid', undefined],
    ['whose payment has expired', { financial_status: 'expired' }, 'unpaid', undefined],
    ['that is voided', { financial_status: 'voided' }, 'canceled', undefined],
    ['in a state of payment that is new', { financial_status: 'settling' }, 'waiting', 'state_unclear'],
    ['that somebody is fulfilling', { fulfillment_status: 'in_progress' }, 'waiting', 'state_unclear'],
    ['that does not say when it was placed', { created_at: null }, 'waiting', 'state_unclear'],
    [
      'that is fulfilled in part, without saying how much',
      { line_items: [shopifyLine('CORE-1', { fulfillment_status: 'partial' })] },
      ...(['waiting', 'quantity_unclear'] as const),
    ],
  ])('of Shopify %s', async (_, order, status, reason) => {
    const { clinic, shopID } = await connected()
    await send(shopID, order, { topic: 'orders/updated' })
    const [{ status: became, reason: why }] = await shopOrdersOf(clinic, shopID)
    expect([became, why]).toEqual([status, reason])
    expect(await ordersOf(clinic)).toEqual([])
  })

  it.each([
    ['completed', {}, 'skipped', 'fulfilled'],
    ['on-hold', {}, 'unpaid', undefined],
    ['failed', {}, 'unpaid', undefined],
    ['checkout-draft', {}, 'unpaid', undefined],
    ['refunded', {}, 'canceled', undefined],
    ['trash', {}, 'canceled', undefined],
    ['awaiting-shipment', { date_paid_gmt: '2027-01-05T00:00:00' }, 'waiting', 'state_unclear'],
    ['awaiting-payment', {}, 'unpaid', undefined],
    ['processing', { date_created_gmt: '2025-12-01T00:00:00' }, 'waiting', 'before_connection'],
    ['pending', { date_created_gmt: '2025-12-01T00:00:00' }, 'unpaid', undefined],
    ['completed', { date_created_gmt: '2025-12-01T00:00:00' }, 'skipped', 'fulfilled'],
  ])('of WooCommerce: %s %j', async (is, order, status, reason) => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, { status: is, ...order }, { topic: 'order.updated' })
    const [{ status: became, reason: why }] = await shopOrdersOf(clinic, shopID)
    expect([became, why]).toEqual([status, reason])
    expect(await ordersOf(clinic)).toEqual([])
  })

  const byAmount = (amount: string) => ({
    financial_status: 'partially_refunded',
    refunds: [
      {
        refund_line_items: [],
        order_adjustments: [{ kind: 'refund_discrepancy', amount: `-${amount}`, tax_amount: '0.00' }],
        transactions: [{ kind: 'refund', status: 'success', amount }],
      },
    ],
  })

  it.each([
    ['whose price was refunded by amount', byAmount('149.00'), 'partly_refunded'],
    ['whose test mark is a text', { test: 'true' }, 'test_order'],
    ['that a test gateway paid', { payment_gateway_names: ['bogus'] }, 'test_order'],
    ['that lists nothing', { line_items: [] }, 'quantity_unclear'],
    ['that lists null', { line_items: null }, 'quantity_unclear'],
    ['of no kits', { line_items: [shopifyLine('CORE-1', { quantity: 0, current_quantity: 0 })] }, 'quantity_unclear'],
    ['that will be placed in 2030', { created_at: '2030-01-01T00:00:00Z' }, 'state_unclear'],
    ['that changed at no time', { updated_at: null }, 'state_unclear'],
    ['that changed at a time that is none', { updated_at: 'garbage 5' }, 'state_unclear'],
  ])('of Shopify %s waits once, and is announced with its reason', async (_, order, reason) => {
    const { clinic, shopID } = await connected()
    await send(shopID, order)
    await send(shopID, order, { topic: 'orders/updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason }])
    expect(await announced(clinic)).toEqual([['waiting', reason]])
    expect(await ordersOf(clinic)).toEqual([])
  })

  it.each([
    ['of Shopify whose price is refunded by amount', byAmount('149.00'), 'changed_after_order'],
    ['of Shopify that lists nothing any more', { line_items: [] }, 'changed_after_order'],
    ['of Shopify that changed in 2099', { updated_at: '2099-01-01T00:00:00Z' }, 'state_unclear'],
  ])('after it was placed, %s waits once, and is announced with its reason', async (_, change, reason) => {
    const { clinic, shopID } = await connected()
    await send(shopID, { updated_at: '2027-01-04T11:59:00Z' })
    clock.advance(1000)
    await send(shopID, { updated_at: clock.now().toISOString(), ...change }, { topic: 'orders/updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason }])
    expect(await announced(clinic)).toEqual([['waiting', reason]])
    // What it says later still counts.
    clock.advance(1000)
    const cancelled_at = clock.now().toISOString()
    await send(shopID, { cancelled_at, updated_at: cancelled_at }, { topic: 'orders/cancelled' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'canceled' }])
  })

  it('that is fulfilled in part is packed for what is open alone', async () => {
    const { clinic, shopID } = await connected({ items: [...items, { sku: 'CARDIO-1', kitType: CARDIO }] })
    await send(shopID, {
      fulfillment_status: 'partial',
      line_items: [
        shopifyLine('CORE-1', { id: 1, ...part(1, 0), fulfillment_status: 'fulfilled' }),
        shopifyLine('CARDIO-1', { id: 2, ...part(3, 2), fulfillment_status: 'partial', variant_id: 2 }),
        // Long gone, so nobody needs to say what it is.
        shopifyLine('OLD', { id: 3, ...part(1, 0), variant_id: 3 }),
      ],
    })
    const [order] = await ordersOf(clinic)
    expect(order.items).toEqual([{ kitType: CARDIO, quantity: 2 }])
    // What the shop calls fulfilled once the parcels have left is no change of the order.
    await pack(clinic, 2)
    await send(
      shopID,
      {
        updated_at: '2027-01-06T00:00:00Z',
        fulfillment_status: 'fulfilled',
        line_items: [
          shopifyLine('CORE-1', { id: 1, ...part(1, 0), fulfillment_status: 'fulfilled' }),
          shopifyLine('CARDIO-1', { id: 2, ...part(3, 0), fulfillment_status: 'fulfilled', variant_id: 2 }),
          shopifyLine('OLD', { id: 3, ...part(1, 0), variant_id: 3 }),
        ],
      },
      { topic: 'orders/fulfilled' },
    )
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    expect(await ordersOf(clinic)).toMatchObject([{ status: 'created' }])
  })

  it.each([0.5, 1.5, -1, '1,5', null, 1e15, 'two'])(
    'of WooCommerce with %j kits waits once for a person, who is told why',
    async (quantity) => {
      const clinic = await world.business()
      const shopID = await connectWoo(clinic)
      const line = { id: 315, name: 'Core panel', product_id: 93, variation_id: 0, sku: 'CORE-1' }
      for (const minute of [1, 2, 3])
        await sendWoo(
          shopID,
          { line_items: [{ ...line, quantity }], date_modified_gmt: `2027-01-04T12:0${minute}:00` },
          { topic: 'order.updated' },
        )
      await workForShopsOf(world)
      const [{ shopOrderID, status, reason }] = await shopOrdersOf(clinic, shopID)
      expect([status, reason]).toEqual(['waiting', quantity === 1e15 ? 'too_many_kits' : 'quantity_unclear'])
      await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})
      await workForShopsOf(world)
      expect(await ordersOf(clinic)).toEqual([])
      await world.settled()
      const { data } = (await clinic.live.get('/events?type=shop.order_failed')).body
      expect(data).toHaveLength(1)
      const { rows } = await owner.query('select due_at from shop_orders where id = $1', [shopOrderID])
      expect(rows).toEqual([{ due_at: null }])
    },
  )

  it('with a strange quantity of other goods is placed, and with a whole number as text too', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    const line = { id: 1, name: 'Core panel', product_id: 93, variation_id: 0, sku: 'CORE-1', quantity: '2' }
    const cloth = { id: 2, name: 'Cloth', product_id: 94, variation_id: 0, sku: 'MUG', quantity: 0.5 }
    await sendWoo(shopID, { line_items: [line, cloth] })
    expect(await ordersOf(clinic)).toMatchObject([{ quantity: 2 }])
  })

  it('of Shopify with a negative or broken quantity waits for a person', async () => {
    for (const wrong of [
      { quantity: -2 },
      { current_quantity: 0.5 },
      { fulfillable_quantity: -1 },
      { quantity: 'x' },
    ]) {
      const { clinic, shopID } = await connected()
      await send(shopID, { line_items: [shopifyLine('CORE-1', wrong)] })
      expect([wrong, (await shopOrdersOf(clinic, shopID))[0]]).toMatchObject([
        wrong,
        { status: 'waiting', reason: 'quantity_unclear' },
      ])
    }
  })

  it('with characters that no database stores is placed without them', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { name: '#10\u000001', line_items: [shopifyLine('CORE-1', { title: 'a\u0000b' })] })
    expect(await ordersOf(clinic)).toMatchObject([{ externalID: '10 01' }])
  })
})

describe('an order that cannot be paid for here', () => {
  it('is not placed where a provider has to approve it, whose refusal the shop would have to pay back', async () => {
    const clinic = await world.business()
    const shopID = await connect(clinic)
    const operator = await operatorWith(world, ['catalogue'])
    await operator('PATCH', `/panels/${CORE}`, { providerNeeded: true })
    try {
      await send(shopID, {})
      const [waiting] = await shopOrdersOf(clinic, shopID)
      expect(waiting).toMatchObject({ status: 'waiting', reason: 'ORDER_NOT_ALLOWED' })
      expect(waiting.retryDate).toBeUndefined()
      expect((await clinic.live.get('/orders')).body.data).toEqual([])
    } finally {
      await operator('PATCH', `/panels/${CORE}`, { providerNeeded: false })
    }
  })

  it('is tried again daily for seven days, and the business is notified', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.request('PATCH', '/settings', { contactEmail: 'desk@clinic.test' })
    const shopID = await connect(clinic, { paymentMethod: 'credits' })
    await send(shopID, {})
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([
      { status: 'retrying', reason: 'NOT_ENOUGH_CREDITS', attempts: 1, retryDate: expect.any(String) },
    ])
    await send(shopID, { updated_at: '2027-01-06T00:00:00Z' })
    expect((await shopOrdersOf(clinic, shopID))[0].attempts, 'a message is no reason to try').toBe(1)
    for (let day = 1; day <= 7; day++) {
      clock.advance(DAY_MS)
      await workForShopsOf(world)
    }
    const [failed] = await shopOrdersOf(clinic, shopID)
    expect(failed).toMatchObject({ status: 'failed', reason: 'NOT_ENOUGH_CREDITS', attempts: 8 })
    const { rows } = await owner.query(
      `select e.kind from emails e join realms r on r.id = e.realm_id
       where r.business_id = $1 and e.kind = 'shop_order_failed'`,
      [clinic.id],
    )
    expect(rows, 'of the first try and of the last').toHaveLength(2)
    await world.grant(clinic, CORE, 1)
    await clinic.live.post(`/shops/${shopID}/orders/${failed.shopOrderID}/retry`, {})
    await workForShopsOf(world)
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
  })

  it('by card is charged once', async () => {
    const clinic = await world.business()
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const shopID = await connect(clinic, { paymentMethod: 'card' })
    await send(shopID, {})
    expect(await ordersOf(clinic)).toMatchObject([{ payment: { method: 'card', status: 'paid' } }])
    const { rows } = await owner.query(
      `select p.state from payments p join realms r on r.id = p.realm_id where r.business_id = $1`,
      [clinic.id],
    )
    expect(rows).toEqual([{ state: 'charged' }])
  })
})

describe('an order that the shop changes', () => {
  const canceled = { cancelled_at: '2027-01-05T00:00:00Z', updated_at: '2027-01-05T00:00:00Z' }
  const later = '2027-01-05T01:00:00Z'

  it('by canceling it before it is packed is canceled here', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    await send(shopID, canceled, { topic: 'orders/cancelled' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'canceled' }])
    expect(await ordersOf(clinic)).toMatchObject([{ status: 'canceled', payment: { status: 'refunded' } }])
  })

  it('by canceling it before it came is never placed, in whatever order the messages come', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, canceled, { topic: 'orders/cancelled' })
    await send(shopID, {})
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'canceled' }])
    expect(await ordersOf(clinic)).toEqual([])
  })

  it('by canceling it after it is packed waits for a person', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    const [{ kits }] = await ordersOf(clinic)
    await pack(clinic, kits.length)
    await send(shopID, canceled, { topic: 'orders/cancelled' })
    const [{ shopOrderID, ...order }] = await shopOrdersOf(clinic, shopID)
    expect(order).toMatchObject({ status: 'waiting', reason: 'canceled_too_late' })
    expect((await ordersOf(clinic))[0].status).toBe('created')
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/dismiss`)).body.status).toBe('placed')
  })

  it('by refunding all its kits is canceled; by refunding one of two it waits for a person', async () => {
    const { clinic, shopID } = await connected()
    const two = (left: number, changes: Record<string, unknown> = {}) => ({
      line_items: [shopifyLine('CORE-1', { quantity: 2, current_quantity: left })],
      ...changes,
    })
    await send(shopID, two(2))
    await send(shopID, two(1, { financial_status: 'partially_refunded', updated_at: later }), {
      topic: 'orders/updated',
    })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'changed_after_order' }])
    await send(shopID, two(0, { financial_status: 'partially_refunded', updated_at: '2027-01-05T02:00:00Z' }), {
      topic: 'orders/updated',
    })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'canceled' }])
    expect(await ordersOf(clinic)).toMatchObject([{ status: 'canceled' }])
  })

  it('with part of it refunded before it was placed orders what is left, and waits where the shop does not say what', async () => {
    const { clinic, shopID } = await connected()
    const refunds = [{ refund_line_items: [{ line_item_id: 14500000000001, quantity: 2 }] }]
    const old = shopifyLine('CORE-1', { quantity: 3, current_quantity: undefined })
    await send(shopID, { line_items: [old], refunds, financial_status: 'partially_refunded' })
    expect(await ordersOf(clinic)).toMatchObject([{ quantity: 1 }])
    const woo = await connectWoo(clinic)
    await sendWoo(woo, { refunds: [{ id: 1, reason: '', total: '-9.00' }] })
    expect(await shopOrdersOf(clinic, woo)).toMatchObject([{ status: 'waiting', reason: 'partly_refunded' }])
  })

  it('by opening it again after it was canceled waits for a person, since nothing is placed twice', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, {})
    await sendWoo(shopID, { status: 'cancelled', date_modified_gmt: '2027-01-04T13:00:00' }, { topic: 'order.updated' })
    await sendWoo(
      shopID,
      { status: 'processing', date_modified_gmt: '2027-01-04T14:00:00' },
      { topic: 'order.updated' },
    )
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'reopened' }])
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it('by deleting it in WooCommerce is canceled', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, {})
    clock.advance(1000)
    const { status } = await fromWoo(world, shopID, { id: 727 }, { topic: 'order.deleted' })
    expect(status).toBe(200)
    await workForShopsOf(world)
    expect(await ordersOf(clinic)).toMatchObject([{ status: 'canceled' }])
  })

  const at = (minute: number) => `2027-01-04T13:${String(minute).padStart(2, '0')}:00`

  it.each([
    ['Shopify, whose payment was not captured', { financial_status: 'authorized' }, 'unpaid_after_order'],
    ['Shopify, whose payment is pending again', { financial_status: 'pending' }, 'unpaid_after_order'],
    ['Shopify, whose payment expired', { financial_status: 'expired' }, 'unpaid_after_order'],
    ['Shopify, in a state of payment that is new', { financial_status: 'disputed' }, 'state_unclear'],
    ['Shopify, that somebody else is fulfilling', { fulfillment_status: 'in_progress' }, 'state_unclear'],
    ['Shopify, that is on hold', { fulfillment_status: 'on_hold' }, 'state_unclear'],
    ['Shopify, that is fulfilled', { fulfillment_status: 'fulfilled' }, 'fulfilled_elsewhere'],
    ['Shopify, that is restocked', { fulfillment_status: 'restocked' }, 'fulfilled_elsewhere'],
    ['Shopify, that is archived', { closed_at: later }, 'fulfilled_elsewhere'],
    [
      'Shopify, of which one kit is fulfilled',
      { line_items: [shopifyLine('CORE-1', { fulfillable_quantity: 0, fulfillment_status: 'fulfilled' })] },
      'fulfilled_elsewhere',
    ],
  ])('of %s, after it was placed waits once for a person, who is told why', async (_, change, reason) => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    for (const minute of [1, 2])
      await send(shopID, { ...change, updated_at: `${at(minute)}Z` }, { topic: 'orders/updated' })
    const [{ shopOrderID, ...order }] = await shopOrdersOf(clinic, shopID)
    expect(order).toMatchObject({ status: 'waiting', reason, orderId: expect.any(String) })
    expect(await announced(clinic)).toEqual([['waiting', reason]])
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/dismiss`)).body.status).toBe('placed')
    await send(shopID, { ...change, updated_at: `${at(3)}Z` }, { topic: 'orders/updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    expect(await announced(clinic)).toHaveLength(1)
  })

  it.each([
    ['pending', {}, 'unpaid_after_order'],
    ['failed', {}, 'unpaid_after_order'],
    ['on-hold', {}, 'unpaid_after_order'],
    ['checkout-draft', {}, 'unpaid_after_order'],
    ['awaiting-stock', {}, 'unpaid_after_order'],
    ['awaiting-stock', { date_paid_gmt: '2027-01-04T12:00:00' }, 'state_unclear'],
    ['completed', {}, 'fulfilled_elsewhere'],
  ])('of WooCommerce to %s %j, after it was placed waits once for a person', async (status, change, reason) => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, {})
    for (const minute of [1, 2])
      await sendWoo(shopID, { status, ...change, date_modified_gmt: at(minute) }, { topic: 'order.updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason }])
    expect(await announced(clinic)).toEqual([['waiting', reason]])
    expect(await ordersOf(clinic)).toMatchObject([{ status: 'created' }])
  })

  it.each(['cancelled', 'refunded', 'trash'])(
    'of WooCommerce to %s, after it was placed is canceled',
    async (status) => {
      const clinic = await world.business()
      const shopID = await connectWoo(clinic)
      await sendWoo(shopID, {})
      await sendWoo(shopID, { status, date_modified_gmt: at(1) }, { topic: 'order.updated' })
      expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'canceled' }])
    },
  )

  it('by fulfilling it, or moving it on, once all its kits have left is as it should be', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, {})
    await pack(clinic, 1)
    const shipped = { status: 'shipped', date_paid_gmt: '2027-01-04T12:00:00' }
    await sendWoo(shopID, { ...shipped, date_modified_gmt: at(1) }, { topic: 'order.updated' })
    await sendWoo(shopID, { status: 'completed', date_modified_gmt: at(2) }, { topic: 'order.updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    expect(await announced(clinic)).toEqual([])
  })

  it('by fulfilling more of it than has left here waits for a person', async () => {
    const { clinic, shopID } = await connected()
    const lines = (open: number) => ({
      line_items: [shopifyLine('CORE-1', { quantity: 3, current_quantity: 3, fulfillable_quantity: open })],
    })
    await send(shopID, lines(3))
    await pack(clinic, 1)
    await send(shopID, { ...lines(2), updated_at: `${at(1)}Z` }, { topic: 'orders/updated' })
    expect(await announced(clinic)).toEqual([])
    await send(shopID, { ...lines(1), updated_at: `${at(2)}Z` }, { topic: 'orders/updated' })
    expect(await announced(clinic)).toEqual([['waiting', 'fulfilled_elsewhere']])
  })

  it('that is not paid here yet waits for that, and no more once it is paid', async () => {
    const clinic = await world.business({ credits: 0 })
    const shopID = await connect(clinic)
    await send(shopID, {})
    const [{ status, reason, orderId }] = await shopOrdersOf(clinic, shopID)
    expect([status, reason]).toEqual(['waiting', 'payment_pending'])
    expect(await announced(clinic)).toEqual([['waiting', 'payment_pending']])
    await send(shopID, { updated_at: `${at(1)}Z`, fulfillment_status: 'fulfilled' }, { topic: 'orders/updated' })
    expect(await announced(clinic)).toContainEqual(['waiting', 'fulfilled_elsewhere'])
    await send(shopID, { id: 2, name: '#1002', updated_at: `${at(2)}Z` })
    await world.grant(clinic, CORE, 2)
    const waiting = async () => (await clinic.live.get(`/shops/${shopID}`)).body.waiting
    expect(await waiting()).toBe(2)
    const second = (await shopOrdersOf(clinic, shopID)).find(({ orderId: id }: { orderId: string }) => id !== orderId)
    const paid = await clinic.live.post(`/orders/${second.orderId}/pay`, { paymentMethod: 'credits' })
    expect(paid.status, paid.text).toBe(200)
    expect(await waiting()).toBe(1)
    const { body } = await clinic.live.get(`/shops/${shopID}/orders?status=placed`)
    expect(body.data).toMatchObject([{ orderId: second.orderId, status: 'placed' }])
    expect(body.data[0].reason).toBeUndefined()
  })

  it('by a refund of postage stays; by one that may be of a product it waits', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    const line = { id: 315, name: 'Core panel', product_id: 93, variation_id: 0, quantity: 1, sku: 'CORE-1' }
    const sold = { line_items: [{ ...line, total: '199.00', total_tax: '0.00' }], shipping_total: '9.00' }
    await sendWoo(shopID, sold)
    await sendWoo(shopID, { ...sold, refunds: [{ id: 1, total: '-9.00' }], date_modified_gmt: at(1) })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    const more = [
      { id: 1, total: '-9.00' },
      { id: 2, total: '-190.00' },
    ]
    await sendWoo(shopID, { ...sold, refunds: more, date_modified_gmt: at(2) })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'changed_after_order' }])
  })

  it('by refunding more of it, by amount, than a person let pass waits again', async () => {
    const clinic = await world.business()
    const shopID = await connectWoo(clinic)
    await sendWoo(shopID, { refunds: [{ id: 1, total: '-9.00' }] })
    const [{ shopOrderID }] = await shopOrdersOf(clinic, shopID)
    await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})
    await workForShopsOf(world)
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    const refunds = [{ id: 1, total: '-9.00' }]
    await sendWoo(shopID, { refunds, date_modified_gmt: at(1) }, { topic: 'order.updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    const more = [...refunds, { id: 2, total: '-180.00' }]
    for (const minute of [2, 3])
      await sendWoo(shopID, { refunds: more, date_modified_gmt: at(minute) }, { topic: 'order.updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'changed_after_order' }])
    expect(await announced(clinic)).toEqual([
      ['waiting', 'partly_refunded'],
      ['waiting', 'changed_after_order'],
    ])
  })

  it('by posting it elsewhere waits for a person; by nothing that matters it stays', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    const phone = '+1 217 555 0199'
    await send(
      shopID,
      { updated_at: later, note: 'Thank you', tags: 'vip', phone, shipping_address: { ...shopifyAddress, phone } },
      { topic: 'orders/updated' },
    )
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
    const moved = { ...shopifyAddress, address1: '2 Main Street' }
    await send(shopID, { updated_at: '2027-01-05T03:00:00Z', shipping_address: moved }, { topic: 'orders/updated' })
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'waiting', reason: 'changed_after_order' }])
  })
})

describe('a person who is erased', () => {
  it('is gone from the orders of shops, and nothing is kept or placed for them later', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    clock.advance(1000)
    await send(shopID, { id: 2, name: '#1002', line_items: [shopifyLine('NEW')] })
    const at = recipients(world)
    const kitId = await at.newKit(clinic)
    await at.register(kitId, { email: recipient.email })
    const { body: kit } = await clinic.live.get(`/kits/${kitId}`)
    const { body: exported } = await clinic.live.get(`/customers/${kit.kit.customerID}/export`)
    expect(exported.shopOrders.map(({ number }: { number: string }) => number).sort()).toEqual(['1001', '1002'])
    expect((await clinic.live.request('DELETE', `/customers/${kit.kit.customerID}`)).status).toBe(200)
    const after = await shopOrdersOf(clinic, shopID)
    expect(JSON.stringify(after)).not.toMatch(/Ada|ada@/)
    expect(after.map(({ status, reason }: never) => [status, reason])).toEqual([
      ['skipped', 'erased'],
      ['placed', undefined],
    ])
    await clinic.live.post(`/shops/${shopID}/items`, { sku: 'NEW', kitType: CORE })
    await send(shopID, { updated_at: '2027-02-01T00:00:00Z' }, { topic: 'orders/updated' })
    await send(shopID, { id: 2, name: '#1002', line_items: [shopifyLine('NEW')], updated_at: '2027-02-01T00:00:00Z' })
    const { rows } = await owner.query('select sealed, email_hash from shop_orders where shop_id = $1', [shopID])
    expect(rows).toEqual(Array(2).fill({ sealed: null, email_hash: null }))
    expect(await ordersOf(clinic)).toHaveLength(2)
  })
})

describe('a shop that asks about the data of its buyer', () => {
  const about = async (shopID: string, topic: string, body: object) => {
    const { status, text } = await fromShopify(world, shopID, { shop_domain: SHOP, ...body }, { shop: SHOP, topic })
    expect(status, text).toBe(200)
    await workForShopsOf(world)
  }
  const buyer = { id: 1, email: recipient.email, phone: null }

  it('has what was never placed emptied, and a person decide of what was, until the person is erased', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    await send(shopID, { id: 2, name: '#1002', line_items: [shopifyLine('NEW')] })
    await about(shopID, 'customers/redact', { customer: buyer, orders_to_redact: [2] })
    expect(await shopOrdersOf(clinic, shopID)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ number: '1001', status: 'waiting', reason: 'erasure_requested' }),
        expect.objectContaining({ number: '1002', status: 'skipped', reason: 'erased' }),
      ]),
    )
    expect(await announced(clinic)).toContainEqual(['waiting', 'erasure_requested'])
    const [{ kits }] = await ordersOf(clinic)
    const at = recipients(world)
    await at.register(kits[0].kitID, { email: recipient.email })
    const { customerID } = (await clinic.live.get(`/kits/${kits[0].kitID}`)).body.kit
    expect((await clinic.live.request('DELETE', `/customers/${customerID}`)).status).toBe(200)
    expect(await shopOrdersOf(clinic, shopID)).toContainEqual(
      expect.objectContaining({ number: '1001', status: 'placed' }),
    )
  })

  it('has a person send a copy, who says so by dismissing it', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, {})
    await about(shopID, 'customers/data_request', { customer: buyer, orders_requested: [5600000000001] })
    const [asked] = await shopOrdersOf(clinic, shopID)
    expect(asked).toMatchObject({ status: 'waiting', reason: 'copy_requested' })
    await clinic.live.post(`/shops/${shopID}/orders/${asked.shopOrderID}/dismiss`)
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'placed' }])
  })

  it('after the app was removed is disconnected, and keeps nothing of orders that were never placed', async () => {
    const { clinic, shopID } = await connected()
    await send(shopID, { line_items: [shopifyLine('NEW')] })
    await about(shopID, 'shop/redact', {})
    expect(await shopOrdersOf(clinic, shopID)).toMatchObject([{ status: 'skipped', reason: 'erased' }])
    expect((await clinic.live.get(`/shops/${shopID}`)).body).toMatchObject({ connected: false })
  })
})
