import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kitEvents } from '../harness/kit-events.ts'
import { openSample } from '../harness/sample.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const CORE = 'ED1NL4E3L'
// Of what each status and each scenario can come after.
const ONE_OF = 3

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

const recipient = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.com',
  address: { street1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
}

async function order(clinic: TestBusiness, kitType = CORE, quantity = 1) {
  const made = await clinic.sandbox.post('/create-order', { recipient, kit_types: [{ kitType, quantity }] })
  expect(made.status, made.text).toBe(201)
  const { body } = await clinic.sandbox.get(`/kits?orderID=${made.body.orderId}`)
  return { orderId: String(made.body.orderId), kitIds: body.map((kit: { kitID: string }) => kit.kitID) as string[] }
}

async function kitOf(clinic: TestBusiness, kitType = CORE): Promise<string> {
  const [kitId] = (await order(clinic, kitType)).kitIds
  return String(kitId)
}

const advance = (clinic: TestBusiness, kitId: string, body: unknown) =>
  clinic.sandbox.post(`/sandbox/kits/${kitId}/advance`, body)

const scenario = (clinic: TestBusiness, kitId: string, name: string) =>
  clinic.sandbox.post(`/sandbox/kits/${kitId}/scenario`, { scenario: name })

const happened = (kit: { progress: { type: string; date?: string }[] }) =>
  kit.progress.filter(({ date }) => date).map(({ type }) => type)

async function reportIdOf(clinic: TestBusiness, customerId: number): Promise<string> {
  const { body } = await clinic.sandbox.get(`/customers/${customerId}`)
  return body.reports[0].id
}

