import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/scopes.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Caller } from '../harness/caller.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { address, anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let realm: IsolationFixtures
let kitInReview: string
let nameInReview: string
let inReview: string

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  realm = await createIsolationFixtures(world, clinic, 'live')
  const { body } = await clinic.live.post('/create-order', anOrder())
  kitInReview = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const { body: customer } = await clinic.live.get(`/customers/${realm.objects.customer[0]}`)
  const { name, dateOfBirth, gender: sex, email } = customer
  nameInReview = name
  const [firstName, lastName] = name.split(' ')
  const registration = { firstName, lastName, email, dateOfBirth, sex }
  const registered = await clinic.live.post(`/kits/${kitInReview}/register`, registration)
  expect(registered.status, registered.text).toBe(200)
  const received = await world.service.database.inRealm(realm.realm, { name: 'test' }, (tx) =>
    receiveResults(tx, { kitId: kitInReview, results: [{ biomarkerId: 'glucose', value: 417.5, unit: 'mg/dL' }] }),
  )
  inReview = received.reportId
})
afterAll(() => world.stop())

/** A caller with only these scopes. */
async function holding(...scopes: Scope[]): Promise<Caller> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createToken(tx, realm.realm, { name: scopes.join(), scopes }),
  )
  return world.as(token)
}

const exported = async (...scopes: Scope[]) => {
  const { status, body, text } = await (await holding(...scopes)).get(`/customers/${realm.objects.customer[0]}/export`)
  expect(status, text).toBe(200)
  return { body, text }
}

it('a list of kits names their people to who asks for it, and of them those that the scopes show', async () => {
  const named = async (query: string, ...scopes: Scope[]) => {
    const { body } = await (await holding('kits:read', ...scopes)).get(`/kits?kitID=${kitInReview}${query}`)
    const { recipientName, registeredName } = body[0]
    return { recipientName, registeredName }
  }
  const [recipientName, registeredName] = ['Ada Example', nameInReview]
  expect(await named('&includeNames=1', 'orders:read', 'customers:read')).toEqual({ recipientName, registeredName })
  expect(await named('&includeNames=1', 'orders:read')).toEqual({ recipientName })
  expect(await named('&includeNames=1', 'customers:read')).toEqual({ registeredName })
  expect(await named('&includeNames=1')).toEqual({})
  expect(await named('', 'orders:read', 'customers:read')).toEqual({})
})

it('lists of critical results, results not assessed and uploads name the person to who may read customers', async () => {
  const named = await holding('reports:review', 'customers:read')
  const nameless = await holding('reports:review')
  for (const path of ['/critical-results?state=all', '/unassessed-results', '/uploads']) {
    const { data } = (await named.get(path)).body
    expect([path, data.length > 0]).toEqual([path, true])
    for (const { customerID, customerName } of data)
      expect(customerName).toBe((await named.get(`/customers/${customerID}`)).body.name)
    for (const row of (await nameless.get(path)).body.data) expect(row).not.toHaveProperty('customerName')
  }
})

describe('an export', () => {
  it('with customers:read alone holds no kit, order, report or result, and says what was left out', async () => {
    const { body, text } = await exported('customers:read')
    expect(body).toMatchObject({
      kits: [],
      orders: [],
      collections: [],
      toldAuthorities: [],
      plans: [],
      shopOrders: [],
      reports: [],
      unassessedResults: [],
      criticalResults: [],
      receivedDocuments: [],
    })
    expect(body.leftOut).toEqual([
      { part: 'kits', scope: 'kits:read' },
      { part: 'orders', scope: 'orders:read' },
      { part: 'collections', scope: 'reports:read' },
      { part: 'toldAuthorities', scope: 'reports:review' },
      { part: 'plans', scope: 'orders:read' },
      { part: 'shopOrders', scope: 'orders:read' },
      { part: 'reports', scope: 'reports:read' },
      { part: 'unpublishedReports', scope: 'reports:review' },
      { part: 'unassessedResults', scope: 'reports:review' },
      { part: 'criticalResults', scope: 'reports:review' },
      { part: 'receivedDocuments', scope: 'reports:review' },
    ])
    for (const [kind, ids] of Object.entries(realm.objects)) {
      if (['customer', 'dataRequest', 'email', 'externalId'].includes(kind)) continue
      for (const id of ids) expect([kind, id, text.includes(id)]).toEqual([kind, id, false])
    }
    expect(text).not.toContain(inReview)
    expect(text).not.toContain('417.5')
  })

  it('shows no sign of a report in review to anyone who may not review', async () => {
    const { body, text } = await exported('customers:read', 'kits:read', 'orders:read', 'reports:read')
    expect(body.leftOut).toEqual([
      { part: 'toldAuthorities', scope: 'reports:review' },
      { part: 'unpublishedReports', scope: 'reports:review' },
      { part: 'unassessedResults', scope: 'reports:review' },
      { part: 'criticalResults', scope: 'reports:review' },
      { part: 'receivedDocuments', scope: 'reports:review' },
    ])
    expect(body.unassessedResults).toEqual([])
    expect(body.reports.map(({ id }: { id: string }) => id)).toEqual([realm.objects.report[0]])
    expect(text).not.toContain(inReview)
    expect(text).not.toContain('417.5')
    const all = await exported('customers:read', 'kits:read', 'orders:read', 'reports:read', 'reports:review')
    expect(all.body.leftOut).toEqual([])
    expect(all.body.unassessedResults).not.toEqual([])
    expect(all.text).toContain('417.5')
  })

  it('keeps results that were added and wait for review from anyone who may not review', async () => {
    const added = {
      type: 'test',
      userId: Number(realm.objects.customer[0]),
      date: '2026-01-05',
      biomarkerData: [{ name: 'Glucose', result: 93.625, unit_of_measure: 'mg/dL' }],
    }
    const { status, text } = await clinic.live.post('/customer/add-data', added)
    expect(status, text).toBe(201)
    expect((await exported('customers:read', 'reports:read')).text).not.toContain('93.625')
    expect((await exported('customers:read', 'reports:read', 'reports:review')).text).toContain('93.625')
  })
})

