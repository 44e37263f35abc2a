import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLedger } from '../../src/modules/credits/verify.ts'
import { sweepPayments } from '../../src/modules/orders/payment/sweep.ts'
import { noticeExpiringCards } from '../../src/modules/payments/notices.ts'
import { startTopUp } from '../../src/modules/payments/top-ups/start.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const PRICE = 19_900

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

async function clinicWith({ card = 'pm_card_visa', credits = 10 } = {}): Promise<TestBusiness> {
  const clinic = await world.business({ credits, panels: [CORE, CARDIO] })
  if (card) await clinic.live.post('/payment-methods', { id: card })
  return clinic
}

const change = (clinic: TestBusiness, body: object) => clinic.live.request('PATCH', '/credits/top-up', body)

async function switchOn(clinic: TestBusiness, more: object = {}, ceiling = 100 * PRICE) {
  const topUps = [{ type: CORE, on: true, below: 5, amount: 20, ...more }]
  const { status, body } = await change(clinic, { monthlyCeiling: ceiling, topUps })
  expect([status, body.details]).toEqual([200, undefined])
}

const order = (clinic: TestBusiness, quantity = 1, kitType = CORE) =>
  clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType, quantity }], paymentMethod: 'credits' }))
const creditsOf = async (clinic: TestBusiness, type = CORE): Promise<number> =>
  (await clinic.live.get('/credits')).body.find((entry: { type: string }) => entry.type === type).credits
const paymentsOf = async (clinic: TestBusiness) => (await clinic.live.get('/payments?size=100')).body.data
const topUpOf = async (clinic: TestBusiness, type = CORE) =>
  (await clinic.live.get('/credits/top-up')).body.topUps.find((one: { type: string }) => one.type === type)
const toppedUp = async (clinic: TestBusiness) => {
  await world.settled()
  const { data } = (await clinic.live.get('/events?size=100')).body
  return data.filter(({ type }: { type: string }) => type === 'credits.topped_up')
}
const sweep = () => world.service.database.asSystem({ name: 'test' }, sweepPayments)

async function emailsTo(clinic: TestBusiness, kind: string): Promise<number> {
  const owner = await world.owner()
  const { rows } = await owner.query(
    `select count(*)::int as n from emails e join realms r on r.id = e.realm_id where r.business_id = $1 and e.kind = $2`,
    [clinic.id, kind],
  )
  return rows[0].n
}

/** E-mails go to this address where nobody administers the business. */
const withAddress = (clinic: TestBusiness) =>
  clinic.live.request('PATCH', '/settings', { contactEmail: 'billing@clinic.example' })

async function ledgerIsRight(): Promise<boolean> {
  return (await world.service.database.asSystem({ name: 'test' }, verifyLedger)).ok
}

/** Lets the hour after a decline pass. */
const anHourLater = async () =>
  (await world.owner()).query(`update top_ups set retry_at = now() - interval '1 second' where retry_at is not null`)

describe('credits bought by card', () => {
  it('are added to the balance, with an entry in the ledger, an invoice and an event', async () => {
    const clinic = await clinicWith()
    const { status, body } = await clinic.live.post('/credits/buy', { type: CORE, amount: 5 })
    expect([status, body]).toEqual([201, { paymentID: expect.any(String), credits: 15 }])
    const [entry] = (await clinic.live.get('/credits/transactions')).body.data
    expect(entry).toMatchObject({ kind: 'purchase', change: 5, balance: 15, paymentID: body.paymentID })
    const [payment] = await paymentsOf(clinic)
    expect(payment).toMatchObject({
      purpose: 'credits',
      charged: 5 * PRICE,
      receipt: { number: expect.stringMatching(/^I-/) },
    })
    await world.settled()
    expect(await toppedUp(clinic)).toMatchObject([{ data: { type: CORE, amount: 5, credits: 15, automatic: false } }])
    expect(await ledgerIsRight()).toBe(true)
  })

  it('are bought once however often the request is sent with one key', async () => {
    const clinic = await clinicWith()
    const send = () => clinic.live.post('/credits/buy', { type: CORE, amount: 5 }, { 'idempotency-key': 'buy' })
    const first = await send()
    expect((await send()).text).toBe(first.text)
    expect([await creditsOf(clinic), (await paymentsOf(clinic)).length]).toEqual([15, 1])
  })

  it('whose card has not answered are bought once it has', async () => {
    const clinic = await clinicWith({ card: 'pm_card_lost_reply' })
    const key = { 'idempotency-key': 'lost' }
    const lost = await clinic.live.post('/credits/buy', { type: CORE, amount: 5 }, key)
    expect([lost.status, lost.body.settling]).toEqual([503, true])
    await (await world.owner()).query(`update payments set checked_at = checked_at - interval '1 hour'`)
    await sweep()
    await expect.poll(() => creditsOf(clinic)).toBe(15)
    const replay = await clinic.live.post('/credits/buy', { type: CORE, amount: 5 }, key)
    expect([replay.status, replay.body.credits]).toEqual([201, 15])
  })

  it.each([
    ['pm_card_declined', {}, 402, 'PAYMENT_FAILED'],
    ['', {}, 409, 'PAYMENT_METHOD_MISSING'],
    ['pm_card_visa', { paymentMethod: 'pm_of_nobody' }, 404, 'PAYMENT_METHOD_NOT_FOUND'],
    ['pm_card_visa', { type: 'NO_SUCH' }, 400, 'KIT_TYPE_NOT_PROVISIONED'],
  ])('by %s with %o are refused with %s %s, and nothing changes', async (card, more, status, code) => {
    const clinic = await clinicWith({ card })
    const answer = await clinic.live.post('/credits/buy', { type: CORE, amount: 5, ...more })
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await creditsOf(clinic)).toBe(10)
  })
})

