import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allScopes, type Scope } from '../../src/domain/scopes.ts'
import { configure, realmsOf } from '../../src/modules/businesses/service.ts'
import { scopeOfEvent } from '../../src/modules/events/event-types.ts'
import { createToken, revokeToken } from '../../src/modules/identity/tokens.ts'
import { routesFor } from '../../src/modules/index.ts'
import type { Mode } from '../../src/platform/database/tx.ts'
import { isFhir, type RouteOf } from '../../src/platform/http/route.ts'
import { newToken } from '../../src/platform/tokens.ts'
import { contractViolations, expectRefusal, header, refusalOf } from '../harness/answers.ts'
import type { Reply } from '../harness/caller.ts'
import { samples, shapeOf } from '../harness/generate.ts'
import { anOrder } from '../harness/orders.ts'
import { each } from '../harness/send.ts'
import { kindOf, random } from '../harness/slots.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

type Route = RouteOf<'business'>
const routes = routesFor('business')

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

/** Sends a valid request to a route, with IDs that do not exist. */
function request(route: Route, token: string | undefined, headers: Record<string, string> = {}, search = '') {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => random[kindOf(route, name) ?? 'order'](''))
  const body = route.body && samples(route.body)[0]
  return (token === undefined ? world.anonymous : world.as(token)).request(route.method, path + search, body, headers)
}

async function token(mode: Mode, options: { scopes?: Scope[]; expiresAt?: Date } = {}) {
  return world.service.database.asSystem({ name: 'system' }, async (tx) => {
    const realms = await realmsOf(tx, clinic.id)
    return createToken(tx, realms[mode], { name: 'test', ...options })
  })
}

const everyRoute = (work: (route: Route) => Promise<void>, some: readonly Route[] = routes) => each(some, work, 4)
const modeOf = (route: Route): Mode => route.mode ?? 'live'

describe('without a valid token every route answers 401', () => {
  const MISSING = 'The Authorization header is missing. Send: Authorization: Token <token>'
  const SCHEME = 'The Authorization scheme must be Token or Bearer, followed by one token'
  const UNKNOWN = 'The token is unknown, revoked or expired'

  function expectUnauthorized(reply: Reply, why: string, route: Route): void {
    expectRefusal(reply, 'UNAUTHORIZED', route.id)
    if (isFhir(route)) {
      expect(refusalOf(reply).message).toBe(`Authorization: ${why}`)
      return
    }
    expect(reply.body).toEqual({
      error: 'Business session is required',
      message: 'Business session is required',
      code: 'UNAUTHORIZED',
      details: [{ message: why, path: 'Authorization' }],
      requestId: reply.headers.get('x-request-id'),
    })
  }

  it('and says what is wrong with the header: missing, another scheme, empty, malformed, unknown', async () => {
    const unknown = newToken('live')
    const lastCharacter = unknown.endsWith('0') ? '1' : '0'
    const cases: [string | undefined, string][] = [
      [undefined, MISSING],
      ['Basic dXNlcjpwYXNz', SCHEME],
      [`Token ${unknown} ${unknown}`, SCHEME],
      [clinic.liveToken, SCHEME],
      ['Token ', UNKNOWN],
      ['Token x', UNKNOWN],
      [`Token ${unknown.slice(0, -1)}${lastCharacter}`, UNKNOWN],
      [`Bearer ${unknown}`, UNKNOWN],
    ]
    // All cases on one route, one on each of the others, which are asked without a header below: a caller without a token has
    // only 600 requests a minute.
    await everyRoute(async (route) => {
      const mine = cases.filter((_, i) => route.id === 'verifyToken' || i === 7)
      for (const [authorization, why] of mine) {
        const reply = await request(route, undefined, authorization === undefined ? {} : { authorization })
        expectUnauthorized(reply, why, route)
      }
    })
  })

  it('to a token that expired, and to one that was revoked, within a second on the running service', async () => {
    const expired = await token('sandbox', { expiresAt: new Date(Date.now() - 1000) })
    const revoked = await token('sandbox')
    expect((await world.as(revoked.token).get('/verify-token')).status).toBe(200)
    await world.service.database.asSystem({ name: 'system' }, (tx) => revokeToken(tx, revoked.id))
    // Count requests, not time: a busy machine is slow. Without the notification a token stays valid for 5 s.
    for (let asked = 1; (await world.as(revoked.token).get('/verify-token')).status !== 401; asked++) {
      expect(asked, 'the revocation was not heard within a second').toBeLessThan(100)
      await delay(10)
    }
    for (const [i, route] of routes.entries()) {
      expectUnauthorized(await request(route, i % 2 === 0 ? expired.token : revoked.token), UNKNOWN, route)
    }
  })

  it('to a token that ends while it is in use', async () => {
    // It is in use once it was taken. On a busy machine a short one may end before that.
    for (let lastsMs = 700; ; lastsMs *= 2) {
      const short = await token('live', { expiresAt: new Date(Date.now() + lastsMs) })
      const verify = async () => (await world.as(short.token).get('/verify-token')).status
      if ((await verify()) !== 200) continue
      await expect.poll(verify, { interval: 25 }).toBe(401)
      break
    }
  })

  it('to a token in the address', async () => {
    for (const [i, route] of routes.entries()) {
      const name = i % 2 === 0 ? 'token' : 'access_token'
      expectUnauthorized(await request(route, undefined, {}, `?${name}=${clinic.liveToken}`), MISSING, route)
    }
  })

  it('and both schemes work, in any case', async () => {
    for (const scheme of ['Token', 'token', 'Bearer', 'BEARER']) {
      const reply = await world.anonymous.get('/verify-token', { authorization: `${scheme} ${clinic.liveToken}` })
      expect([scheme, reply.status]).toEqual([scheme, 200])
    }
  })
})

