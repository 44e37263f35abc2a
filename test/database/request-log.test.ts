import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyOldRequests } from '../../src/extensions/request-log/jobs.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { manualClock } from '../../src/platform/clock.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Caller, Reply } from '../harness/caller.ts'
import { anOrder, recipient } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let owner: Client
let clinic: TestBusiness

beforeAll(async () => {
  world = await ownWorld('looks at the requests of all businesses')
  owner = await world.owner()
  clinic = await world.business()
})
afterAll(() => world.stop())

interface Logged {
  id: string
  method: string
  path?: string
  status: number
  requestID: string
}

const logOf = async (caller: Caller, query = 'latest=true'): Promise<Reply['body']> => {
  const { status, body, text } = await caller.get(`/request-log?${query}`)
  expect(status, text).toBe(200)
  return body
}

/** The entry of a request, once it is written. */
async function entryOf(caller: Caller, { headers }: Reply): Promise<Logged & Record<string, unknown>> {
  const id = headers.get('x-request-id')
  await expect.poll(async () => (await logOf(caller, `requestID=${id}`)).data.length).toBe(1)
  return (await logOf(caller, `requestID=${id}`)).data[0]
}

describe('the log of requests', () => {
  it('has what a token asked for and what it was answered, under the ID that the answer showed', async () => {
    const placed = await clinic.sandbox.post('/create-order', anOrder())
    const { orderId } = placed.body
    const [{ id: tokenID, name }] = (
      await owner.query(
        `select id, name from tokens where realm_id = (
      select id from realms where business_id = $1 and mode = 'sandbox')`,
        [clinic.id],
      )
    ).rows
    expect(await entryOf(clinic.sandbox, placed)).toEqual({
      id: expect.any(String),
      date: expect.any(String),
      ms: expect.any(Number),
      method: 'POST',
      route: '/api/v1/create-order',
      path: '/api/v1/create-order',
      status: 201,
      requestID: placed.headers.get('x-request-id'),
      token: { id: tokenID, name },
      replayed: false,
    })
    const read = await clinic.sandbox.get(`/orders/${orderId}`)
    expect(await entryOf(clinic.sandbox, read)).toMatchObject({
      method: 'GET',
      route: '/api/v1/orders/{id}',
      path: `/api/v1/orders/${orderId}`,
      status: 200,
    })
    const mine = { 'x-request-id': 'shop-7.1' }
    const refused = await clinic.sandbox.request('POST', `/orders/${orderId}/cancel`, 'no JSON', mine)
    expect(await entryOf(clinic.sandbox, refused)).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      path: `/api/v1/orders/${orderId}/cancel`,
      callerRequestID: 'shop-7.1',
      requestID: expect.stringMatching(/^req_\w{22}$/),
    })
  })

  it('says which answers were kept under an Idempotency-Key, and which failures were simulated', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = await clinic.sandbox.post('/create-order', anOrder(), key)
    const again = await clinic.sandbox.post('/create-order', anOrder(first.body), key)
    expect(again.body.code).toBe('IDEMPOTENCY_MISMATCH')
    const order = anOrder()
    await clinic.sandbox.post('/create-order', order, { 'idempotency-key': 'twice' })
    const replayed = await clinic.sandbox.post('/create-order', order, { 'idempotency-key': 'twice' })
    const simulated = await clinic.sandbox.get('/kits', { 'kitlane-simulate': '503' })
    const fhir = await clinic.sandbox.get('/fhir/Patient/nobody')
    expect(await entryOf(clinic.sandbox, again)).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_MISMATCH',
      replayed: false,
    })
    expect(await entryOf(clinic.sandbox, replayed)).toMatchObject({ status: 201, replayed: true })
    expect(await entryOf(clinic.sandbox, simulated)).toMatchObject({
      status: 503,
      code: 'OVERLOADED',
      simulated: '503',
    })
    expect(await entryOf(clinic.sandbox, fhir)).toMatchObject({ status: 404, path: '/fhir/Patient/{id}' })
  })

  it('never has a query, a body, a header or what a caller put into the path', async () => {
    const { sandbox } = await world.business()
    const canary = 'Katharina'
    const person = anOrder({ recipient: { ...recipient, first_name: canary } })
    const answers = [
      await sandbox.post(`/create-order?note=${canary}`, person, { 'user-agent': canary, 'kitlane-simulate': canary }),
      await sandbox.get(`/customers/${canary}`),
      await sandbox.get(`/kits/K${canary.toUpperCase()}`),
      await sandbox.get(`/${canary}`),
      await sandbox.request('PUT', `/orders/${canary}`),
      await sandbox.get(`/orders?q=${canary}&page=0`),
      await sandbox.get(`/request-log?path=${canary}`),
      await sandbox.post('/customer', { email: `${canary}@example.test`, name: canary, external_id: '491701234567' }),
      await sandbox.get('/customers/491701234567'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404, 404, 405, 200, 200, 201, 200])
    await entryOf(sandbox, answers.at(-1) as Reply)
    const { rows } = await owner.query('select l::text as row from request_log l')
    const found = rows.map(({ row }) => row).filter((row) => /katharina|491701234567|\?/i.test(row))
    expect(found).toEqual([])
    const { data } = await logOf(sandbox)
    expect(data.map(({ method, path = 'nowhere' }: Logged) => `${method} ${path}`)).toEqual([
      ...[
        'POST /api/v1/create-order',
        'GET /api/v1/customers/{id}',
        'GET /api/v1/kits/{kitID}',
        'GET nowhere',
        'PUT nowhere',
      ],
      ...['GET /api/v1/orders', 'POST /api/v1/customer', 'GET /api/v1/customers/{id}'],
    ])
  })

  it('shows a business its own tokens in its own mode, and leaves out people, strangers and itself', async () => {
    const [one, other] = [await world.business(), await world.business()]
    const admin = (await signIn(world, await person(world, 'business-admin', one))).in(one)
    await admin.get('/kits')
    await world.as('kl_live_wrong').get('/kits')
    const last = await one.live.get('/kits')
    await entryOf(one.live, last)
    expect((await logOf(one.live)).data).toHaveLength(1)
    expect((await logOf(admin)).data.map(({ requestID }: Logged) => requestID)).toEqual([
      last.headers.get('x-request-id'),
    ])
    for (const caller of [one.sandbox, other.live, other.sandbox]) expect((await logOf(caller)).data).toEqual([])
    const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
      createToken(tx, (await realmsOf(tx, one.id)).live, { name: 'shop', scopes: ['orders:read', 'webhooks:read'] }),
    )
    expectRefusal(await world.as(token).get('/request-log'), 'FORBIDDEN', 'another scope')
  })

  it('is filtered, paged in both directions and followed, without a gap', async () => {
    const { live } = await world.business()
    const { orderId } = (await live.post('/create-order', anOrder())).body
    for (const path of [`/orders/${orderId}`, '/orders/nothing', '/kits', '/kits/nothing', '/orders?size=oops'])
      await live.get(path)
    const last = await live.get('/credits')
    await entryOf(live, last)
    const found = async (query: string) =>
      (await logOf(live, query)).data.map(({ method, path, status }: Logged) => `${method} ${path?.slice(7)} ${status}`)
    expect(await found('method=POST')).toEqual(['POST /create-order 201'])
    expect(await found('status=4xx')).toEqual(['GET /orders/{id} 404', 'GET /kits/{kitID} 404', 'GET /orders 400'])
    expect(await found('status=400')).toEqual(['GET /orders 400'])
    expect(await found('code=KIT_NOT_FOUND')).toEqual(['GET /kits/{kitID} 404'])
    expect(await found('path=/orders/')).toEqual([`GET /orders/${orderId} 200`, 'GET /orders/{id} 404'])
    expect(await found(`path=/api/v1/orders/${orderId}`)).toEqual([`GET /orders/${orderId} 200`])
    expect(await found('tokenID=tok_other')).toEqual([])
    expect(await found('until=2020-01-01')).toEqual([])
    expect(await found(`since=${new Date().toISOString().slice(0, 10)}&until=2199-01-01&method=POST`)).toHaveLength(1)
    expect(await found('status=200&latest=true&size=1')).toEqual(['GET /credits 200'])

    const forwards: string[] = []
    for (let page = await logOf(live, 'size=3'); ; page = await logOf(live, `size=3&after=${page.after}`)) {
      forwards.push(...page.data.map(({ id }: Logged) => id))
      if (!page.hasMore) break
    }
    const backwards: string[] = []
    for (
      let page = await logOf(live, 'latest=true&size=3');
      ;
      page = await logOf(live, `size=3&before=${page.before}`)
    ) {
      backwards.unshift(...page.data.map(({ id }: Logged) => id))
      if (page.before === undefined) break
    }
    expect(forwards).toHaveLength(7)
    expect(backwards).toEqual(forwards)
    // What a filter skipped is not read again.
    const { after, data } = await logOf(live, 'status=5xx')
    expect([after, data]).toEqual([forwards.at(-1), []])
    await live.get('/panels')
    await expect.poll(async () => (await logOf(live, `after=${after}`)).data.length).toBe(1)
    expectRefusal(await live.get('/request-log?status=teapot'), 'VALIDATION_FAILED', 'no status')
    expectRefusal(await live.get(`/request-log?after=${after}&latest=true`), 'VALIDATION_FAILED', 'two ways at once')
  })
})