describe('advancing', () => {
  test('a mock kit goes from the order to a published report, with the events of a live one', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const shipped = await advance(clinic, kitId, { status: 'kitInTransit' })
    expect(shipped.body.shipment.toUser.trackingNumber).toMatch(/^TEST\d{18}$/)
    const received = await advance(clinic, kitId, { status: 'arrivedAtLab' })
    expect(received.body).toMatchObject({ kitStatus: 'collected', sampleStatus: 'received', status: 'notStarted' })
    expect(received.body.shipment.toLab.carrier).toBe('USPS')
    const { customerID } = received.body
    const ready = await advance(clinic, kitId, { status: 'reportReady' })
    expect(ready.body).toMatchObject({ sampleStatus: 'resulted', status: 'inReview', customerID })
    const reportId = await reportIdOf(clinic, customerID)
    expect((await clinic.sandbox.get(`/customers/${customerID}/reports/${reportId}`)).status).toBe(404)
    const published = await scenario(clinic, kitId, 'published')
    expect(published.body).toMatchObject({ sampleStatus: 'resulted', status: 'published' })
    const report = await clinic.sandbox.get(`/customers/${customerID}/reports/${reportId}`)
    expect(report.status, report.text).toBe(200)
    expect(report.body.biomarker).toHaveLength(27)

    const owner = await world.owner()
    const steps = await kitEvents(world.service.database, kitId)
    expect(steps.map(({ sequence }) => sequence)).toEqual(steps.map((_, index) => index + 1))
    expect(steps.map(({ data }) => data.event)).toEqual([
      ...['kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit', 'sampleReceived'],
      ...['reportReady', 'reportReady'],
    ])
    const { rows: announced } = await owner.query(
      `select data from events where kit_id = $1 and type = 'report.published'`,
      [kitId],
    )
    expect(announced.map((row) => row.data)).toMatchObject([
      { reportID: reportId, kitID: kitId, customerID, version: 1 },
    ])
  })

  test('results set exact values by id, label, alias or LOINC code, and what follows from them is computed', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const results = [
      { biomarker: 'hba1c', result: 39, unit: 'mmol/mol' },
      { biomarker: 'Glucose (fasting)', result: 5, unit: 'mmol/L' },
      { biomarker: '20448-7', result: 9 },
      { biomarker: 'hs_crp', result: '<0.3', unit: 'mg/L' },
    ]
    const ready = await advance(clinic, kitId, { status: 'reportReady', results })
    expect(ready.status, ready.text).toBe(200)
    await scenario(clinic, kitId, 'published')
    const reportId = await reportIdOf(clinic, ready.body.customerID)
    const { body } = await clinic.sandbox.get(`/customers/${ready.body.customerID}/reports/${reportId}`)
    const marker = (id: string) => body.biomarker.find((entry: { id: string }) => entry.id === id)
    expect(marker('hba1c')).toMatchObject({ result: 5.7, rawResult: 39, rawUnit: 'mmol/mol', interpretation: 'H' })
    expect(marker('glucose')).toMatchObject({ result: 90, unit: 'mg/dL', rawUnit: 'mmol/L' })
    expect(marker('insulin')).toMatchObject({ result: 9, type: 'measured' })
    expect(marker('homa_ir')).toMatchObject({ result: 2, type: 'calculated' })
    expect(marker('hs_crp')).toMatchObject({ result: 0.3, comparator: '<', rawText: '<0.3' })
    expect(body.suggestions.flatMap((suggestion: { biomarkers: string[] }) => suggestion.biomarkers)).toContain('hba1c')
  })

  test('results that name no biomarker, or come with another status, are refused and change nothing', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const unknown = await advance(clinic, kitId, {
      status: 'reportReady',
      results: [{ biomarker: 'phlogiston', result: 1 }],
    })
    expect(unknown).toMatchObject({ status: 400, body: { details: [{ path: 'results.0.biomarker' }] } })
    const early = await advance(clinic, kitId, { status: 'kitDelivered', results: [] })
    expect(early).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    const { body } = await clinic.sandbox.get(`/kits?kitID=${kitId}`)
    expect(body[0]).toMatchObject({ kitStatus: 'preparing' })
  })

  test('moving backward takes back the later steps, their parcels and the report, and before registration the person', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const published = await scenario(clinic, kitId, 'published')
    const { customerID } = published.body
    const back = await advance(clinic, kitId, { status: 'arrivedAtLab' })
    expect(back).toMatchObject({ status: 200, body: { sampleStatus: 'received', status: 'notStarted', customerID } })
    expect(happened(back.body).at(-1)).toBe('sampleReceived')
    expect((await clinic.sandbox.get(`/customers/${customerID}`)).body.reports).toEqual([])
    const start = await advance(clinic, kitId, { status: 'kitDelivered' })
    expect(start.body.customerID).toBeUndefined()
    expect(happened(start.body)).toEqual(['orderPlaced', 'kitPreparing', 'kitInTransit', 'kitDelivered'])
    expect(Object.keys(start.body.shipment)).toEqual(['toUser'])
    const first = await advance(clinic, kitId, { status: 'orderPlaced' })
    expect(first.body).toMatchObject({ kitStatus: 'preparing' })
    expect(first.body.shipment).toBeUndefined()
    // The feed waits a moment for older transactions in any database of the server.
    const eventTypes = async () => {
      const { body: feed } = await clinic.sandbox.get('/events?type=kit.updated&size=250')
      return feed.data.map(({ data }: { data: { event: string } }) => data.event).slice(-3)
    }
    await expect.poll(eventTypes).toEqual(['sampleReceived', 'kitDelivered', 'orderPlaced'])
    const again = await advance(clinic, kitId, { status: 'reportReady' })
    expect(again.body).toMatchObject({ sampleStatus: 'resulted', customerID })
  })

  test('every status is reached from every other, and the one that a kit has is 200 and changes nothing', async () => {
    const clinic = await world.business()
    const statuses = [
      ...['orderPlaced', 'kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit'],
      ...['sampleReceived', 'reportReady', 'sampleRejected', 'deliveryException', 'collectionException'],
      'registrationException',
    ]
    const kitId = await kitOf(clinic)
    const owner = await world.owner()
    const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })))
    for (const { from, to } of openSample('statuses of the sandbox').draw(pairs, (pair) => pair.to, ONE_OF)) {
      for (const status of [from, to]) {
        const moved = await advance(clinic, kitId, { status, force: true })
        expect(moved.status, `${from}, ${to}: ${moved.text}`).toBe(200)
      }
      const before = await eventCount(owner, kitId)
      const retried = await advance(clinic, kitId, { status: to })
      expect(retried.status).toBe(200)
      expect(await eventCount(owner, kitId), `${from}, ${to} again`).toBe(before)
    }
  })

  async function eventCount(owner: Client, kitId: string): Promise<number> {
    return (await owner.query('select 1 from events where kit_id = $1', [kitId])).rows.length
  }

  test('exceptions are reached too, and a canceled kit goes nowhere', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const exception = await advance(clinic, kitId, { status: 'collectionException', reason: 'no blood' })
    expect(exception.body).toMatchObject({ sampleStatus: 'collectionException', exceptionReason: 'no blood' })
    const canceled = await advance(clinic, await kitOf(clinic), { status: 'canceled' })
    expect(canceled.body).toMatchObject({ kitStatus: 'canceled', allowed: [] })
    expect((await advance(clinic, canceled.body.kitID, { status: 'canceled' })).status).toBe(200)
    for (const status of ['reportReady', 'orderPlaced', 'deliveryException']) {
      const refused = await advance(clinic, canceled.body.kitID, { status, force: true })
      expect(refused).toMatchObject({ status: 409, body: { code: 'ILLEGAL_TRANSITION', current: 'canceled' } })
    }
  })

  test('where a consent is required, the made-up person gives one', async () => {
    const clinic = await world.business()
    await clinic.sandbox.request('PATCH', '/settings', { requireConsent: true })
    const registered = await advance(clinic, await kitOf(clinic), { status: 'registered' })
    expect(registered.body).toMatchObject({ kitStatus: 'registered' })
  })
})

