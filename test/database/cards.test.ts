import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder, aRow, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

const PRICE = 19_900

/** Creates a business with a simulated card in live mode. */
async function withCard(card = 'pm_card_visa', credits = 0): Promise<TestBusiness> {
  const clinic = await world.business({ credits })
  const { status } = await clinic.live.post('/payment-methods', { id: card })
  expect(status).toBe(201)
  return clinic
}

interface Books {
  charged: number
  refunded: number
  charges: number
}

/** What the gateway's books say it charged a business. */
async function books(clinic: TestBusiness): Promise<Books> {
  const owner = await world.owner()
  const { rows } = await owner.query(
    `select coalesce(sum(c.captured), 0)::int as charged, coalesce(sum(c.refunded), 0)::int as refunded,
            (count(*) filter (where c.captured > 0))::int as charges
     from simulated_charges c join payments p on c.idempotency_key = 'kitlane:live:' || p.id || ':' || p.key_number
     join realms r on r.id = p.realm_id where r.business_id = $1 and r.mode = 'live'`,
    [clinic.id],
  )
  return rows[0]
}

describe('an order by card', () => {
  it('charges the attached method at once, leaves the credits alone, and ships', async () => {
    const clinic = await withCard('pm_card_visa', 10)
    const { status, body } = await clinic.live.post('/create-order', anOrder({ purchase_with_attached_payment: true }))
    expect(status).toBe(201)
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order).toMatchObject({
      status: 'created',
      payment: { method: 'card', status: 'paid', amount: PRICE, currency: 'USD' },
    })
    expect(order.kits).toHaveLength(1)
    expect((await clinic.live.get('/credits')).body[0].credits).toBe(10)
    expect(await books(clinic)).toEqual({ charged: PRICE, refunded: 0, charges: 1 })
  })

  it('may mix kit types', async () => {
    const clinic = await withCard()
    const kit_types = [{ kitType: CORE, quantity: 2 }, { kitType: CARDIO }]
    const { body } = await clinic.live.post('/create-order', anOrder({ kit_types, paymentMethod: 'card' }))
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order).toMatchObject({ sku: 'MIXED', payment: { amount: 3 * PRICE } })
    expect(await books(clinic)).toEqual({ charged: 3 * PRICE, refunded: 0, charges: 1 })
  })

  it.each([
    ['pm_card_declined', 'card_declined'],
    ['pm_card_authentication_required', 'authentication_required'],
  ])('that is declined (%s) is refused with 402 and places nothing', async (card, code) => {
    const clinic = await withCard(card)
    const { status, body } = await clinic.live.post('/create-order', anOrder({ purchase_with_attached_payment: true }))
    expect([status, body.code, body.details[0].code]).toEqual([402, 'PAYMENT_FAILED', code])
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
    expect((await books(clinic)).charged).toBe(0)
  })

  it('with a saved method by its ID charges that one', async () => {
    const clinic = await withCard('pm_card_visa')
    await clinic.live.post('/payment-methods', { id: 'pm_card_declined' })
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))).status).toBe(402)
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'pm_card_visa' }))).status).toBe(201)
    const unknown = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'pm_of_nobody' }))
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PAYMENT_METHOD_NOT_FOUND'])
  })

  it('without a choice is charged when credits do not cover it, and waits as pending when the card declines', async () => {
    const paid = await withCard('pm_card_visa')
    expect((await paid.live.post('/create-order', anOrder())).body).toEqual({ orderId: expect.any(String) })
    const declined = await withCard('pm_card_declined')
    const { status, body } = await declined.live.post('/create-order', anOrder())
    expect(status).toBe(201)
    expect(body).toEqual({ pending: true, orderId: expect.any(String) })
  })

  it('in bulk under 20 rows is one charge for all rows, or none at all', async () => {
    const clinic = await withCard()
    const bulk = { bulkUploadData: [aRow(), aRow({ quantity: 2 })], paymentMethod: 'card' }
    expect((await clinic.live.post('/create-order', bulk)).body.orderIds).toHaveLength(2)
    expect(await books(clinic)).toEqual({ charged: 3 * PRICE, refunded: 0, charges: 1 })
  })

  it('whose reply was lost is not charged twice: the same key gets the order that the first charge paid for', async () => {
    const clinic = await withCard('pm_card_lost_reply')
    const order = anOrder({ paymentMethod: 'card' })
    const key = { 'idempotency-key': 'lost-1' }
    const first = await clinic.live.post('/create-order', order, key)
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
    const meanwhile = await clinic.live.post('/create-order', order, key)
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    await sweepNow()
    const replay = await untilNot(409, () => clinic.live.post('/create-order', order, key))
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect((await clinic.live.get(`/orders/${replay.body.orderId}`)).body.payment.status).toBe('paid')
    expect(await books(clinic)).toEqual({ charged: PRICE, refunded: 0, charges: 1 })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(1)
  })

  it('sent 50 times at once with one key charges once and makes one order', async () => {
    const clinic = await withCard('pm_card_visa')
    const order = anOrder({ paymentMethod: 'card' })
    const send = () => clinic.live.post('/create-order', order, { 'idempotency-key': 'twins' })
    const answers = await Promise.all(Array.from({ length: 50 }, send))
    const placed = answers.filter((answer) => answer.status === 201)
    expect(placed.length).toBeGreaterThan(0)
    expect(new Set(placed.map((answer) => answer.text)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 201 || answer.status === 409 || answer.status === 503)).toBe(
      true,
    )
    expect(await books(clinic)).toEqual({ charged: PRICE, refunded: 0, charges: 1 })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(1)
  })

  it('that is declined is tried again under the same key, and charges nothing', async () => {
    const clinic = await withCard('pm_card_declined')
    const send = () =>
      clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }), { 'idempotency-key': 'no' })
    const first = await send()
    const second = await send()
    expect(first.status).toBe(402)
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([402, null])
    expect(await books(clinic)).toMatchObject({ charged: 0, refunded: 0 })
  })
})

