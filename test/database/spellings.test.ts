import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder, aRow, CARDIO, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

const orderOf = async (id: string) => (await clinic.sandbox.get(`/orders/${id}`)).body

describe('a field in another spelling of its name', () => {
  it('counts in an order, in its lines and in its recipient', async () => {
    const { recipient } = anOrder()
    const { first_name: firstName, last_name: lastName, ...rest } = recipient
    const placed = await clinic.sandbox.post('/create-order', {
      recipient: { firstName, lastName, ...rest },
      kitTypes: [{ kit_type: CORE, quantity: 2 }],
      external_id: 'ours-7',
      external_tags: 'a, b',
      payment_method: 'card',
    })
    expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('orderId')])
    expect(await orderOf(placed.body.orderId)).toMatchObject({
      quantity: 2,
      recipientName: `${firstName} ${lastName}`,
      externalID: 'ours-7',
      externalTags: ['a', 'b'],
      payment: { method: 'card' },
    })
  })

  it('counts in a row and in the flat payload', async () => {
    const { kit_type, ...flat } = aRow()
    const { first_name: firstName, ...row } = flat
    const bulk = await clinic.sandbox.post('/create-order', {
      bulkUploadData: [{ ...row, firstName, kitType: kit_type, externalID: 'row-1', externalTags: ['x'] }],
    })
    expect(bulk.status).toBe(201)
    expect(await orderOf(bulk.body.orderIds[0])).toMatchObject({ externalID: 'row-1', externalTags: ['x'] })
    const legacy = await clinic.sandbox.post('/legacy/create-order', { ...flat, kit_type, external_id: 'flat-1' })
    expect(legacy.status).toBe(201)
    expect(await orderOf(legacy.body.orderId)).toMatchObject({ externalID: 'flat-1', sku: kit_type })
  })

  it('counts in a registration and in added data', async () => {
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    const [{ kitID }] = (await clinic.sandbox.get(`/kits?order_id=${orderId}`)).body
    const registered = await clinic.sandbox.post(`/kits/${kitID}/register`, {
      first_name: 'Bo',
      last_name: 'Tester',
      email: 'bo@example.test',
      date_of_birth: '1980-02-29',
      sex: 'F',
      externalID: 'bo-1',
    })
    expect([registered.status, registered.text]).toEqual([200, expect.stringContaining('customerId')])
    expect((await clinic.sandbox.get('/customers/bo-1')).body.dateOfBirth).toBe('1980-02-29')
    const added = await clinic.sandbox.post('/customer/add-data', {
      type: 'quiz',
      user_id: 'bo-1',
      quiz_name: 'Sleep',
      date: '2026-01-05',
      quiz_data: [{ question: 'How long?', answer: 8 }],
    })
    expect(added.status).toBe(201)
  })

  it('does not count beside the name itself', async () => {
    const placed = await clinic.sandbox.post('/create-order', anOrder({ externalID: 'right', external_id: 'other' }))
    expect((await orderOf(placed.body.orderId)).externalID).toBe('right')
  })

  it('is named as in the documents when it is wrong', async () => {
    const { status, body } = await clinic.sandbox.post(
      '/create-order',
      anOrder({ is_notify_receiver: 'often', kit_types: { kit_type: 5 } }),
    )
    expect([status, body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['kit_types.0.kitType', 'is_notify_receiver'],
    ])
  })
})

