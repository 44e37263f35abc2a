import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepPayments } from '../../src/modules/orders/payment/sweep.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { type StripeStandIn, startStripeStandIn } from '../harness/stripe-stand-in.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const PRICE = 19_900
const webhookSecret = 'whsec_of_the_stand_in'

let stripe: StripeStandIn
let world: World
beforeAll(async () => {
  stripe = await startStripeStandIn()
  const { url: apiUrl, secretKey } = stripe
  world = await ownWorld('charges through Stripe', {
    stripe: { secretKey, webhookSecret, apiUrl },
    allowLoopbackWebhooks: true,
  })
})
afterAll(async () => {
  await world.stop()
  await stripe.stop()
})

async function withCard(card = 'pm_card_visa'): Promise<{ clinic: TestBusiness; methodId: string }> {
  const clinic = await world.business({ credits: 0 })
  const { status, body } = await clinic.live.post('/payment-methods', { id: card })
  expect(status).toBe(201)
  return { clinic, methodId: body.id }
}

/** What Stripe charged a business, less refunds. */
const taken = ({ id }: TestBusiness) =>
  stripe
    .state()
    .charges.filter(({ metadata }) => metadata.business === id)
    .map(({ amount, refunded }) => amount - refunded)

const byCard = { paymentMethod: 'card' }

/** Ages payments past the half minute that they may be in flight. */
async function sweepNow(): Promise<void> {
  const owner = await world.owner()
  await owner.query(`update payments set checked_at = checked_at - interval '1 hour' where state = 'requested'`)
  await world.service.database.asSystem({ name: 'test' }, sweepPayments)
}

describe('an order by card through Stripe', () => {
  it('is charged once, in minor units, off session, and keyed', async () => {
    const { clinic, methodId } = await withCard()
    const { status, body } = await clinic.live.post('/create-order', anOrder(byCard))
    expect(status).toBe(201)
    const call = stripe
      .state()
      .calls.findLast(({ path, method }) => method === 'POST' && path === '/v1/payment_intents')
    expect(call?.params).toMatchObject({
      amount: String(PRICE),
      currency: 'usd',
      payment_method: methodId,
      confirm: 'true',
      off_session: 'true',
    })
    expect(call?.key).toMatch(/^kitlane:live:pay_\w+:1$/)
    expect(taken(clinic)).toEqual([PRICE])
    expect((await clinic.live.get(`/orders/${body.orderId}`)).body.payment).toMatchObject({
      method: 'card',
      status: 'paid',
    })
  })

  it('that Stripe declines is refused with 402', async () => {
    const { clinic } = await withCard('pm_card_declined')
    const { status, body } = await clinic.live.post('/create-order', anOrder(byCard))
    expect([status, body.code]).toEqual([402, 'PAYMENT_FAILED'])
    expect(taken(clinic)).toEqual([])
  })

  it.each(['lose_reply', 'fail_after', 'lock_timeout'] as const)(
    'is charged once although the first call ends in %s',
    async (fault) => {
      const { clinic } = await withCard()
      stripe.plan({ on: 'POST /v1/payment_intents', fault })
      const send = () => clinic.live.post('/create-order', anOrder(byCard), { 'idempotency-key': `fault-${fault}` })
      const first = await send()
      expect([201, 503]).toContain(first.status)
      if (first.status === 503) await sweepNow()
      await expect.poll(async () => (await send()).status).toBe(201)
      expect(taken(clinic)).toEqual([PRICE])
      expect((await clinic.live.get('/orders')).body.pagination.total).toBe(1)
    },
  )

  it('whose charge is still processing is finished when Stripe says so, by its webhook', async () => {
    const { clinic } = await withCard()
    stripe.webhooks({ url: `${world.service.url}/hooks/stripe`, secret: webhookSecret, copies: 3, when: 'held' })
    stripe.plan({ on: 'POST /v1/payment_intents', fault: 'processing' })
    const send = () => clinic.live.post('/create-order', anOrder(byCard), { 'idempotency-key': 'slow-bank' })
    expect((await send()).status).toBe(503)
    expect((await send()).status).toBe(409)
    stripe.completeCharges()
    await stripe.flush({ reversed: true })
    await expect.poll(async () => (await send()).status, { interval: 250 }).toBe(201)
    expect(taken(clinic)).toEqual([PRICE])
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(1)
  })

  it('that is canceled is refunded once', async () => {
    const { clinic } = await withCard()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    expect((await clinic.live.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    await expect.poll(() => taken(clinic)).toEqual([0])
  })
})

describe('a bulk job through Stripe', () => {
  it('is authorised for all rows and captured for what was placed', async () => {
    const { clinic } = await withCard()
    const rows = Array.from({ length: 25 }, () => aRow())
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: rows, ...byCard })
    expect(status).toBe(202)
    await expect
      .poll(async () => (await clinic.live.get(`/bulk-order-jobs/${body.jobId}`)).body.status)
      .toBe('completed')
    expect(taken(clinic)).toEqual([25 * PRICE])
  })
})

describe('the webhook of Stripe', () => {
  it('is refused without a valid signature', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${world.service.url}/hooks/stripe`, { method: 'POST', body: '{"id":"evt_1"}', headers })
    expect((await post({})).status).toBe(400)
    expect((await post({ 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
  })
})

describe('the sandbox', () => {
  it('never calls Stripe', async () => {
    const clinic = await world.business()
    const before = stripe.state().calls.length
    expect((await clinic.sandbox.post('/create-order', anOrder(byCard))).status).toBe(201)
    expect((await clinic.sandbox.post('/payment-methods', { id: 'pm_card_visa' })).status).toBe(201)
    expect(stripe.state().calls).toHaveLength(before)
  })
})