// What goes on by itself may do no more than its maker: an endpoint for all events reads what they are about, and a kit for a
// product places orders.
const alsoNeeds: Record<string, Scope[]> = {
  grantCopyOfData: ['customers:read', 'kits:read', 'orders:read', 'reports:read'],
  createWebhook: [...new Set(Object.values(scopeOfEvent))],
  ...Object.fromEntries(
    ['connectShop', 'changeShop', 'addShopItem', 'rotateShopSecret'].map((id) => [id, ['orders:read', 'orders:write']]),
  ),
}

describe('a token that may not', () => {
  it('answers 403 on every route whose scope it lacks, and on no other', async () => {
    const none = { live: await token('live', { scopes: [] }), sandbox: await token('sandbox', { scopes: [] }) }
    await everyRoute(async (route) => {
      const reply = await request(route, none[modeOf(route)].token)
      if (route.scope) expectRefusal(reply, 'FORBIDDEN', route.id)
      else expect([route.id, reply.status === 403]).toEqual([route.id, false])
    })
    for (const scope of allScopes) {
      const mine = routes.filter((route) => route.scope === scope)
      if (mine.length === 0) continue
      const rest = allScopes.filter((one) => one !== scope)
      const lacking = { live: await token('live', { scopes: rest }), sandbox: await token('sandbox', { scopes: rest }) }
      const only = {
        live: await token('live', { scopes: [scope] }),
        sandbox: await token('sandbox', { scopes: [scope] }),
      }
      await everyRoute(async (route) => {
        const refused = await request(route, lacking[modeOf(route)].token)
        expectRefusal(refused, 'FORBIDDEN', route.id)
        expect(refusalOf(refused).message).toBe(`This token lacks the scope ${scope}`)
        const besides = alsoNeeds[route.id]
        const mode = modeOf(route)
        const may = besides ? await token(mode, { scopes: [scope, ...besides] }) : only[mode]
        const allowed = await request(route, may.token)
        expect([route.id, refusalOf(allowed).code]).not.toEqual([route.id, 'FORBIDDEN'])
      }, mine)
    }
  })

  it('is refused on every route of the sandbox, when it is a live one', async () => {
    const sandboxOnly = routes.filter(({ mode }) => mode === 'sandbox')
    await everyRoute(async (route) => {
      expectRefusal(await request(route, clinic.liveToken), 'SANDBOX_TOKEN_REQUIRED', route.id)
      const reply = await request(route, clinic.sandboxToken)
      expect([route.id, reply.body.code]).not.toEqual([route.id, 'SANDBOX_TOKEN_REQUIRED'])
    }, sandboxOnly)
  })
})

