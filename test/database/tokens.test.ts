import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { anOrder } from '../harness/orders.ts'
import { person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { each } from '../harness/send.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

let world: World
let clinic: TestBusiness
let boss: SignedIn
let staff: SignedIn
let live: Caller

beforeAll(async () => {
  // Callers say from where they come, as a proxy on this machine would.
  world = await ownWorld('sets the clock', { trustedProxies: ['127.0.0.1'] }, { clock })
  clinic = await world.business()
  await signInAnew()
})
afterAll(() => world.stop())

/** Sessions end when the clock moves. */
async function signInAnew() {
  boss = await signIn(world, await person(world, 'business-admin', clinic))
  staff = await signIn(world, await person(world, 'operator-admin'))
  live = boss.in(clinic)
}

const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const operatorAs = (token: string) => caller(world.service.url, token, { prefix: '/operator/v1' })
const listed = async (id: string) => (await live.get('/tokens')).body.find((one: { id: string }) => one.id === id)
const listedByOperator = async (id: string) =>
  (await staff.operator.get('/tokens')).body.find((one: { id: string }) => one.id === id)

/** How often the use of a token was written. */
async function writesOf(id: string): Promise<number> {
  const owner = await world.owner()
  const { rows } = await owner.query('select xmin::text::bigint as xact from token_uses where token_id = $1', [id])
  return Number(rows[0]?.xact ?? 0)
}

describe('the expiry of a token', () => {
  it('is in one year, unless its creator says another time or never', async () => {
    const make = async (asked: object) => (await live.post('/tokens', { name: 'shop', ...asked })).body
    const [plain, chosen, forever] = [
      await make({}),
      await make({ expiresDate: inMs(DAY) }),
      await make({ expiresDate: null }),
    ]
    expect([plain.expiresDate, chosen.expiresDate, forever.expiresDate]).toEqual([
      inMs(365 * DAY),
      inMs(DAY),
      undefined,
    ])
    expect((await listed(plain.id)).expiresDate).toBe(inMs(365 * DAY))
    expect(await listed(forever.id)).not.toHaveProperty('expiresDate')
    const { body } = await staff.operator.post('/tokens', { name: 'scanner', scopes: ['lab'] })
    expect(body.expiresDate).toBe(inMs(365 * DAY))
  })

  it('of the tokens that a new business gets is in one year too', async () => {
    const { body } = await staff.operator.post('/businesses', { name: 'New Clinic' })
    const owner = await world.owner()
    const { rows } = await owner.query(
      'select distinct t.expires_at from tokens t join realms r on r.id = t.realm_id where r.business_id = $1',
      [body.business.id],
    )
    expect(rows.map((row) => row.expires_at.toISOString())).toEqual([inMs(365 * DAY)])
  })

  it('of tokens from before this release stays as it was', async () => {
    const owner = await world.owner()
    await owner.query(
      'update tokens set expires_at = null where realm_id in (select id from realms where business_id = $1)',
      [clinic.id],
    )
    expect((await clinic.live.get('/verify-token')).status).toBe(200)
  })
})

describe('the last use of a token', () => {
  it('is in the list of the business and of the operator, and absent before the first use', async () => {
    const { id, token } = (await live.post('/tokens', { name: 'shop', scopes: ['orders:read'] })).body
    expect(await listed(id)).not.toHaveProperty('lastUsedDate')
    expect((await world.as(token).get('/orders')).status).toBe(200)
    await expect.poll(async () => (await listed(id)).lastUsedDate).toBe(clock.now().toISOString())
    const machine = (await staff.operator.post('/tokens', { name: 'scanner', scopes: ['lab'] })).body
    await operatorAs(machine.token).get('/lab/messages')
    await expect.poll(async () => (await listedByOperator(machine.id)).lastUsedDate).toBe(clock.now().toISOString())
  })

  it('is written once a minute at most, however many orders the token places', async () => {
    const { id, token } = (await live.post('/tokens', { name: 'shop', scopes: ['orders:write'] })).body
    const shop = world.as(token)
    const place = async () => (await shop.post('/create-order', anOrder({ paymentMethod: 'credits' }))).status
    expect(await place()).toBe(201)
    await expect.poll(() => writesOf(id)).toBeGreaterThan(0)
    const first = await writesOf(id)
    const usedAt = (await listed(id)).lastUsedDate
    clock.advance(59 * SECOND)
    expect(await each(Array.from({ length: 20 }), place)).toEqual(Array(20).fill(201))
    // A use of another token is gathered and written after those orders were.
    const other = (await live.post('/tokens', { name: 'till', scopes: ['orders:read'] })).body
    await world.as(other.token).get('/orders')
    await expect.poll(() => writesOf(other.id)).toBeGreaterThan(0)
    expect([await writesOf(id), (await listed(id)).lastUsedDate]).toEqual([first, usedAt])
    clock.advance(SECOND)
    expect(await place()).toBe(201)
    await expect.poll(async () => (await listed(id)).lastUsedDate).toBe(clock.now().toISOString())
  })

  it('is written by a process that stops', async () => {
    const short = await ownWorld('stops the service')
    const business = await short.business()
    await business.live.get('/verify-token')
    const owner = await short.owner()
    // The service's own transactions end before its connections do; the owner's connection outlives them.
    await short.service.stop({ atOnce: true })
    const { rows } = await owner.query('select count(*)::int as uses from token_uses')
    expect(rows).toEqual([{ uses: 1 }])
    await short.stop()
  })
})

describe('a token that is bound to addresses', () => {
  it('works from them only, IPv4 and IPv6, and is refused elsewhere with its own code', async () => {
    const addresses = ['203.0.113.0/24', '2001:db8::/32']
    const { id, token } = (await live.post('/tokens', { name: 'shop', addresses })).body
    expect((await listed(id)).addresses).toEqual(addresses)
    const shop = world.as(token)
    for (const ip of ['203.0.113.9', '2001:db8:1::5', '::ffff:203.0.113.9']) {
      expect([ip, (await shop.get('/verify-token', from(ip))).status]).toEqual([ip, 200])
    }
    for (const ip of ['203.0.114.9', '2001:db9::1', '198.51.100.7']) {
      expectRefusal(await shop.get('/verify-token', from(ip)), 'ADDRESS_NOT_ALLOWED', ip)
    }
    expectRefusal(await shop.get('/verify-token'), 'ADDRESS_NOT_ALLOWED', 'the address of the connection')
    const refused = (await live.get('/audit?action=access.refused')).body.data
    expect(refused).toContainEqual(
      expect.objectContaining({
        actor: `token:${id}`,
        objectID: 'GET /api/v1/verify-token',
        ip: '203.0.114.9',
        details: { code: 'ADDRESS_NOT_ALLOWED' },
      }),
    )
  })

  it('is not noted as used, and loses none of its requests, where it is refused', async () => {
    const { id, token } = (await live.post('/tokens', { name: 'shop', addresses: ['203.0.113.9'] })).body
    const shop = world.as(token)
    const first = (await shop.get('/verify-token', from('198.51.100.7'))).headers.get('ratelimit-policy')
    expect(first).toBe('"default";q=600;w=60')
    const left = async () =>
      /r=(\d+)/.exec((await shop.get('/verify-token', from('203.0.113.9'))).headers.get('ratelimit') ?? '')?.[1]
    const before = Number(await left())
    await shop.get('/verify-token', from('198.51.100.7'))
    expect(Number(await left())).toBe(before - 1)
    expect((await listed(id)).addresses).toEqual(['203.0.113.9'])
  })

  it('can be bound to others, or to none, at once', async () => {
    const { id, token } = (await live.post('/tokens', { name: 'shop', addresses: ['203.0.113.9'] })).body
    const shop = world.as(token)
    const works = async (ip: string) => (await shop.get('/verify-token', from(ip))).status
    expect(await works('203.0.113.9')).toBe(200)
    const change = (body: object) => live.request('PATCH', `/tokens/${id}`, body)
    expect((await change({ addresses: ['198.51.100.7'] })).body.addresses).toEqual(['198.51.100.7'])
    await expect.poll(() => works('203.0.113.9')).toBe(403)
    expect(await works('198.51.100.7')).toBe(200)
    expect((await change({ name: 'shop 2', addresses: null })).body).toMatchObject({ id, name: 'shop 2' })
    await expect.poll(() => works('192.0.2.1')).toBe(200)
    expect((await live.get(`/audit?action=token.changed&objectID=${id}`)).body.data).toHaveLength(2)
    expectRefusal(await change({ addresses: ['example.com'] }), 'VALIDATION_FAILED', 'a name')
    expectRefusal(await change({ addresses: [] }), 'VALIDATION_FAILED', 'none at all')
    expectRefusal(await boss.in(clinic, 'sandbox').request('PATCH', `/tokens/${id}`, {}), 'TOKEN_NOT_FOUND', 'sandbox')
  })

  it('of the operator is checked the same, and makes no token for other addresses', async () => {
    const addresses = ['203.0.113.9', '203.0.113.10']
    const scopes = ['staff', 'lab', 'review']
    const { token } = (await staff.operator.post('/tokens', { name: 'machine', scopes, addresses })).body
    const machine = operatorAs(token)
    expectRefusal(await machine.get('/tokens', from('203.0.113.11')), 'ADDRESS_NOT_ALLOWED', 'elsewhere')
    const make = (asked: object) =>
      machine.post('/tokens', { name: 'n', scopes: ['lab'], ...asked }, from('203.0.113.9'))
    expectRefusal(await make({ addresses: null }), 'FORBIDDEN', 'anywhere')
    expectRefusal(await make({ addresses: ['203.0.113.0/24'] }), 'FORBIDDEN', 'more')
    expect((await make({ addresses: ['203.0.113.10'] })).status).toBe(201)
    const unsaid = (await make({})).body.id
    expect((await listedByOperator(unsaid)).addresses).toEqual(addresses)
    const free = (await staff.operator.post('/tokens', { name: 'free', scopes: ['lab'] })).body.id
    const rotated = await machine.post(`/tokens/${free}/rotate`, {}, from('203.0.113.9'))
    expectRefusal(rotated, 'FORBIDDEN', 'a token that is bound to nothing')
    const loosened = await machine.request('PATCH', `/tokens/${unsaid}`, { addresses: null }, from('203.0.113.9'))
    expectRefusal(loosened, 'FORBIDDEN', 'loosened')
  })
})

describe('a rotation', () => {
  it('gives a new secret with the same name, scopes and addresses, and both work for a day', async () => {
    const asked = { name: 'shop', scopes: ['orders:read'], addresses: ['127.0.0.1'] }
    const old = (await live.post('/tokens', asked)).body
    const { status, body: made } = await live.post(`/tokens/${old.id}/rotate`, {})
    expect(status).toBe(201)
    expect(made).toEqual({
      id: expect.stringMatching(/^tok_/),
      token: expect.stringMatching(/^kl_live_/),
      expiresDate: inMs(365 * DAY),
      previous: { id: old.id, expiresDate: inMs(DAY) },
    })
    expect(await listed(made.id)).toMatchObject(asked)
    expect(await listed(old.id)).toMatchObject({ replacedBy: made.id, expiresDate: inMs(DAY) })
    const statusOf = async (token: string) => (await world.as(token).get('/orders')).status
    expect(await each([old.token, made.token], statusOf)).toEqual([200, 200])
    expect((await live.get(`/audit?action=token.rotated&objectID=${old.id}`)).body.data[0].details).toEqual({
      replacedBy: made.id,
      overlapHours: 24,
    })
    clock.advance(DAY)
    expect(await each([old.token, made.token], statusOf)).toEqual([401, 200])
    await signInAnew()
  })

  it('ends the old secret at once where that is asked for, and after seven days at most', async () => {
    const old = (await live.post('/tokens', { name: 'shop' })).body
    expectRefusal(await live.post(`/tokens/${old.id}/rotate`, { overlapHours: 169 }), 'VALIDATION_FAILED', '8 days')
    const made = (await live.post(`/tokens/${old.id}/rotate`, { overlapHours: 0, expiresDate: null })).body
    expect(made).not.toHaveProperty('expiresDate')
    await expect.poll(async () => (await world.as(old.token).get('/verify-token')).status).toBe(401)
    expect((await world.as(made.token).get('/verify-token')).status).toBe(200)
    const longest = (await live.post(`/tokens/${made.id}/rotate`, { overlapHours: 168 })).body
    expect(longest.previous).toEqual({ id: made.id, expiresDate: inMs(7 * DAY) })
  })

  it('never makes the old secret last longer than it would have', async () => {
    const old = (await live.post('/tokens', { name: 'shop', expiresDate: inMs(HOUR) })).body
    const made = (await live.post(`/tokens/${old.id}/rotate`, { overlapHours: 168 })).body
    expect(made.previous.expiresDate).toBe(inMs(HOUR))
  })

  it('happens once for each token, and not for one that is revoked or of another business', async () => {
    const old = (await live.post('/tokens', { name: 'shop' })).body
    const answers = await each([1, 2, 3, 4], () => live.post(`/tokens/${old.id}/rotate`, {}), 4)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    const [made] = answers.filter(({ status }) => status === 201)
    expectRefusal(await live.post(`/tokens/${old.id}/rotate`, {}), 'TOKEN_REPLACED', made?.body.id)
    await live.request('DELETE', `/tokens/${made?.body.id}`)
    expectRefusal(await live.post(`/tokens/${made?.body.id}/rotate`, {}), 'TOKEN_NOT_FOUND', 'revoked')
    const other = await world.business()
    const theirs = await signIn(world, await person(world, 'business-admin', other))
    const foreign = (await theirs.in(other).post('/tokens', { name: 'theirs' })).body
    expectRefusal(await live.post(`/tokens/${foreign.id}/rotate`, {}), 'TOKEN_NOT_FOUND', 'of another business')
  })

  it('by a token of the operator lasts no longer than that token, and gives only what it holds', async () => {
    const { database } = world.service
    const expiresAt = new Date(clock.now().getTime() + HOUR)
    const [own, lab, mail] = await database.asSystem({ name: 'cli' }, async (tx) => [
      await createOperatorToken(tx, { name: 'own', scopes: ['staff', 'lab', 'review'], expiresAt }),
      await createOperatorToken(tx, { name: 'lab', scopes: ['lab'] }),
      await createOperatorToken(tx, { name: 'mail', scopes: ['mail'] }),
    ])
    const machine = operatorAs(own?.token ?? '')
    expectRefusal(await machine.post(`/tokens/${mail?.id}/rotate`, {}), 'FORBIDDEN', 'mail')
    const forever = await machine.post(`/tokens/${lab?.id}/rotate`, { expiresDate: null })
    expectRefusal(forever, 'FORBIDDEN', 'for ever')
    const made = (await machine.post(`/tokens/${lab?.id}/rotate`, {})).body
    expect(made.expiresDate).toBe(expiresAt.toISOString())
    expect((await operatorAs(made.token).get('/lab/messages')).status).toBe(200)
    const audit = (await staff.operator.get(`/audit?action=token.rotated&objectID=${lab?.id}`)).body.data
    expect(audit).toEqual([expect.objectContaining({ actor: `operator:${own?.id}` })])
  })

  it('is not for the operator in a business, whose programs would stop with the access', async () => {
    await requestAccess(staff, clinic, { minutes: 30 })
    const inside = staff.in(clinic)
    const { id } = (await live.post('/tokens', { name: 'shop' })).body
    expectRefusal(await inside.post(`/tokens/${id}/rotate`, {}), 'FORBIDDEN', 'the operator')
    const made = (await inside.post('/tokens', { name: 'for a look', scopes: ['orders:read'] })).body
    expect(made.expiresDate).toBe(inMs(30 * MINUTE))
    expectRefusal(await inside.post('/tokens', { name: 'for ever', expiresDate: null }), 'FORBIDDEN', 'for ever')
  })
})

it('a token that a process of the version before makes has no addresses and no replacement, and works', async () => {
  const { id, token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) => {
    const { live: realm } = await realmsOf(tx, clinic.id)
    return createToken(tx, realm, { name: 'old', expiresAt: null })
  })
  expect((await world.as(token).get('/verify-token')).status).toBe(200)
  expect(await listed(id)).not.toHaveProperty('addresses')
})
