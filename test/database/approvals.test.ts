import { sql } from 'kysely'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allOperatorScopes } from '../../src/domain/scopes.ts'
import { DEMO_COMPANIES } from '../../src/modules/businesses/queries.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { giveName } from '../../src/modules/holds/service.ts'
import { readBackAll } from '../harness/critical.ts'
import { ReportBundle, served } from '../harness/fhir-r4.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder, aRow, CORE, recipient } from '../harness/orders.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { aPlan, placePlansOf } from '../harness/plans.ts'
import { recipients } from '../harness/recipients.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const GUARDED = 'GUARDED'
let world: World
let operator: Operator
let clinic: TestBusiness
let jane: SignedIn
let sam: SignedIn
const janes = { name: 'Jane Doe, MD', npi: '1234567893', licensedIn: ['US-NY', 'US-VT'] }

beforeAll(async () => {
  world = await sharedWorld()
  operator = await operatorWith(world, allOperatorScopes)
  clinic = await world.business({ name: 'Harbor Clinic', credits: 100 })
  await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    await createPanel(tx, { kitType: GUARDED, name: 'Guarded', biomarkers: ['ldl'] })
    await provision(tx, clinic.id, [GUARDED], { minor: 9900 })
  })
  await world.grant(clinic, GUARDED, 200)
  expect((await operator('PATCH', `/panels/${GUARDED}`, { providerNeeded: true })).body.providerNeeded).toBe(true)
  jane = await signIn(world, await person(world, 'reviewer'))
  sam = await signIn(world, await person(world, 'reviewer'))
  const made = await operator('POST', '/providers', { ...janes, email: jane.person.email.toUpperCase() })
  expect(made.status, made.text).toBe(201)
  const other = { name: 'Sam Roe', npi: '1245319599', licensedIn: ['us-ny'], email: sam.person.email }
  expect((await operator('POST', '/providers', other)).body.licensedIn).toEqual(['US-NY'])
})
afterAll(() => world.stop())

const newYork = { street1: '1 Broadway', city: 'New York', state: 'NY', zip: '10004', country: 'US' }
const guarded = (changes: Record<string, unknown> = {}) =>
  anOrder({
    recipient: { ...recipient, address: newYork },
    kit_types: [{ kitType: GUARDED }],
    ...changes,
  })
const placed = async (changes?: Record<string, unknown>): Promise<string> => {
  const { status, text, body } = await clinic.live.post('/create-order', guarded(changes))
  expect([status, body.pending], text).toEqual([201, true])
  return body.orderId
}
const approved = async (changes?: Record<string, unknown>): Promise<string> => {
  const id = await placed(changes)
  expect((await decide(jane, id, 'approve')).status).toBe(200)
  await expect.poll(async () => (await order(id)).status).not.toBe('pending')
  return id
}
const order = async (id: string) => (await clinic.live.get(`/orders/${id}`)).body
const credits = async () =>
  (await clinic.live.get('/credits')).body.find(({ type }: { type: string }) => type === GUARDED).credits as number
const waiting = async (who: SignedIn = jane) =>
  (await who.operator.get('/approvals?size=250')).body.data.filter(
    ({ business }: { business: { id: string } }) => business.id === clinic.id,
  )
/** As it stands now. */
const versionOf = async (id: string): Promise<string> =>
  (await operator('GET', `/approvals/${id}`)).body.version ?? 'waits no more'
const decide = async (who: SignedIn, id: string, decision: string, more: object = {}) =>
  who.operator.post(`/approvals/${id}`, { decision, version: await versionOf(id), ...more })
const events = async (id: string) => {
  await world.settled()
  return (await clinic.live.get('/events?size=250&type=order.created,order.updated,order.canceled')).body.data.filter(
    ({ data }: { data: { orderID?: string } }) => data.orderID === id,
  )
}

describe('a panel', () => {
  it('loses each of its rules by null, as the documentation says', async () => {
    await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createPanel(tx, { kitType: 'RULED', name: 'Ruled', biomarkers: ['ldl'] }),
    )
    const before = (await operator('PATCH', '/panels/RULED', {})).body
    const rules = {
      minAge: 21,
      maxAge: 70,
      sex: 'F',
      promisedDays: 5,
      stabilityDays: 9,
      questions: [{ id: 'fasting', isRequired: false }],
      collectionDateNeeded: true,
      offeredIn: ['US'],
      notOfferedIn: ['US-NY'],
      maxPerOrder: 2,
      providerNeeded: true,
    }
    const set = await operator('PATCH', '/panels/RULED', rules)
    expect(set.body, set.text).toMatchObject(rules)
    const none = { ...Object.fromEntries(Object.keys(rules).map((name) => [name, null])), minAge: 18 }
    expect((await operator('PATCH', '/panels/RULED', none)).body).toEqual(before)
  })
})

describe('providers', () => {
  it('are kept with an NPI whose check digit is right, a licence in a known region, and an e-mail of their own', async () => {
    const wrong = { ...janes, npi: '1234567890', licensedIn: ['NY'], email: 'new@example.test' }
    const { status, body } = await operator('POST', '/providers', wrong)
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([400, ['npi', 'licensedIn.0']])
    const everywhere = await operator('POST', '/providers', { ...wrong, npi: '1679576722', licensedIn: ['US'] })
    expect(everywhere.body.details).toMatchObject([
      { path: 'licensedIn.0', message: expect.stringContaining('name each state') },
    ])
    for (const [path, same] of [
      ['npi', { ...janes, email: 'new@example.test' }],
      ['email', { ...janes, npi: '1679576722', email: jane.person.email }],
    ] as const)
      expect((await operator('POST', '/providers', same)).body.details).toMatchObject([{ path }])
    const made = await operator('POST', '/providers', { ...janes, npi: '1679576722', email: 'new@example.test' })
    const changed = await operator('PATCH', `/providers/${made.body.id}`, {
      isActive: false,
      licensedIn: ['PR', 'us-gu'],
    })
    expect(changed.body).toMatchObject({ name: janes.name, isActive: false, licensedIn: ['US-PR', 'US-GU'] })
    expect((await operator('DELETE', `/providers/${made.body.id}`)).status).toBe(204)
    expect((await operator('PATCH', `/providers/${made.body.id}`, {})).body.code).toBe('PROVIDER_NOT_FOUND')
    expect((await operator('GET', '/providers')).body.map(({ npi }: { npi: string }) => npi)).not.toContain(
      '1679576722',
    )
  })
})