describe('every answer', () => {
  it('has the headers of the contract, and a documented body', async () => {
    await everyRoute(async (route) => {
      const reply = await request(route, route.mode ? clinic.sandboxToken : clinic.liveToken)
      expect([route.id, contractViolations(reply)]).toEqual([route.id, []])
      if (reply.status < 400) expect(Object.keys(route.answers)).toContain(String(reply.status))
      expect([route.id, reply.headers.has('deprecation')]).toEqual([route.id, route.deprecated !== undefined])
      expect([route.id, reply.headers.has('sunset')]).toEqual([route.id, route.deprecated !== undefined])
    })
  })

  it('of a refusal before any route has them too', async () => {
    const refusals: [string, Reply][] = [
      ['an unknown route', await clinic.live.get('/nothing/here')],
      ['another method', await clinic.live.request('PUT', '/orders')],
      ['no JSON', await clinic.live.request('POST', '/create-order', 'a=1', { 'content-type': 'text/plain' })],
      ['compressed', await clinic.live.request('POST', '/create-order', '{}', { 'content-encoding': 'gzip' })],
      ['too large', await clinic.live.request('POST', '/customer', `"${'x'.repeat(300_000)}"`)],
      ['not JSON', await clinic.live.request('POST', '/customer', '{')],
      ['a path that is none', await clinic.live.get('/orders/%zz')],
      ['a path that is too long', await clinic.live.get(`/orders/${'x'.repeat(5000)}`)],
    ]
    expect(refusals.map(([what, reply]) => [what, reply.status, contractViolations(reply)])).toEqual([
      ['an unknown route', 404, []],
      ['another method', 405, []],
      ['no JSON', 415, []],
      ['compressed', 415, []],
      ['too large', 413, []],
      ['not JSON', 400, []],
      ['a path that is none', 404, []],
      ['a path that is too long', 400, []],
    ])
  })

  it('to another method of a known path is 405 with the methods in Allow, which OPTIONS tells too', async () => {
    const byPath = Map.groupBy(routesFor('business'), ({ path }) => path.replace(/:\w+/g, 'x1'))
    for (const [path, known] of byPath) {
      const own = known.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      const [wrong, asked] = [await clinic.live.request('PUT', path), await clinic.live.request('OPTIONS', path)]
      expectRefusal(wrong, 'METHOD_NOT_ALLOWED', path)
      expect(wrong.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining([...own, 'OPTIONS']))
      expect([path, asked.status, asked.headers.get('allow')]).toEqual([path, 204, wrong.headers.get('allow')])
    }
  })

  it('carries the x-request-id of the caller where it is well formed, else one of its own', async () => {
    for (const id of ['abc-123', 'a.b:c_d', 'x'.repeat(128)]) {
      expect((await clinic.live.get('/credits', { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
    }
    for (const id of ['', 'has space', 'x'.repeat(129), '{"a":1}', 'ÿ', '<script>']) {
      const given = (await clinic.live.get('/credits', { 'x-request-id': id })).headers.get('x-request-id')
      expect(given).toMatch(/^req_\w{22}$/)
    }
    const [first, second] = [await clinic.live.get('/credits'), await clinic.live.get('/credits')]
    expect(header(first, 'x-request-id')).not.toBe(header(second, 'x-request-id'))
  })

  it('names every problem of path, query and body at once, and never what was sent', async () => {
    const reply = await clinic.live.post('/create-order?dryRun=perhaps', {
      recipient: { first_name: 7, last_name: '', email: 'secret-value', address: {} },
      kit_types: [{ kitType: 'x', quantity: 0 }],
    })
    expectRefusal(reply, 'VALIDATION_FAILED', 'create-order')
    const paths = reply.body.details.map(({ path }: { path: string }) => path)
    expect(paths).toEqual(expect.arrayContaining(['recipient.first_name', 'recipient.email', 'kit_types.0.quantity']))
    expect(reply.text).not.toContain('secret-value')
  })

  it('that refuses never repeats a value that was sent', async () => {
    const mark = 'c4n4ry'
    const marked = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(marked)
      if (value === null || typeof value !== 'object') return `${mark} ${value}`
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, marked(inner)]))
    }
    let refused = 0
    await everyRoute(async (route) => {
      const caller = route.mode ? clinic.sandbox : clinic.live
      const path = route.path.replace(/:\w+/g, mark)
      const names = Object.keys((route.query && shapeOf(route.query).properties) ?? {})
      const bodies = (route.body ? samples(route.body) : []).flatMap((body) => [
        marked(body),
        mark,
        ...Object.keys(body as object).map((key) => ({ ...(body as object), [key]: mark })),
      ])
      const replies = [
        await caller.request(route.method, path, route.body && {}),
        ...(await each(names, (name) => caller.request(route.method, `${path}?${name}=${mark}`, route.body && {}), 1)),
        ...(await each(bodies, (body) => caller.request(route.method, path, body), 1)),
      ].filter(({ status }) => status >= 400)
      refused += replies.length
      expect(replies.filter(({ text }) => text.includes(mark)).map(({ text }) => [route.id, text])).toEqual([])
    })
    expect(refused).toBeGreaterThan(100)
    expect(world.logged.join('')).not.toContain(mark)
  })
})

describe('the limit of requests', () => {
  it('of a business holds for each of its tokens, and for nobody else', async () => {
    const [slow, other] = [await world.business(), await world.business()]
    await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, slow.id, { rateLimitPerMinute: 5 }))
    const key = { 'idempotency-key': 'sent-too-often' }
    for (let left = 4; left >= 0; left--) {
      const reply = await slow.live.get('/credits')
      expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=5;w=60'])
      expect(reply.headers.get('ratelimit')).toMatch(new RegExp(`^"default";r=${left};t=\\d+$`))
    }
    const refused = await slow.live.post('/create-order', anOrder(), key)
    expectRefusal(refused, 'RATE_LIMITED', 'the sixth request')
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${wait}`)
    expect((await slow.sandbox.get('/credits')).status).toBe(200)
    expect((await other.live.get('/credits')).status).toBe(200)

    // The refusal is not stored: the same key works once there is capacity, also for what was refused until the service knew.
    const plenty = 10_000
    await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      configure(tx, slow.id, { rateLimitPerMinute: plenty }),
    )
    let reply = await slow.live.post('/create-order', anOrder(), key)
    const isNew = () => reply.headers.get('ratelimit-policy') === `"default";q=${plenty};w=60`
    await expect
      .poll(async () => {
        if (!isNew()) reply = await slow.live.post('/create-order', anOrder(), key)
        return isNew()
      })
      .toBe(true)
    expect([reply.status, reply.headers.has('idempotent-replayed')]).toEqual([201, false])
  })
})
