import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '../harness/caller.ts'
import { anOrder, aRow, CARDIO, CORE, recipient } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

/** Retries after 503 as a client that heeds Retry-After does. A 503 placed nothing. */
async function insist(send: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    expect(answer.headers.get('retry-after')).toBe('1')
    await setTimeout(1000)
  }
}

async function credits(clinic: TestBusiness, type = CORE): Promise<number> {
  const { body } = await clinic.live.get('/credits')
  return body.find((entry: { type: string }) => entry.type === type).credits ?? 0
}

describe('a single order', () => {
  it('is placed with credits, costs one credit a kit, and makes its kits', async () => {
    const clinic = await world.business({ credits: 5 })
    const { status, body } = await clinic.live.post(
      '/create-order',
      anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }], externalID: 'crm-7', externalTags: 'vip, north' }),
    )
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual(['orderId'])
    expect(await credits(clinic)).toBe(3)
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order).toMatchObject({
      orderID: body.orderId,
      status: 'created',
      orderStatus: 'preparing',
      sku: CORE,
      quantity: 2,
      items: [{ kitType: CORE, quantity: 2 }],
      recipientEmail: 'ada@example.test',
      recipientName: 'Ada Example',
      recipientAddress: { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
      externalID: 'crm-7',
      externalTags: ['vip', 'north'],
      isNotifyReceiver: false,
      isTest: false,
      payment: { method: 'credits', status: 'paid' },
    })
    expect(order.kits).toHaveLength(2)
    expect(order.kits[0]).toMatchObject({
      kitType: CORE,
      kitStatus: 'preparing',
      sampleStatus: 'awaitingCollection',
      status: 'notStarted',
    })
  })

  it('of several kit types takes each type from its own credits', async () => {
    const clinic = await world.business({ credits: 3 })
    const kit_types = [{ kitType: CORE }, { kitType: CARDIO, quantity: 2 }, { kitType: CORE }]
    const { body } = await clinic.live.post('/create-order', anOrder({ kit_types }))
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order.sku).toBe('MIXED')
    expect(order.kits).toHaveLength(4)
    expect(await credits(clinic, CORE)).toBe(1)
    expect(await credits(clinic, CARDIO)).toBe(1)
  })

  it('is found whatever the case of its ID, and a foreign or mistyped ID is not found', async () => {
    const clinic = await world.business()
    const other = await world.business()
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    expect((await clinic.live.get(`/orders/${orderId.toLowerCase()}`)).status).toBe(200)
    const foreign = await other.live.get(`/orders/${orderId}`)
    const unknown = await other.live.get('/orders/O000000000')
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  it('accepts is_notify_receiver, external_id and external_tags of the recipient, and top-level names win', async () => {
    const clinic = await world.business()
    const person = { ...recipient, external_id: 'inner', external_tags: ['a'] }
    const first = (await clinic.live.post('/create-order', anOrder({ recipient: person, is_notify_receiver: true })))
      .body
    expect((await clinic.live.get(`/orders/${first.orderId}`)).body).toMatchObject({
      externalID: 'inner',
      externalTags: ['a'],
      isNotifyReceiver: true,
    })
    const second = (await clinic.live.post('/create-order', anOrder({ recipient: person, externalID: 'outer' }))).body
    expect((await clinic.live.get(`/orders/${second.orderId}`)).body.externalID).toBe('outer')
  })

  it('has exactly the fields of the contract, with and without what is optional', async () => {
    const clinic = await world.business({ credits: 5 })
    const always = [
      ...['orderID', 'createdDate', 'status', 'orderStatus', 'sku', 'quantity', 'items', 'recipientEmail'],
      ...['recipientName', 'recipientAddress', 'externalTags', 'isNotifyReceiver', 'isTest', 'payment', 'kits'],
    ]
    const kit = ['kitID', 'kitType', 'kitStatus', 'sampleStatus', 'status', 'lastUpdatedDate']
    const bare = (await clinic.live.post('/create-order', anOrder())).body
    const plain = (await clinic.live.get(`/orders/${bare.orderId}`)).body
    expect(Object.keys(plain).toSorted()).toEqual(always.toSorted())
    expect(Object.keys(plain.kits[0]).toSorted()).toEqual(kit.toSorted())
    expect(plain.createdDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

    const whole = { ...recipient, phone: '+1 555 0100', address: { ...recipient.address, street2: 'Flat 2' } }
    const made = (await clinic.live.post('/create-order', anOrder({ recipient: whole, externalID: 'full' }))).body
    const [{ kitID }] = (await clinic.live.get(`/orders/${made.orderId}`)).body.kits
    const person = { firstName: 'Ada', lastName: 'B', email: 'b@example.test', dateOfBirth: '1990-01-01', sex: 'F' }
    const { customerId } = (await clinic.live.post(`/kits/${kitID}/register`, person)).body
    const full = (await clinic.live.get(`/orders/${made.orderId}`)).body
    expect(Object.keys(full).toSorted()).toEqual([...always, 'recipientPhone', 'externalID', 'registeredTo'].toSorted())
    expect(full.recipientAddress).toEqual({ ...recipient.address, street2: 'Flat 2', country: 'US' })
    expect(full.registeredTo).toEqual({ email: 'b@example.test', customerID: customerId })
    const registered = [...kit, 'registeredToEmail', 'registrationDate', 'customerID']
    expect(Object.keys(full.kits[0]).toSorted()).toEqual(registered.toSorted())
    expect(customerId).toEqual(expect.any(Number))
  })

  it('is of 1 to 1,000 kits in a line, as a whole number', async () => {
    const clinic = await world.business({ credits: 1000 })
    for (const quantity of [0, -1, 1001, 1.5, '1.5', 'one', true]) {
      const line = anOrder({ kit_types: [{ kitType: CORE, quantity }] })
      const refused = await clinic.live.post('/create-order', line)
      expect([quantity, refused.status]).toEqual([quantity, 400])
      expect(refused.body.details).toMatchObject([{ path: 'kit_types.0.quantity' }])
    }
    const most = anOrder({ kit_types: [{ kitType: CORE, quantity: 1000 }], purchase_with_attached_payment: false })
    const { orderId } = (await clinic.live.post('/create-order', most)).body
    expect((await clinic.live.get(`/kits?orderID=${orderId}`)).headers.get('x-total-count')).toBe('1000')
  })

  it('with wrong types is refused with one detail per problem, all at once', async () => {
    const clinic = await world.business()
    const flags = { isNotifyReceiver: 'yes', purchase_with_attached_payment: 1, externalID: 5, is_test_order: 'no' }
    const { status, body } = await clinic.live.post('/create-order', anOrder({ ...flags, paymentMethod: 3 }))
    expect(status).toBe(400)
    expect(body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      [...Object.keys(flags), 'paymentMethod'].toSorted(),
    )
  })

  it('takes an empty optional text as left out, as spreadsheets send it', async () => {
    const clinic = await world.business()
    const empty = { phone: '', external_id: ' ', external_tags: '', street2: '' }
    const { body } = await clinic.live.post('/create-order', { bulkUploadData: [aRow(empty)], externalID: '' })
    const order = (await clinic.live.get(`/orders/${body.orderIds[0]}`)).body
    for (const name of ['recipientPhone', 'externalID']) expect(order).not.toHaveProperty(name)
    expect(order.recipientAddress).not.toHaveProperty('street2')
    expect(order.externalTags).toEqual([])
  })

  it('ignores fields that it does not know', async () => {
    const clinic = await world.business()
    const { status } = await clinic.live.post('/create-order', anOrder({ utm: { source: 1 } }))
    expect(status).toBe(201)
  })
})

describe('paying', () => {
  it('with the flag false is refused with 400 and "Not enough credits" when credits do not cover it, and places nothing', async () => {
    const clinic = await world.business({ credits: 1 })
    const order = anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }], purchase_with_attached_payment: false })
    const { status, body } = await clinic.live.post('/create-order', order)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      error: 'Not enough credits',
      message: 'Not enough credits',
      code: 'NOT_ENOUGH_CREDITS',
    })
    expect(await credits(clinic)).toBe(1)
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
  })

  it('with the flag true is refused with 409 while no payment method is attached', async () => {
    const clinic = await world.business()
    const { status, body } = await clinic.live.post('/create-order', anOrder({ purchase_with_attached_payment: true }))
    expect([status, body.code]).toEqual([409, 'PAYMENT_METHOD_MISSING'])
    expect(await credits(clinic)).toBe(100)
  })

  it('without a flag and without credits makes a pending order that ships nothing and knows its price', async () => {
    const clinic = await world.business({ credits: 0 })
    const { status, body } = await clinic.live.post('/create-order', anOrder())
    expect(status).toBe(201)
    expect(body).toEqual({ pending: true, orderId: expect.any(String) })
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order).toMatchObject({ status: 'pending', orderStatus: 'pending', kits: [] })
    expect(order.payment).toEqual({ method: 'none', status: 'pending', amount: 19_900, currency: 'USD' })
  })

  it('without a flag and without credits is refused with 409 when the settings say reject', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.request('PATCH', '/settings', { insufficientCredits: 'reject' })
    const { status, body } = await clinic.live.post('/create-order', anOrder())
    expect([status, body.code]).toEqual([409, 'NOT_ENOUGH_CREDITS'])
  })

  it('is refused with 409 where purchasing is disabled and credits do not cover the order', async () => {
    const clinic = await world.business({ credits: 1 })
    await clinic.live.request('PATCH', '/settings', { purchasingEnabled: false })
    expect((await clinic.live.post('/create-order', anOrder())).status).toBe(201)
    const { status, body } = await clinic.live.post('/create-order', anOrder())
    expect([status, body.code]).toEqual([409, 'PURCHASING_DISABLED'])
  })

  it('takes paymentMethod before the flag', async () => {
    const clinic = await world.business({ credits: 1 })
    const order = anOrder({ paymentMethod: 'credits', purchase_with_attached_payment: true })
    expect((await clinic.live.post('/create-order', order)).status).toBe(201)
    expect((await clinic.live.post('/create-order', order)).body.code).toBe('NOT_ENOUGH_CREDITS')
  })

  it('never sells more than there is: of 300 orders at once against credits for 100, exactly 100 are placed', async () => {
    const clinic = await world.business({ credits: 100 })
    const order = anOrder({ purchase_with_attached_payment: false })
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => insist(() => clinic.live.post('/create-order', order))),
    )
    const statuses = answers.map((answer) => answer.status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(100)
    expect(statuses.filter((status) => status === 400)).toHaveLength(200)
    expect(await credits(clinic)).toBe(0)
    expect((await clinic.live.get('/orders?size=250')).body.pagination.total).toBe(100)
    expect(new Set(answers.map((answer) => answer.body.orderId).filter(Boolean)).size).toBe(100)
  })
})