describe('a top-up', () => {
  it('is off by default, and buys when fewer credits are left than it says', async () => {
    const clinic = await clinicWith()
    expect(await topUpOf(clinic)).toEqual({ type: CORE, on: false, price: PRICE, currency: 'USD' })
    await switchOn(clinic)
    await order(clinic, 5)
    expect(await creditsOf(clinic)).toBe(5)
    await order(clinic)
    await expect.poll(() => creditsOf(clinic)).toBe(24)
    expect(await paymentsOf(clinic)).toMatchObject([
      { purpose: 'top_up', charged: 20 * PRICE, receipt: { number: expect.stringMatching(/^I-/) } },
    ])
    expect((await clinic.live.get('/credits/top-up')).body.spentThisMonth).toBe(20 * PRICE)
    await world.settled()
    expect(await toppedUp(clinic)).toMatchObject([{ data: { type: CORE, amount: 20, credits: 24, automatic: true } }])
    expect(await ledgerIsRight()).toBe(true)
  })

  it('buys at once where the balance is low when it is switched on', async () => {
    const clinic = await clinicWith({ credits: 2 })
    await switchOn(clinic)
    await expect.poll(() => creditsOf(clinic)).toBe(22)
  })

  it('buys once when 50 orders cross the threshold at the same time', async () => {
    const clinic = await clinicWith({ credits: 100 })
    await switchOn(clinic, { below: 80, amount: 30 }, 1000 * PRICE)
    const answers = await Promise.all(Array.from({ length: 50 }, () => order(clinic)))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    await expect.poll(() => creditsOf(clinic)).toBe(80)
    await sweep()
    await expect.poll(async () => (await topUpOf(clinic)).settling).toBeUndefined()
    expect(await creditsOf(clinic)).toBe(80)
    expect((await paymentsOf(clinic)).filter((one: { purpose: string }) => one.purpose === 'top_up')).toHaveLength(1)
    expect(await ledgerIsRight()).toBe(true)
  })

  it('buys again at once where one purchase is not enough', async () => {
    const clinic = await clinicWith({ credits: 10 })
    await switchOn(clinic, { below: 5, amount: 2 })
    await order(clinic, 10)
    await expect.poll(() => creditsOf(clinic)).toBe(6)
    expect(await paymentsOf(clinic)).toHaveLength(3)
  })

  it('that was interrupted between the charge and its record charges once', async () => {
    const clinic = await clinicWith({ card: 'pm_card_lost_reply', credits: 2 })
    await switchOn(clinic)
    const owner = await world.owner()
    await expect
      .poll(
        async () =>
          (
            await owner.query(
              `select 1 from payments where purpose = 'top_up' and state = 'requested' and attempts > 0`,
            )
          ).rowCount,
      )
      .toBe(1)
    await owner.query(`update payments set checked_at = checked_at - interval '1 hour' where state = 'requested'`)
    await sweep()
    await expect.poll(() => creditsOf(clinic)).toBe(22)
    const { rows } = await owner.query(
      `select count(*)::int as n from simulated_charges c join payments p on split_part(c.idempotency_key, ':', 3) = p.id
       join realms r on r.id = p.realm_id where r.business_id = $1`,
      [clinic.id],
    )
    expect(rows[0].n).toBe(1)
  })

  it('never spends more than the ceiling, however many types decide at once, and says so once', async () => {
    const clinic = await clinicWith({ credits: 2 })
    await withAddress(clinic)
    const topUps = [CORE, CARDIO].map((type) => ({ type, on: true, below: 5, amount: 2 }))
    expect((await change(clinic, { monthlyCeiling: 3 * PRICE, topUps })).status).toBe(200)
    const realm = await realmOf(clinic)
    const decide = (kitType: string) =>
      world.service.database.inRealm(realm, { name: 'test' }, (tx) => startTopUp(tx, kitType))
    await Promise.all([CORE, CARDIO, CORE, CARDIO, CORE, CARDIO].map(decide))
    await sweep()
    await expect.poll(() => emailsTo(clinic, 'top_up_ceiling')).toBe(1)
    await expect
      .poll(async () => (await paymentsOf(clinic)).map((one: { status: string }) => one.status))
      .toEqual(['charged'])
    expect((await clinic.live.get('/credits/top-up')).body.spentThisMonth).toBe(2 * PRICE)
    expect((await change(clinic, { monthlyCeiling: 100 * PRICE })).status).toBe(200)
    await expect.poll(async () => [await creditsOf(clinic), await creditsOf(clinic, CARDIO)]).toEqual([6, 6])
    expect(await emailsTo(clinic, 'top_up_ceiling')).toBe(1)
  })

  it('that is declined is tried three times, an hour apart; then it is off, and the administrators are told', async () => {
    const clinic = await clinicWith({ card: 'pm_card_declined', credits: 2 })
    await withAddress(clinic)
    await switchOn(clinic)
    for (const failures of [1, 2, 3]) {
      await expect
        .poll(async () => (await paymentsOf(clinic)).filter((one: { status: string }) => one.status === 'declined'))
        .toHaveLength(failures)
      await anHourLater()
      await sweep()
    }
    await expect.poll(() => topUpOf(clinic)).toMatchObject({ on: false, offReason: 'card_declined' })
    await expect.poll(() => emailsTo(clinic, 'top_up_off')).toBe(1)
    await sweep()
    expect(await paymentsOf(clinic)).toHaveLength(3)
    expect(await creditsOf(clinic)).toBe(2)
  })

  it('buys in the sandbox from the simulated gateway', async () => {
    const clinic = await clinicWith()
    const topUps = [{ type: CORE, on: true, below: 999, amount: 5 }]
    await clinic.sandbox.request('PATCH', '/credits/top-up', { monthlyCeiling: 10 * PRICE, topUps })
    await clinic.sandbox.post(
      '/create-order',
      anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }], paymentMethod: 'credits' }),
    )
    await expect
      .poll(async () => (await clinic.sandbox.get('/payments')).body.data[0]?.receipt?.number)
      .toMatch(/^TEST-I-/)
  })

  it.each([
    ['without a ceiling', { topUps: [{ type: CORE, on: true, below: 5, amount: 2 }] }, 'monthlyCeiling'],
    [
      'that costs more than the ceiling',
      { monthlyCeiling: PRICE, topUps: [{ type: CORE, on: true, below: 5, amount: 2 }] },
      'monthlyCeiling',
    ],
    [
      'without a number to buy',
      { monthlyCeiling: PRICE, topUps: [{ type: CORE, on: true, below: 5 }] },
      'topUps.0.amount',
    ],
    [
      'of a panel that the business does not have',
      { topUps: [{ type: 'NO_SUCH', on: true, below: 5, amount: 2 }] },
      'topUps.0.type',
    ],
  ])('%s is refused', async (_, body, path) => {
    const { status, body: refusal } = await change(await clinicWith(), body)
    expect([status, refusal.details[0].path]).toEqual([400, path])
  })

  it('cannot be switched on without a card', async () => {
    const body = { monthlyCeiling: 10 * PRICE, topUps: [{ type: CORE, on: true, below: 5, amount: 2 }] }
    const answer = await change(await clinicWith({ card: '' }), body)
    expect([answer.status, answer.body.code]).toEqual([409, 'PAYMENT_METHOD_MISSING'])
  })
})

