import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { accountScope } from '../../src/domain/scopes.ts'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { routesFor } from '../../src/modules/index.ts'
import { purgeIdempotencyKeys } from '../../src/modules/insights/system/jobs.ts'
import type { JobContext } from '../../src/platform/jobs/context.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Reply } from '../harness/caller.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const routes = routesFor('business')

let world: World
let clinic: TestBusiness
let database: Client

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business({ credits: 1000 })
  database = await world.owner()
})
afterAll(() => world.stop())

const order = anOrder({ paymentMethod: 'credits' })
const keyed = (key: string) => ({ 'idempotency-key': key })
const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'
const count = async (business = clinic) => (await business.live.get('/orders')).body.pagination.total as number

describe('the same request under the same Idempotency-Key', () => {
  it('answers byte for byte the same and does its work once', async () => {
    const key = randomBase62(20)
    const before = await count()
    const first = await clinic.live.post('/create-order', order, keyed(key))
    expect([first.status, isReplay(first)]).toEqual([201, false])
    for (let again = 0; again < 3; again++) {
      const reply = await clinic.live.post('/create-order', order, keyed(key))
      expect([reply.status, reply.text, isReplay(reply)]).toEqual([201, first.text, true])
      expect(reply.headers.get('content-type')).toBe(first.headers.get('content-type'))
    }
    expect(await count()).toBe(before + 1)
  })

  it('200 times at once makes one order', async () => {
    const key = randomBase62(20)
    const before = await count()
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => clinic.live.post('/create-order', order, keyed(key))),
    )
    const made = replies.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ body }) => body.orderId)).size).toBe(1)
    expect(made.filter((reply) => !isReplay(reply))).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      // A duplicate request that waits too long for a connection gets 503. It did nothing either.
      expectRefusal(reply, reply.status === 503 ? 'OVERLOADED' : 'IDEMPOTENCY_CONFLICT', 'a twin')
      expect(reply.headers.get('retry-after')).toBe('1')
    }
    expect(await count()).toBe(before + 1)
  })

  it('is refused with 409 while the first is still running', async () => {
    const key = randomBase62(20)
    const { live } = await world.service.database.asSystem({ name: 'system' }, (tx) => realmsOf(tx, clinic.id))
    await database.query('begin')
    try {
      await database.query(
        `insert into idempotency_keys (realm_id, key, fingerprint, created_at) values ($1, $2, '', now())`,
        [live.id, key],
      )
      expectRefusal(await clinic.live.post('/create-order', order, keyed(key)), 'IDEMPOTENCY_CONFLICT', 'a twin')
    } finally {
      await database.query('rollback')
    }
    expect((await clinic.live.post('/create-order', order, keyed(key))).status).toBe(201)
  })

  it('is new again after 24 hours', async () => {
    const key = randomBase62(20)
    const first = await clinic.live.post('/create-order', order, keyed(key))
    await database.query(`update idempotency_keys set created_at = now() - interval '23 hours' where key = $1`, [key])
    expect(isReplay(await clinic.live.post('/create-order', order, keyed(key)))).toBe(true)
    await database.query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = $1`, [key])
    const later = await clinic.live.post('/create-order', order, keyed(key))
    expect([later.status, isReplay(later), later.text === first.text]).toEqual([201, false, false])
  })

  it('answers again what is wrong with the request itself, and a corrected request takes a new key', async () => {
    const wrong = { ...order, kit_types: [{ kitType: CORE, quantity: 0 }] }
    const key = randomBase62(20)
    const refused = await clinic.live.post('/create-order', wrong, keyed(key))
    expectRefusal(refused, 'VALIDATION_FAILED', 'no kits')
    const again = await clinic.live.post('/create-order', wrong, keyed(key))
    expect([again.status, again.text, isReplay(again)]).toEqual([400, refused.text, true])
    expectRefusal(await clinic.live.post('/create-order', order, keyed(key)), 'IDEMPOTENCY_MISMATCH', 'corrected')
    expect((await clinic.live.post('/create-order', order, keyed(`${key}-2`))).status).toBe(201)
  })

  it('tries again what a later change can turn: credits that did not suffice', async () => {
    const poor = await world.business({ credits: 0 })
    const key = randomBase62(20)
    for (let again = 0; again < 2; again++) {
      const refused = await poor.live.post('/create-order', order, keyed(key))
      expect([refused.status, refused.body.code, isReplay(refused)]).toEqual([400, 'NOT_ENOUGH_CREDITS', false])
    }
    await world.grant(poor, CORE, 5)
    const made = await poor.live.post('/create-order', order, keyed(key))
    expect([made.status, isReplay(made)]).toEqual([201, false])
    expect(isReplay(await poor.live.post('/create-order', order, keyed(key)))).toBe(true)
  })

  it('tries again a declined card, no card, a kit that is there later, and a feature that is switched on', async () => {
    const business = await world.business({ credits: 0, panels: [CORE] })
    const byCard = anOrder({ purchase_with_attached_payment: true })
    const tries = async (name: string, code: string, work: () => Promise<Reply>, change: () => Promise<unknown>) => {
      const refused = await work()
      expect([name, refused.body.code]).toEqual([name, code])
      await change()
      const { status, headers } = await work()
      expect([name, status < 300, headers.has('idempotent-replayed')]).toEqual([name, true, false])
    }
    const place = (key: string, body = byCard) => business.live.post('/create-order', body, keyed(key))
    const declined = (await business.live.post('/payment-methods', { id: 'pm_card_declined' })).body
    await tries(
      'declined',
      'PAYMENT_FAILED',
      () => place('declined'),
      async () => {
        await business.live.post('/payment-methods', { id: 'pm_card_visa' })
        await business.live.request('DELETE', `/payment-methods/${declined.id}`)
      },
    )
    const other = await world.business({ credits: 0, panels: [CORE] })
    await tries(
      'no card',
      'PAYMENT_METHOD_MISSING',
      () => other.live.post('/create-order', byCard, keyed('no-card')),
      () => other.live.post('/payment-methods', { id: 'pm_card_visa' }),
    )
    const disabled = await world.business({ credits: 0, panels: [CORE] })
    await disabled.live.post('/payment-methods', { id: 'pm_card_visa' })
    await disabled.live.request('PATCH', '/settings', { purchasingEnabled: false })
    await tries(
      'off',
      'PURCHASING_DISABLED',
      () => disabled.live.post('/create-order', byCard, keyed('off')),
      () => disabled.live.request('PATCH', '/settings', { purchasingEnabled: true }),
    )
    const made = { email: 'late@example.test', name: 'Late Comer' }
    await tries(
      'person',
      'CUSTOMER_NOT_FOUND',
      () =>
        business.live.post(
          '/customer/add-data',
          {
            type: 'quiz',
            userId: 'late',
            quizName: 'q',
            date: '2026-01-01',
            quizData: [{ question: 'a', answer: 'b' }],
          },
          keyed('person'),
        ),
      () => business.live.post('/customers', { ...made, external_id: 'late' }),
    )
  })

  it('is the same under X-Idempotency-Key, which other services call it', async () => {
    const key = randomBase62(20)
    const first = await clinic.live.post('/create-order', order, { 'x-idempotency-key': key })
    const again = await clinic.live.post('/create-order', order, { 'x-idempotency-key': key })
    expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true])
    expect(isReplay(await clinic.live.post('/create-order', order, keyed(key)))).toBe(true)
  })

  it('is refused where the two names have different values, and taken where they agree', async () => {
    const key = randomBase62(20)
    for (const [path, body] of [
      ['/create-order', order],
      ['/quotes', order],
      ['/customers', { email: 'x@y.test', name: 'X' }],
    ] as const) {
      const reply = await clinic.live.post(path, body, { ...keyed(key), 'x-idempotency-key': `${key}2` })
      expectRefusal(reply, 'VALIDATION_FAILED', path)
      expect(reply.body.details).toMatchObject([
        { path: 'Idempotency-Key', message: expect.stringContaining('X-Idempotency-Key') },
      ])
    }
    const made = await clinic.live.post('/create-order', order, { ...keyed(key), 'x-idempotency-key': key })
    expect([made.status, isReplay(made)]).toEqual([201, false])
  })

  it('of a quote is answered by what is true now, and used up by none', async () => {
    const poor = await world.business({ credits: 0 })
    const key = keyed(randomBase62(20))
    const quoted = async () => (await poor.live.post('/quotes', order, key)).body
    expect(await quoted()).toMatchObject({ valid: false, refusal: { code: 'NOT_ENOUGH_CREDITS' } })
    await world.grant(poor, CORE, 5)
    expect(await quoted()).toMatchObject({ valid: true, outcome: 'placed' })
    expect((await poor.live.post('/create-order', order, key)).status).toBe(201)
  })

  it('tries again a person whose age a panel allows later', async () => {
    const business = await world.business()
    const { body } = await business.live.post('/create-order', order)
    const [{ kitID }] = (await business.live.get(`/orders/${body.orderId}`)).body.kits
    const person = {
      firstName: 'Old',
      lastName: 'Timer',
      email: 'old@example.test',
      dateOfBirth: '1930-01-01',
      sex: 'M',
    }
    const register = () => business.live.post(`/kits/${kitID}/register`, person, keyed('aged'))
    await database.query('update panels set max_age = 80 where kit_type = $1', [CORE])
    try {
      expectRefusal(await register(), 'AGE_NOT_ALLOWED', 'too old')
    } finally {
      await database.query('update panels set max_age = null where kit_type = $1', [CORE])
    }
    const registered = await register()
    expect([registered.status, isReplay(registered)], registered.text).toEqual([200, false])
  })

  it('tries again a file that could not be read, which a layout template or a release can turn', async () => {
    const business = await world.business()
    await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, business.id, { uploadsEnabled: true }))
    const { id: userId } = (await business.live.post('/customers', { email: 'file@example.test', name: 'Fay Ill' }))
      .body
    const fileBlob = `data:application/pdf;base64,${Buffer.from('%PDF-1.4 no more').toString('base64')}`
    const upload = () =>
      business.live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-01', fileBlob }, keyed('file'))
    for (const time of ['first', 'second']) {
      const refused = await upload()
      expectRefusal(refused, 'FILE_NOT_READABLE', time)
      expect([time, isReplay(refused)]).toEqual([time, false])
    }
  })

  it('is not used up by a dry run, and does not answer one', async () => {
    const key = randomBase62(20)
    for (const query of ['?dryRun=true', '?dryRun', '?dry_run=1']) {
      const { status, body } = await clinic.live.post(`/create-order${query}`, order, keyed(key))
      expect([query, status, body.valid]).toEqual([query, 200, true])
    }
    const made = await clinic.live.post('/create-order', order, keyed(key))
    expect([made.status, isReplay(made)]).toEqual([201, false])
    expect((await clinic.live.post('/create-order?dryRun=true', order, keyed(key))).body.valid).toBe(true)
    const placed = await clinic.live.post('/create-order?dryRun=false', order, keyed(`${key}-2`))
    const again = await clinic.live.post('/create-order?dryRun=false', order, keyed(`${key}-2`))
    expect([placed.status, isReplay(again)]).toEqual([201, true])
  })

  it('is new again after the sandbox is reset, or its order there is deleted', async () => {
    const place = (key: string) => clinic.sandbox.post('/create-order', anOrder(), keyed(key))
    const first = await place('kept')
    const gone = await place('gone')
    const kitID = (await clinic.sandbox.get(`/orders/${gone.body.orderId}`)).body.kits[0].kitID
    const move = (path: string) => clinic.sandbox.post(path, { status: 'kitInTransit' }, keyed('moved'))
    expect((await move(`/sandbox/kits/${kitID}/advance`)).status).toBe(200)
    await clinic.sandbox.request('DELETE', `/sandbox/orders/${gone.body.orderId}`)
    expect((await place('kept')).text).toBe(first.text)
    const anew = await place('gone')
    expect([anew.status, isReplay(anew)]).toEqual([201, false])
    expectRefusal(await move(`/sandbox/kits/${kitID}/advance`), 'KIT_NOT_FOUND', 'a kit that is gone')
    const live = randomBase62(20)
    await clinic.live.post('/create-order', order, keyed(live))
    const reset = await clinic.sandbox.post('/sandbox/reset', undefined, keyed('reset'))
    const again = await clinic.sandbox.post('/sandbox/reset', undefined, keyed('reset'))
    expect([again.text, isReplay(again)]).toEqual([reset.text, true])
    const fresh = await place('kept')
    expect([fresh.status, isReplay(fresh), fresh.text === first.text]).toEqual([201, false, false])
    expect(isReplay(await clinic.live.post('/create-order', order, keyed(live)))).toBe(true)
  })
})

describe('another request under the same Idempotency-Key', () => {
  it('is refused with 422, be it the body, the path, the query or the method that differs', async () => {
    const key = randomBase62(20)
    const made = await clinic.live.post('/create-order', order, keyed(key))
    const before = await count()
    const others: [string, string, unknown][] = [
      ['POST', '/create-order', { ...order, externalID: 'x' }],
      ['POST', '/create-order', `${JSON.stringify(order)} `],
      ['POST', '/create-order?dryRun=false', order],
      ['POST', `/orders/${made.body.orderId}/cancel`, undefined],
      ['PATCH', '/settings', { publishing: 'manual' }],
    ]
    for (const [method, path, body] of others) {
      const reply = await clinic.live.request(method, path, body, keyed(key))
      expectRefusal(reply, 'IDEMPOTENCY_MISMATCH', `${method} ${path}`)
    }
    expect(await count()).toBe(before)
    expect((await clinic.live.get(`/orders/${made.body.orderId}`)).body.status).toBe('created')
  })

  it('at the same moment leaves one winner', async () => {
    const key = randomBase62(20)
    const before = await count()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        clinic.live.post('/create-order', { ...order, externalID: `twin-${i}` }, keyed(key)),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => ![201, 409, 422].includes(status))).toEqual([])
    expect(await count()).toBe(before + 1)
  })
})

describe('an Idempotency-Key', () => {
  it('is 1 to 255 visible ASCII characters', async () => {
    for (const key of ['x', '!~"{}', 'x'.repeat(255)]) {
      const unique = key.length === 255 ? key : `${key}${randomBase62(10)}`
      expect((await clinic.live.post('/create-order', order, keyed(unique))).status).toBe(201)
    }
    for (const key of ['', 'x'.repeat(256), 'two words', 'é', 'ÿ', 'tab\tbed']) {
      const reply = await clinic.live.post('/create-order', order, keyed(key))
      expectRefusal(reply, 'VALIDATION_FAILED', key)
      expect(reply.body.details).toEqual([{ message: '1 to 255 visible ASCII characters', path: 'Idempotency-Key' }])
    }
  })

  it('is free again after a refusal that says nothing of the request: no JSON, provisioning, scope', async () => {
    const key = keyed(randomBase62(20))
    const bare = await world.business({ panels: [CORE] })
    const wrongs: [unknown, number][] = [
      ['{', 400],
      [{ ...order, kit_types: [{ kitType: 'NO-SUCH-KIT' }] }, 400],
    ]
    for (const [body, status] of wrongs) expect((await bare.live.post('/create-order', body, key)).status).toBe(status)
    expect((await world.as('kl_live_x').post('/create-order', order, key)).status).toBe(401)
    const weak = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
      createToken(tx, (await realmsOf(tx, bare.id)).live, { name: 'weak', scopes: [] }),
    )
    expect((await world.as(weak.token).post('/create-order', order, key)).status).toBe(403)
    const { body, status, headers } = await bare.live.post('/create-order', order, key)
    expect([status, headers.has('idempotent-replayed'), typeof body.orderId]).toEqual([201, false, 'string'])
  })

  it('is free again after a refusal that came from another system', async () => {
    const key = keyed(randomBase62(20))
    const refused = await clinic.sandbox.post('/payment-methods', { id: 'pm_no_such_card' }, key)
    expectRefusal(refused, 'VALIDATION_FAILED', 'a card that is none')
    const { status, headers } = await clinic.sandbox.post('/payment-methods', { id: 'pm_card_visa' }, key)
    expect([status, headers.has('idempotent-replayed')]).toEqual([201, false])
  })

  it('means nothing to a GET', async () => {
    const key = keyed('same')
    const first = await clinic.live.get('/orders', key)
    await clinic.live.post('/create-order', order)
    const second = await clinic.live.get('/credits', key)
    expect([first.status, second.status, isReplay(second)]).toEqual([200, 200, false])
  })

  it('is taken by every route that writes', async () => {
    const writing = routes.filter(({ method }) => method !== 'GET')
    expect(writing.length).toBeGreaterThan(5)
    const admin = await signIn(world, await person(world, 'business-admin', clinic))
    for (const route of writing) {
      const byToken = route.mode ? clinic.sandbox : clinic.live
      const caller = route.scope === accountScope ? admin.in(clinic) : byToken
      const path = route.path.replace(/:\w+/g, 'none')
      const reply = await caller.request(route.method, path, route.body && {}, keyed('two words'))
      // The key may be checked before or after the rest of the request, but it is always checked.
      expect([route.id, reply.status]).toEqual([route.id, 400])
    }
  })
})

it('expired keys are deleted however many there are, and others are kept', async () => {
  const other = await world.business()
  await other.live.post('/create-order', order, keyed('kept'))
  const { rows } = await database.query('select id from realms where business_id = $1 and mode = $2', [
    other.id,
    'live',
  ])
  await database.query(
    `insert into idempotency_keys (realm_id, key, fingerprint, created_at)
     select $1, 'old-' || n, 'x', now() - interval '25 hours' from generate_series(1, 2500) n`,
    [rows[0].id],
  )
  const run = { signal: new AbortController().signal }
  const context = { database: world.service.database, actor: { name: 'test' }, run } as JobContext
  await purgeIdempotencyKeys.handler(context, {})
  const left = await database.query('select key from idempotency_keys where realm_id = $1', [rows[0].id])
  expect(left.rows).toEqual([{ key: 'kept' }])
})

describe('Kitlane-Simulate', () => {
  const ask = (header: string, key: string, caller = clinic.sandbox) =>
    caller.post('/create-order', anOrder(), { 'kitlane-simulate': header, 'idempotency-key': key })
  const placed = async () => (await clinic.sandbox.get('/orders')).body.pagination.total

  it('answers a sandbox token with the failure, does nothing, and leaves figures and log alone', async () => {
    const before = await placed()
    for (const [header, code] of [['429', 'RATE_LIMITED'] as const, ['503', 'OVERLOADED'] as const]) {
      const { status, body, headers } = await ask(header, `simulated-${header}`)
      expect([status, body.code, headers.get('retry-after')]).toEqual([Number(header), code, '1'])
    }
    expect(await placed()).toBe(before)
    expect(world.logged.filter((line) => line.includes('request failed'))).toEqual([])
    // The failure is not kept: the same key works without the header.
    const { status } = await clinic.sandbox.post('/create-order', anOrder(), { 'idempotency-key': 'simulated-503' })
    expect(status).toBe(201)
  })

  it('loses the answer of an order that is placed, and the same key gets it', async () => {
    const before = await placed()
    await expect(ask('lost', 'simulated-lost')).rejects.toThrow()
    await expect.poll(placed).toBe(before + 1)
    const again = await clinic.sandbox.post('/create-order', anOrder(), { 'idempotency-key': 'simulated-lost' })
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(await placed()).toBe(before + 1)
  })

  it('is refused with a live token, which does nothing, and with what it does not know', async () => {
    const placedLive = async () => (await clinic.live.get('/orders')).body.pagination.total
    const before = await placedLive()
    const live = await ask('503', 'simulated-live', clinic.live)
    expect([live.status, live.body.code, await placedLive()]).toEqual([400, 'VALIDATION_FAILED', before])
    expect((await ask('418', 'simulated-418')).body.message).toContain('429, 503, slow, lost')
    const operator = await operatorWith(world, ['lab'])
    const sent = await operator('GET', '/lab/messages', undefined, { 'kitlane-simulate': '503' })
    expect([sent.status, sent.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})
