import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendTracking } from '../../src/extensions/shops/send-tracking.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CARDIO, CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import {
  ACCESS_TOKEN,
  CONSUMER,
  type ShopifyStandIn,
  startShopify,
  startWoo,
  type WooStandIn,
} from '../harness/shop-stand-ins.ts'
import {
  fromShopify,
  fromWoo,
  SHOP_SECRET,
  shopifyLine,
  shopifyOrder,
  wooOrder,
  workForShopsOf,
} from '../harness/shops.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE_MS = 60_000
const clock = manualClock(new Date('2027-01-04T12:00:10.000Z'))
let world: World
let owner: Client
let operator: Operator
let shopify: ShopifyStandIn
let woo: WooStandIn

beforeAll(async () => {
  shopify = await startShopify()
  woo = await startWoo()
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  owner = await world.owner()
  operator = await operatorWith(world, ['fulfilment'])
})
afterAll(async () => {
  await world.stop()
  await shopify.stop()
  await woo.stop()
})

let serial = 0
const aNumber = () => `1ZSHOP${String(++serial).padStart(11, '0')}`

async function connect(changes: Record<string, unknown>): Promise<{ clinic: TestBusiness; shopID: string }> {
  const clinic = await world.business()
  const items = [
    { sku: 'CORE-1', kitType: CORE },
    { sku: 'CARDIO-1', kitType: CARDIO },
    { sku: 'DUO', kitType: CORE, quantity: 2 },
    { sku: 'MUG' },
  ]
  const { status, body, text } = await clinic.live.post('/shops', { webhookSecret: SHOP_SECRET, items, ...changes })
  expect(status, text).toBe(201)
  return { clinic, shopID: body.shopID }
}

/** An order of the Shopify stand-in that is placed here. */
async function soldByShopify(lines: readonly Record<string, unknown>[], changes: Record<string, unknown> = {}) {
  const { clinic, shopID } = await connect({
    kind: 'shopify',
    url: shopify.url,
    accessToken: ACCESS_TOKEN,
    ...changes,
  })
  const id = 5_700_000_000_000 + ++serial
  const order = shopifyOrder({ id, admin_graphql_api_id: `gid://shopify/Order/${id}`, line_items: lines })
  shopify.add(order as never)
  expect((await fromShopify(world, shopID, order, { shop: shopify.host })).status).toBe(200)
  await workForShopsOf(world)
  return { clinic, shopID, id: String(id), kits: await kitsOf(clinic) }
}

async function soldByWoo(order: Record<string, unknown> = {}) {
  const { clinic, shopID } = await connect({ kind: 'woocommerce', url: woo.url, ...CONSUMER })
  const id = 7000 + ++serial
  woo.orders.set(String(id), { status: 'processing', meta: [], notes: [] })
  expect((await fromWoo(world, shopID, wooOrder({ id, number: String(id), ...order }))).status).toBe(200)
  await workForShopsOf(world)
  return { clinic, shopID, id: String(id), kits: await kitsOf(clinic) }
}

async function kitsOf(clinic: TestBusiness): Promise<{ kitID: string; kitType: string }[]> {
  const [order] = (await clinic.live.get('/orders')).body.data
  return order.kits
}

async function ship(kitID: string | undefined, number = aNumber()): Promise<string> {
  const { status, text } = await operator('POST', '/fulfilment/shipments', {
    kitID,
    carrier: 'UPS',
    outboundTrackingNumber: number,
  })
  expect(status, text).toBe(200)
  return number
}

const trackingOf = async (clinic: TestBusiness, shopID: string) =>
  (await clinic.live.get(`/shops/${shopID}/orders`)).body.data[0].tracking
const of = (id: string) => shopify.fulfillments.filter(({ order }) => order === id)