describe('the administrators of a business', () => {
  it('are told once when the card for a pending order was declined', async () => {
    const clinic = await clinicWith({ card: 'pm_card_declined', credits: 0 })
    await withAddress(clinic)
    const { body } = await clinic.live.post('/create-order', anOrder())
    expect(body.pending).toBe(true)
    await expect.poll(() => emailsTo(clinic, 'card_declined')).toBe(1)
    for (const _ of [1, 2]) await clinic.live.post(`/orders/${body.orderId}/pay`, { paymentMethod: 'card' })
    expect(await emailsTo(clinic, 'card_declined')).toBe(1)
  })

  it('are told once when the card for orders expires within 30 days', async () => {
    const clinic = await clinicWith()
    await withAddress(clinic)
    const look = () => world.service.database.asSystem({ name: 'test' }, noticeExpiringCards)
    await look()
    const owner = await world.owner()
    await owner.query(
      `update payment_methods set exp_year = extract(year from now() - interval '1 month')::int, exp_month = extract(month from now() - interval '1 month')::int
       where realm_id in (select id from realms where business_id = $1 and mode = 'live')`,
      [clinic.id],
    )
    for (const _ of [1, 2]) await look()
    await expect.poll(() => emailsTo(clinic, 'card_expires')).toBe(1)
    await look()
    expect(await emailsTo(clinic, 'card_expires')).toBe(1)
  })
})

async function realmOf(clinic: TestBusiness) {
  const owner = await world.owner()
  const { rows } = await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])
  return { id: rows[0].id, businessId: clinic.id, mode: 'live' as const }
}
