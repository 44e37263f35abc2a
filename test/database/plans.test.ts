import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dateAt } from '../../src/extensions/plans/rules.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { CARDIO, CORE, recipient } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { aPlan, placePlansOf } from '../harness/plans.ts'
import { recipients } from '../harness/recipients.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 86_400_000
const clock = manualClock(new Date('2027-01-04T12:00:00.000Z'))
let world: World
let owner: Client

beforeAll(async () => {
  world = await ownWorld('sets the clock', { role: 'api' }, { clock })
  owner = await world.owner()
})
afterAll(() => world.stop())

const today = () => clock.now().toISOString().slice(0, 10)
const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)

type Mode = 'live' | 'sandbox'

async function create(clinic: TestBusiness, plan: Record<string, unknown>, mode: Mode = 'live'): Promise<string> {
  const { status, body, text } = await clinic[mode].post('/plans', plan)
  expect(status, text).toBe(201)
  return body.planID
}
const planOf = async (clinic: TestBusiness, id: string, mode: Mode = 'live') =>
  (await clinic[mode].get(`/plans/${id}`)).body
const ordersOf = async (clinic: TestBusiness, mode: Mode = 'live') =>
  (await clinic[mode].get('/orders')).body.data as { orderID: string; externalID?: string }[]

const nextMonthOf = (date: string) => dateAt({ every: { months: 1 }, countedFrom: date }, 1)

const passDays = async (days: number) => {
  clock.advance(days * DAY_MS)
  await placePlansOf(world)
}