describe('canceling an order by card', () => {
  it('gives the money back, once', async () => {
    const clinic = await withCard()
    const bulk = { bulkUploadData: [aRow(), aRow()], paymentMethod: 'card' }
    const { orderIds } = (await clinic.live.post('/create-order', bulk)).body
    const answers = await Promise.all([1, 2, 3].map(() => clinic.live.post(`/orders/${orderIds[0]}/cancel`)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
    await expect.poll(() => books(clinic)).toEqual({ charged: 2 * PRICE, refunded: PRICE, charges: 1 })
    expect((await clinic.live.get(`/orders/${orderIds[0]}`)).body.payment.status).toBe('refunded')
    expect((await clinic.live.get(`/orders/${orderIds[1]}`)).body.payment.status).toBe('paid')
  })
})

describe('a pending order', () => {
  async function pending(clinic: TestBusiness): Promise<string> {
    await clinic.live.request('PATCH', '/settings', { insufficientCredits: 'pending' })
    const { body } = await clinic.live.post('/create-order', anOrder())
    expect(body.pending).toBe(true)
    return body.orderId
  }

  it('is paid later by card, and ships then', async () => {
    const clinic = await withCard()
    const id = await pending(clinic)
    const { status, body } = await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'created',
      orderStatus: 'preparing',
      payment: { method: 'card', status: 'paid', amount: PRICE },
    })
    expect(body.kits).toHaveLength(1)
    expect((await books(clinic)).charged).toBe(PRICE)
  })

  it('is paid later with credits', async () => {
    const clinic = await withCard('pm_card_visa', 0)
    const id = await pending(clinic)
    const short = await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'credits' })
    expect([short.status, short.body.code]).toEqual([409, 'NOT_ENOUGH_CREDITS'])
    await world.grant(clinic, CORE, 1)
    const { body } = await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'credits' })
    expect(body).toMatchObject({ status: 'created', payment: { method: 'credits', status: 'paid' } })
    expect(body.payment.amount).toBeUndefined()
    expect(
      (await clinic.live.get('/credits')).body.find((entry: { type: string }) => entry.type === CORE).credits,
    ).toBe(0)
  })

  it('stays pending when the card declines, and can be paid again or canceled', async () => {
    const clinic = await withCard('pm_card_declined')
    const id = await pending(clinic)
    expect((await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })).status).toBe(402)
    expect((await clinic.live.get(`/orders/${id}`)).body).toMatchObject({ status: 'pending', kits: [] })
    expect((await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })).status).toBe(402)
    expect((await clinic.live.post(`/orders/${id}/cancel`)).body.status).toBe('canceled')
    expect((await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })).status).toBe(409)
  })

  it('whose card has not answered says so until it is known, and is then paid', async () => {
    const clinic = await withCard('pm_card_lost_reply')
    const id = await pending(clinic)
    const paying = await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })
    expect([paying.status, paying.body.code, paying.body.settling]).toEqual([503, 'OVERLOADED', true])
    const { payment } = (await clinic.live.get(`/orders/${id}`)).body
    expect(payment).toMatchObject({ status: 'pending', settling: true })
    await sweepNow()
    await expect
      .poll(async () => (await clinic.live.get(`/orders/${id}`)).body.payment)
      .toEqual({ method: 'card', status: 'paid', amount: PRICE, currency: 'USD' })
    expect(await books(clinic)).toEqual({ charged: PRICE, refunded: 0, charges: 1 })
  })

  it('is charged once however often it is paid at once', async () => {
    const clinic = await withCard('pm_card_visa')
    const id = await pending(clinic)
    const pay = () => clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'card' })
    const answers = await Promise.all(Array.from({ length: 20 }, pay))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(await books(clinic)).toEqual({ charged: PRICE, refunded: 0, charges: 1 })
    expect((await clinic.live.get(`/orders/${id}`)).body.kits).toHaveLength(1)
  })
})

describe('the sandbox', () => {
  it('has a card from the start, and test cards by their ID without attaching them', async () => {
    const clinic = await world.business()
    const order = (paymentMethod: string) => clinic.sandbox.post('/create-order', anOrder({ paymentMethod }))
    expect((await order('card')).status).toBe(201)
    expect((await order('pm_card_declined')).status).toBe(402)
    expect((await order('pm_of_nobody')).body.code).toBe('PAYMENT_METHOD_NOT_FOUND')
  })
})

async function sweepNow(): Promise<void> {
  // A payment may be in flight for half a minute.
  const owner = await world.owner()
  await owner.query(`update payments set checked_at = checked_at - interval '1 hour' where state = 'requested'`)
  const { sweepPayments } = await import('../../src/modules/orders/payment/sweep.ts')
  await world.service.database.asSystem({ name: 'test' }, sweepPayments)
}

async function untilNot<T extends { status: number }>(status: number, send: () => Promise<T>): Promise<T> {
  let answer: T | undefined
  const sent = async () => {
    answer = await send()
    return answer.status
  }
  await expect.poll(sent, { interval: 100 }).not.toBe(status)
  return answer as T
}