describe('scenarios', () => {
  const shows: Record<string, object> = {
    shipped: { kitStatus: 'inTransit' },
    delivered: { kitStatus: 'delivered' },
    registered: { kitStatus: 'registered', sampleStatus: 'awaitingCollection' },
    sampleSaid: { kitStatus: 'registered', sampleStatus: 'awaitingCollection' },
    sampleReturned: { kitStatus: 'collected', sampleStatus: 'inTransit' },
    resulted: { sampleStatus: 'resulted', status: 'inReview' },
    published: { sampleStatus: 'resulted', status: 'published' },
    partiallyResulted: { sampleStatus: 'partiallyResulted', status: 'inReview' },
    abnormal: { sampleStatus: 'resulted', status: 'inReview' },
    rejected: { sampleStatus: 'rejected', status: 'rejected' },
    held: { kitStatus: 'collected', sampleStatus: 'received' },
    labOrderRefused: { kitStatus: 'registered', sampleStatus: 'awaitingCollection' },
    labOrderAccepted: { kitStatus: 'registered', sampleStatus: 'awaitingCollection' },
    recalled: { kitStatus: 'registered', sampleStatus: 'awaitingCollection' },
    deliveryException: { kitStatus: 'deliveryException' },
    returnedBox: { kitStatus: 'deliveryException', exceptionReason: 'The parcel came back to the sender' },
    lost: { kitStatus: 'deliveryException', exceptionReason: 'lost' },
  }

  test('every scenario is listed with words and leaves a new kit where it says', async () => {
    const clinic = await world.business()
    const { body: listed } = await clinic.sandbox.get('/sandbox/scenarios')
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(Object.keys(shows))
    for (const { name, description } of listed) {
      expect(description).toMatch(/\.$/)
      const played = await scenario(clinic, await kitOf(clinic), name)
      expect(played, name).toMatchObject({ status: 200, body: shows[name] })
    }
  })

  test('a kit can be sent through any scenario after any other', async () => {
    const clinic = await world.business()
    const kitId = await kitOf(clinic)
    const firsts = ['delivered', 'registered', 'published', 'partiallyResulted', 'rejected', 'lost']
    const pairs = firsts.flatMap((first) => Object.keys(shows).map((then) => ({ first, then })))
    for (const { first, then } of openSample('scenarios').draw(pairs, (pair) => pair.then, ONE_OF)) {
      const before = await scenario(clinic, kitId, first)
      expect(before, first).toMatchObject({ status: 200, body: shows[first] })
      const after = await scenario(clinic, kitId, then)
      expect(after, `${first}, ${then}: ${after.text}`).toMatchObject({ status: 200, body: shows[then] })
    }
  })

  test('every panel gets a complete report, and an abnormal one says so', async () => {
    const clinic = await world.business({ panels: 'all' })
    const { body: panels } = await clinic.sandbox.get('/panels')
    for (const { kitType } of panels) {
      const kit = await scenario(clinic, await kitOf(clinic, kitType), 'resulted')
      expect(kit, kitType).toMatchObject({ status: 200, body: { sampleStatus: 'resulted' } })
    }
    const kitId = await kitOf(clinic)
    await scenario(clinic, kitId, 'abnormal')
    const { body } = await scenario(clinic, kitId, 'published')
    const reportId = await reportIdOf(clinic, body.customerID)
    const report = await clinic.sandbox.get(`/customers/${body.customerID}/reports/${reportId}`)
    expect(report.body.suggestions.length).toBeGreaterThan(0)
  })
})