describe('a kit type that is not provisioned', () => {
  it('is refused with 400 and places nothing', async () => {
    const clinic = await world.business({ panels: [CARDIO] })
    const { status, body } = await clinic.live.post('/create-order', anOrder())
    expect([status, body.code]).toEqual([400, 'KIT_TYPE_NOT_PROVISIONED'])
  })

  it('in a bulk request is named by its row', async () => {
    const clinic = await world.business()
    const rows = [aRow(), aRow({ kit_type: 'NOPE' }), aRow()]
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: rows })
    expect(status).toBe(400)
    expect(body.details).toEqual([expect.objectContaining({ path: 'bulkUploadData.1.kit_type' })])
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
  })
})

describe('a bulk request under 20 rows', () => {
  it('makes one order per row, answered in row order', async () => {
    const clinic = await world.business()
    const rows = [aRow({ external_id: 'r0' }), aRow({ external_id: 'r1', quantity: 3 }), aRow({ external_id: 'r2' })]
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: rows })
    expect(status).toBe(201)
    const orders = await Promise.all(body.orderIds.map((id: string) => clinic.live.get(`/orders/${id}`)))
    expect(orders.map((order) => order.body.externalID)).toEqual(['r0', 'r1', 'r2'])
    expect(orders.map((order) => order.body.quantity)).toEqual([1, 3, 1])
    expect(await credits(clinic)).toBe(95)
  })

  it('accepts kitType and a nested recipient and address in a row', async () => {
    const clinic = await world.business()
    const { status, body } = await clinic.live.post('/create-order', {
      bulkUploadData: [{ kitType: CORE, quantity: 1, recipient }],
    })
    expect(status).toBe(201)
    expect((await clinic.live.get(`/orders/${body.orderIds[0]}`)).body.recipientName).toBe('Ada Example')
  })

  it('is all or nothing: one row too many for the credits places none', async () => {
    const clinic = await world.business({ credits: 2 })
    const request = { bulkUploadData: [aRow(), aRow(), aRow()], purchase_with_attached_payment: false }
    expect((await clinic.live.post('/create-order', request)).body.code).toBe('NOT_ENOUGH_CREDITS')
    expect(await credits(clinic)).toBe(2)
  })

  it('names every problem of every row at once', async () => {
    const clinic = await world.business()
    const rows = [aRow({ email: 'nope' }), aRow({ quantity: 0, city: '' }), { kit_type: CORE }]
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: rows })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const paths = body.details.map((detail: { path: string }) => detail.path)
    expect(paths).toEqual(
      expect.arrayContaining([
        'bulkUploadData.0.email',
        'bulkUploadData.1.quantity',
        'bulkUploadData.1.city',
        'bulkUploadData.2.first_name',
        'bulkUploadData.2.zip',
      ]),
    )
  })

  it('becomes pending orders when credits do not cover it and nothing can be charged', async () => {
    const clinic = await world.business({ credits: 1 })
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData: [aRow(), aRow()] })
    expect(status).toBe(201)
    expect(body).toEqual({ pending: true, orderIds: [expect.any(String), expect.any(String)] })
    expect(await credits(clinic)).toBe(1)
  })

  it('is refused together with kit_types, and a request with neither is refused', async () => {
    const clinic = await world.business()
    expect((await clinic.live.post('/create-order', { ...anOrder(), bulkUploadData: [aRow()] })).status).toBe(400)
    expect((await clinic.live.post('/create-order', { recipient })).status).toBe(400)
  })
})

