import { createHash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allScopes, type Scope } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { foldTallies } from '../../src/modules/businesses/tally-queries.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { lifetimeStatuses } from '../../src/modules/kits/lifecycle.ts'
import { sweepPayments } from '../../src/modules/orders/payment/sweep.ts'
import { insertNextTerms, insertRealmsToIndex } from '../../src/modules/orders/search-queries.ts'
import { csvCell } from '../../src/platform/http/csv.ts'
import { anOrder, aRow, CORE, recipient } from '../harness/orders.ts'
import { glucose, reporting } from '../harness/reports.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World

beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

const place = async (who: TestBusiness['live'], more: Record<string, unknown> = {}) => {
  const { status, body, text } = await who.post('/create-order', anOrder({ paymentMethod: 'credits', ...more }))
  if (status !== 201) throw new Error(text)
  const order = (await who.get(`/orders/${body.orderId}`)).body
  return { orderId: body.orderId as string, kitIds: order.kits.map((kit: { kitID: string }) => kit.kitID) as string[] }
}

const advance = async (who: TestBusiness['live'], kitId: string, status: string, reason?: string) => {
  const { text, ...reply } = await who.post(`/sandbox/kits/${kitId}/advance`, { status, ...(reason && { reason }) })
  if (reply.status !== 200) throw new Error(text)
  return reply.body
}

const stage = (overview: { kits: { stage: string; count: number }[] }, name: string) =>
  overview.kits.find((entry) => entry.stage === name)?.count

const person = (email: string) => ({
  firstName: 'Grace',
  lastName: 'Hopper',
  email,
  dateOfBirth: '1980-02-29',
  sex: 'F',
})

/** A caller with a token that has only these scopes. */
async function tokenOf(clinic: TestBusiness, mode: 'live' | 'sandbox', scopes?: Scope[]) {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, clinic.id))[mode], { name: 'test', scopes }),
  )
  return world.as(token)
}

/** Runs what the job does each minute. */
const indexNow = async () => {
  const { database } = world.service
  await database.asSystem({ name: 'test' }, insertRealmsToIndex)
  while (await database.asSystem({ name: 'test' }, insertNextTerms));
}

