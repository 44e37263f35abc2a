import fc from 'fast-check'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectShopOrder, updateShopOrder } from '../../src/extensions/shops/order-queries.ts'
import { workOn } from '../../src/extensions/shops/place.ts'
import { receive } from '../../src/extensions/shops/receive.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createOrders } from '../../src/modules/orders/group.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type RealmPorts, realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { dying } from '../harness/dying-ports.ts'
import { CORE, recipient } from '../harness/orders.ts'
import { fromWoo, SHOP_SECRET, wooOrder, workForShopsOf } from '../harness/shops.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const clock = manualClock(new Date('2027-01-04T12:00:10.000Z'))
const actor = { name: 'job:shops.receive' }
let world: World
let owner: Client

beforeAll(async () => {
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  owner = await world.owner()
})
afterAll(() => world.stop())

interface Connected {
  clinic: TestBusiness
  shopID: string
  ports: RealmPorts
}

async function connected(changes: Record<string, unknown> = {}): Promise<Connected> {
  const clinic = await world.business()
  await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
  const wanted = { kind: 'woocommerce', url: 'https://shop.example.com', webhookSecret: SHOP_SECRET }
  const items = [{ sku: 'CORE-1', kitType: CORE }]
  const { status, body, text } = await clinic.live.post('/shops', { ...wanted, items, ...changes })
  expect(status, text).toBe(201)
  const { database, portsOf } = world.service
  const { live } = await database.asSystem(actor, (tx) => realmsOf(tx, clinic.id))
  return { clinic, shopID: body.shopID, ports: realmPorts(database, portsOf, live, actor) }
}

/** What the books say of a business: orders, how many of them stand, kits that are to be packed, charges. */
async function booksOf({ id }: TestBusiness): Promise<Record<string, number>> {
  const { rows } = await owner.query(
    `select (select count(*)::int from orders o where o.realm_id = r.id) as orders,
            (select count(*)::int from orders o where o.realm_id = r.id and o.status = 'created') as standing,
            (select count(*)::int from kits k where k.realm_id = r.id and k.kit_status = 'preparing') as kits,
            (select count(*)::int from shop_orders s where s.realm_id = r.id) as known,
            (select count(*)::int from simulated_charges c join payments p
               on c.idempotency_key = 'kitlane:live:' || p.id || ':' || p.key_number
             where p.realm_id = r.id and c.captured > 0) as charges
     from realms r where r.business_id = $1 and r.mode = 'live'`,
    [id],
  )
  return rows[0]
}

type Message = 'pending' | 'processing' | 'cancelled'
const minute: Record<Message, number> = { pending: 1, processing: 2, cancelled: 3 }
const messageOf = (status: Message) => wooOrder({ status, date_modified_gmt: `2027-01-04T12:0${minute[status]}:00` })

let serial = 0

/** How a delivery of order 727 is kept. */
const kept = (delivery: string) => `${delivery}/727`