describe('other ways to order', () => {
  it('the legacy alias takes the flat payload and says that it is deprecated', async () => {
    const clinic = await world.business()
    const { kit_type, ...flat } = aRow()
    const { status, body, headers } = await clinic.live.post('/legacy/create-order', {
      ...flat,
      kitType: kit_type,
      quantity: 2,
    })
    expect(status).toBe(201)
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(Date.parse(headers.get('sunset') ?? '')).toBeGreaterThan(Date.now())
    expect(headers.get('link')).toContain('/api/v1/create-order')
    expect((await clinic.live.get(`/orders/${body.orderId}`)).body.quantity).toBe(2)
  })

  it('the kit types of an order are listed in the order in which they were asked for, and its kits too', async () => {
    const clinic = await world.business({ credits: 5 })
    const items = [
      { kitType: CORE, quantity: 2 },
      { kitType: CARDIO, quantity: 1 },
    ]
    for (const kit_types of [items, items.toReversed()]) {
      const { body } = await clinic.live.post('/create-order', anOrder({ kit_types }))
      const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
      expect(order.items).toEqual(kit_types)
      const kinds = order.kits.map(({ kitType }: { kitType: string }) => kitType)
      expect([...new Set(kinds)]).toEqual(kit_types.map(({ kitType }) => kitType))
    }
  })

  it('is_test_order on a live token orders in the sandbox, free of charge, and says that it is deprecated', async () => {
    const clinic = await world.business({ credits: 1 })
    const { status, body, headers } = await clinic.live.post('/create-order', anOrder({ is_test_order: true }))
    expect(status).toBe(201)
    expect(headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(await credits(clinic)).toBe(1)
    expect((await clinic.sandbox.get(`/orders/${body.orderId}`)).body.isTest).toBe(true)
  })

  it('a job of test orders is read by its ID with the live token that started it, as are its orders, and by no other', async () => {
    const clinic = await world.business()
    const bulkUploadData = Array.from({ length: 20 }, () => aRow())
    const { status, body } = await clinic.live.post('/create-order', { bulkUploadData, is_test_order: true })
    expect(status).toBe(202)
    const read = () => clinic.live.get(`/bulk-order-jobs/${body.jobId}`)
    await expect.poll(async () => (await read()).body.status, { interval: 50 }).toBe('completed')
    const { rows } = (await read()).body
    const order = await clinic.live.get(`/orders/${rows[7].orderId}`)
    expect(order).toMatchObject({ status: 200, body: { orderID: rows[7].orderId, isTest: true } })
    expect((await clinic.live.get('/bulk-order-jobs')).body.data).toEqual([])
    const stranger = await world.business()
    expect((await stranger.live.get(`/bulk-order-jobs/${body.jobId}`)).body.code).toBe('JOB_NOT_FOUND')
    const own = await clinic.sandbox.post('/create-order', { bulkUploadData })
    expect((await clinic.live.get(`/bulk-order-jobs/${own.body.jobId}`)).body.code).toBe('JOB_NOT_FOUND')
  })

  it('a test order is read by ID with the live token that placed it, and is in no list, count, event or search of live', async () => {
    const clinic = await world.business({ credits: 1 })
    const { body } = await clinic.live.post('/create-order', anOrder({ is_test_order: true }))
    const order = await clinic.live.get(`/orders/${body.orderId.toLowerCase()}`)
    expect(order).toMatchObject({ status: 200, body: { orderID: body.orderId, isTest: true } })
    const [{ kitID }] = order.body.kits
    expect((await clinic.live.get(`/kits/${kitID}`)).body.kit).toMatchObject({ kitID, isTest: true })
    for (const named of [`kitID=${kitID}`, `orderID=${body.orderId}`]) {
      expect((await clinic.live.get(`/kits?${named}`)).body).toMatchObject([{ kitID, isTest: true }])
    }
    expect((await clinic.live.get(`/kits/${kitID}/validate`)).body).toMatchObject({ exists: true, kitID, isTest: true })
    for (const list of ['/orders', '/kits', '/events', `/search?q=${body.orderId}`, '/webhook-deliveries']) {
      expect((await clinic.live.get(list)).text, list).not.toMatch(new RegExp(`${kitID}|${body.orderId}`))
    }
    expect((await clinic.live.get('/kits')).headers.get('x-total-count')).toBe('0')
    // Orders of the sandbox token and of another token stay separate.
    const own = await clinic.sandbox.post('/create-order', anOrder())
    expect((await clinic.live.get(`/orders/${own.body.orderId}`)).body.code).toBe('ORDER_NOT_FOUND')
    const stranger = await world.business()
    expect((await stranger.live.get(`/orders/${body.orderId}`)).status).toBe(404)
    expect((await stranger.live.get(`/kits/${kitID}`)).body.code).toBe('KIT_NOT_FOUND')
    expect((await stranger.live.get(`/kits/${kitID}/validate`)).body).toEqual({ exists: false, kitID })
    expect((await clinic.live.post(`/orders/${body.orderId}/cancel`)).status).toBe(404)
  })

  it('a dry run validates and prices and creates nothing', async () => {
    const clinic = await world.business({ credits: 3 })
    const covered = await clinic.live.post('/create-order?dryRun=true', anOrder())
    expect(covered.status).toBe(200)
    expect(covered.body).toEqual({
      valid: true,
      kits: 1,
      outcome: 'placed',
      payment: 'credits',
      credits: [{ type: CORE, needed: 1, available: 3, remaining: 2 }],
    })
    const rows = Array.from({ length: 25 }, () => aRow())
    const bulk = await clinic.live.post('/create-order?dryRun=true', { bulkUploadData: rows })
    expect(bulk.body).toMatchObject({ valid: true, kits: 25, charge: { amount: 25 * 19_900, currency: 'USD' } })
    expect(bulk.body.rows).toHaveLength(25)
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
    expect(await credits(clinic)).toBe(3)
  })

  it('a dry run tells what is wrong with each row, and prices the others', async () => {
    const clinic = await world.business({ credits: 3 })
    const rows = [aRow({ quantity: 2 }), aRow({ email: 'nobody', zip: 7 }), aRow({ kit_type: 'NOPE' }), 'no row']
    const { status, body } = await clinic.live.post('/create-order?dryRun=true', { bulkUploadData: rows })
    expect(status).toBe(200)
    expect(body).toMatchObject({ valid: false, kits: 3, credits: [{ type: CORE, needed: 2, available: 3 }, {}] })
    expect(body.rows[0]).toEqual({ row: 0, valid: true, errors: [] })
    const paths = (row: { errors: { path: string }[] }) => row.errors.map(({ path }) => path).toSorted()
    expect(body.rows.map(paths)).toEqual([
      [],
      ['bulkUploadData.1.email', 'bulkUploadData.1.zip'],
      ['bulkUploadData.2.kit_type'],
      ['bulkUploadData.3'],
    ])
    const single = await clinic.live.post('/create-order?dryRun=true', anOrder({ kit_types: [{ kitType: 'NOPE' }] }))
    expect(single.body).toMatchObject({
      valid: false,
      rows: [{ row: 0, valid: false, errors: [{ path: 'kit_types' }] }],
    })
    const short = await clinic.live.post('/create-order?dryRun=true', {
      ...anOrder({ kit_types: [{ kitType: CORE, quantity: 4 }] }),
      purchase_with_attached_payment: false,
    })
    expect(short.body).toEqual({
      valid: false,
      kits: 4,
      outcome: 'refused',
      payment: 'refused',
      credits: [{ type: CORE, needed: 4, available: 3, remaining: 3 }],
      refusal: { code: 'NOT_ENOUGH_CREDITS', message: 'Not enough credits' },
    })
  })

  it('a dry run promises no card that is not there: it says how the order would be paid, or why it is refused', async () => {
    const clinic = await world.business({ credits: 0 })
    const ask = async (changes = {}) => (await clinic.live.post('/create-order?dryRun=true', anOrder(changes))).body
    expect(await ask()).toMatchObject({ valid: true, payment: 'pending' })
    expect(await ask({ paymentMethod: 'card' })).toMatchObject({
      valid: false,
      payment: 'refused',
      refusal: { code: 'PAYMENT_METHOD_MISSING' },
    })
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    expect(await ask()).toMatchObject({ valid: true, payment: 'card' })
    await clinic.live.request('PATCH', '/settings', { insufficientCredits: 'pending' })
    expect(await ask()).toMatchObject({ valid: true, payment: 'pending' })
    await clinic.live.request('PATCH', '/settings', { purchasingEnabled: false })
    expect(await ask()).toMatchObject({ valid: false, refusal: { code: 'PURCHASING_DISABLED' } })
  })

  it('the legacy alias refuses and accepts exactly as create-order does', async () => {
    const clinic = await world.business({ credits: 2 })
    const { kit_type, ...person } = aRow()
    const cases: [string, object, number][] = [
      ['an unknown kit type', { kitType: 'NOPE' }, 400],
      ['too few credits', { quantity: 3, purchase_with_attached_payment: false }, 400],
      ['no card', { purchase_with_attached_payment: true }, 409],
      ['too many kits', { quantity: 1001 }, 400],
      ['a pending order', { quantity: 3 }, 201],
      ['an order', { quantity: 2, purchase_with_attached_payment: false, isNotifyReceiver: true }, 201],
    ]
    for (const [what, changes, status] of cases) {
      const { kitType = kit_type, quantity, ...flags } = { quantity: 1, ...changes } as Record<string, unknown>
      const flat = await clinic.live.post('/legacy/create-order?dryRun=false', {
        ...person,
        kitType,
        quantity,
        ...flags,
      })
      const reset = status === 201 && !flat.body.pending
      if (reset) await clinic.live.post(`/orders/${flat.body.orderId}/cancel`)
      const nested = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType, quantity }], ...flags }))
      const { requestId: _, orderId: first, details: __, ...legacy } = flat.body
      const { requestId: ___, orderId: second, details: ____, ...current } = nested.body
      // The bodies differ, and so do the paths of the problems.
      if (status === 400 && what === 'too many kits') {
        expect([legacy.error, current.error]).toEqual([
          expect.stringMatching(/^quantity: /),
          expect.stringMatching(/^kit_types\.0\.quantity: /),
        ])
        continue
      }
      expect([what, flat.status, nested.status]).toEqual([what, status, status])
      expect(legacy, what).toEqual(current)
      expect(typeof first, what).toBe(typeof second)
      for (const name of ['deprecation', 'sunset', 'link']) {
        expect([what, name, flat.headers.has(name), nested.headers.has(name)]).toEqual([what, name, true, false])
      }
    }
  })
})