describe('a scope', () => {
  it('that writes shows the one record that it wrote, and the audit holds that it was read', async () => {
    const owner = await world.owner()
    const readIn = async (request: string) =>
      (
        await owner.query(
          "select action, object_id from audit_entries where caller_request_id = $1 and action like '%.read'",
          [request],
        )
      ).rows
    const [customerID = ''] = realm.objects.customer
    const { body: order } = await clinic.live.post('/create-order', anOrder())
    const writes = [
      [
        'customers:write',
        'PATCH',
        `/customers/${customerID}`,
        {},
        [{ action: 'customer.read', object_id: String(customerID) }],
      ],
      ['orders:write', 'PATCH', `/orders/${order.orderId}`, { recipientAddress: address }, []],
      ['orders:write', 'POST', `/orders/${order.orderId}/cancel`, undefined, []],
    ] as const
    for (const [index, [scope, method, path, body, entries]] of writes.entries()) {
      const writer = await holding(scope)
      const request = `written-${index}-${order.orderId}`
      const reply = await writer.request(method, path, body, { 'x-request-id': request })
      expect([path, reply.status], reply.text).toEqual([path, 200])
      // An order tells of nobody's health until a kit of it is registered.
      expect(await readIn(request)).toEqual(entries)
      expect((await writer.get(path.replace('/cancel', ''))).status).toBe(403)
      expect((await writer.get(path.startsWith('/customers') ? '/customers' : '/orders')).status).toBe(403)
    }
  })

  it('reaches no more of the overview than it may read elsewhere', async () => {
    const { body } = await (await holding('orders:read')).get('/overview')
    expect(body).toMatchObject({ kits: [], credits: [], orders: { total: expect.any(Number) } })
    const ofOrders = ['pendingPayment', 'shopOrders']
    expect(body.attention.filter(({ kind }: { kind: string }) => !ofOrders.includes(kind))).toEqual([])
    expect(body.days.every(({ reports }: { reports?: number }) => reports === undefined)).toBe(true)
    const full = (await clinic.live.get('/overview')).body
    expect(full.attention.map(({ kind }: { kind: string }) => kind)).toContain('inReview')
  })

  it('of kits shows neither the name of the person nor the report', async () => {
    const { body } = await (await holding('kits:read')).get(`/kits/${kitInReview}`)
    expect(body.registration.name).toBeUndefined()
    expect(body.reportID).toBeUndefined()
    const all = (await clinic.live.get(`/kits/${kitInReview}`)).body
    expect(all).toMatchObject({ reportID: inReview, registration: { name: nameInReview } })
  })

  it('of webhooks reads only events of what its token may read', async () => {
    const types = async (...scopes: Scope[]) => {
      const { body } = await (await holding('webhooks:read', ...scopes)).get('/events?size=250')
      return [...new Set<string>(body.data.map(({ type }: { type: string }) => type))].toSorted()
    }
    const [kits, customers] = [['kit.updated'], ['customer.created', 'data_request.created']]
    await expect.poll(() => types('kits:read')).toEqual(kits)
    await expect.poll(() => types('customers:read')).toEqual(customers)
    expect(await types()).toEqual([])
    const ofOrders = await types('orders:read')
    expect(ofOrders).toContain('order.created')
    expect(ofOrders.filter((type) => !/^(order|bulk_order|plan|shop)\./.test(type))).toEqual([])
  })

  it('of webhooks sends no endpoint what its token may not read', async () => {
    const url = 'http://127.0.0.1:9/hook'
    const alone = await holding('webhooks:read', 'webhooks:write')
    expectRefusal(await alone.post('/webhooks', { url }), 'FORBIDDEN', 'every type')
    expectRefusal(await alone.post('/webhooks', { url, events: ['kit.updated'] }), 'FORBIDDEN', 'kits')
    const withKits = await holding('webhooks:read', 'webhooks:write', 'kits:read')
    expect((await withKits.post('/webhooks', { url, events: ['kit.updated'] })).status).toBe(201)
    const { body } = await clinic.live.post('/webhooks', { url, events: ['kit.updated', 'customer.created'] })
    expectRefusal(await withKits.request('PATCH', `/webhooks/${body.id}`, { url: `${url}/mine` }), 'FORBIDDEN', 'url')
    const own = await withKits.post('/webhooks', { url, events: ['kit.updated'] })
    const more = await withKits.request('PATCH', `/webhooks/${own.body.id}`, { events: null })
    expectRefusal(more, 'FORBIDDEN', 'more types')
    expect((await withKits.request('PATCH', `/webhooks/${body.id}`, { enabled: false })).status).toBe(200)
  })

  it('to write customers does not read results that wait for review', async () => {
    const writer = await holding('customers:read', 'customers:write')
    expectRefusal(await writer.get('/uploads'), 'FORBIDDEN', 'uploads')
    expect((await (await holding('reports:review')).get('/uploads')).status).toBe(200)
  })
})