describe('the overview', () => {
  it('of a new business is all zeros, with every stage and 30 days', async () => {
    const clinic = await world.business({ credits: 0, panels: 'all' })
    const { status, body } = await clinic.live.get('/overview')
    expect(status).toBe(200)
    expect(body.orders).toEqual({ total: 0, last30Days: 0, pending: 0 })
    expect(body.kits.slice(0, 9).map((entry: { stage: string }) => entry.stage)).toEqual([...lifetimeStatuses])
    expect(body.kits.every((entry: { count: number }) => entry.count === 0)).toBe(true)
    expect(body.attention).toEqual([])
    expect(body.credits).toHaveLength(5)
    expect(body.days).toHaveLength(30)
    expect(body.days.at(-1).date).toBe(new Date().toISOString().slice(0, 10))
  })

  it('of a live business that nobody can ask says so, until it has a contact', async () => {
    const clinic = await world.business()
    await place(clinic.live, {})
    const kinds = async () =>
      (await clinic.live.get('/overview')).body.attention.map(({ kind }: { kind: string }) => kind)
    expect(await kinds()).toContain('noContact')
    await clinic.live.request('PATCH', '/settings', { contactEmail: 'care@clinic.example' })
    expect(await kinds()).not.toContain('noContact')
  })

  it('counts orders, kits at every stage, and reports as they come and go', async () => {
    const clinic = await world.business()
    const { orderId, kitIds } = await place(clinic.sandbox, { kit_types: [{ kitType: CORE, quantity: 3 }] })
    const [first = '', second = '', third = ''] = kitIds
    await advance(clinic.sandbox, first, 'reportReady')
    await advance(clinic.sandbox, second, 'kitDelivered')
    await advance(clinic.sandbox, third, 'kitPreparing')
    const { body } = await clinic.sandbox.get('/overview')
    expect(body.orders).toEqual({ total: 1, last30Days: 1, pending: 0 })
    expect(stage(body, 'reportReady')).toBe(1)
    expect(stage(body, 'kitDelivered')).toBe(1)
    expect(stage(body, 'kitPreparing')).toBe(1)
    expect(stage(body, 'orderPlaced')).toBe(0)
    expect(body.attention).toEqual([{ kind: 'inReview', count: 1, example: expect.stringMatching(/^R/) }])
    expect(body.days.at(-1)).toMatchObject({ orders: 1, reports: 0 })
    const removed = await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderId}`)
    expect(removed.status).toBe(200)
    const after = (await clinic.sandbox.get('/overview')).body
    expect(after.orders.total).toBe(0)
    expect(after.kits.every((entry: { count: number }) => entry.count === 0)).toBe(true)
    expect(after.attention).toEqual([])
  })

  it('says what waits for a person: late kits, exceptions, rejected samples, orders to pay, low credits', async () => {
    const clinic = await world.business({ credits: 10, panels: 'all' })
    await clinic.sandbox.request('PATCH', '/settings', { lowCreditThreshold: 5000, insufficientCredits: 'pending' })
    const { kitIds } = await place(clinic.sandbox, { kit_types: [{ kitType: CORE, quantity: 4 }] })
    const [lost = '', rejected = '', late = '', replaced = ''] = kitIds
    await advance(clinic.sandbox, lost, 'deliveryException', 'Lost by the carrier')
    await advance(clinic.sandbox, rejected, 'sampleRejected', 'Haemolysed')
    await advance(clinic.sandbox, replaced, 'deliveryException')
    expect((await clinic.sandbox.post(`/kits/${replaced}/replacement`, { reason: 'lost' })).status).toBe(201)
    const pending = await clinic.sandbox.post('/create-order', anOrder({ paymentMethod: 'later' }))
    expect(pending.body).toEqual({ pending: true, orderId: expect.any(String) })
    const owner = await world.owner()
    await owner.query("update kits set updated_at = now() - interval '10 days' where id = $1", [late])
    const { body } = await clinic.sandbox.get('/overview')
    expect(body.attention).toEqual([
      { kind: 'late', count: 1, example: late },
      { kind: 'exception', count: 1, example: lost },
      { kind: 'rejected', count: 1, example: rejected },
      { kind: 'pendingPayment', count: 1, example: pending.body.orderId },
      { kind: 'lowCredits', count: 5, example: expect.any(String) },
    ])
    expect(body.orders.pending).toBe(1)
    expect(stage(body, 'deliveryException')).toBe(2)
    expect(body.credits[0]).toMatchObject({ available: expect.any(Number), low: true })
  })

  it('counts the same after its counts were folded together', async () => {
    const clinic = await world.business()
    // Orders are counted one by one once they leave the state in which they are placed.
    for (let order = 0; order < 3; order++) {
      const { orderId } = await place(clinic.live)
      await clinic.live.post(`/orders/${orderId}/cancel`)
    }
    const before = (await clinic.live.get('/overview')).body
    await world.service.database.asSystem({ name: 'test' }, foldTallies)
    expect((await clinic.live.get('/overview')).body).toEqual(before)
    const owner = await world.owner()
    const { rows } = await owner.query(
      "select count(*)::int as n from tallies t join realms r on r.id = t.realm_id where r.business_id = $1 and t.name = 'order'",
      [clinic.id],
    )
    expect(rows).toEqual([{ n: 1 }])
  })
})

describe('a kit', () => {
  it('shows what happened to it, who said so and why, what is late, and what comes next', async () => {
    const clinic = await world.business()
    const { kitIds } = await place(clinic.sandbox, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    const [kitId = '', other = ''] = kitIds
    await advance(clinic.sandbox, kitId, 'kitInTransit')
    await clinic.sandbox.post(`/kits/${kitId}/register`, person('kit-page@example.test'))
    await advance(clinic.sandbox, kitId, 'sampleReceived')
    const { status, body } = await clinic.sandbox.get(`/kits/${kitId.toLowerCase()}`)
    expect(status).toBe(200)
    expect(body.kit).toEqual((await clinic.sandbox.get(`/kits?kitID=${kitId}`)).body[0])
    expect(body.timeline.map(({ type, by }: { type: string; by: string }) => [type, by])).toEqual([
      ['orderPlaced', 'business'],
      ['kitPreparing', 'system'],
      ['kitInTransit', 'business'],
      ['kitDelivered', 'system'],
      ['kitRegistered', 'business'],
      ['sampleInTransit', 'system'],
      ['sampleReceived', 'business'],
    ])
    expect(body.timeline[2]).toMatchObject({ usuallyDays: 3, late: false })
    expect(body.next).toEqual({ type: 'reportReady', usuallyDays: 7 })
    expect(body.registration).toEqual({
      customerID: expect.any(Number),
      name: 'Grace Hopper',
      email: 'kit-page@example.test',
      registeredDate: body.kit.registrationDate,
    })
    expect(body.deliveries).toEqual([])
    expect(body.registerUrl).toBe(`${world.service.url}/k/${kitId}`)
    const owner = await world.owner()
    await owner.query(
      `update kits set progress = progress || jsonb_build_object('sampleReceived', to_char(now() - interval '9 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) where id = $1`,
      [kitId],
    )
    const late = (await clinic.sandbox.get(`/kits/${kitId}`)).body
    expect(late.next).toEqual({ type: 'reportReady', usuallyDays: 7, lateSince: expect.any(String) })

    await advance(clinic.sandbox, other, 'deliveryException', 'Returned to sender')
    const failed = (await clinic.sandbox.get(`/kits/${other}`)).body
    expect(failed.timeline.at(-1)).toMatchObject({
      type: 'deliveryException',
      by: 'business',
      reason: 'Returned to sender',
    })
    expect(failed.next).toBeUndefined()
    const replacement = await clinic.sandbox.post(`/kits/${other}/replacement`, { reason: 'Sent again' })
    const again = (await clinic.sandbox.get(`/kits/${replacement.body.replacementKitID}`)).body
    expect(again.timeline).toEqual([
      { type: 'orderPlaced', at: again.kit.createdDate, by: 'business', reason: 'Sent again' },
    ])
    expect(again.next).toEqual({ type: 'kitPreparing', usuallyDays: 3 })
  })

  it('shows where its report is, and its webhook deliveries to who may read those', async () => {
    const clinic = await world.business()
    const endpoint = await clinic.sandbox.post('/webhooks', { url: 'https://hooks.example.com/', enabled: false })
    const { kitIds } = await place(clinic.sandbox)
    const [kitId = ''] = kitIds
    await advance(clinic.sandbox, kitId, 'reportReady')
    const before = (await clinic.sandbox.get(`/kits/${kitId}`)).body
    expect((await clinic.sandbox.post(`/reports/${before.reportID}/publish`)).status).toBe(200)
    const { body } = await clinic.sandbox.get(`/kits/${kitId}`)
    expect(body.timeline.slice(-2)).toMatchObject([
      { type: 'reportReady', report: 'inReview' },
      { type: 'reportReady', report: 'published', by: 'business' },
    ])
    expect(body.next).toBeUndefined()
    const line = body.deliveries.find(({ type }: { type: string }) => type === 'report.published')
    expect(line).toEqual({
      id: expect.stringMatching(/^del_/),
      endpointID: endpoint.body.id,
      eventID: expect.stringMatching(/^evt_/),
      type: 'report.published',
      status: 'pending',
    })
    const all = (await clinic.sandbox.get(`/webhook-deliveries?kitID=${kitId}&size=250`)).body
    expect(all.pagination.total).toBe(body.deliveries.length)
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(body.deliveries.map(({ id }: { id: string }) => id))
    const ofAll = (
      await clinic.sandbox.get(`/webhook-deliveries?endpointID=${endpoint.body.id}&status=pending&size=2&page=1`)
    ).body
    expect(ofAll.data).toHaveLength(2)
    expect(ofAll.pagination.total).toBeGreaterThan(all.pagination.total)
    expect((await clinic.sandbox.get('/webhook-deliveries?status=delivered')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    })
    const modest = await tokenOf(clinic, 'sandbox', ['kits:read'])
    expect((await modest.get(`/kits/${kitId}`)).body.deliveries).toBeUndefined()
  })

  it('of another business is not found', async () => {
    const [clinic, other] = [await world.business(), await world.business()]
    const { kitIds } = await place(other.live)
    const { status, body } = await clinic.live.get(`/kits/${kitIds[0]}`)
    expect([status, body.code]).toEqual([404, 'KIT_NOT_FOUND'])
  })
})