const DAY_MS = 24 * 3600 * 1000

it('a request is shown for as many days as the settings say, and its row is gone a day later', async () => {
  const clock = manualClock(new Date('2026-03-01T08:00:00Z'))
  const own = await ownWorld('sets the clock', { requestLogDays: 3 }, { clock })
  try {
    const client = await own.owner()
    const { live } = await own.business()
    const rows = async () => (await client.query('select count(*)::int as n from request_log')).rows[0].n
    const days = async () => {
      const { data, keptDays } = await logOf(live)
      expect(keptDays).toBe(3)
      return data.map(({ date }: { date: string }) => date.slice(8, 10))
    }
    const purge = () =>
      emptyOldRequests.handler({ database: own.service.database, actor: { name: 'job' } } as JobContext, {})
    let last = await live.get('/kits')
    for (let day = 1; day <= 4; day++) {
      last = await live.get('/kits')
      clock.advance(DAY_MS)
    }
    await entryOf(live, last)
    // It is the fifth, at 08:00: what came on the second came a moment before.
    expect(await days()).toEqual(['03', '04'])
    expect(await rows()).toBe(4)
    // Somebody who reads it holds it for a moment.
    await client.query('begin; select from request_log limit 1')
    await expect(purge()).rejects.toMatchObject({ code: '55P03' })
    await client.query('rollback')
    await purge()
    expect(await rows()).toBe(3)
    await purge()
    expect(await days()).toEqual(['03', '04'])
    clock.advance(10 * DAY_MS)
    await purge()
    expect([await rows(), await days()]).toEqual([0, []])
  } finally {
    await own.stop()
  }
})

