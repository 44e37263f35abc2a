import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catchUpReversals } from '../../src/modules/orders/payment/jobs.ts'
import { sweepPayments } from '../../src/modules/orders/payment/sweep.ts'
import { lookBack } from '../../src/modules/payments/reversals/rules.ts'
import type { Realm } from '../../src/platform/database/tx.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { realmPorts } from '../../src/platform/ports/realm-ports.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { type StripeStandIn, startStripeStandIn } from '../harness/stripe-stand-in.ts'
import { signStripeEvent } from '../harness/stripe-stand-in-webhooks.ts'
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

async function runCatchUp(): Promise<void> {
  const { database, portsOf } = world.service
  const actor = { name: 'test' }
  const realmPortsOf = (realm: Realm) => realmPorts(database, portsOf, realm, actor)
  await catchUpReversals.handler({ database, actor, portsOf, realmPorts: realmPortsOf } as JobContext, {})
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

describe('what is given back at Stripe', () => {
  const type = 'ED1NL4E3L'
  const hook = (when: 'held' = 'held', copies = 2) =>
    stripe.webhooks({ url: `${world.service.url}/hooks/stripe`, secret: webhookSecret, copies, when })
  const lastRef = (clinic: TestBusiness) =>
    stripe.state().charges.findLast(({ metadata }) => metadata.business === clinic.id)?.ref ?? ''
  const payment = async (clinic: TestBusiness) => (await clinic.live.get('/payments')).body.data[0]
  const creditsOf = async (clinic: TestBusiness): Promise<number> =>
    (await clinic.live.get('/credits')).body.find((one: { type: string }) => one.type === type)?.credits ?? 0
  const reversalsOf = async (clinic: TestBusiness) => (await payment(clinic)).reversals
  async function withCredits(amount = 10) {
    const { clinic } = await withCard()
    hook()
    expect((await clinic.live.post('/credits/buy', { type, amount })).status).toBe(201)
    return { clinic, ref: lastRef(clinic) }
  }

  it('takes the credits of a whole refund, once, with a credit note, an e-mail and an entry in the audit', async () => {
    const { clinic, ref } = await withCredits()
    const { id } = stripe.refundByHand(ref, 10 * PRICE)
    await stripe.flush()
    await expect.poll(() => creditsOf(clinic)).toBe(0)
    await stripe.flush({ reversed: true })
    expect(await payment(clinic)).toMatchObject({
      refunded: 10 * PRICE,
      reversals: [{ id, kind: 'refund', status: 'done', amount: 10 * PRICE, creditsRevoked: 10 }],
      creditNotes: [{ amount: 10 * PRICE, orderIDs: [] }],
    })
    const { data } = (await clinic.live.get('/credits/transactions')).body
    expect(data.filter((one: { kind: string }) => one.kind === 'revoke')).toHaveLength(1)
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select (select count(*) from audit_entries a where a.realm_id = r.id and a.action = 'payment.refunded_at_provider')::int as audited,
        (select count(*) from payment_notices n where n.realm_id = r.id and n.kind = 'payment_reversed')::int as told
       from realms r where r.business_id = $1 and r.mode = 'live'`,
      [clinic.id],
    )
    expect(rows).toEqual([{ audited: 1, told: 1 }])
  })

  it('takes whole credits of partial refunds, and what was spent waits with its reason, never below zero', async () => {
    const { clinic, ref } = await withCredits(4)
    stripe.refundByHand(ref, PRICE / 2)
    await stripe.flush()
    await expect.poll(() => reversalsOf(clinic)).toHaveLength(1)
    expect(await creditsOf(clinic)).toBe(4)
    stripe.refundByHand(ref, PRICE / 2)
    await stripe.flush()
    await expect.poll(() => creditsOf(clinic)).toBe(3)
    const order = anOrder({ kit_types: [{ kitType: type, quantity: 2 }], paymentMethod: 'credits' })
    expect((await clinic.live.post('/create-order', order)).status).toBe(201)
    stripe.refundByHand(ref, 3 * PRICE)
    await stripe.flush({ reversed: true })
    await expect.poll(() => reversalsOf(clinic)).toHaveLength(3)
    expect((await reversalsOf(clinic))[2]).toMatchObject({
      creditsRevoked: 1,
      creditsWaiting: 2,
      waitingReason: expect.stringContaining('spent'),
    })
    expect(await creditsOf(clinic)).toBe(0)
    const operator = await operatorWith(world, ['businesses'])
    const { id } = (await reversalsOf(clinic))[2]
    const listed = async () =>
      (await operator('GET', '/waiting-reversals?size=250')).body.data.filter((one: { id: string }) => one.id === id)
    expect(await listed()).toMatchObject([{ business: { id: clinic.id }, creditsRevoked: 1, creditsWaiting: 2 }])
    const settle = (reason: string, which = id) =>
      operator('POST', `/businesses/${clinic.id}/reversals/${which}/settle`, { reason })
    expect((await settle(' ')).status).toBe(400)
    expect((await settle('x', 're_unknown')).body.code).toBe('REVERSAL_NOT_FOUND')
    const reason = 'Paid by invoice 2026-17'
    expect((await settle(reason)).body).toMatchObject({ id, creditsWaiting: 2, settledReason: reason })
    expect((await settle(reason)).body.code).toBe('ILLEGAL_TRANSITION')
    expect(await listed()).toEqual([])
    const settled = (await reversalsOf(clinic))[2]
    expect([settled.settledReason, settled.waitingReason]).toEqual([reason, undefined])
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select a.details from audit_entries a join realms r on r.id = a.realm_id
       where r.business_id = $1 and a.action = 'payment.credits_settled'`,
      [clinic.id],
    )
    expect(rows).toEqual([{ details: { reversal: id, creditsWaiting: 2, reason } }])
  })

  it('takes the credits of a disputed payment with its top-ups off, and gives them back if it is won', async () => {
    const { clinic, ref } = await withCredits(3)
    const topUps = [{ type, on: true, below: 1, amount: 5 }]
    await clinic.live.request('PATCH', '/credits/top-up', { monthlyCeiling: 100 * PRICE, topUps })
    const id = stripe.dispute(ref, 'needs_response')
    await stripe.flush()
    await expect.poll(() => creditsOf(clinic)).toBe(0)
    const [topUp] = (await clinic.live.get('/credits/top-up')).body.topUps.filter(
      (one: { offReason?: string }) => one.offReason,
    )
    expect(topUp).toMatchObject({ type, on: false, offReason: 'disputed' })
    expect((await payment(clinic)).creditNotes).toEqual([])
    stripe.dispute(ref, 'under_review', { id })
    stripe.dispute(ref, 'won', { id })
    await stripe.flush({ reversed: true })
    await expect.poll(() => creditsOf(clinic)).toBe(3)
    expect(await payment(clinic)).toMatchObject({
      refunded: 0,
      reversals: [{ id, status: 'won', reason: 'fraudulent' }],
    })
  })

  it('shows on its order, which is not refunded a second time when it is canceled; a refund that fails is taken back', async () => {
    const { clinic } = await withCard()
    hook()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    const ref = lastRef(clinic)
    const statusOf = async () => (await clinic.live.get(`/orders/${orderId}`)).body.payment.status
    const refundedOf = async () => (await clinic.live.get(`/orders/${orderId}`)).body.payment.refundedAmount
    const part = stripe.refundByHand(ref, 5000)
    await stripe.flush()
    await expect.poll(refundedOf).toBe(5000)
    expect(await statusOf()).toBe('paid')
    stripe.failRefund(part.id)
    await stripe.flush()
    await expect.poll(refundedOf).toBeUndefined()
    const { id } = stripe.refundByHand(ref, PRICE)
    await stripe.flush()
    await expect.poll(statusOf).toBe('refunded')
    expect(await refundedOf()).toBe(PRICE)
    stripe.failRefund(id)
    await stripe.flush()
    await expect.poll(statusOf).toBe('paid')
    expect([(await payment(clinic)).refunded, await refundedOf()]).toEqual([0, undefined])
    stripe.refundByHand(ref, PRICE)
    await stripe.flush()
    await expect.poll(statusOf).toBe('refunded')
    expect((await clinic.live.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    expect(taken(clinic)).toEqual([0])
    expect((await payment(clinic)).refunded).toBe(PRICE)
  })

  it('is not what Kitlane itself refunded', async () => {
    const { clinic } = await withCard()
    hook()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    await expect.poll(async () => (await payment(clinic)).refunded).toBe(PRICE)
    await stripe.flush()
    await runCatchUp()
    expect(await payment(clinic)).toMatchObject({ refunded: PRICE, reversals: [], creditNotes: [{ amount: PRICE }] })
  })

  it('is not given back twice where an order is canceled before the webhook of its refund comes', async () => {
    const { clinic } = await withCard()
    hook()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    stripe.refundByHand(lastRef(clinic), PRICE)
    expect((await clinic.live.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    await stripe.flush()
    await expect.poll(async () => (await payment(clinic)).refunded).toBe(PRICE)
    const { reversals, creditNotes } = await payment(clinic)
    expect([reversals.length, creditNotes.length]).toEqual([1, 1])
    expect(taken(clinic)).toEqual([0])
    const owner = await world.owner()
    const open = `select 1 from refunds where order_id = $1 and state = 'requested' and failed_at is null`
    expect((await owner.query(open, [orderId])).rowCount).toBe(0)
  })

  it('of one of two orders counts for the one that is canceled: the other stays paid', async () => {
    const { clinic } = await withCard()
    hook()
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: [aRow(), aRow()], ...byCard })
    expect(status).toBe(201)
    const [first, second] = body.orderIds
    stripe.refundByHand(lastRef(clinic), PRICE)
    await stripe.flush()
    await expect.poll(() => reversalsOf(clinic)).toHaveLength(1)
    await clinic.live.post(`/orders/${first}/cancel`)
    expect(taken(clinic)).toEqual([PRICE])
    expect((await clinic.live.get(`/orders/${second}`)).body.payment.status).toBe('paid')
    await clinic.live.post(`/orders/${second}/cancel`)
    await expect.poll(() => taken(clinic)).toEqual([0])
    await expect.poll(async () => (await payment(clinic)).refunded).toBe(2 * PRICE)
  })

  it('is told where a refund of Kitlane fails: nothing counts as given back until somebody gives it back', async () => {
    const { clinic } = await withCard()
    hook()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    await expect.poll(async () => (await payment(clinic)).refunded).toBe(PRICE)
    const statusOf = async () => (await clinic.live.get(`/orders/${orderId}`)).body.payment.status
    const ref = lastRef(clinic)
    stripe.failRefund(stripe.refundOf(ref))
    await stripe.flush({ reversed: true })
    await expect.poll(statusOf).toBe('paid')
    expect(await payment(clinic)).toMatchObject({ refunded: 0, reversals: [{ kind: 'refund', status: 'failed' }] })
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select (select count(*) from audit_entries a where a.realm_id = r.id and a.action = 'payment.refund_failed')::int as audited,
        (select count(*) from payment_notices n where n.realm_id = r.id and n.kind = 'payment_reversed')::int as told
       from realms r where r.business_id = $1 and r.mode = 'live'`,
      [clinic.id],
    )
    expect(rows).toEqual([{ audited: 1, told: 1 }])
    stripe.refundByHand(ref, PRICE)
    await stripe.flush()
    await expect.poll(statusOf).toBe('refunded')
    const { refunded, creditNotes } = await payment(clinic)
    expect([refunded, creditNotes.length]).toEqual([PRICE, 1])
  })

  it('goes back to the card once a dispute is won whose order was canceled meanwhile', async () => {
    const { clinic } = await withCard()
    hook()
    const { orderId } = (await clinic.live.post('/create-order', anOrder(byCard))).body
    const ref = lastRef(clinic)
    const id = stripe.dispute(ref, 'needs_response')
    await stripe.flush()
    await expect.poll(() => reversalsOf(clinic)).toHaveLength(1)
    expect((await clinic.live.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    expect(taken(clinic)).toEqual([PRICE])
    stripe.dispute(ref, 'won', { id })
    await stripe.flush()
    await expect.poll(() => taken(clinic)).toEqual([0])
    await expect.poll(async () => (await payment(clinic)).refunded).toBe(PRICE)
    expect((await clinic.live.get(`/orders/${orderId}`)).body.payment.status).toBe('refunded')
  })

  it('is caught up where no webhook came: refunds and lost disputes', async () => {
    const { clinic, ref } = await withCredits(4)
    stripe.webhooks({ url: 'http://127.0.0.1:9', secret: webhookSecret, when: 'held' })
    stripe.refundByHand(ref, 2 * PRICE)
    stripe.dispute(ref, 'lost', { id: 'dp_late', amount: 2 * PRICE })
    await stripe.flush()
    await runCatchUp()
    await runCatchUp()
    expect(await creditsOf(clinic)).toBe(0)
    const { refunded, creditNotes } = await payment(clinic)
    expect([refunded, creditNotes.length]).toEqual([4 * PRICE, 2])
  })

  it('is read each hour as far as it may have changed: what is new, and the disputes that are open', async () => {
    const { clinic, ref } = await withCredits(1)
    const id = stripe.dispute(ref, 'needs_response')
    await stripe.flush()
    await expect.poll(() => reversalsOf(clinic)).toHaveLength(1)
    const isAskedAbout = async () => {
      const before = stripe.state().calls.length
      await runCatchUp()
      const asked = stripe.state().calls.slice(before)
      return asked.some(({ path, params }) => path === '/v1/disputes' && params.payment_intent === ref)
    }
    expect(await isAskedAbout()).toBe(true)
    stripe.webhooks({ url: 'http://127.0.0.1:9', secret: webhookSecret, when: 'held' })
    stripe.dispute(ref, 'lost', { id })
    await stripe.flush()
    await runCatchUp()
    expect((await reversalsOf(clinic))[0].status).toBe('lost')
    expect(await isAskedAbout()).toBe(false)
    const at = (time: string) => lookBack(new Date(time))
    const [day, night] = [at('2026-06-30T12:23:00Z'), at('2026-06-30T03:23:00Z')]
    expect([day.since, day.disputesSince]).toEqual([new Date('2026-06-23T12:23:00Z'), new Date('2026-06-23T12:23:00Z')])
    expect(night.disputesSince).toEqual(new Date('2026-03-02T03:23:00Z'))
  })

  it.each(['charge.dispute.created', 'charge.dispute.closed'])(
    'counts by %s alone where disputes may not be listed',
    async (name) => {
      const { clinic, ref } = await withCredits(1)
      const event = {
        id: `evt_${name}`,
        object: 'event',
        type: name,
        created: 1,
        livemode: false,
        data: {
          object: {
            id: `dp_${name}`,
            object: 'dispute',
            amount: PRICE,
            currency: 'usd',
            charge: 'ch_1',
            payment_intent: { id: ref },
            reason: 'product_not_received',
            status: name.endsWith('closed') ? 'lost' : 'needs_response',
          },
        },
      }
      const body = JSON.stringify(event)
      const headers = { 'stripe-signature': signStripeEvent(body, webhookSecret), 'content-type': 'application/json' }
      const { status } = await fetch(`${world.service.url}/hooks/stripe`, { method: 'POST', headers, body })
      expect(status).toBe(200)
      await expect.poll(() => creditsOf(clinic)).toBe(0)
    },
  )
})

describe('the webhook of Stripe', () => {
  it('is refused without a valid signature', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${world.service.url}/hooks/stripe`, { method: 'POST', body: '{"id":"evt_1"}', headers })
    expect((await post({})).status).toBe(400)
    expect((await post({ 'stripe-signature': 't=1,v1=00' })).status).toBe(400)
  })

  it.each(['null', '1', '[]', '{}', '{"data":null}', '{"livemode":false,"data":{"object":null}}'])(
    'is refused where what is signed is %s, and no event',
    async (body) => {
      const headers = { 'stripe-signature': signStripeEvent(body, webhookSecret), 'content-type': 'application/json' }
      const { status } = await fetch(`${world.service.url}/hooks/stripe`, { method: 'POST', headers, body })
      expect(status).toBe(400)
    },
  )
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