describe('messages that come at once, twice and in any order', () => {
  it('place one order, and cancel it where the last one says so', async () => {
    const histories = fc.constantFrom<Message[]>(
      ['pending', 'processing'],
      ['processing', 'processing'],
      ['pending', 'processing', 'cancelled'],
    )
    const races = fc.asyncProperty(
      histories.chain((history) =>
        fc.tuple(
          fc.constant(history),
          fc.shuffledSubarray([...history, ...history, ...history], { minLength: history.length * 3 }),
          fc.constantFrom('credits', 'card'),
          fc.integer({ min: 1, max: 4 }),
        ),
      ),
      async ([history, messages, paymentMethod, workers]) => {
        const { clinic, shopID, ports } = await connected({ paymentMethod })
        const ids = messages.map(() => `race-${++serial}`)
        await Promise.all(
          messages.map((message, index) => fromWoo(world, shopID, messageOf(message), { delivery: ids[index] })),
        )
        // Each delivery is worked on by several at once, as after a worker that seemed dead.
        await Promise.all(ids.flatMap((id) => Array.from({ length: workers }, () => receive(ports, shopID, kept(id)))))
        await workForShopsOf(world)
        const books = await booksOf(clinic)
        const isCanceled = history.includes('cancelled')
        const standing = isCanceled ? 0 : 1
        expect(books).toMatchObject({ known: 1, standing, kits: standing })
        expect(books.orders).toBeLessThanOrEqual(1)
        expect(books.orders).toBeGreaterThanOrEqual(standing)
        expect(books.charges).toBe(paymentMethod === 'card' ? books.orders : 0)
      },
    )
    // A failure prints the seed and the shortest failing race.
    await fc.assert(races, { numRuns: 15, interruptAfterTimeLimit: 60_000 })
  })

  it('are one where the same delivery comes again', async () => {
    const { clinic, shopID } = await connected()
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => fromWoo(world, shopID, messageOf('processing'), { delivery: 'the same' })),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { rows } = await owner.query('select count(*)::int as kept from shop_deliveries where shop_id = $1', [shopID])
    expect(rows[0].kept).toBe(1)
    await workForShopsOf(world)
    // Long after, when nothing is known of the delivery any more.
    await owner.query('delete from shop_deliveries where shop_id = $1', [shopID])
    await fromWoo(world, shopID, messageOf('processing'), { delivery: 'the same' })
    await workForShopsOf(world)
    expect(await booksOf(clinic)).toMatchObject({ orders: 1, standing: 1, kits: 1 })
  })

  it('would be seen to place it twice, if workers did not lock the order', async () => {
    const { clinic, shopID, ports } = await connected({ enabled: false })
    await fromWoo(world, shopID, messageOf('processing'))
    await workForShopsOf(world)
    const { rows } = await owner.query('select id from shop_orders where shop_id = $1', [shopID])
    const placeUnlocked = () =>
      ports.open(async (tx) => {
        const row = await selectShopOrder(tx, rows[0].id)
        if (!row || row.orderId) return
        const { first_name: firstName, last_name: lastName, email, address } = recipient
        const to = { firstName, lastName, email, address: { ...address, country: 'US' } }
        const order = { recipient: to, items: [{ kitType: CORE, quantity: 1 }], externalTags: [], notify: false }
        const placed = await createOrders(tx, { orders: [order], isBulk: false })
        if (placed.kind === 'placed') await updateShopOrder(tx, { ...row, orderId: placed.orderIds[0] ?? null })
      })
    await Promise.all(Array.from({ length: 8 }, placeUnlocked))
    expect((await booksOf(clinic)).orders).toBeGreaterThan(1)
  })
})

describe('a worker that dies', () => {
  it.each(['credits', 'card'])(
    'anywhere leaves one order and one charge to whoever comes next: %s',
    async (paymentMethod) => {
      const first = await connected({ paymentMethod })
      const counting = dying(first.ports, Number.POSITIVE_INFINITY, 'after')
      await fromWoo(world, first.shopID, messageOf('processing'), { delivery: 'counted' })
      await receive(counting.ports, first.shopID, kept('counted'))
      // Taking it in, deciding; and for a card reading the payment, the gateway's, recording its answer, recording the order.
      expect(counting.opened()).toBeGreaterThanOrEqual(paymentMethod === 'card' ? 5 : 2)
      for (let at = 1; at <= counting.opened(); at++) {
        for (const when of ['before', 'after'] as const) {
          const { clinic, shopID, ports } = await connected({ paymentMethod })
          await fromWoo(world, shopID, messageOf('processing'), { delivery: 'dies' })
          await expect(receive(dying(ports, at, when).ports, shopID, kept('dies')), `${at} ${when}`).rejects.toThrow(
            'died',
          )
          clock.advance(61_000)
          await workForShopsOf(world)
          await workForShopsOf(world)
          const charges = paymentMethod === 'card' ? 1 : 0
          expect(await booksOf(clinic), `${at} ${when}`).toMatchObject({ orders: 1, standing: 1, kits: 1, charges })
        }
      }
    },
  )

  it('while its card is charged, and the shop cancels meanwhile: the order is placed and canceled', async () => {
    const { clinic, shopID, ports } = await connected({ paymentMethod: 'card' })
    await fromWoo(world, shopID, messageOf('processing'), { delivery: 'charged' })
    await expect(receive(dying(ports, 2, 'after').ports, shopID, kept('charged'))).rejects.toThrow('died')
    await fromWoo(world, shopID, messageOf('cancelled'), { delivery: 'canceled' })
    await receive(ports, shopID, kept('canceled'))
    clock.advance(61_000)
    const { rows } = await owner.query('select id from shop_orders where shop_id = $1', [shopID])
    await Promise.all([workOn(ports, rows[0].id), workOn(ports, rows[0].id)])
    expect(await booksOf(clinic)).toMatchObject({ orders: 1, standing: 0, kits: 0 })
  })
})