describe('the fulfilment of an order', () => {
  it('follows from its kits, from preparing to completed', async () => {
    const { sandbox } = await world.business()
    const two = anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] })
    const { orderId } = (await sandbox.post('/create-order', two)).body
    const [one, other] = (await sandbox.get(`/orders/${orderId}`)).body.kits.map((kit: { kitID: string }) => kit.kitID)
    const fulfilment = async () => (await sandbox.get(`/orders/${orderId}`)).body.orderStatus
    const play = async (kit: string, scenario: string) => {
      expect((await sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario })).status).toBe(200)
      return fulfilment()
    }
    expect(await fulfilment()).toBe('preparing')
    expect(await play(one, 'shipped')).toBe('in_progress')
    expect(await play(one, 'resulted')).toBe('needs_review')
    expect(await play(one, 'published')).toBe('in_progress')
    expect(await play(other, 'deliveryException')).toBe('needs_review')
    expect((await sandbox.post(`/kits/${other}/replacement`, { reason: 'Lost' })).status).toBe(201)
    expect(await fulfilment()).toBe('in_progress')
    const { body } = await sandbox.get(`/kits?kitID=${other}`)
    expect(await play(body[0].replacedBy, 'published')).toBe('completed')
  })
})

describe('canceling', () => {
  it('gives the credits back and cancels the kits, once', async () => {
    const clinic = await world.business({ credits: 5 })
    const { orderId } = (
      await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE, quantity: 2 }] }))
    ).body
    const canceled = await clinic.live.post(`/orders/${orderId}/cancel`)
    expect(canceled.status).toBe(200)
    expect(canceled.body).toMatchObject({
      status: 'canceled',
      orderStatus: 'canceled',
      payment: { status: 'refunded' },
    })
    expect(canceled.body.kits.every((kit: { kitStatus: string }) => kit.kitStatus === 'canceled')).toBe(true)
    expect(await credits(clinic)).toBe(5)
    const again = await clinic.live.post(`/orders/${orderId}/cancel`)
    expect([again.status, again.body.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(await credits(clinic)).toBe(5)
  })

  it('20 times at once refunds once', async () => {
    const clinic = await world.business({ credits: 1 })
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const answers = await Promise.all(Array.from({ length: 20 }, () => clinic.live.post(`/orders/${orderId}/cancel`)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(await credits(clinic)).toBe(1)
  })

  it('of a pending order costs and returns nothing', async () => {
    const clinic = await world.business({ credits: 0 })
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const { body } = await clinic.live.post(`/orders/${orderId}/cancel`)
    expect(body).toMatchObject({ status: 'canceled', payment: { status: 'canceled' } })
    expect(await credits(clinic)).toBe(0)
  })
})