describe('searching', () => {
  it('finds orders, kits, customers and reports by ID, e-mail and name, or how it begins', async () => {
    const clinic = await world.business()
    const to = { ...recipient, first_name: 'Zoë', last_name: 'Quartz', email: 'Zoe.Quartz@example.test' }
    const { orderId, kitIds } = await place(clinic.sandbox, { recipient: to, externalID: 'ext/77' })
    const [kitId = ''] = kitIds
    const { body: registered } = await clinic.sandbox.post(`/kits/${kitId}/register`, person('grace@quartz.test'))
    await advance(clinic.sandbox, kitId, 'reportReady')
    const { reportID } = (await clinic.sandbox.get(`/kits/${kitId}`)).body
    const find = async (q: string) => (await clinic.sandbox.get(`/search?q=${encodeURIComponent(q)}`)).body
    const kinds = async (q: string) =>
      (await find(q)).map(({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`)
    const order = `order ${orderId}`
    const customer = `customer ${registered.customerId}`
    const expected: [string, string[]][] = [
      [orderId.slice(0, 6).toLowerCase(), [order]],
      [kitId, [`kit ${kitId}`, order]],
      [reportID, [`report ${reportID}`]],
      ['ext/77', [order]],
      ['zoe.quartz@EXAMPLE', [order]],
      ['quar', [order]],
      ['zoë q', [order]],
      ['grace', [customer]],
      ['HOPP', [customer]],
      [String(registered.customerId), [customer]],
      ['uartz', []],
      ['%', []],
      ['', []],
    ]
    const check = async () => {
      for (const [q, ids] of expected) expect([q, await kinds(q)]).toEqual([q, ids])
    }
    await check()
    expect(await find('grace')).toEqual([
      { kind: 'customer', id: String(registered.customerId), title: 'Grace Hopper', subtitle: 'grace@quartz.test' },
    ])
    // The same result from the index, which a job writes.
    await indexNow()
    await check()
    const modest = await tokenOf(clinic, 'sandbox', ['orders:read'])
    expect((await modest.get('/search?q=grace')).body).toEqual([])
    const stranger = await world.business()
    expect((await stranger.sandbox.get('/search?q=quar')).body).toEqual([])
  })

  it('finds García for garcia and the other way round, before and after the index is written', async () => {
    const clinic = await world.business()
    const order = async (first_name: string, last_name: string) =>
      (await place(clinic.live, { recipient: { ...recipient, first_name, last_name } })).kitIds[0] ?? ''
    const accented = await order('Zoë', 'García')
    await order('Zoe', 'Garcia')
    await order('Łukasz', 'Größe')
    await order('明', '李')
    await clinic.live.post(`/kits/${accented}/register`, {
      ...person('maria@garcia.test'),
      firstName: 'María',
      lastName: 'Núñez',
    })
    const count = async (q: string) => (await clinic.live.get(`/search?q=${encodeURIComponent(q)}`)).body.length
    const counts = async () =>
      Promise.all(
        ['garcia', 'GARCÍA', 'zoe garcia', 'Zoë Garcí', 'lukasz', 'grosse', 'nunez', 'Maria Nu', '李'].map(count),
      )
    const expected = [2, 2, 2, 2, 1, 1, 1, 1, 1]
    expect(await counts()).toEqual(expected)
    await indexNow()
    expect(await counts()).toEqual(expected)
  })

  it('narrows the lists of orders, kits and customers', async () => {
    const clinic = await world.business()
    const first = await place(clinic.live, {
      recipient: { ...recipient, last_name: 'Lovelace', email: 'ada@lovelace.test' },
    })
    const second = await place(clinic.live, {
      recipient: { ...recipient, last_name: 'Noether', email: 'emmy@noether.test' },
    })
    await clinic.live.post(`/kits/${second.kitIds[0]}/register`, person('grace@hopper.test'))
    const orders = async (q: string) => (await clinic.live.get(`/orders?q=${encodeURIComponent(q)}`)).body
    expect(await orders('lovel')).toMatchObject({ data: [{ orderID: first.orderId }], pagination: { total: 1 } })
    expect(await orders(second.kitIds[0] ?? '')).toMatchObject({
      data: [{ orderID: second.orderId }],
      pagination: { total: 1 },
    })
    expect(await orders('nobody')).toMatchObject({ data: [], pagination: { total: 0, totalPages: 0 } })
    const kits = async (q: string) => {
      const { headers, body } = await clinic.live.get(`/kits?q=${encodeURIComponent(q)}`)
      return [headers.get('x-total-count'), body.map((kit: { kitID: string }) => kit.kitID)]
    }
    expect(await kits('ada@')).toEqual(['1', first.kitIds])
    expect(await kits('hopper')).toEqual(['1', second.kitIds])
    expect(await kits(second.orderId)).toEqual(['1', second.kitIds])
    expect(await kits('nobody')).toEqual(['0', []])
    const customers = await clinic.live.get('/customers?q=hop&page=0&size=10')
    expect([customers.body, customers.headers.get('x-total-count')]).toMatchObject([[{ name: 'Grace Hopper' }], '1'])
    expect((await clinic.live.get('/customers?q=hop')).body).toHaveLength(1)
    const nobody = await clinic.live.get('/customers?q=nobody&size=10')
    expect([nobody.body, nobody.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it('finds nobody who was erased, and no order that was removed', async () => {
    const clinic = await world.business()
    const to = { ...recipient, first_name: 'Rosalind', last_name: 'Franklin', email: 'rosalind@example.test' }
    const { orderId, kitIds } = await place(clinic.live, { recipient: to })
    const { body } = await clinic.live.post(`/kits/${kitIds[0]}/register`, {
      ...person('rosalind@example.test'),
      firstName: 'Rosalind',
      lastName: 'Franklin',
    })
    await indexNow()
    expect((await clinic.live.get('/search?q=rosalind')).body).toHaveLength(2)
    expect((await clinic.live.request('DELETE', `/customers/${body.customerId}`)).status).toBe(200)
    expect((await clinic.live.get('/search?q=rosalind')).body).toEqual([])
    const mock = await place(clinic.sandbox, { recipient: to })
    await indexNow()
    await clinic.sandbox.request('DELETE', `/sandbox/orders/${mock.orderId}`)
    const owner = await world.owner()
    const { rows } = await owner.query('select term from order_finds where order_id = any($1)', [
      [orderId, mock.orderId],
    ])
    expect(rows).toEqual([])
    await place(clinic.sandbox, { recipient: { ...to, last_name: 'Yalow' } })
    await indexNow()
    expect((await clinic.sandbox.get('/search?q=yalow')).body).toHaveLength(1)
  })
})

const csv = { accept: 'text/csv' }

/** Parses a CSV file whose first line holds the column names. */
const rowsOf = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[]

describe('a list as CSV', () => {
  it('holds the whole filtered list, whatever the page', async () => {
    const clinic = await world.business()
    const first = await place(clinic.live, { externalID: 'a' })
    const second = await place(clinic.live, { kit_types: [{ kitType: CORE, quantity: 2 }] })
    await clinic.live.post(`/kits/${first.kitIds[0]}/register`, person('grace@example.test'))
    const orders = await clinic.live.get('/orders?size=1', csv)
    expect(orders.status).toBe(200)
    expect(orders.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(orders.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"')
    expect(orders.headers.get('vary')).toContain('Accept')
    expect(rowsOf(orders.text).map(({ orderID }) => orderID)).toEqual([second.orderId, first.orderId])
    expect(rowsOf(orders.text)[1]).toMatchObject({
      recipientName: 'Ada Example',
      externalID: 'a',
      quantity: '1',
      kitIDs: first.kitIds[0],
      registeredToEmail: 'grace@example.test',
    })
    expect(rowsOf((await clinic.live.get('/orders?externalID=a', csv)).text)).toHaveLength(1)
    const kits = rowsOf((await clinic.live.get(`/kits?orderID=${second.orderId}`, csv)).text)
    expect(kits.map(({ kitID }) => kitID).sort()).toEqual([...second.kitIds].sort())
    const customers = rowsOf((await clinic.live.get('/customers', csv)).text)
    expect(customers).toMatchObject([{ name: 'Grace Hopper', dateOfBirth: '1980-02-29' }])
    const ledger = rowsOf((await clinic.live.get('/credits/transactions?size=1', csv)).text)
    expect(ledger.map(({ change }) => Number(change)).filter((change) => change < 0)).toEqual([-2, -1])
    expect(ledger.length).toBe((await clinic.live.get('/credits/transactions')).body.pagination.total)
  })

  it('without rows is its heading', async () => {
    const clinic = await world.business({ credits: 0 })
    const { text } = await clinic.live.get('/orders', csv)
    expect(text.trim().split('\r\n')).toHaveLength(1)
    expect(text).toContain('orderID,createdDate,status')
    expect(rowsOf((await clinic.live.get('/customers?q=nobody', csv)).text)).toEqual([])
  })

  it('starts no formula in a spreadsheet, and keeps commas, quotes and lines in their cells', async () => {
    const clinic = await world.business()
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'a,"b"']
    for (const [index, name] of names.entries()) {
      const { status } = await clinic.live.post('/customers', { name, email: `p${index}@example.test` })
      expect(status).toBe(201)
    }
    const { text } = await clinic.live.get('/customers', csv)
    expect(rowsOf(text).map(({ name }) => name)).toEqual(['a,"b"', "'@SUM(A1)", "'-1", "'+1", "'=1+1"])
    expect(['\tx', '\rx', '\nx', -3, undefined].map(csvCell)).toEqual(["'\tx", '"\'\rx"', '"\nx"', '-3', ''])
  })

  it('has every row of a long list once', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    await owner.query(
      `insert into customers (realm_id, id, seq, email, name, created_at)
       select r.id, 1000 + n, n, n || '@example.test', 'P' || n, now() from realms r, generate_series(1, 2500) n
       where r.business_id = $1 and r.mode = 'live'`,
      [clinic.id],
    )
    const ids = rowsOf((await clinic.live.get('/customers', csv)).text).map(({ id }) => Number(id))
    expect(ids).toEqual(Array.from({ length: 2500 }, (_, index) => 3500 - index))
  })
})

describe('the list of customers', () => {
  it('is always an array: the whole one, or a page with the total and the next page in headers', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/customers')).body).toEqual([])
    const empty = await clinic.live.get('/customers?page=0')
    expect([empty.body, empty.headers.get('x-total-count')]).toEqual([[], '0'])
    for (const name of ['A', 'B', 'C']) await clinic.live.post('/customers', { name, email: `${name}@example.test` })
    const whole = (await clinic.live.get('/customers')).body
    expect(whole.map(({ name }: { name: string }) => name)).toEqual(['C', 'B', 'A'])
    const first = await clinic.live.get('/customers?size=2')
    expect(first.headers.get('link')).toContain('</api/v1/customers?size=2&page=1>; rel="next"')
    const page = await clinic.live.get('/customers?size=2&page=1')
    expect([page.body, page.headers.get('x-total-count')]).toEqual([[whole[2]], '3'])
    expect(page.headers.get('link')).not.toContain('rel="next"')
    await clinic.live.request('DELETE', `/customers/${whole[2].id}`)
    const left = await clinic.live.get('/customers?size=2')
    expect([left.body, left.headers.get('x-total-count')]).toEqual([whole.slice(0, 2), '2'])
  })

  it('since a time holds anyone who changed then, or got a report', async () => {
    const { clinic, report } = await reporting(world)
    const ids = async (time: string) =>
      (await clinic.live.get(`/customers?updatedSince=${time}`)).body.map(({ id }: { id: number }) => id)
    const { customerId } = await report([glucose(90)])
    await clinic.live.post('/customers', { name: 'Else', email: 'else@example.test' })
    const owner = await world.owner()
    // The driver cuts microseconds off.
    const { rows } = await owner.query('select clock_timestamp() as now from pg_sleep(0.002)')
    const since = rows[0].now.toISOString()
    expect(await ids(since)).toEqual([])
    await report([glucose(95)], {}, { email: (await clinic.live.get(`/customers/${customerId}`)).body.email })
    expect(await ids(since)).toEqual([customerId])
    const { body } = await clinic.live.post('/customers', { name: 'New', email: 'new@example.test' })
    expect(await ids(since)).toEqual([body.id, customerId])
    expect(await ids('2026-01-01')).toHaveLength(3)
  })
})

describe('reports for review', () => {
  it('are listed with what is out of range, read and published by the business, and by nobody without the scope', async () => {
    const clinic = await world.business()
    expect((await clinic.sandbox.get('/reports')).body).toMatchObject({ data: [], pagination: { total: 0 } })
    const { kitIds } = await place(clinic.sandbox)
    const [kitId = ''] = kitIds
    await clinic.sandbox.post(`/kits/${kitId}/register`, person('review@example.test'))
    await clinic.sandbox.post(`/sandbox/kits/${kitId}/scenario`, { scenario: 'abnormal' })
    const list = (query = '') => clinic.sandbox.get(`/reports${query}`).then(({ body }) => body)
    const before = (await list()).data[0]
    const { reportID, customerID } = before
    const modest = await tokenOf(clinic, 'sandbox')
    const path = `/customers/${customerID}/reports/${reportID}`
    expect(before).toMatchObject({ kitID: kitId, customerName: 'Grace Hopper', version: 1 })
    expect(before.outOfRange).toBeGreaterThan(0)
    expect((await modest.get('/reports')).body.data[0].outOfRange).toBeUndefined()
    expect((await clinic.sandbox.get(path)).status).toBe(404)
    for (const [method, address] of [
      ['GET', `/reports/${reportID}`],
      ['POST', `/reports/${reportID}/publish`],
    ] as const) {
      expect((await modest.request(method, address)).status).toBe(403)
    }
    const review = await clinic.sandbox.get(`/reports/${reportID}`)
    expect(review.body).toMatchObject({
      id: reportID,
      status: 'inReview',
      customer: { id: customerID, name: 'Grace Hopper' },
    })
    expect(review.body.biomarker.length).toBeGreaterThan(10)
    expect((await clinic.sandbox.post(`/reports/${reportID}/publish`)).body).toEqual({ reportID, status: 'published' })
    expect((await clinic.sandbox.post(`/reports/${reportID}/publish`)).body.code).toBe('ILLEGAL_TRANSITION')
    const published = (await modest.get(path)).body
    const { status, customer, ...same } = (await clinic.sandbox.get(`/reports/${reportID}`)).body
    expect([status, customer.id, same]).toEqual(['published', customerID, published])
    expect((await list('?status=inReview')).data).toEqual([])
    expect((await list('?status=published')).pagination.total).toBe(1)
    const owner = await world.owner()
    const { rows } = await owner.query(
      "select details from audit_entries where action = 'report.read' and object_id = $1 order by id",
      [reportID],
    )
    expect(rows[0].details).toEqual({ format: 'review', version: 1 })
    expect((await clinic.sandbox.get('/reports/R00000000')).body.code).toBe('REPORT_NOT_FOUND')
  })

  it('is for tokens that were given it: a new one holds every other scope', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    const { token } = await tokenOf(clinic, 'live')
    const { rows } = await owner.query('select scopes from tokens where hint = $1 order by created_at desc limit 1', [
      token?.slice(-4),
    ])
    expect(allScopes.filter((scope) => !rows[0].scopes.includes(scope))).toEqual(['reports:review'])
  })
})

describe('an order that is paid later', () => {
  it('waits as pending whatever the credits, even where purchasing is disabled, and is paid with credits', async () => {
    const clinic = await world.business({ credits: 5 })
    await clinic.live.request('PATCH', '/settings', { purchasingEnabled: false })
    const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'later' }))
    expect([status, body]).toEqual([201, { pending: true, orderId: expect.any(String) }])
    const order = (await clinic.live.get(`/orders/${body.orderId}`)).body
    expect(order).toMatchObject({ status: 'pending', kits: [], payment: { method: 'none', status: 'pending' } })
    const rows = [aRow(), aRow()]
    const bulk = await clinic.live.post('/create-order', { bulkUploadData: rows, paymentMethod: 'later' })
    expect(bulk.body).toEqual({ pending: true, orderIds: [expect.any(String), expect.any(String)] })
    const paid = await clinic.live.post(`/orders/${body.orderId}/pay`, { paymentMethod: 'credits' })
    expect(paid.body).toMatchObject({ status: 'created', kits: [{ kitStatus: 'preparing' }] })
  })

  it('names what may be sent when the payment method is none of it', async () => {
    const clinic = await world.business()
    const sentence = 'Send `credits`, `card`, `later` or the ID of a saved payment method (`pm_…`)'
    for (const paymentMethod of ['cash', 'CARD', 'pm_', 'later ']) {
      const { status, body } = await clinic.live.post('/create-order', anOrder({ paymentMethod }))
      if (paymentMethod === 'later ') expect(status).toBe(201)
      else expect([status, body.details]).toEqual([400, [{ message: sentence, path: 'paymentMethod', code: 'custom' }]])
    }
    const unknown = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'pm_unknown' }))
    expect([unknown.status, unknown.body.code]).toEqual([404, 'PAYMENT_METHOD_NOT_FOUND'])
    const { body } = await clinic.live.post('/create-order', anOrder({ paymentMethod: 'later' }))
    const paying = await clinic.live.post(`/orders/${body.orderId}/pay`, { paymentMethod: 'later' })
    expect([paying.status, paying.body.details[0].path]).toEqual([400, 'paymentMethod'])
  })

  it('in the legacy form is refused by the field that the caller sent', async () => {
    const clinic = await world.business()
    const { quantity: _, kit_type, ...flat } = { quantity: 1, ...aRow() }
    const { status, body } = await clinic.live.post('/legacy/create-order', { ...flat, kitType: 'NOT_OURS' })
    expect([status, body.code]).toEqual([400, 'KIT_TYPE_NOT_PROVISIONED'])
    expect(body.details).toEqual([expect.objectContaining({ path: 'kitType', code: 'KIT_TYPE_NOT_PROVISIONED' })])
    const single = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: 'NOT_OURS' }] }))
    expect(single.body.details[0].path).toBe('kit_types')
    expect(kit_type).toBe(CORE)
  })
})

describe('bulk order jobs', () => {
  it('are listed newest first, without their rows', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/bulk-order-jobs')).body).toMatchObject({ data: [], pagination: { total: 0 } })
    const jobs: string[] = []
    for (let job = 0; job < 3; job++) {
      const bulkUploadData = Array.from({ length: 20 }, () => aRow())
      jobs.unshift((await clinic.live.post('/create-order', { bulkUploadData, paymentMethod: 'credits' })).body.jobId)
    }
    const { body } = await clinic.live.get('/bulk-order-jobs?size=2')
    expect(body.data.map(({ jobId }: { jobId: string }) => jobId)).toEqual(jobs.slice(0, 2))
    expect(body.pagination).toMatchObject({ total: 3, totalPages: 2, hasNext: true })
    expect(body.data[0]).toMatchObject({ total: 20, createdDate: expect.any(String) })
    expect(body.data[0].rows).toBeUndefined()
  })
})

describe('the name of a business', () => {
  it('is shown and changed with the settings, in live for both modes', async () => {
    const [clinic, other] = [await world.business({ name: 'Old Name' }), await world.business()]
    expect((await clinic.live.get('/settings')).body.name).toBe('Old Name')
    expect((await clinic.live.request('PATCH', '/settings', { name: ' New Name ' })).body.name).toBe('New Name')
    expect((await clinic.sandbox.get('/settings')).body.name).toBe('New Name')
    expect((await other.live.get('/settings')).body.name).toBe(other.name)
    const refused = await clinic.sandbox.request('PATCH', '/settings', { name: 'Sandbox Name' })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'name'])
    // An empty text counts as missing, as everywhere.
    expect((await clinic.live.request('PATCH', '/settings', { name: '' })).status).toBe(200)
    expect((await clinic.live.get('/settings')).body.name).toBe('New Name')
  })
})

describe('a version of a report', () => {
  it('shows the dates that it was made with', async () => {
    const { report, receive, json } = await reporting(world)
    const first = await report([glucose(90)], { collectedDate: '2026-01-05', resultedDate: '2026-01-08' })
    const corrected = { collectedDate: '2026-01-06', resultedDate: '2026-02-01', corrected: true }
    await receive({ kitId: first.kitId, results: [glucose(95)], ...corrected })
    const details = async (version: number) => (await json(first, `?version=${version}`)).details
    const day = (date: string) => `${date}T00:00:00.000Z`
    expect(await details(1)).toMatchObject({
      collectedDate: day('2026-01-05'),
      resultedDate: day('2026-01-08'),
      version: 1,
    })
    expect(await details(2)).toMatchObject({
      collectedDate: day('2026-01-06'),
      resultedDate: day('2026-02-01'),
      version: 2,
    })
  })
})

describe('an Idempotency-Key whose request died before its answer', () => {
  it('is free again after five minutes, unless its card is still being charged', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    const request = { body: { id: 'pm_card_visa' }, url: '/api/v1/payment-methods' }
    const fingerprint = createHash('sha256')
      .update(`POST ${request.url}\n`)
      .update(JSON.stringify(request.body))
      .digest()
    const claim = (key: string, minutes: number) =>
      owner.query(
        `insert into idempotency_keys (realm_id, key, fingerprint, created_at)
         select id, $1, $2, now() - $3 * interval '1 minute' from realms where business_id = $4 and mode = 'sandbox'`,
        [key, fingerprint, minutes, clinic.id],
      )
    await claim('dead', 6)
    await claim('young', 4)
    await claim('charging', 6)
    await owner.query(
      `insert into payments (realm_id, id, state, purpose, on_decline, method_id, customer_ref, amount_minor, currency,
         request, idempotency_key, actor, checked_at, created_at)
       select id, 'pay_left', 'requested', 'orders', 'refuse', 'pm_x', 'cus_x', 100, 'USD', '{}', 'charging', 'test', now() + interval '1 hour', now()
       from realms where business_id = $1 and mode = 'sandbox'`,
      [clinic.id],
    )
    const attach = (key: string) => clinic.sandbox.post('/payment-methods', request.body, { 'idempotency-key': key })
    expect((await attach('young')).body.code).toBe('IDEMPOTENCY_CONFLICT')
    await world.service.database.asSystem({ name: 'test' }, sweepPayments)
    expect((await attach('dead')).status).toBe(201)
    expect((await attach('young')).body.code).toBe('IDEMPOTENCY_CONFLICT')
    expect((await attach('charging')).body.code).toBe('IDEMPOTENCY_CONFLICT')
  })
})