describe('tracking', () => {
  it('is written back to Shopify once, when the parcel leaves, for the lines of kits alone', async () => {
    const lines = [shopifyLine('CORE-1', { id: 31 }), shopifyLine('MUG', { id: 32 })]
    const { clinic, shopID, id, kits } = await soldByShopify(lines)
    await workForShopsOf(world)
    expect(of(id)).toEqual([])
    const number = await ship(kits[0]?.kitID)
    await workForShopsOf(world)
    await workForShopsOf(world)
    expect(of(id)).toEqual([
      { order: id, lines: [{ id: 31, quantity: 1 }], company: 'UPS', numbers: [number], notified: true },
    ])
    expect(await trackingOf(clinic, shopID)).toEqual({ status: 'told', numbers: [number] })
  })

  it('of several parcels fulfils each product when all of it has left', async () => {
    const lines = [
      shopifyLine('DUO', { id: 41 }),
      shopifyLine('CARDIO-1', { id: 42, quantity: 2, current_quantity: 2 }),
    ]
    const { clinic, shopID, id, kits } = await soldByShopify(lines, { isNotifyBuyer: false })
    const [cardio, otherCardio] = kits.filter(({ kitType }) => kitType === CARDIO)
    const [core, otherCore] = kits.filter(({ kitType }) => kitType === CORE)
    const first = await ship(cardio?.kitID)
    await workForShopsOf(world)
    expect(of(id)).toMatchObject([{ lines: [{ id: 42, quantity: 1 }], numbers: [first], notified: false }])
    const half = await ship(core?.kitID)
    await workForShopsOf(world)
    expect(of(id), 'one of two kits is no product').toHaveLength(1)
    for (let days = 0; days < 9; days++) {
      clock.advance(24 * 60 * MINUTE_MS)
      await workForShopsOf(world)
    }
    expect(await trackingOf(clinic, shopID), 'however long the other takes').toEqual({
      status: 'told',
      numbers: [first],
    })
    clock.advance(15 * MINUTE_MS + 1)
    const rest = await ship(otherCore?.kitID)
    await ship(otherCardio?.kitID, rest)
    await workForShopsOf(world)
    expect(of(id).slice(1)).toMatchObject([
      {
        lines: [
          { id: 41, quantity: 1 },
          { id: 42, quantity: 1 },
        ],
      },
    ])
    expect(of(id)[1]?.numbers.sort()).toEqual([half, rest].sort())
  })

  it('is written back to WooCommerce as a note, and completes an order of nothing but kits', async () => {
    const { clinic, shopID, id, kits } = await soldByWoo()
    const number = await ship(kits[0]?.kitID)
    await workForShopsOf(world)
    await workForShopsOf(world)
    expect(woo.orders.get(id)).toEqual({
      status: 'completed',
      meta: [{ key: `_kitlane_tracking_${number}`, value: 'UPS' }],
      notes: [{ note: `Shipped with UPS, tracking number ${number}`, customer_note: true }],
    })
    expect(await trackingOf(clinic, shopID)).toEqual({ status: 'told', numbers: [number] })
  })

  it('leaves an order of WooCommerce open whose other goods are still to be sent', async () => {
    const line = { name: '', product_id: 1, variation_id: 0, quantity: 1 }
    const { id, kits } = await soldByWoo({
      line_items: [
        { ...line, id: 1, sku: 'CORE-1' },
        { ...line, id: 2, sku: 'MUG' },
      ],
    })
    await ship(kits[0]?.kitID)
    await workForShopsOf(world)
    expect(woo.orders.get(id)).toMatchObject({ status: 'processing', notes: [{}] })
  })

  it('whose answer was lost is not written twice', async () => {
    const sold = [await soldByShopify([shopifyLine('CORE-1')]), await soldByWoo()] as const
    for (const { kits } of sold) await ship(kits[0]?.kitID)
    // The second request changes something: its answer is lost.
    shopify.faults.push({ status: 503 })
    woo.faults.push('lose')
    await workForShopsOf(world)
    clock.advance(MINUTE_MS + 1)
    await workForShopsOf(world)
    expect(of(sold[0].id)).toHaveLength(1)
    expect(woo.orders.get(sold[1].id)?.notes).toHaveLength(1)
  })

  it('is sent once by workers that come at once, and by one that comes after another died', async () => {
    const { clinic, shopID, id, kits } = await soldByShopify([shopifyLine('CORE-1')])
    await ship(kits[0]?.kitID)
    const { database, portsOf } = world.service
    const actor = { name: 'job:shops.work' }
    const { live } = await database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))
    const ports = realmPorts(database, portsOf, live, actor)
    const [{ shopOrderID }] = (await clinic.live.get(`/shops/${shopID}/orders`)).body.data
    let opened = 0
    const dying: typeof ports.open = (work) =>
      ++opened === 2 ? Promise.reject(new Error('died after the shop was told')) : ports.open(work)
    await expect(sendTracking({ ...ports, open: dying }, shopOrderID)).rejects.toThrow('died')
    await Promise.all(Array.from({ length: 4 }, () => sendTracking(ports, shopOrderID)))
    expect(of(id)).toHaveLength(1)
    clock.advance(2 * MINUTE_MS + 1)
    await Promise.all(Array.from({ length: 4 }, () => sendTracking(ports, shopOrderID)))
    expect(of(id)).toHaveLength(1)
    expect((await trackingOf(clinic, shopID)).status).toBe('told')
  })

  it('waits as long as the shop asks for, and is given up after three days, visibly', async () => {
    const { clinic, shopID, kits } = await soldByShopify([shopifyLine('CORE-1')])
    await ship(kits[0]?.kitID)
    shopify.faults.push({ status: 429, retryAfter: '600' })
    await workForShopsOf(world)
    expect(await trackingOf(clinic, shopID)).toEqual({ status: 'due', numbers: [], code: 'HTTP_429' })
    const asked = shopify.asked.length
    clock.advance(9 * MINUTE_MS)
    await workForShopsOf(world)
    expect(shopify.asked.length, 'not sooner').toBe(asked)
    for (let days = 0; days < 8; days++) {
      clock.advance(24 * 60 * MINUTE_MS)
      shopify.faults.push({
        status: 200,
        body: { errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }] },
      })
      await workForShopsOf(world)
    }
    shopify.faults.length = 0
    expect(await trackingOf(clinic, shopID)).toEqual({ status: 'failed', numbers: [], code: 'THROTTLED' })
    await world.settled()
    const { body } = await clinic.live.get('/events?size=250')
    expect(body.data.filter(({ type }: { type: string }) => type === 'shop.order_failed')).toMatchObject([
      { data: { code: 'TRACKING_NOT_TOLD', status: 'placed' } },
    ])
    const [{ shopOrderID }] = (await clinic.live.get(`/shops/${shopID}/orders`)).body.data
    expect((await clinic.live.post(`/shops/${shopID}/orders/${shopOrderID}/retry`, {})).status).toBe(200)
    await workForShopsOf(world)
    expect((await trackingOf(clinic, shopID)).status).toBe('told')
  })

  it('goes nowhere without access, and where it is given later', async () => {
    const { clinic, shopID, id, kits } = await soldByShopify([shopifyLine('CORE-1')], { accessToken: undefined })
    const number = await ship(kits[0]?.kitID)
    const asked = shopify.asked.length
    await workForShopsOf(world)
    expect(shopify.asked.length).toBe(asked)
    await clinic.live.request('PATCH', `/shops/${shopID}`, { accessToken: ACCESS_TOKEN })
    await workForShopsOf(world)
    expect(of(id)).toMatchObject([{ numbers: [number] }])
  })

  it('of a person who was erased is not sent', async () => {
    const { clinic, id, kits } = await soldByShopify([shopifyLine('CORE-1')])
    const at = recipients(world)
    const registered = await at.newKit(clinic)
    await at.register(registered, { email: 'ada@example.test' })
    const { body } = await clinic.live.get(`/kits/${registered}`)
    expect((await clinic.live.request('DELETE', `/customers/${body.kit.customerID}`)).status).toBe(200)
    await ship(kits[0]?.kitID)
    await workForShopsOf(world)
    expect(of(id)).toEqual([])
  })

  it('sends no word of health, and no name', async () => {
    expect(JSON.stringify([shopify.asked, woo.asked])).not.toMatch(
      /Ada|Springfield|example\.test|biomarker|report|result/i,
    )
    const { rows } = await owner.query(`select o::text as row from shop_orders o`)
    expect(JSON.stringify(rows)).not.toMatch(/Ada|Springfield/)
  })
})

describe('trying a connection', () => {
  it.each([
    ['that is right', { accessToken: ACCESS_TOKEN }, { reached: true }],
    ['with a token that is wrong', { accessToken: 'shpat_wrong' }, { reached: false, code: 'HTTP_401' }],
    ['without a token', {}, { reached: false, code: 'NO_ACCESS' }],
  ])('%s says so', async (_, access, expected) => {
    const { clinic, shopID } = await connect({ kind: 'shopify', url: shopify.url, ...access })
    expect((await clinic.live.post(`/shops/${shopID}/test`)).body).toEqual(expected)
  })

  it('of WooCommerce, and of a shop that is not there, says so', async () => {
    const { clinic, shopID } = await connect({ kind: 'woocommerce', url: woo.url, ...CONSUMER })
    expect((await clinic.live.post(`/shops/${shopID}/test`)).body).toEqual({ reached: true })
    const gone = await connect({ kind: 'woocommerce', url: 'http://127.0.0.1:9', ...CONSUMER })
    expect((await gone.clinic.live.post(`/shops/${gone.shopID}/test`)).body).toEqual({
      reached: false,
      code: 'CONNECT',
    })
  })
})