describe('listing orders', () => {
  it('is newest first, in pages from 0, each order once', async () => {
    const clinic = await world.business()
    const ids: string[] = []
    for (let i = 0; i < 7; i++) ids.push((await clinic.live.post('/create-order', anOrder())).body.orderId)
    const pages = await Promise.all([0, 1, 2].map((page) => clinic.live.get(`/orders?size=3&page=${page}`)))
    expect(pages[0]?.body.pagination).toEqual({
      page: 0,
      size: 3,
      total: 7,
      totalPages: 3,
      hasNext: true,
      hasPrevious: false,
    })
    expect(pages[2]?.body.pagination).toMatchObject({ hasNext: false, hasPrevious: true })
    const listed = pages.flatMap((page) => page.body.data.map((order: { orderID: string }) => order.orderID))
    expect(listed).toEqual(ids.toReversed())
  })

  it('defaults to 50, takes 250, and refuses 251 or a page that is not a number', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/orders')).body.pagination.size).toBe(50)
    expect((await clinic.live.get('/orders?size=250')).status).toBe(200)
    expect((await clinic.live.get('/orders?size=251')).status).toBe(400)
    expect((await clinic.live.get('/orders?page=first')).status).toBe(400)
  })

  it('filters by sku, externalID, status, kit status and date, an end date meaning all of that day', async () => {
    const clinic = await world.business()
    const core = (await clinic.live.post('/create-order', anOrder({ externalID: 'x-1' }))).body.orderId
    const mixed = (
      await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: CORE }, { kitType: CARDIO }] }))
    ).body.orderId
    await clinic.live.post(`/orders/${core}/cancel`)
    const today = new Date().toISOString().slice(0, 10)
    const found = async (query: string) =>
      (await clinic.live.get(`/orders?${query}`)).body.data.map((order: { orderID: string }) => order.orderID)
    expect(await found(`sku=${CARDIO}`)).toEqual([mixed])
    expect(await found(`sku=${CORE}`)).toEqual([mixed, core])
    expect(await found('externalID=x-1')).toEqual([core])
    expect(await found('status=canceled')).toEqual([core])
    expect(await found('kitStatus=preparing')).toEqual([mixed])
    expect(await found('sampleStatus=canceled')).toEqual([core])
    expect(await found(`orderDateStart=${today}&orderDateEnd=${today}`)).toEqual([mixed, core])
    expect(await found('orderDateEnd=2020-01-01')).toEqual([])
    expect((await clinic.live.get('/orders?kitStatus=lost')).status).toBe(400)
    expect((await clinic.live.get('/orders?orderDateStart=2026-02-30')).status).toBe(400)
  })

  it('filters by registration date and by the registered customer, by e-mail or ID', async () => {
    const clinic = await world.business()
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await clinic.live.post('/create-order', anOrder())
    const kitID = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0].kitID
    const person = {
      firstName: 'Bo',
      lastName: 'Tester',
      email: 'bo@example.test',
      dateOfBirth: '1980-02-29',
      sex: 'F',
    }
    const { customerId } = (await clinic.live.post(`/kits/${kitID}/register`, person)).body
    const today = new Date().toISOString().slice(0, 10)
    const found = async (query: string) =>
      (await clinic.live.get(`/orders?${query}`)).body.data.map((order: { orderID: string }) => order.orderID)
    expect(await found('registeredTo=BO%40example.test')).toEqual([orderId])
    expect(await found(`registeredTo=${customerId}`)).toEqual([orderId])
    expect(await found('registeredTo=nobody%40example.test')).toEqual([])
    expect(await found(`registrationDateStart=${today}&registrationDateEnd=${today}`)).toEqual([orderId])
    expect(await found('registrationDateStart=2100-01-01')).toEqual([])
    const order = (await clinic.live.get(`/orders/${orderId}`)).body
    expect(order.registeredTo).toEqual({ email: 'bo@example.test', customerID: customerId })
  })
})

describe('the ledger', () => {
  it('lists every movement newest first, with the balance after it', async () => {
    const clinic = await world.business({ credits: 5, panels: [CORE] })
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    const { body } = await clinic.live.get('/credits/transactions')
    expect(body.data.map(({ kind, change, balance }: Record<string, unknown>) => [kind, change, balance])).toEqual([
      ['refund', 1, 5],
      ['order', -1, 4],
      ['grant', 5, 5],
    ])
    expect(body.pagination.total).toBe(3)
  })
})