describe('a recurring plan', () => {
  it('places orders as POST /create-order would', async () => {
    const clinic = await world.business()
    const wanted = aPlan(today(), { externalID: 'ada-1', externalTags: ['subscription'], isNotifyReceiver: true })
    const planID = await create(clinic, wanted)
    expect(await planOf(clinic, planID)).toMatchObject({
      status: 'active',
      nextDate: today(),
      placed: 0,
      occurrences: [],
      recipientName: 'Ada Example',
      items: [{ kitType: CORE, quantity: 1 }],
    })
    await placePlansOf(world)
    const plan = await planOf(clinic, planID)
    expect(plan.occurrences).toEqual([
      { date: today(), status: 'placed', attempts: 1, orderId: expect.any(String), changedDate: expect.any(String) },
    ])
    const { body: order } = await clinic.live.get(`/orders/${plan.occurrences[0].orderId}`)
    expect(order).toMatchObject({
      status: 'created',
      externalID: 'ada-1',
      externalTags: ['subscription'],
      isNotifyReceiver: true,
      recipientName: 'Ada Example',
      payment: { method: 'credits', status: 'paid' },
    })
    expect(order.kits).toHaveLength(1)
  })

  it('says in the audit who read whose plan, and the person is notified of it', async () => {
    const clinic = await world.business()
    const { body: customer } = await clinic.live.post('/customers', { name: 'Ada Example', email: recipient.email })
    const planID = await create(clinic, aPlan(today()))
    await clinic.live.get('/plans')
    await planOf(clinic, planID)
    await clinic.live.post(`/plans/${planID}/pause`)
    const seen = await owner.query(
      `select action from audit_entries e where object_type = 'plan' and (object_id = $1 or details->'ids' ? $1)
       and action in ('plan.read', 'plan.listed') order by id`,
      [planID],
    )
    expect(seen.rows.map(({ action }) => action)).toEqual(['plan.listed', 'plan.read', 'plan.read'])
    const admin = (await signIn(world, await person(world, 'business-admin', clinic))).in(clinic)
    const { body } = await admin.get(`/customers/${customer.id}/accesses`)
    expect(body.data.map(({ operation }: { operation: string }) => operation)).toEqual(
      expect.arrayContaining(['listPlans', 'getPlan', 'pausePlan']),
    )
  })

  it('goes on by the calendar: from 31 January to 28 February and to 31 March', async () => {
    const clinic = await world.business()
    const planID = await create(clinic, aPlan('2027-01-31'))
    expect((await planOf(clinic, planID)).upcomingDates.slice(0, 3)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
  })

  it('says its first dates and its price before it is made, and keeps nothing', async () => {
    const clinic = await world.business({ credits: 10 })
    const kit_types = [{ kitType: CORE, quantity: 2 }, { kitType: CARDIO }]
    const wanted = aPlan('2027-02-01', { every: { weeks: 2 }, times: 3, kit_types })
    const { status, body, text } = await clinic.live.post('/plans?dryRun=true', wanted)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      upcomingDates: ['2027-02-01', '2027-02-15', '2027-03-01'],
      order: { valid: true, kits: 3, outcome: 'placed', payment: 'credits' },
    })
    const byCard = await clinic.live.post('/plans?dryRun=true', { ...wanted, paymentMethod: 'later' })
    expect(byCard.body.order).toMatchObject({ outcome: 'pending', charge: { amount: 3 * 19_900, currency: 'USD' } })
    expect((await clinic.live.get('/plans')).body.pagination.total).toBe(0)
  })

  it.each([
    ['a first date in the past', { firstDate: '2027-01-03' }, 'firstDate'],
    ['a first date in three years', { firstDate: '2030-01-03' }, 'firstDate'],
    ['weeks and months', { every: { weeks: 1, months: 1 } }, 'every'],
    ['neither weeks nor months', { every: {} }, 'every'],
    ['no weeks at all', { every: { weeks: 0 } }, 'every.weeks'],
    ['an unknown kit', { kit_types: [{ kitType: 'NOSUCHKIT' }] }, 'kit_types'],
  ])('with %s is refused', async (_, changes, path) => {
    const clinic = await world.business()
    const { status, body } = await clinic.live.post('/plans', aPlan(inDays(3), changes))
    expect(status).toBe(400)
    expect(body.details.map((detail: { path: string }) => detail.path)).toContain(path)
  })

  it('ends by itself once it has placed as many orders as were asked for', async () => {
    const clinic = await world.business()
    const planID = await create(clinic, aPlan(today(), { every: { weeks: 1 }, times: 2 }))
    await placePlansOf(world)
    await passDays(7)
    expect(await planOf(clinic, planID)).toMatchObject({ status: 'ended', endedBy: 'completed', placed: 2 })
    await passDays(28)
    expect(await ordersOf(clinic)).toHaveLength(2)
    expect((await planOf(clinic, planID)).upcomingDates).toEqual([])
    const resumed = await clinic.live.post(`/plans/${planID}/resume`)
    expect([resumed.status, resumed.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
  })

  it('places the latest of several dates that were missed, and says of the others that they were', async () => {
    const clinic = await world.business()
    const first = today()
    const planID = await create(clinic, aPlan(first, { every: { weeks: 1 } }))
    await passDays(22)
    const plan = await planOf(clinic, planID)
    expect(plan.occurrences.map(({ status, reason }: never) => [status, reason])).toEqual([
      ['placed', undefined],
      ['skipped', 'missed'],
      ['skipped', 'missed'],
      ['skipped', 'missed'],
    ])
    expect(plan.occurrences.at(-1).date).toBe(first)
    expect(plan.nextDate).toBe(inDays(6))
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it('is listed, newest first, by its status and the number of the business', async () => {
    const clinic = await world.business()
    const older = await create(clinic, aPlan(inDays(3), { externalID: 'a' }))
    clock.advance(1000)
    const newer = await create(clinic, aPlan(inDays(3), { externalID: 'b' }))
    await clinic.live.post(`/plans/${older}/pause`)
    const idsOf = async (query: string) =>
      (await clinic.live.get(`/plans?${query}`)).body.data.map(({ planID }: { planID: string }) => planID)
    expect(await idsOf('')).toEqual([newer, older])
    expect(await idsOf('status=paused')).toEqual([older])
    expect(await idsOf('externalID=b')).toEqual([newer])
    const { pagination } = (await clinic.live.get('/plans?size=1&page=1')).body
    expect(pagination).toMatchObject({ total: 2, hasNext: false, hasPrevious: true })
  })

  it('is unknown to other businesses and to the other mode, whatever they ask', async () => {
    const [clinic, other] = [await world.business(), await world.business()]
    const planID = await create(clinic, aPlan(inDays(3)))
    for (const caller of [other.live, other.sandbox, clinic.sandbox]) {
      const answers = [
        await caller.get(`/plans/${planID}`),
        await caller.request('PATCH', `/plans/${planID}`, { every: { weeks: 1 } }),
        await caller.post(`/plans/${planID}/end`),
      ]
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
        [404, 'PLAN_NOT_FOUND'],
        [404, 'PLAN_NOT_FOUND'],
        [404, 'PLAN_NOT_FOUND'],
      ])
      expect((await caller.get('/plans')).body.data).toEqual([])
    }
    expect(await planOf(clinic, planID)).toMatchObject({ status: 'active', every: { months: 1 } })
  })
})

describe('a plan that is changed', () => {
  it('pauses, and goes on with the first date from the day on which it is resumed', async () => {
    const clinic = await world.business()
    const first = today()
    const planID = await create(clinic, aPlan(first, { every: { weeks: 1 } }))
    expect((await clinic.live.post(`/plans/${planID}/pause`)).body).toMatchObject({ status: 'paused' })
    await passDays(10)
    expect(await ordersOf(clinic)).toHaveLength(0)
    const { body } = await clinic.live.post(`/plans/${planID}/resume`)
    expect(body).toMatchObject({ status: 'active', nextDate: inDays(4) })
    expect(body.occurrences.map(({ reason }: { reason: string }) => reason)).toEqual(['paused', 'paused'])
    await passDays(4)
    expect(await ordersOf(clinic)).toHaveLength(1)
    expect((await clinic.live.post(`/plans/${planID}/resume`)).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('skips its next order, which does not count', async () => {
    const clinic = await world.business()
    const first = today()
    const planID = await create(clinic, aPlan(first, { every: { weeks: 1 }, times: 1 }))
    const { body } = await clinic.live.post(`/plans/${planID}/skip`)
    expect(body).toMatchObject({ nextDate: inDays(7), occurrences: [{ date: first, reason: 'requested' }] })
    await placePlansOf(world)
    expect(await ordersOf(clinic)).toHaveLength(0)
    await passDays(7)
    expect(await planOf(clinic, planID)).toMatchObject({ status: 'ended', placed: 1 })
  })

  it('sends other kits to another address from then on, by another calendar', async () => {
    const clinic = await world.business()
    const planID = await create(clinic, aPlan(today()))
    await placePlansOf(world)
    const address = { ...recipient.address, street1: '9 New Street' }
    const next = inDays(9)
    const changes = { address, kit_types: [{ kitType: CARDIO, quantity: 2 }], every: { weeks: 3 }, nextDate: next }
    const { status, body, text } = await clinic.live.request('PATCH', `/plans/${planID}`, changes)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ nextDate: next, every: { weeks: 3 }, recipientName: 'Ada Example' })
    expect(body.upcomingDates[1]).toBe(inDays(30))
    await passDays(9)
    const [second, firstOrder] = (await clinic.live.get('/orders')).body.data
    expect(second).toMatchObject({ sku: CARDIO, quantity: 2, recipientAddress: { street1: '9 New Street' } })
    expect(firstOrder).toMatchObject({ sku: CORE, recipientAddress: { street1: recipient.address.street1 } })
    const back = await clinic.live.request('PATCH', `/plans/${planID}`, { nextDate: today() })
    expect([back.status, back.body.details[0].path]).toEqual([400, 'nextDate'])
    expect((await clinic.live.request('PATCH', `/plans/${planID}`, {})).status).toBe(400)
  })

  it('is ended for good, and each change is in the audit', async () => {
    const clinic = await world.business()
    const planID = await create(clinic, aPlan(today(), { every: { weeks: 1 } }))
    await placePlansOf(world)
    await clinic.live.post(`/plans/${planID}/skip`)
    await clinic.live.request('PATCH', `/plans/${planID}`, { every: { months: 2 } })
    await clinic.live.post(`/plans/${planID}/pause`)
    await clinic.live.post(`/plans/${planID}/resume`)
    expect((await clinic.live.post(`/plans/${planID}/end`)).body).toMatchObject({ status: 'ended', endedBy: 'stopped' })
    expect((await clinic.live.post(`/plans/${planID}/end`)).status).toBe(409)
    await passDays(90)
    expect(await ordersOf(clinic)).toHaveLength(1)
    await world.settled()
    expect((await clinic.live.get('/events?type=plan.ended')).body.data).toMatchObject([
      { data: { planID, endedBy: 'stopped', endedDate: expect.any(String) } },
    ])
    const { rows } = await owner.query(
      `select action from audit_entries where object_id = $1 and action <> 'plan.read' order by id`,
      [planID],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      ...['plan.created', 'plan.order_placed', 'plan.skipped', 'plan.changed', 'plan.paused', 'plan.resumed'],
      'plan.ended',
    ])
  })
})

describe('an order of a plan that cannot be placed', () => {
  it('is tried again daily, tells the business, and is placed once it can be', async () => {
    const clinic = await world.business({ credits: 0 })
    const first = today()
    const planID = await create(clinic, aPlan(first, { paymentMethod: 'credits' }))
    await placePlansOf(world)
    expect(await planOf(clinic, planID)).toMatchObject({
      status: 'active',
      nextDate: first,
      retryDate: expect.any(String),
      occurrences: [{ date: first, status: 'failed', code: 'NOT_ENOUGH_CREDITS', attempts: 1 }],
    })
    await placePlansOf(world)
    expect((await planOf(clinic, planID)).occurrences[0].attempts, 'not before a day has passed').toBe(1)
    await passDays(1)
    expect((await planOf(clinic, planID)).occurrences[0].attempts).toBe(2)
    await world.grant(clinic, CORE, 1)
    await passDays(1)
    expect(await planOf(clinic, planID)).toMatchObject({
      placed: 1,
      occurrences: [{ date: first, status: 'placed', attempts: 3 }],
    })
    await world.settled()
    const { body } = await clinic.live.get('/events?size=250')
    const told = body.data.filter(({ type }: { type: string }) => type === 'plan.order_failed')
    expect(told.map(({ data }: { data: unknown }) => data)).toEqual([
      { planID, date: first, code: 'NOT_ENOUGH_CREDITS', attempts: 1, retryDate: expect.any(String) },
      { planID, date: first, code: 'NOT_ENOUGH_CREDITS', attempts: 2, retryDate: expect.any(String) },
    ])
  })

  it('is skipped after seven more days, and the plan goes on', async () => {
    const clinic = await world.business({ credits: 0 })
    const first = today()
    const planID = await create(clinic, aPlan(first, { paymentMethod: 'credits' }))
    await placePlansOf(world)
    for (let day = 1; day <= 7; day++) await passDays(1)
    expect(await planOf(clinic, planID)).toMatchObject({
      status: 'active',
      placed: 0,
      nextDate: nextMonthOf(first),
      occurrences: [{ date: first, status: 'skipped', reason: 'failed', code: 'NOT_ENOUGH_CREDITS', attempts: 8 }],
    })
    expect((await planOf(clinic, planID)).retryDate).toBeUndefined()
  })

  it('gives way to the next date', async () => {
    const clinic = await world.business({ credits: 0 })
    const first = today()
    const planID = await create(clinic, aPlan(first, { paymentMethod: 'credits', every: { weeks: 1 } }))
    await placePlansOf(world)
    await world.grant(clinic, CORE, 5)
    await passDays(7)
    expect((await planOf(clinic, planID)).occurrences).toMatchObject([
      { date: inDays(0), status: 'placed' },
      { date: first, status: 'skipped', reason: 'failed', code: 'NOT_ENOUGH_CREDITS' },
    ])
    expect(await ordersOf(clinic)).toHaveLength(1)
  })

  it.each([
    ['a card that declines', { paymentMethod: 'pm_card_declined' }, 'PAYMENT_FAILED'],
    ['purchasing that is disabled', { paymentMethod: 'pm_card_visa' }, 'PURCHASING_DISABLED'],
  ])('because of %s says so', async (what, payment, code) => {
    const clinic = await world.business()
    await clinic.live.post('/payment-methods', { id: payment.paymentMethod })
    const planID = await create(clinic, aPlan(today(), payment))
    if (code === 'PURCHASING_DISABLED') await clinic.live.request('PATCH', '/settings', { purchasingEnabled: false })
    await placePlansOf(world)
    const plan = await planOf(clinic, planID)
    expect(plan.occurrences, what).toMatchObject([{ status: 'failed', code, attempts: 1 }])
    expect(await ordersOf(clinic)).toHaveLength(0)
  })

  it('because its kits are no longer offered says so, and is placed with others', async () => {
    const clinic = await world.business()
    const planID = await create(clinic, aPlan(today()))
    await owner.query(`update plans set items = '[{"kitType":"GONE","quantity":1}]' where id = $1`, [planID])
    await placePlansOf(world)
    expect((await planOf(clinic, planID)).occurrences[0].code).toBe('KIT_TYPE_NOT_PROVISIONED')
    await clinic.live.request('PATCH', `/plans/${planID}`, { kit_types: [{ kitType: CARDIO }] })
    await passDays(1)
    expect((await ordersOf(clinic))[0]).toMatchObject({ sku: CARDIO })
  })
})

describe('an order of a plan is placed once', () => {
  it('by card, with one charge', async () => {
    const clinic = await world.business()
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const planID = await create(clinic, aPlan(today(), { paymentMethod: 'card' }))
    await placePlansOf(world)
    expect(await planOf(clinic, planID)).toMatchObject({ placed: 1, occurrences: [{ status: 'placed', attempts: 1 }] })
    expect(await paymentsOf(clinic)).toEqual([{ state: 'charged' }])
  })

  it('after a death between payment and placement, by the person who comes next', async () => {
    const clinic = await world.business()
    await clinic.live.post('/payment-methods', { id: 'pm_card_lost_reply' })
    const first = today()
    const planID = await create(clinic, aPlan(first, { paymentMethod: 'card' }))
    // The gateway charges and its answer is lost: what a worker knows that dies then.
    await expect(placePlansOf(world)).rejects.toMatchObject({ code: 'OVERLOADED' })
    expect(await planOf(clinic, planID)).toMatchObject({ placed: 0, occurrences: [{ date: first, status: 'placing' }] })
    for (const verb of ['pause', 'skip', 'end']) {
      expect((await clinic.live.post(`/plans/${planID}/${verb}`)).body.code, verb).toBe('ILLEGAL_TRANSITION')
    }
    clock.advance(61_000)
    await placePlansOf(world)
    await placePlansOf(world)
    expect(await planOf(clinic, planID)).toMatchObject({ placed: 1, occurrences: [{ date: first, status: 'placed' }] })
    expect(await ordersOf(clinic)).toHaveLength(1)
    expect(await paymentsOf(clinic)).toEqual([{ state: 'charged' }])
  })
})

async function paymentsOf(clinic: TestBusiness) {
  const { rows } = await owner.query(
    `select p.state from payments p join realms r on r.id = p.realm_id where r.business_id = $1 and r.mode = 'live'`,
    [clinic.id],
  )
  return rows
}

describe('a person who is erased', () => {
  it('has their plans exported before, and ended and emptied after', async () => {
    const clinic = await world.business()
    const at = recipients(world)
    const planID = await create(clinic, aPlan(inDays(3), { externalID: 'own-7' }))
    const kitId = await at.newKit(clinic)
    await at.register(kitId, { email: recipient.email })
    const { body: kit } = await clinic.live.get(`/kits/${kitId}`)
    const { body: exported } = await clinic.live.get(`/customers/${kit.kit.customerID}/export`)
    expect(exported.plans).toMatchObject([{ planID, recipientName: 'Ada Example' }])
    expect((await clinic.live.request('DELETE', `/customers/${kit.kit.customerID}`)).status).toBe(200)
    const plan = await planOf(clinic, planID)
    expect(plan).toMatchObject({ status: 'ended', endedBy: 'erased', externalID: 'own-7' })
    expect(JSON.stringify(plan)).not.toMatch(/Ada|ada@/)
    const { rows } = await owner.query('select sealed, email_hash from plans where id = $1', [planID])
    expect(rows).toEqual([{ sealed: null, email_hash: null }])
    await passDays(5)
    expect((await planOf(clinic, planID)).placed).toBe(0)
  })
})