describe('an order that a provider has to approve', () => {
  it('waits without kits and without taking credits, in the queue of providers, and cannot be paid', async () => {
    const before = await credits()
    const id = await placed()
    expect(await order(id)).toMatchObject({ status: 'pending', kits: [], approval: { status: 'waiting' } })
    expect(await credits()).toBe(before)
    expect((await clinic.live.post(`/orders/${id}/pay`, { paymentMethod: 'credits' })).status).toBe(409)
    expect((await waiting()).find(({ orderID }: { orderID: string }) => orderID === id)).toMatchObject({
      business: { name: 'Harbor Clinic' },
      items: [{ kitType: GUARDED, panelName: 'Guarded', quantity: 1 }],
      recipientName: 'Ada Example',
      country: 'US',
      state: 'NY',
      mayApprove: true,
    })
    expect((await clinic.live.post(`/orders/${id}/cancel`, {})).body.approval).toBeUndefined()
    expect((await waiting()).map(({ orderID }: { orderID: string }) => orderID)).not.toContain(id)
    expect((await decide(jane, id, 'approve')).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('is said in a quote and in a dry run, with how it will be paid', async () => {
    const { body } = await clinic.live.post('/quotes', guarded())
    expect(body).toMatchObject({ valid: true, outcome: 'pending', payment: 'credits', approvalNeeded: true })
    expect((await clinic.live.post('/create-order?dryRun=true', guarded())).body).toEqual(body)
    expect((await clinic.live.post('/quotes', anOrder())).body).not.toHaveProperty('approvalNeeded')
  })

  it('is paid and made once it is approved, and has the provider, their NPI and the day', async () => {
    const before = await credits()
    const id = await placed()
    const approved = await decide(jane, id, 'approve')
    const approval = { status: 'approved', provider: janes.name, npi: janes.npi, date: expect.any(String) }
    expect([approved.status, approved.body]).toEqual([200, approval])
    await expect.poll(async () => (await order(id)).status).toBe('created')
    expect(await order(id)).toMatchObject({ approval, kits: [{ kitType: GUARDED }], payment: { method: 'credits' } })
    expect(await credits()).toBe(before - 1)
    const types = async () => (await events(id)).map(({ type }: { type: string }) => type)
    await expect.poll(types).toEqual(['order.created', 'order.updated', 'order.created'])
    // A licence that ends later changes nothing of it.
    const [own] = (await operator('GET', '/providers')).body.filter(({ npi }: { npi: string }) => npi === janes.npi)
    await operator('PATCH', `/providers/${own.id}`, { licensedIn: [] })
    expect((await order(id)).approval).toEqual(approval)
    expect((await decide(jane, id, 'approve')).body).toEqual(approval)
    await operator('PATCH', `/providers/${own.id}`, { licensedIn: janes.licensedIn })
    const moved = { recipientAddress: { ...newYork, state: 'VT', zip: '05401', city: 'Burlington' } }
    expect((await clinic.live.request('PATCH', `/orders/${id}`, moved)).body.code).toBe('ORDER_NOT_ALLOWED')
  })

  it('is canceled with the reason where it is refused: no credits are taken, and the business hears of it', async () => {
    const before = await credits()
    const id = await placed()
    expect((await decide(jane, id, 'refuse')).body.details).toMatchObject([{ path: 'reason' }])
    const refused = await decide(jane, id, 'refuse', { reason: 'Not indicated' })
    expect(refused.body).toMatchObject({ status: 'refused', reason: 'Not indicated', npi: janes.npi })
    expect(await order(id)).toMatchObject({
      status: 'canceled',
      approval: { status: 'refused', reason: 'Not indicated' },
    })
    expect(await credits()).toBe(before)
    const last = async () => (await events(id)).at(-1)
    await expect.poll(last).toMatchObject({ type: 'order.canceled', data: { reason: 'Not indicated' } })
    expect((await decide(jane, id, 'refuse', { reason: 'Not indicated' })).status).toBe(200)
    expect((await decide(jane, id, 'approve')).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', current: 'refused' })
    // Who packs need not know why.
    const packer = await operatorWith(world, ['fulfilment'])
    expect((await packer('GET', `/orders/${id}`)).body.approval).toEqual({ ...refused.body, reason: undefined })
    expect((await operator('GET', `/orders/${id}`)).body.approval).toEqual(refused.body)
  })

  it('is decided once by two providers at once', async () => {
    const id = await placed()
    const version = await versionOf(id)
    const both = await Promise.all([
      decide(jane, id, 'approve', { version }),
      decide(sam, id, 'refuse', { version, reason: 'No' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const won = both.find(({ status }) => status === 200)
    expect((await order(id)).approval).toEqual(won?.body)
  })

  it('is approved only by an active provider who is licensed there, as themselves', async () => {
    const vermont = { ...newYork, state: 'VT', zip: '05401', city: 'Burlington' }
    const id = await placed({ recipient: { ...recipient, address: vermont } })
    const refusals = [
      [await decide(sam, id, 'approve'), 'not licensed in US-VT'],
      [await decide(sam, id, 'approve', { provider: janes.npi }), 'as another provider'],
      [await decide(await signIn(world, await person(world, 'reviewer')), id, 'approve'), 'No provider has the e-mail'],
    ] as const
    for (const [{ status, body }, why] of refusals)
      expect([status, body.code, body.error]).toEqual([403, 'PROVIDER_NOT_ALLOWED', expect.stringContaining(why)])
    const [own] = (await operator('GET', '/providers')).body.filter(({ npi }: { npi: string }) => npi === janes.npi)
    await operator('PATCH', `/providers/${own.id}`, { isActive: false })
    expect((await decide(jane, id, 'approve')).body.error).toContain('not active')
    await operator('PATCH', `/providers/${own.id}`, { isActive: true })
    // A token names the provider.
    const version = await versionOf(id)
    const machine = (body: object) => operator('POST', `/approvals/${id}`, { decision: 'approve', version, ...body })
    expect((await machine({})).body.code).toBe('PROVIDER_NOT_ALLOWED')
    expect((await machine({ provider: '1679576722' })).body.code).toBe('PROVIDER_NOT_FOUND')
    expect((await machine({ provider: janes.npi })).body.status).toBe('approved')
    const other = await operatorWith(world, ['fulfilment'])
    expect((await other('GET', '/approvals')).status).toBe(403)
  })

  it('is seen and decided by somebody with the role of a provider where they are licensed, and nothing else is', async () => {
    const own = await signIn(world, await person(world, 'provider'))
    const stranger = await signIn(world, await person(world, 'provider'))
    const provider = { name: 'Ann Lee, MD', npi: '1932102084', licensedIn: ['US-VT'], email: own.person.email }
    const { body: made } = await operator('POST', '/providers', provider)
    const vermont = { ...newYork, state: 'VT', zip: '05401', city: 'Burlington' }
    const [here, there] = [await placed({ recipient: { ...recipient, address: vermont } }), await placed()]
    const seen = async (who: SignedIn) => (await waiting(who)).map(({ orderID }: { orderID: string }) => orderID)
    expect(await seen(own)).toContain(here)
    expect(await seen(own)).not.toContain(there)
    expect(await seen(stranger)).toEqual([])
    const { toApprove, ...others } = (await own.operator.get('/overview')).body
    expect([toApprove, others]).toEqual([(await own.operator.get('/approvals?size=250')).body.pagination.total, {}])
    expect((await own.operator.get('/providers')).body).toEqual([made])
    expect((await stranger.operator.get('/providers')).body).toEqual([])
    // What is not in their queue is as if it was not there.
    const paid = (await clinic.live.post('/create-order', anOrder())).body.orderId
    for (const id of [there, paid]) {
      expect((await own.operator.get(`/approvals/${id}`)).status).toBe(404)
      for (const decision of ['approve', 'refuse'])
        expect((await decide(own, id, decision, { reason: 'No' })).body.code).toBe('ORDER_NOT_FOUND')
    }
    for (const path of ['/orders/', '/search?q=', '/emails?orderID='])
      expect((await own.operator.get(path + here)).status, path).toBe(403)
    expect((await own.operator.get('/staff')).status).toBe(403)
    expect((await own.in(clinic).get('/orders')).status).toBe(403)
    await operator('PATCH', `/providers/${made.id}`, { isActive: false })
    expect(await seen(own)).toEqual([])
    expect((await decide(own, here, 'approve')).body.code).toBe('ORDER_NOT_FOUND')
    await operator('PATCH', `/providers/${made.id}`, { isActive: true })
    expect((await decide(own, here, 'approve')).body).toMatchObject({ status: 'approved', npi: provider.npi })
    expect((await decide(own, here, 'approve')).status).toBe(200)
    expect((await decide(jane, there, 'refuse', { reason: 'No' })).status).toBe(200)
    expect((await operator('DELETE', `/providers/${made.id}`)).status).toBe(204)
  })

  it('shows the age and sex of a customer with the same name, and what they answered to those who may approve it', async () => {
    const email = `family${Date.now()}@people.test`
    const born = `${new Date().getUTCFullYear() - 44}-01-01`
    const ada = { name: 'Ada Example', email, dateOfBirth: born, gender: 'F' }
    const { body: customer } = await clinic.live.post('/customer', ada)
    const quizData = [
      { question: 'Do you take warfarin?', answer: false },
      { question: 'Which other medicines?', answer: ['Aspirin', 'Iron'] },
    ]
    const quiz = { type: 'quiz', userId: customer.id, quizName: 'Before the test', date: '2026-01-15', quizData }
    expect((await clinic.live.post('/customer/add-data', quiz)).status).toBe(201)
    const id = await placed({ recipient: { ...recipient, email, address: newYork } })
    const other = await placed({ recipient: { ...recipient, first_name: 'Max', email, address: newYork } })
    const rows = new Map((await waiting()).map((row: { orderID: string }) => [row.orderID, row]))
    expect(rows.get(id)).toMatchObject({ age: 44, sex: 'F', hasProvider: true })
    expect(rows.get(id)).not.toHaveProperty('answers')
    expect(rows.get(other)).not.toHaveProperty('age')
    const details = (await jane.operator.get(`/approvals/${id}`)).body
    const of = { quiz: 'Before the test', date: '2026-01-15' }
    expect(details).toMatchObject({
      answers: [
        { ...of, question: 'Do you take warfarin?', answer: 'No' },
        { ...of, question: 'Which other medicines?', answer: 'Aspirin, Iron' },
      ],
    })
    expect((await jane.operator.get(`/approvals/${other}`)).body).not.toHaveProperty('answers')
    // Somebody who may not approve it needs no answers.
    const reviewer = await signIn(world, await person(world, 'reviewer'))
    const shown = await reviewer.operator.get(`/approvals/${id}`)
    expect([shown.status, shown.body.age, shown.body.answers]).toEqual([200, 44, undefined])
    const boss = await signIn(world, await person(world, 'business-admin', clinic))
    const accesses = async () => (await boss.in(clinic).get(`/audit?objectID=${customer.id}`)).body.data
    const reads = { action: 'customer.read', actor: `user:${jane.person.id}` }
    await expect.poll(accesses).toContainEqual(expect.objectContaining(reads))
    for (const one of [id, other]) await clinic.live.post(`/orders/${one}/cancel`, {})
  })

  it('is decided only as it was read: not once its address, or the birth date, sex or answers of its recipient, are others', async () => {
    const email = `seen${Date.now()}@people.test`
    const ada = { name: 'Ada Example', email, dateOfBirth: '1980-01-01', gender: 'F' }
    const { body: customer } = await clinic.live.post('/customer', ada)
    const id = await placed({ recipient: { ...recipient, email, address: newYork } })
    const correct = (change: object) => clinic.live.request('PATCH', `/customers/${customer.id}`, change)
    const vermont = { ...newYork, state: 'VT', zip: '05401', city: 'Burlington' }
    const quizData = [{ question: 'Do you take warfarin?', answer: true }]
    const quiz = { type: 'quiz', userId: customer.id, quizName: 'Before', date: '2026-01-15', quizData }
    for (const change of [
      () => clinic.live.request('PATCH', `/orders/${id}`, { recipientAddress: vermont }),
      () => correct({ dateOfBirth: '1979-01-01' }),
      () => correct({ gender: 'M' }),
      () => clinic.live.post('/customer/add-data', quiz),
    ]) {
      const { version } = (await waiting()).find(({ orderID }: { orderID: string }) => orderID === id)
      const { status, text } = await change()
      expect(status, text).toBeLessThan(300)
      for (const decision of ['approve', 'refuse']) {
        const decided = await decide(jane, id, decision, { version, reason: 'No' })
        expect([decided.status, decided.body.code]).toEqual([409, 'ORDER_CHANGED'])
      }
    }
    const unseen = await jane.operator.post(`/approvals/${id}`, { decision: 'approve' })
    expect([unseen.status, unseen.body.details[0].path]).toEqual([400, 'version'])
    expect((await order(id)).approval).toEqual({ status: 'waiting' })
    expect((await decide(jane, id, 'approve')).status).toBe(200)
  })

  it('is not among the orders that the business has to pay while it waits, and is once it was approved and could not be paid', async () => {
    const poor = await world.business({ credits: 0 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, poor.id, [GUARDED], { minor: 9900 }))
    await world.grant(poor, GUARDED, 1)
    const unpaid = async () =>
      (await poor.live.get('/overview')).body.attention.find(({ kind }: { kind: string }) => kind === 'pendingPayment')
    const id = (await poor.live.post('/create-order', guarded())).body.orderId
    const [first] = [(await poor.live.post('/create-order', guarded())).body.orderId]
    expect(await unpaid()).toBeUndefined()
    for (const one of [first, id]) expect((await decide(jane, one, 'approve')).status).toBe(200)
    await expect
      .poll(async () => [(await unpaid())?.count, (await poor.live.get('/overview')).body.orders.pending])
      .toEqual([1, 1])
  })

  it('stays pending where it cannot be paid any more, and is paid by the business', async () => {
    const small = await world.business({ credits: 1 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, small.id, [GUARDED], { minor: 9900 }))
    await world.grant(small, GUARDED, 1)
    const ids: string[] = []
    for (const _ of [1, 2]) ids.push((await small.live.post('/create-order', guarded())).body.orderId)
    for (const id of ids) expect((await decide(jane, id, 'approve')).status).toBe(200)
    const statuses = async () =>
      (await Promise.all(ids.map((id) => small.live.get(`/orders/${id}`)))).map(({ body }) => body.status).sort()
    await expect.poll(statuses).toEqual(['created', 'pending'])
    await world.grant(small, GUARDED, 1)
    for (const id of ids) await small.live.post(`/orders/${id}/pay`, { paymentMethod: 'credits' })
    expect(await statuses()).toEqual(['created', 'created'])
  })

  it('waits beside orders that do not, few and many, and the credits of a job that nobody needs are given back', async () => {
    const row = (changes: object) => aRow({ ...newYork, ...changes })
    const before = await credits()
    const few = await clinic.live.post('/create-order', { bulkUploadData: [row({}), row({ kit_type: GUARDED })] })
    expect([few.status, few.body.pending], few.text).toEqual([201, true])
    expect(await Promise.all(few.body.orderIds.map(async (id: string) => (await order(id)).status))).toEqual([
      'created',
      'pending',
    ])
    const rows = [...Array.from({ length: 20 }, () => row({})), row({ kit_type: GUARDED })]
    const { jobId } = (await clinic.live.post('/create-order', { bulkUploadData: rows })).body
    const job = async () => (await clinic.live.get(`/bulk-order-jobs/${jobId}?size=100`)).body
    await expect.poll(async () => (await job()).status).toBe('completed')
    const last = (await job()).rows.at(-1)
    expect([(await job()).pending, last.pending, (await job()).rows[0].pending]).toEqual([true, true, undefined])
    expect((await order(last.orderId)).approval).toEqual({ status: 'waiting' })
    expect(await credits()).toBe(before)
  })

  it('is charged to the card that was named once it is approved, and is refused beside orders that a card pays at once', async () => {
    const paid = await world.business({ credits: 0 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, paid.id, [GUARDED], { minor: 9900 }))
    const { body: method } = await paid.sandbox.post('/payment-methods', { id: 'pm_card_visa' })
    expect(method).toBeDefined()
    const mixed = guarded({
      kit_types: undefined,
      recipient: undefined,
      bulkUploadData: [aRow({ ...newYork, kit_type: CORE }), aRow({ ...newYork, kit_type: GUARDED })],
      paymentMethod: 'card',
    })
    const refused = await paid.sandbox.post('/create-order', mixed)
    expect([refused.status, refused.body.code], refused.text).toEqual([400, 'ORDER_NOT_ALLOWED'])
    const twenty = Array.from({ length: 20 }, () => aRow({ ...newYork, kit_type: GUARDED }))
    const many = await paid.sandbox.post('/create-order', { bulkUploadData: twenty, paymentMethod: 'card' })
    expect([many.status, many.body.error]).toEqual([400, expect.stringContaining('fewer than 20 rows')])
    const { body } = await paid.sandbox.post('/create-order', guarded({ paymentMethod: 'card' }))
    const waits = (await paid.sandbox.get(`/orders/${body.orderId}`)).body
    expect(waits).toMatchObject({ status: 'pending', approval: { status: 'waiting' }, payment: { amount: 9900 } })
    expect((await paid.sandbox.get('/payments')).body.data).toEqual([])
  })

  it('is named with its provider, their NPI and the day in the report of its kit, as JSON and as PDF', async () => {
    const id = await placed()
    await decide(jane, id, 'approve')
    await expect.poll(async () => (await order(id)).status).toBe('created')
    const [{ kitID }] = (await order(id)).kits
    const at = recipients(world)
    const { email } = await at.register(kitID, { firstName: 'Ada', lastName: 'Example' })
    const reportId = await at.report(clinic, kitID, { ldl: 90 })
    await clinic.live.post(`/reports/${reportId}/publish`, {})
    const path = `/customers/${await at.customerOf(clinic, email)}/reports/${reportId}`
    const approval = { status: 'approved', provider: janes.name, npi: janes.npi, date: expect.any(String) }
    expect((await clinic.live.get(path)).body.approval).toEqual(approval)
    const pdf = await clinic.live.get(path, { accept: 'application/pdf' })
    expect(pdf.status).toBe(200)
    const bytes = await fetch(`${world.service.url}/api/v1${path}`, {
      headers: { authorization: `Token ${clinic.liveToken}`, accept: 'application/pdf' },
    }).then((answer) => answer.arrayBuffer())
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
    expect(text).toMatch(/Approved by\s+Jane Doe, MD, NPI 1234567893/)
    // In FHIR R4, who asked for a test is the requester of the request that its report is based on.
    const requester = {
      type: 'Practitioner',
      identifier: { system: 'http://hl7.org/fhir/sid/us-npi', value: janes.npi },
      display: janes.name,
    }
    const bundle = ReportBundle.parse(
      JSON.parse((await clinic.live.get(path, { accept: 'application/fhir+json' })).text),
    )
    const [{ resource: first }] = bundle.entry
    const request = bundle.entry.find(({ fullUrl }) => fullUrl === first.basedOn?.[0]?.reference)
    expect(request?.resource).toMatchObject({ resourceType: 'ServiceRequest', requester })
    const fhir = async (of: string) => (await clinic.live.get(`/fhir/${of}`)).text
    const report = served.DiagnosticReport.parse(JSON.parse(await fhir(`DiagnosticReport/${reportId}`)))
    expect(report.basedOn).toEqual([{ reference: `ServiceRequest/${kitID}` }])
    const asked = served.ServiceRequest.parse(JSON.parse(await fhir(`ServiceRequest/${kitID}`)))
    expect(asked.requester).toEqual(requester)
    // And for the operator's people, beside the results and on the page of the order.
    expect((await operator('GET', `/reports/${reportId}`)).body.approval).toEqual(approval)
    const page = (await operator('GET', `/orders/${id}`)).body
    expect(page.approval).toEqual(approval)
    const steps = page.happened.map(({ type }: { type: string }) => type)
    expect(steps).toContain('orderApproved')
    expect(steps).not.toContain('addressCorrected')
  })

  it('is approved or refused in the sandbox in place of a provider, and never in live', async () => {
    await clinic.sandbox.post('/sandbox/reset', {})
    const inSandbox = async () => (await clinic.sandbox.post('/create-order', guarded())).body.orderId as string
    const [one, two] = [await inSandbox(), await inSandbox()]
    const decided = (id: string, decision: string) =>
      clinic.sandbox.post(`/sandbox/orders/${id}/approval`, { decision })
    expect((await decided(one, 'approve')).body).toMatchObject({ status: 'approved', provider: 'Jane Sandbox, MD' })
    expect((await decided(two, 'refuse')).body).toMatchObject({ status: 'refused' })
    expect((await decided(two, 'approve')).status).toBe(409)
    const status = async (id: string) => (await clinic.sandbox.get(`/orders/${id}`)).body.status
    await expect.poll(() => status(one)).toBe('created')
    expect(await status(two)).toBe('canceled')
    const [{ kitID }] = (await clinic.sandbox.get(`/orders/${one}`)).body.kits
    const played = await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
    expect([played.status, played.body.status], played.text).toEqual([200, 'published'])
    const live = await placed()
    expect((await clinic.live.post(`/sandbox/orders/${live}/approval`, { decision: 'approve' })).status).toBe(403)
  })

  it('is approved in the sandbox within the ages of its panel only, as in live', async () => {
    const email = `young${Date.now()}@people.test`
    const known = { email, name: 'Ada Example', dateOfBirth: '1990-01-01', gender: 'F' }
    expect((await clinic.sandbox.post('/customer', known)).status).toBe(201)
    const { body } = await clinic.sandbox.post(
      '/create-order',
      guarded({ recipient: { ...recipient, email, address: newYork } }),
    )
    const decided = () => clinic.sandbox.post(`/sandbox/orders/${body.orderId}/approval`, { decision: 'approve' })
    await operator('PATCH', `/panels/${GUARDED}`, { minAge: 60 })
    const refused = await decided()
    await operator('PATCH', `/panels/${GUARDED}`, { minAge: 18 })
    expect([refused.status, refused.body.code]).toEqual([400, 'ORDER_NOT_ALLOWED'])
    expect((await decided()).body).toMatchObject({ status: 'approved' })
  })

  it('keeps why it was refused sealed, and forgets it with its recipient', async () => {
    const email = `refused${Date.now()}@people.test`
    const id = await placed({ recipient: { ...recipient, email, address: newYork } })
    await decide(jane, id, 'refuse', { reason: 'Ada takes warfarin' })
    const stored = await world.service.database.asSystem({ name: 'test' }, (tx) =>
      tx.row<{ clear: string }>(sql`select to_jsonb(o)::text as clear from orders o where id = ${id}`),
    )
    expect(stored.clear).not.toContain('warfarin')
    const made = await clinic.live.post('/customer', { name: 'Ada Example', email })
    const { orders } = (await clinic.live.get(`/customers/${made.body.id}/export`)).body
    expect(orders).toMatchObject([
      { orderID: id, approval: { status: 'refused', provider: janes.name, reason: 'Ada takes warfarin' } },
    ])
    expect((await clinic.live.request('DELETE', `/customers/${made.body.id}`)).status).toBe(200)
    expect((await order(id)).approval).toMatchObject({ status: 'refused', npi: janes.npi })
    expect((await clinic.live.get(`/orders/${id}`)).text).not.toContain('warfarin')
    // Nor do its events and the audit have it, which nothing is taken out of.
    expect((await events(id)).at(-1)).toMatchObject({ type: 'order.canceled', data: { reason: '' } })
    const boss = await signIn(world, await person(world, 'business-admin', clinic))
    const audit = await boss.in(clinic).get(`/audit?objectID=${id}`)
    expect(audit.body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['order.refused', 'order.canceled']),
    )
    expect(audit.text).not.toContain('warfarin')
  })

  it('of the companies of the demo is listed, and counted for nobody to decide about', async () => {
    const made = await world.business({ name: DEMO_COMPANIES[0], credits: 10 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, made.id, [GUARDED], { minor: 9900 }))
    const count = async (who: SignedIn) => (await who.operator.get('/overview')).body.toApprove
    const own = await signIn(world, await person(world, 'provider'))
    const npi = '1770012346'
    const given = { name: 'Own Doe', npi, licensedIn: ['US-NY'], email: own.person.email }
    expect((await operator('POST', '/providers', given)).status).toBe(201)
    const before = [await count(jane), await count(own)]
    const { body } = await made.live.post('/create-order', guarded())
    expect(body.pending).toBe(true)
    expect((await operator('GET', `/approvals?businessID=${made.id}`)).body.pagination.total).toBe(1)
    expect([await count(jane), await count(own)]).toEqual(before)
  })

  it('is opened only with the page of the list that shows it', async () => {
    const other = await world.business({ credits: 10 })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => provision(tx, other.id, [GUARDED], { minor: 9900 }))
    const place = async () => (await other.live.post('/create-order', guarded())).body.orderId as string
    const [first, second] = [await place(), await place()]
    const page = (number: number) => jane.operator.get(`/approvals?businessID=${other.id}&size=1&page=${number}`)
    const owner = await world.owner()
    // What is not shown is not opened: it may be unreadable.
    const { rows } = await owner.query('select sealed from orders where id = $1', [second])
    await owner.query(`update orders set sealed = '\\x00' where id = $1`, [second])
    const { body, status } = await page(0)
    await owner.query('update orders set sealed = $2 where id = $1', [second, rows[0].sealed])
    expect([status, body.pagination?.total, body.data?.map((one: { orderID: string }) => one.orderID)]).toEqual([
      200,
      2,
      [first],
    ])
    expect((await page(1)).body.data).toMatchObject([{ orderID: second }])
  })

  it('is for its recipient, in the state for which it was approved: nobody else is registered for its kit', async () => {
    const id = await placed()
    await decide(jane, id, 'approve')
    await expect.poll(async () => (await order(id)).status).toBe('created')
    const [{ kitID }] = (await order(id)).kits
    const born = { email: 'ada@example.test', dateOfBirth: '1980-01-01', sex: 'F' }
    const register = (who: object) => clinic.live.post(`/kits/${kitID}/register`, { ...born, ...who })
    const home = { addressLine1: '1 Main Street', city: 'Los Angeles', state: 'CA', zip: '90001', country: 'US' }
    for (const who of [
      { firstName: 'Max', lastName: 'Other' },
      { firstName: 'Ada', lastName: 'Example', ...home },
    ]) {
      const { status, body } = await register(who)
      expect([status, body.code, body.error]).toEqual([409, 'ILLEGAL_TRANSITION', expect.stringContaining('approved')])
    }
    const at = recipients(world)
    const { done } = await at.register(kitID, { firstName: 'Max', lastName: 'Other' })
    expect(done.status).toBe(409)
    const married = { firstName: 'ADA', lastName: 'Married' }
    expect((await register(married)).body.error).toContain('isApprovedPerson')
    const said = (who: object) => clinic.live.post(`/kits/${kitID}/register?isApprovedPerson=true`, { ...born, ...who })
    expect((await said({ ...married, ...home })).status).toBe(409)
    expect((await said(married)).status).toBe(200)
    const boss = await signIn(world, await person(world, 'business-admin', clinic))
    const audit = await boss.in(clinic).get(`/audit?objectID=${kitID}&action=kit.approved_person_confirmed`)
    expect(audit.body.data).toHaveLength(1)
  })

  it('is for the person whose age and sex the provider was shown, and not for another one of that name', async () => {
    const email = `sam${Date.now()}@people.test`
    const known = { email, name: 'Sam Known', dateOfBirth: '1955-01-01', gender: 'M' }
    expect((await clinic.live.post('/customer', known)).status).toBe(201)
    const to = { ...recipient, email, first_name: 'Sam', last_name: 'Known', address: newYork }
    const [{ kitID }] = (await order(await approved({ recipient: to }))).kits
    const sam = { email: `other.${email}`, firstName: 'Sam', lastName: 'Known', dateOfBirth: '1955-01-01', sex: 'M' }
    const register = (who: object, query = '') =>
      clinic.live.post(`/kits/${kitID}/register${query}`, { ...sam, ...who })
    for (const other of [{ dateOfBirth: '2000-01-01' }, { sex: 'F' }, { email, dateOfBirth: '2000-01-01' }]) {
      const { status, body } = await register(other)
      expect([status, body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
      expect(body.error).toContain('isApprovedPerson')
    }
    const { body } = await register({})
    const change = { dateOfBirth: '2000-01-01' }
    const correct = (query = '') => clinic.live.request('PATCH', `/customers/${body.customerId}${query}`, change)
    expect((await correct()).status).toBe(409)
    expect((await correct('?isApprovedPerson=1')).status).toBe(200)
  })

  const kitsOf = async (quantity = 2) => {
    const to = { ...recipient, email: `tess${Date.now()}@people.test`, first_name: 'Tess', last_name: 'Quade' }
    const kit_types = [{ kitType: GUARDED, quantity }]
    const { kits } = await order(await approved({ kit_types, recipient: { ...to, address: newYork } }))
    return kits.map(({ kitID }: { kitID: string }) => kitID) as string[]
  }
  let count = 0
  const tess = (who: object = {}) => {
    const born = { dateOfBirth: '1980-05-05', sex: 'F', ...who }
    return { email: `quade${Date.now()}.${++count}@people.test`, firstName: 'Tess', lastName: 'Quade', ...born }
  }
  const register = (kitID = '', who = tess(), query = '') => clinic.live.post(`/kits/${kitID}/register${query}`, who)
  const correct = (id: number, change: object, query = '') =>
    clinic.live.request('PATCH', `/customers/${id}${query}`, change)
  /** Which checks the report of a kit has. */
  const of = async (kitID = '') => {
    const reportId = await recipients(world).report(clinic, kitID, { ldl: 90 })
    const { checks } = (await operator('GET', `/reports/${reportId}`)).body
    return checks.map(({ code }: { code: string }) => code)
  }

  it('of several kits is for one person: after the first, or at the same moment, nobody of another birth date or sex is registered', async () => {
    const [first, second] = await kitsOf()
    const woman = await register(first)
    expect(woman.status, woman.text).toBe(200)
    for (const other of [{ dateOfBirth: '1999-01-01', sex: 'M' }, { sex: 'M' }, { dateOfBirth: '1999-01-01' }]) {
      const { status, body } = await register(second, tess(other))
      expect([status, body.code, body.error]).toEqual([
        409,
        'ILLEGAL_TRANSITION',
        expect.stringContaining('another kit of the order'),
      ])
    }
    const said = await register(second, tess({ dateOfBirth: '1999-01-01', sex: 'M' }), '?isApprovedPerson=1')
    expect(said.status, said.text).toBe(200)
    for (const kitID of [first, second]) expect(await of(kitID), 'a person reads it first').toContain('notForPerson')

    const [one, other] = await kitsOf()
    const both = await Promise.all([register(one), register(other, tess({ sex: 'M' }))])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])

    const [mine, again] = await kitsOf()
    const same = tess()
    const { customerId } = (await register(mine, same)).body
    expect((await register(again, same)).body.customerId).toBe(customerId)
    const change = { dateOfBirth: '1980-05-06', gender: 'X' }
    const corrected = await clinic.live.request('PATCH', `/customers/${customerId}`, change)
    expect(corrected.status, 'in both kits, of whom the provider saw nothing').toBe(200)
  })

  it('of several kits stays for one person: no correction makes one of them another, whichever was first, or all reports wait', async () => {
    const [first, second, third] = await kitsOf(3)
    const [one, other] = [(await register(first)).body.customerId, (await register(second)).body.customerId]
    for (const id of [one, other])
      for (const change of [{ gender: 'M' }, { dateOfBirth: '1999-01-01' }, { gender: 'X' }]) {
        const { status, body } = await correct(id, change)
        expect([status, body.error]).toEqual([409, expect.stringContaining('another kit of the order')])
      }
    const ofOperator = `/businesses/${clinic.id}/customers/${one}`
    const man = { gender: 'M', dateOfBirth: '1999-01-01' }
    expect((await operator('PATCH', ofOperator, { ...man, reason: 'They telephoned' })).status).toBe(409)
    // Also one that would be published once it is acknowledged.
    const set = (publishAcknowledged: boolean) => clinic.live.request('PATCH', '/settings', { publishAcknowledged })
    await set(true)
    const reportId = await recipients(world).report(clinic, second ?? '', { glucose: 600 })
    expect((await correct(one, man, '?isApprovedPerson=1')).status).toBe(200)
    await readBackAll(clinic.live.request, reportId)
    await set(false)
    expect((await clinic.live.get(`/kits/${second}`)).body.kit.status).toBe('inReview')
    for (const who of [{}, { sex: 'M', dateOfBirth: '1999-01-01' }])
      expect((await register(third, tess(who))).status, 'agrees with one of the two').toBe(409)
    for (const kitID of [first, second]) expect(await of(kitID)).toContain('notForPerson')
  })

  it('of several kits is for one person, and X is neither sex for them: each of the two disagrees with it, and nothing is asked under the same e-mail', async () => {
    const [first, second, third] = await kitsOf(3)
    const mine = tess()
    const { customerId } = (await register(first, mine)).body
    expect((await correct(customerId, { gender: 'X' })).status).toBe(200)
    for (const sex of ['F', 'M']) expect((await register(second, tess({ sex }))).status).toBe(409)
    expect((await register(second, { ...mine, sex: 'M' })).body.customerId).toBe(customerId)
    expect(await of(second)).not.toContain('notForPerson')
    expect((await register(third, tess(), '?isApprovedPerson=1')).status).toBe(200)
    for (const kitID of [first, third]) expect(await of(kitID)).toContain('notForPerson')
  })

  it('of several kits, of which the person of one was erased, is registered further only where the business says that it is them, and a person reads it', async () => {
    const [first, second, third] = await kitsOf(3)
    const [one, other] = [(await register(first)).body.customerId, (await register(second)).body.customerId]
    expect((await clinic.live.request('DELETE', `/customers/${one}`)).status).toBe(200)
    for (const who of [{}, { dateOfBirth: '1999-01-01', sex: 'M' }]) {
      const { status, body } = await register(third, tess(who))
      expect([status, body.error]).toEqual([409, expect.stringContaining('erased')])
      expect(body.error).toContain('isApprovedPerson')
    }
    for (const change of [{ gender: 'M' }, { name: 'Bob Smith' }])
      expect((await correct(other, change)).status, JSON.stringify(change)).toBe(409)
    expect((await correct(other, { phone: '+12125550123' })).status).toBe(200)
    expect((await register(third, tess(), '?isApprovedPerson=1')).status).toBe(200)
    for (const kitID of [second, third]) expect(await of(kitID)).toContain('notForPerson')
  })

  it('stands for the date of birth and sex that the provider was shown, whoever corrects them, before or after the registration', async () => {
    const email = `shown${Date.now()}@people.test`
    const known = { email, name: 'Sam Shown', dateOfBirth: '1955-01-01', gender: 'M' }
    const { id } = (await clinic.live.post('/customer', known)).body
    const to = { ...recipient, email, first_name: 'Sam', last_name: 'Shown', address: newYork }
    const [{ kitID }] = (await order(await approved({ recipient: to }))).kits
    const correct = (change: object, query = '') => clinic.live.request('PATCH', `/customers/${id}${query}`, change)
    expect((await correct({ dateOfBirth: '2000-01-01', gender: 'F' })).status).toBe(200)
    const sam = { email, firstName: 'Sam', lastName: 'Shown', dateOfBirth: '2000-01-01', sex: 'F' }
    const refused = await clinic.live.post(`/kits/${kitID}/register`, sam)
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('date of birth or sex')])
    expect((await correct({ dateOfBirth: '1955-01-01', gender: 'M' })).status).toBe(200)
    const mine = { ...sam, dateOfBirth: '1955-01-01', sex: 'M' }
    const registered = await clinic.live.post(`/kits/${kitID}/register`, mine)
    expect(registered.body.customerId, registered.text).toBe(id)
    const change = { dateOfBirth: '2000-01-01' }
    expect((await correct(change)).status).toBe(409)
    const neither = await correct({ gender: 'X' })
    expect([neither.status, neither.body.error]).toEqual([409, expect.stringContaining('date of birth or sex')])
    const ofOperator = (query: string) =>
      operator('PATCH', `/businesses/${clinic.id}/customers/${id}${query}`, { ...change, reason: 'They telephoned' })
    expect((await ofOperator('')).status).toBe(409)
    expect((await ofOperator('?isApprovedPerson=1')).status).toBe(200)
    // Somebody said that it is the same person: the provider never saw them so, and a person reads the report first.
    const scanned = await operator('GET', `/fulfilment/kits/${kitID}`)
    expect(scanned.body.caution, scanned.text).toMatch(/as they are recorded now/)
    const reportId = await recipients(world).report(clinic, kitID, { ldl: 90 })
    expect((await operator('GET', `/reports/${reportId}`)).body.checks).toContainEqual(
      expect.objectContaining({ code: 'notForPerson', holds: true, message: expect.stringContaining('date of birth') }),
    )
  })

  it('is for nobody who is known to live in another state, whether that was known before the registration or after it', async () => {
    const email = `vera${Date.now()}@people.test`
    const { id } = (await clinic.live.post('/customer', { email, name: 'Vera Known' })).body
    const vermont = { street1: '1 Elm', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }
    const correct = (address: object) => clinic.live.request('PATCH', `/customers/${id}`, { address })
    expect((await correct(vermont)).status).toBe(200)
    const to = { ...recipient, email, first_name: 'Vera', last_name: 'Known', address: newYork }
    const [{ kitID }] = (await order(await approved({ recipient: to }))).kits
    const vera = { email, firstName: 'Vera', lastName: 'Known', dateOfBirth: '1980-01-01', sex: 'F' }
    const register = () => clinic.live.post(`/kits/${kitID}/register`, vera)
    const refused = await register()
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('for the state')])
    expect((await correct(newYork)).status).toBe(200)
    expect((await register()).status).toBe(200)
  })

  it('is for nobody who gives an initial in place of a name, and no report on another record', async () => {
    const [{ kitID }] = (await order(await approved())).kits
    const born = { email: `i${Date.now()}@people.test`, dateOfBirth: '1980-01-01', sex: 'F' }
    const register = (who: object) => clinic.live.post(`/kits/${kitID}/register`, { ...born, ...who })
    expect((await register({ firstName: 'Ada', lastName: 'Q' })).status).toBe(409)
    const hugo = { email: born.email, name: 'Hugo Else', dateOfBirth: born.dateOfBirth, gender: 'M' }
    expect((await clinic.live.post('/customer', hugo)).status).toBe(201)
    const { status, body } = await register({ firstName: 'Ada', lastName: 'Example' })
    expect([status, body.customerId]).toEqual([200, undefined])
  })

  it('stays with the person for whom it was approved: no correction takes it to somebody else, or to another state', async () => {
    const id = await approved()
    const [{ kitID }] = (await order(id)).kits
    const ada = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1980-01-01', sex: 'F' }
    const registered = await clinic.live.post(`/kits/${kitID}/register`, { ...ada, email: 'ada.c@example.test' })
    const correct = (change: object, query = '') =>
      clinic.live.request('PATCH', `/customers/${registered.body.customerId}${query}`, change)
    const bob = await correct({ name: 'Bob Smith', gender: 'M', dateOfBirth: '1960-01-01' })
    expect([bob.status, bob.body.error]).toEqual([409, expect.stringContaining('isApprovedPerson')])
    const vermont = { street1: '1 Elm', city: 'Burlington', state: 'VT', zip: '05401', country: 'US' }
    expect((await correct({ address: vermont }, '?isApprovedPerson=1')).status).toBe(409)
    expect((await correct({ dateOfBirth: '1980-01-02', address: newYork })).status).toBe(200)
    expect((await correct({ name: 'Ada Q. Example' })).status).toBe(200)
    expect((await correct({ name: 'Ada Married' }, '?isApprovedPerson=1')).status).toBe(200)
    // Nothing is said anew by a correction of something else.
    expect((await correct({ address: { ...newYork, street1: '2 Broadway' } })).status).toBe(200)
  })

  it.each([
    ['Lee', 'Lee'],
    ['Ann', 'Ann'],
    ['Bob Lee', 'Ann Smith'],
    ['Jose', 'Garcia', 'Maria Jose', 'Garcia Lopez'],
    ['Garcia', 'Lopez', 'Maria Jose', 'Garcia Lopez'],
  ])('is not for %s %s, who has only words of its recipient', async (firstName, lastName, ...name) => {
    const [first_name = 'Ann', last_name = 'Lee'] = name
    const [{ kitID }] = (
      await order(await approved({ recipient: { ...recipient, first_name, last_name, address: newYork } }))
    ).kits
    const born = { email: `${kitID}@example.test`, dateOfBirth: '1980-01-01', sex: 'F' }
    const register = (who: object) => clinic.live.post(`/kits/${kitID}/register`, { ...born, ...who })
    const refused = await register({ firstName, lastName })
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('isApprovedPerson')])
    const [shorter] = last_name.split(' ')
    expect(
      (await register({ firstName: shorter === 'Lee' ? `${first_name} Marie` : 'Maria', lastName: shorter })).status,
    ).toBe(200)
  })

  it('is for its person as they are named when a rejection is undone: a report on another name waits', async () => {
    await clinic.live.request('PATCH', '/settings', { publishing: 'auto' })
    const tested = async (correction: object, query = '') => {
      const [{ kitID }] = (await order(await approved())).kits
      const ada = {
        firstName: 'Ada',
        lastName: 'Example',
        dateOfBirth: '1980-01-01',
        sex: 'F',
        email: `${kitID}@x.test`,
      }
      const { body } = await clinic.live.post(`/kits/${kitID}/register`, ada)
      await operator('POST', '/samples/receive', { kitID })
      await operator('POST', '/samples/reject', { kitID, reason: 'hemolysis' })
      const corrected = await clinic.live.request('PATCH', `/customers/${body.customerId}${query}`, correction)
      expect(corrected.status, corrected.text).toBe(200)
      expect((await operator('POST', '/samples/undo-rejection', { kitID })).status).toBe(200)
      const scanned = (await operator('GET', `/fulfilment/kits/${kitID}`)).body
      await operator('POST', '/lab/results', { kitID, results: [{ name: 'LDL', value: 97, unit: 'mg/dL' }] })
      const [kit] = (await clinic.live.get(`/kits?kitID=${kitID}`)).body
      return [kit.status, scanned.caution?.includes('not for the person') ?? false]
    }
    expect(await tested({ name: 'Ann Else' })).toEqual(['inReview', true])
    expect(await tested({ name: 'Ann Else' }, '?isApprovedPerson=1')).toEqual(['published', false])
    expect(await tested({ name: 'Ada Q. Example' })).toEqual(['published', false])
    await clinic.live.request('PATCH', '/settings', { publishing: 'manual' })
  })

  it('goes to nobody of another name through a hold: the business says that it is the person approved', async () => {
    const [{ kitID }] = (await order(await approved())).kits
    const at = recipients(world)
    const email = at.newEmail()
    const ada = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1980-01-01', sex: 'F', email }
    const { body } = await clinic.live.post(`/kits/${kitID}/register`, ada)
    await operator('POST', '/samples/receive', { kitID })
    const held = await operator('POST', `/kits/${kitID}/hold`, { causes: ['nameDiffers'] })
    expect(held.status, held.text).toBe(200)
    await world.service.database.inRealm(
      (await world.service.database.asSystem({ name: 'cli' }, (tx) => realmsOf(tx, clinic.id))).live,
      { name: 'person' },
      (tx) => giveName(tx, kitID, { firstName: 'Ann', lastName: 'Else' }),
    )
    const mend = (more: object) => clinic.live.post(`/kits/${kitID}/hold/mend`, { name: 'approve', ...more })
    const refused = await mend({})
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('isApprovedPerson')])
    expect((await clinic.live.get(`/customers/${body.customerId}`)).body.name).toBe('Ada Example')
    expect((await mend({ isApprovedPerson: true })).status).toBe(200)
    expect((await clinic.live.get(`/customers/${body.customerId}`)).body.name).toBe('Ann Else')
  })

  it.each<Record<string, string>>([
    { state: 'NJ' },
    { country: 'DE' },
    { zip: '62701' },
    { state: 'NY', zip: '90210' },
    { addressLine1: '1 Elm', city: 'Springfield' },
    { addressLine1: '1 Elm', city: 'Springfield', zip: '62701', country: 'US' },
  ])(
    'is not for who says %j of where they live: each part that is given agrees with the state for which it was approved',
    async (home) => {
      const [{ kitID }] = (await order(await approved())).kits
      const ada = { firstName: 'Ada', lastName: 'Example', email: `${kitID}@example.test`, dateOfBirth: '1980-01-01' }
      const register = (more: object) => clinic.live.post(`/kits/${kitID}/register`, { ...ada, sex: 'F', ...more })
      const refused = await register(home)
      expect([refused.status, refused.body.error]).toEqual([
        409,
        expect.stringContaining('approved this test for the state'),
      ])
      const { status, text, body } = await register({ zip: '10004' })
      expect(status, text).toBe(200)
      const { addressLine1: street1, ...rest } = home
      const corrected = await clinic.live.request('PATCH', `/customers/${body.customerId}`, {
        address: { street1: street1 ?? '1 Elm', city: 'Springfield', ...rest },
      })
      expect(corrected.status, corrected.text).toBe(409)
    },
  )

  it.each([
    [
      ['María José', 'García López'],
      ['Maria', 'Garcia'],
    ],
    [
      ['Nora', 'Quinn'],
      ['Mary Nora', 'Quinn-Smith'],
    ],
    [
      ['Nora J.', 'Quinn'],
      ['Nora', 'Quinn'],
    ],
    [
      ['Nora', 'Quinn'],
      ['Quinn', 'Nora'],
    ],
  ])('%s registers as %s: names are compared as they are where a laboratory sends results', async (sent, given) => {
    const [first_name, last_name] = sent
    const id = await approved({ recipient: { ...recipient, first_name, last_name, address: newYork } })
    const born = { email: `n${Date.now()}@example.test`, dateOfBirth: '1980-01-01', sex: 'F' }
    const [{ kitID }] = (await order(id)).kits
    const { status, text } = await clinic.live.post(`/kits/${kitID}/register`, {
      ...born,
      firstName: given[0],
      lastName: given[1],
    })
    expect(status, text).toBe(200)
  })

  it.each<[string, object, object]>([
    ['its panel is no longer offered there', { notOfferedIn: ['US-NY'] }, { notOfferedIn: null }],
    ['it has more kits than one order may have', { maxPerOrder: 1 }, { maxPerOrder: null }],
    ['its recipient is known to be too young', { minAge: 60 }, { minAge: 18 }],
    ['its recipient is known to be too old', { maxAge: 20 }, { maxAge: null }],
    ['its recipient is known to be of another sex', { sex: 'M' }, { sex: null }],
  ])('is not approved where %s, the queue says why, and it can still be refused', async (_, rule, without) => {
    const email = `rule${Date.now()}@people.test`
    const known = { email, name: 'Ada Example', dateOfBirth: '1990-01-01', gender: 'F' }
    expect((await clinic.live.post('/customer', known)).status).toBe(201)
    const kit_types = [{ kitType: GUARDED, quantity: 2 }]
    const id = await placed({ kit_types, recipient: { ...recipient, email, address: newYork } })
    await operator('PATCH', `/panels/${GUARDED}`, rule)
    const { status, body } = await decide(jane, id, 'approve')
    expect([status, body.code]).toEqual([400, 'ORDER_NOT_ALLOWED'])
    const why = { mayApprove: false, whyNot: body.error }
    expect((await waiting()).find(({ orderID }: { orderID: string }) => orderID === id)).toMatchObject(why)
    expect((await jane.operator.get(`/approvals/${id}`)).body).toMatchObject(why)
    await operator('PATCH', `/panels/${GUARDED}`, without)
    expect((await jane.operator.get(`/approvals/${id}`)).body).not.toHaveProperty('whyNot')
    expect((await decide(jane, id, 'refuse', { reason: 'Not indicated' })).status).toBe(200)
  })

  it('of somebody who was erased is refused only, and a pending one is not paid', async () => {
    const email = `erased${Date.now()}@people.test`
    const whose = { recipient: { ...recipient, email, address: newYork } }
    const id = await placed(whose)
    const unpaid = await clinic.live.post(
      '/create-order',
      guarded({ ...whose, kit_types: [{ kitType: CORE, quantity: 150 }] }),
    )
    const made = await clinic.live.post('/customer', { name: 'Ada Example', email })
    expect((await clinic.live.request('DELETE', `/customers/${made.body.id}`)).status).toBe(200)
    const refused = await decide(jane, id, 'approve')
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('erased')])
    expect((await jane.operator.get(`/approvals/${id}`)).body.whyNot).toBe(refused.body.error)
    expect((await decide(jane, id, 'refuse', { reason: 'Erased' })).status).toBe(200)
    expect([unpaid.status, unpaid.body.pending]).toEqual([201, true])
    await world.grant(clinic, CORE, 150)
    expect((await clinic.live.post(`/orders/${unpaid.body.orderId}/pay`, { paymentMethod: 'credits' })).status).toBe(
      409,
    )
  })

  it('waits where a plan places it, too', async () => {
    const firstDate = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const who = { ...recipient, address: newYork }
    const plan = aPlan(firstDate, { recipient: who, kit_types: [{ kitType: GUARDED }], externalID: 'of-a-plan' })
    expect((await clinic.sandbox.post('/plans', plan)).status).toBe(201)
    expect((await clinic.sandbox.post('/sandbox/clock', { advance: 'P3D' })).status).toBe(200)
    await placePlansOf(world)
    const ordered = async () => (await clinic.sandbox.get('/orders?externalID=of-a-plan')).body.data
    await expect.poll(ordered).toMatchObject([{ status: 'pending', approval: { status: 'waiting' }, kits: [] }])
  })
})