describe('a parameter in another spelling of its name', () => {
  it('filters, instead of being ignored', async () => {
    const own = await world.business()
    await own.sandbox.post('/create-order', anOrder({ externalID: 'one' }))
    const { body } = await own.sandbox.post(
      '/create-order',
      anOrder({ externalID: 'two', kit_types: [{ kitType: CARDIO }] }),
    )
    const ids = async (query: string) =>
      (await own.sandbox.get(`/orders?${query}`)).body.data.map(({ orderID }: { orderID: string }) => orderID)
    expect(await ids('external_id=two')).toEqual([body.orderId])
    expect(await ids('externalId=two')).toEqual([body.orderId])
    expect(await ids(`SKU=${CARDIO}`)).toEqual([body.orderId])
    expect(await ids('kit_status=delivered')).toEqual([])
    expect(await ids('order_date_start=2199-01-01')).toEqual([])
    const kits = await own.sandbox.get(`/kits?order_id[]=${body.orderId}`)
    expect(kits.body.map(({ orderID }: { orderID: string }) => orderID)).toEqual([body.orderId])
  })

  it('makes a dry run, also as a bare flag or in the words of other languages', async () => {
    const own = await world.business()
    for (const flag of ['dry_run=true', 'dryRun', 'dryRun=', 'dryRun=True', 'dryRun=TRUE', 'dryRun=1']) {
      const { status, body } = await own.sandbox.post(`/create-order?${flag}`, anOrder())
      expect([flag, status, body.valid]).toEqual([flag, 200, true])
    }
    for (const flag of [{ dryRun: true }, { dry_run: 'true' }, { 'dry-run': 1 }]) {
      const { status, body } = await own.sandbox.post('/create-order', { ...anOrder(), ...flag })
      expect([flag, status, body.details]).toEqual([
        flag,
        400,
        [expect.objectContaining({ message: 'Belongs into the address: send ?dryRun=true. Nothing was done' })],
      ])
    }
    const ada = { name: 'Ada', email: 'ada@example.test' }
    for (const [query, body] of [
      ['', { ...ada, dryRun: true }],
      ['?dryRun', ada],
      ['?dryRun=', ada],
      ['?DRYRUN', ada],
      ['?dry-run=yes', ada],
    ] as const) {
      const reply = await own.sandbox.post(`/customers${query}`, body)
      const said = 'This request cannot be tried: nothing was done'
      expect([query, reply.status, reply.body.details?.[0]?.message]).toEqual([query, 400, said])
    }
    expect((await own.sandbox.get('/customers')).body).toEqual([])
    expect((await own.sandbox.get('/orders')).body.pagination.total).toBe(0)
    expect((await own.sandbox.post('/create-order?dryRun=False', { ...anOrder(), dryRun: false })).status).toBe(201)
  })
})

describe('a time in a query', () => {
  it('may come with its + as it is, which addresses read as a space', async () => {
    const later = '2199-01-01T00:00:00+02:00'
    for (const query of [
      `orderDateStart=${later}`,
      `updatedSince=${later}`,
      `orderDateStart=${encodeURIComponent(later)}`,
    ]) {
      const { status, body } = await clinic.sandbox.get(`/orders?${query}`)
      expect([query, status, body.data]).toEqual([query, 200, []])
    }
  })

  it('that cannot be read is answered what may be sent', async () => {
    const { status, body } = await clinic.sandbox.get('/orders?orderDateStart=yesterday')
    expect([status, body.details]).toEqual([
      400,
      [expect.objectContaining({ path: 'orderDateStart', message: expect.stringContaining('RFC 3339') })],
    ])
  })
})

it('an address may end with a slash', async () => {
  expect((await clinic.sandbox.get('/orders/')).status).toBe(200)
  expect((await clinic.sandbox.post('/create-order/?dryRun=true', anOrder())).status).toBe(200)
  expect((await clinic.sandbox.get('//orders')).status).toBe(404)
})

it('an empty page beside named orders counts as left out: all their kits come', async () => {
  const { body } = await clinic.sandbox.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 60 }] }))
  expect((await clinic.sandbox.get(`/kits?orderID=${body.orderId}&page=`)).body).toHaveLength(60)
})

describe('what may be of several kinds', () => {
  it('is refused in words when it is missing or of another kind', async () => {
    const added = await clinic.sandbox.post('/customer/add-data', {
      type: 'quiz',
      userId: true,
      quizName: 'q',
      quizData: [{ question: 'q', answer: null }],
    })
    const told = added.body.details.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`)
    expect(told).toEqual([
      'userId: Send a number or a text, not true or false',
      'date: Is missing: send YYYY-MM-DD, or an RFC 3339 timestamp; 1900 to 2199',
      expect.stringMatching(/^quizData\.0\.answer: Send a text/),
    ])
  })

  it('a result without a unit may say null', async () => {
    const { id } = (await clinic.sandbox.post('/customers', { name: 'U N', email: `u${Math.random()}@example.test` }))
      .body
    const added = await clinic.sandbox.post('/customer/add-data', {
      type: 'test',
      userId: id,
      date: '2026-01-05',
      biomarkerData: [{ name: 'Nothing known', result: 'negative', unit_of_measure: null }],
    })
    expect([added.status, added.body.unmatched]).toEqual([201, ['Nothing known']])
  })
})