describe('clearing up', () => {
  test('a deleted order goes with its kits, reports and history', async () => {
    const clinic = await world.business()
    const { orderId, kitIds } = await order(clinic, CORE, 2)
    await scenario(clinic, String(kitIds[0]), 'published')
    const kept = await order(clinic)
    const { status, body } = await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderId}`)
    expect(status).toBe(200)
    expect(body.deleted).toMatchObject({ orders: 1, kits: 2, reports: 1 })
    expect(body.deleted.webhooks).toBeGreaterThan(7)
    expect((await clinic.sandbox.get(`/orders/${orderId}`)).status).toBe(404)
    const { body: kits } = await clinic.sandbox.get('/sandbox/kits')
    expect(kits.map((kit: { kitID: string }) => kit.kitID)).toEqual(kept.kitIds)
    const again = await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderId}`)
    expect(again).toMatchObject({ status: 404, body: { code: 'ORDER_NOT_FOUND' } })
  })

  test('a reset empties the sandbox and brings its credits back to 1,000 of each type', async () => {
    const clinic = await world.business()
    await scenario(clinic, await kitOf(clinic), 'published')
    await order(clinic, CORE, 5)
    const { status, body, text } = await clinic.sandbox.post('/sandbox/reset')
    expect(status, text).toBe(200)
    expect(body.deleted).toMatchObject({ orders: 2, kits: 6, reports: 1 })
    expect((await clinic.sandbox.get('/sandbox/kits')).body).toEqual([])
    expect((await clinic.sandbox.get('/customers')).body).toEqual([])
    const { body: credits } = await clinic.sandbox.get('/credits')
    expect(credits.map((entry: { credits: number }) => entry.credits)).toEqual([1000, 1000])
    expect((await scenario(clinic, await kitOf(clinic), 'published')).status).toBe(200)
  })
})

describe('live', () => {
  const routes: [string, string][] = [
    ['POST', '/sandbox/kits/K000000000/advance'],
    ['POST', '/sandbox/kits/K000000000/scenario'],
    ['GET', '/sandbox/scenarios'],
    ['GET', '/sandbox/kits'],
    ['DELETE', '/sandbox/orders/O000000000'],
    ['POST', '/sandbox/reset'],
  ]

  test.each(routes)('%s %s answers a live token with 403', async (method, path) => {
    const clinic = await world.business()
    const answer = await clinic.live.request(method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status: 403, body: { code: 'SANDBOX_TOKEN_REQUIRED' } })
  })

  test('a hundred sandbox calls leave live data and balances as they were', async () => {
    const clinic = await world.business({ credits: 10 })
    await clinic.live.post('/create-order', { recipient, kit_types: [{ kitType: CORE, quantity: 2 }] })
    const { body: liveKits } = await clinic.live.get('/kits')
    const before = await snapshot(clinic)
    for (const { kitID } of liveKits) {
      expect((await advance(clinic, kitID, { status: 'reportReady', force: true })).status).toBe(404)
      expect((await scenario(clinic, kitID, 'published')).status).toBe(404)
    }
    const [{ orderID }] = liveKits
    expect((await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderID}`)).status).toBe(404)
    const { kitIds } = await order(clinic, CORE, 5)
    for (const kitId of kitIds) {
      for (const name of ['shipped', 'registered', 'rejected', 'published', 'lost', 'partiallyResulted', 'abnormal']) {
        expect((await scenario(clinic, kitId, name)).status).toBe(200)
        expect((await clinic.sandbox.get('/kits')).status).toBe(200)
      }
    }
    for (let call = 0; call < 25; call++) await order(clinic)
    await clinic.sandbox.post('/sandbox/reset')
    expect(await snapshot(clinic)).toEqual(before)
  })

  async function snapshot(clinic: TestBusiness) {
    const owner = await world.owner()
    const tables = ['customers', 'orders', 'kits', 'reports', 'events', 'audit_entries', 'credit_transfers']
    const counts: Record<string, string> = {}
    for (const table of tables) {
      const { rows } = await owner.query(
        `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) || ' ' || count(*) as state
         from ${table} t join realms r on r.id = t.realm_id where r.business_id = $1 and r.mode = 'live'`,
        [clinic.id],
      )
      counts[table] = rows[0].state
    }
    return { counts, credits: (await clinic.live.get('/credits')).body, kits: (await clinic.live.get('/kits')).body }
  }
})