it('a database that does not take the log fails no request; what waited is written later, or before the service ends', async () => {
  const own = await ownWorld('looks at the requests of all businesses')
  try {
    const client = await own.owner()
    const { live } = await own.business()
    const ids = async () =>
      (await client.query('select requests from request_log order by id')).rows.flatMap(({ requests }) =>
        requests.match(/req_\w+/g),
      )
    await client.query('reset role; revoke insert on request_log from kitlane_system; set role kitlane_system')
    const missed = await live.get('/kits')
    expect(missed.status).toBe(200)
    await expect.poll(() => own.logged.join('')).toContain('the log of requests is not written for now')
    const second = await live.get('/kits')
    expect(second.status).toBe(200)
    await client.query('reset role; grant insert on request_log to kitlane_system; set role kitlane_system')
    await entryOf(live, second)
    const last = await live.get('/kits')
    await own.service.stop({ atOnce: true })
    expect(await ids()).toEqual([missed, second, last].map(({ headers }) => headers.get('x-request-id')))
  } finally {
    await own.stop()
  }
})

it('without days to keep, nothing is written, and the answer says so', async () => {
  const own = await ownWorld('has another setting', { requestLogDays: 0 })
  try {
    const { live } = await own.business()
    await live.get('/kits')
    expect(await logOf(live)).toEqual({ data: [], hasMore: false, after: '0', keptDays: 0 })
    const client = await own.owner()
    await own.service.stop({ atOnce: true })
    expect((await client.query('select from request_log')).rowCount).toBe(0)
  } finally {
    await own.stop()
  }
})
