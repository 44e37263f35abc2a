import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resetPassword } from '../../src/modules/identity/users.ts'
import { routes, routesFor } from '../../src/modules/index.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { prefixes } from '../../src/platform/http/route.ts'
import { createLogger } from '../../src/platform/log.ts'
import { startService } from '../../src/service/app.ts'
import { expectRefusal } from '../harness/answers.ts'
import { caller } from '../harness/caller.ts'
import { browser, cookieOf, type Person, person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { each } from '../harness/send.ts'
import { ON_A_BUSY_MACHINE_MS, ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let world: World
let clinic: TestBusiness
let other: TestBusiness
/** A user of the clinic whom no test changes. */
let boss: Person
let operator: Person
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  ;[clinic, other] = [await world.business(), await world.business()]
  ;[boss, operator] = [await person(world, 'business-admin', clinic), await person(world, 'operator-admin')]
})
afterAll(() => world.stop())

const isIn = async (who: SignedIn) => (await who.account.get('/session')).status === 200
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  world.anonymous.post(path, body, headers)
const attempt = (who: Pick<Person, 'email' | 'password'>, code?: string) =>
  post('/session', { email: who.email, password: who.password, ...(code && { code }) })

describe('signing in', () => {
  it('answers with who one is and what one may do, and sets a cookie that scripts and other sites cannot use', async () => {
    const reply = await attempt(boss)
    expect(reply.body).toEqual({
      user: { id: boss.id, email: boss.email, totpEnabled: false, hasPasskey: false, hasPassword: true },
      secondFactorMissing: false,
      memberships: [{ role: 'business-admin', business: { id: clinic.id, name: clinic.name } }],
      expiresDate: new Date(clock.now().getTime() + 12 * HOUR).toISOString(),
      idleUntil: new Date(clock.now().getTime() + 15 * MINUTE).toISOString(),
    })
    expect(reply.headers.get('set-cookie')).toMatch(
      /^kitlane=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict, kitlane-device=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    )
  })

  it('lets a business admin do everything in the business, a viewer read, and each of the staff their part', async () => {
    const roles = ['business-admin', 'business-viewer'] as const
    const [admin, viewer] = await each(roles, async (role) => signIn(world, await person(world, role, clinic)), 2)
    if (!admin || !viewer) throw new Error('nobody signed in')
    const settings = { publishing: 'manual' }
    expect((await admin.in(clinic).request('PATCH', '/settings', settings)).status).toBe(200)
    expect((await viewer.in(clinic, 'sandbox').get('/settings')).status).toBe(200)
    expectRefusal(await viewer.in(clinic).request('PATCH', '/settings', settings), 'FORBIDDEN', 'a viewer')
    expectRefusal(await viewer.in(clinic).get('/users'), 'FORBIDDEN', 'a viewer')
    expectRefusal(await admin.operator.get('/lab/messages'), 'FORBIDDEN', 'a business')

    const staff = ['fulfilment', 'lab', 'reviewer', 'provider'] as const
    const may = await each(
      staff,
      async (role) => {
        const { operator } = await signIn(world, await person(world, role))
        const paths = ['/fulfilment/queue', '/lab/messages', '/reports', '/emails', '/staff', '/audit']
        return each(paths, async (path) => (await operator.get(path)).status === 200, 1)
      },
      1,
    )
    expect(may).toEqual([
      [true, false, false, false, false, false],
      [false, true, false, false, false, false],
      [false, false, true, false, false, false],
      [false, false, false, false, false, false],
    ])
  })

  it('lets an operator-admin who gave a reason enter any business, which its audit tells once a session', async () => {
    const staff = await signIn(world, operator)
    await requestAccess(staff, other)
    for (let i = 0; i < 2; i++) expect((await staff.in(other).get('/credits')).status).toBe(200)
    const entered = await staff.in(other).get('/audit?action=business.entered')
    expect(entered.body.data).toEqual([
      expect.objectContaining({ actor: `user:${operator.id}`, objectID: other.id, ip: '127.0.0.1' }),
    ])
  })

  it('needs the realm, and refuses one that is not one’s own like one that is not there', async () => {
    const admin = await signIn(world, boss)
    for (const realm of ['', clinic.id, `${clinic.id}/test`, `${clinic.id}/live/x`]) {
      expectRefusal(await admin.account.get('/credits', { 'kitlane-realm': realm }), 'REALM_REQUIRED', realm)
    }
    const foreign = await admin.in(other).get('/credits')
    const unknown = await admin.in({ id: 'biz_nowhere' }).get('/credits')
    expectRefusal(foreign, 'FORBIDDEN', 'another business')
    expect(unknown.body.message).toBe(foreign.body.message)
  })

  it('takes a token or a cookie, never both', async () => {
    const admin = await signIn(world, boss)
    const both = await admin.in(clinic).get('/credits', { authorization: `Token ${clinic.liveToken}` })
    expectRefusal(both, 'VALIDATION_FAILED', 'both')
  })

  it('keeps Idempotency-Keys and the limit of requests as for tokens', async () => {
    const admin = (await signIn(world, boss)).in(clinic)
    const token = { name: 'made twice' }
    const key = { 'idempotency-key': 'a-token' }
    const [first, again] = [await admin.post('/tokens', token, key), await admin.post('/tokens', token, key)]
    expect([first.status, again.status, again.text === first.text]).toEqual([201, 201, true])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=6000;w=60')
    expect((await world.as(first.body.token).get('/verify-token')).status).toBe(200)
  })
})

describe('a wrong sign-in', () => {
  it('says the same for an unknown e-mail as for a wrong password', async () => {
    const wrong = { email: boss.email, password: 'not the password' }
    const [known, unknown] = [await attempt(wrong), await attempt({ ...wrong, email: 'nobody@people.test' })]
    for (const reply of [known, unknown]) expectRefusal(reply, 'SIGN_IN_FAILED', 'sign-in')
    expect(unknown.body.message).toBe(known.body.message)
    expect(unknown.headers.has('set-cookie')).toBe(false)
  })

  it('takes as long for an unknown e-mail', async () => {
    const best = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    const isAlike = () => best.unknown > best.known / 2 && best.unknown < best.known * 2
    // Take turns, measure CPU time and compare the best of each: other work of the machine and of this process only adds
    // to it, so that more turns come nearer to the truth.
    for (let turn = 0; turn < 4 || (turn < 16 && !isAlike()); turn++) {
      const { email } = await person(world, 'lab')
      await world.service.database.asSystem({ name: 'cli' }, (tx) => resetPassword(tx, email, { dropCodes: false }))
      for (const [kind, address] of Object.entries({ known: email, unknown: `nobody${turn}@people.test` })) {
        const since = process.cpuUsage()
        await attempt({ email: address, password: 'not the password' })
        const key = kind as keyof typeof best
        const { user, system } = process.cpuUsage(since)
        best[key] = Math.min(best[key], user + system)
      }
    }
    expect(best.unknown).toBeGreaterThan(best.known / 2)
    expect(best.unknown).toBeLessThan(best.known * 2)
  })

  it('is refused after five in 15 minutes from one address, with the right password too, also when they come at once', async () => {
    const who = await person(world, 'lab')
    const wrong = { ...who, password: 'not the password' }
    const replies = await each([...Array(12).keys()], () => attempt(wrong), 12)
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
    expectRefusal(await attempt(who), 'RATE_LIMITED', 'the right password')
    clock.advance(15 * MINUTE)
    expect((await attempt(who)).status).toBe(200)
  })
})

it('failures count in all processes on one database together', async () => {
  const log = createLogger({ level: 'silent' })
  const { urls, settings } = world
  const beside = await startService({
    urls,
    settings: { ...settings, role: 'api' },
    log,
    clock,
    maxLoopDelayMs: ON_A_BUSY_MACHINE_MS,
  })
  try {
    const { email, password } = await person(world, 'lab')
    const there = caller(beside.url)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const where = i % 2 === 0 ? world.anonymous : there
      statuses.push((await where.post('/session', { email, password: 'not the password' })).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await there.post('/session', { email, password })).status).toBe(429)
  } finally {
    await beside.stop()
  }
})

describe('a session ends', () => {
  it('after 15 minutes without a request, and not before', async () => {
    const who = await signIn(world, boss)
    clock.advance(15 * MINUTE - 1)
    expect(await isIn(who)).toBe(true)
    clock.advance(15 * MINUTE)
    const late = await who.in(clinic).get('/credits')
    expectRefusal(late, 'UNAUTHORIZED', 'idle')
    expect(late.body.details).toEqual([{ message: 'The session has ended: sign in again', path: 'Cookie' }])
  })

  it('also when only a page asked on its own', async () => {
    const who = await signIn(world, boss)
    clock.advance(14 * MINUTE)
    expect((await who.in(clinic).get('/credits', { 'kitlane-background': '1' })).status).toBe(200)
    clock.advance(MINUTE)
    expect(await isIn(who)).toBe(false)
  })

  it('after 12 hours however much it is used', async () => {
    const who = await signIn(world, boss)
    for (let passed = 0; passed < 12 * HOUR - 10 * MINUTE; passed += 10 * MINUTE) {
      clock.advance(10 * MINUTE)
      expect(await isIn(who)).toBe(true)
    }
    clock.advance(10 * MINUTE)
    expect(await isIn(who)).toBe(false)
  })

  it('at sign-out, and its cookie stays dead', async () => {
    const who = await signIn(world, boss)
    const out = await who.account.request('DELETE', '/session')
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^kitlane=;/)])
    expect((await who.in(clinic).get('/credits')).status).toBe(401)
    expect((await who.operator.get('/reports')).status).toBe(401)
  })

  it('when its browser signs in again: the ID changes, and a stolen old cookie is dead', async () => {
    const first = await signIn(world, boss)
    const again = await post('/session', boss, { cookie: first.cookie, 'sec-fetch-site': 'same-origin' })
    const second = browser(world, boss, cookieOf(again))
    expect(second.cookie).not.toBe(first.cookie)
    expect([await isIn(first), await isIn(second)]).toEqual([false, true])
  })

  it('when the password changes, everywhere', async () => {
    const who = await person(world, 'business-viewer', clinic)
    const [here, there] = [await signIn(world, who), await signIn(world, who)]
    const change = (current: string, next: string) => here.account.post('/session/password', { current, next })
    expectRefusal(await change('not the password', 'correct horse in a tram'), 'SIGN_IN_FAILED', 'wrong')
    const weak = [
      'short',
      'password1234',
      'aaaaaaaaaaaaaa',
      '123456789012',
      'liverpool2024',
      `${who.email.split('@')[0]}2026!`,
      'x'.repeat(129),
    ]
    for (const next of weak) expectRefusal(await change(who.password, next), 'VALIDATION_FAILED', next)
    expect((await change(who.password, 'correct horse in a tram')).status).toBe(204)
    expect([await isIn(here), await isIn(there)]).toEqual([false, false])
    expect((await attempt(who)).status).toBe(401)
    expect((await attempt({ ...who, password: 'correct horse in a tram' })).status).toBe(200)
  })

  it('when its user is disabled or removed; a role that changes counts at the next request', async () => {
    const admin = (await signIn(world, boss)).in(clinic)
    const who = await person(world, 'business-admin', clinic)
    const session = await signIn(world, who)
    const change = (body: unknown) => admin.request('PATCH', `/users/${who.id}`, body)
    expect((await session.in(clinic).get('/users')).status).toBe(200)
    expect((await change({ role: 'business-viewer' })).body.role).toBe('business-viewer')
    expect((await session.in(clinic).get('/users')).status).toBe(403)
    expect((await change({ disabled: true })).body.status).toBe('disabled')
    expect((await session.in(clinic).get('/credits')).status).toBe(401)
    expect((await attempt(who)).status).toBe(401)
    await change({ disabled: false })
    const again = await signIn(world, who)
    expect((await admin.request('DELETE', `/users/${who.id}`)).status).toBe(200)
    expect((await again.in(clinic).get('/credits')).status).toBe(401)
  })
})

describe('a request that another site makes a browser send', () => {
  it('is refused on every route that changes something, with a valid cookie', async () => {
    const staff = await signIn(world, operator)
    const own = staff.in(clinic)
    const hostile: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ]
    const raw = (headers: Record<string, string>) => ({
      cookie: staff.cookie,
      'kitlane-realm': `${clinic.id}/live`,
      ...headers,
    })
    const bare: Record<string, string>[] = [{ accept: '*/*' }, { origin: 'https://evil.example' }, { origin: 'null' }]
    const without = bare.map(raw)
    const changing = (method: string) => method !== 'GET'
    const paths = routes
      .map(({ audience, method, path }) => ({ method, path, prefix: prefixes[audience] }))
      .filter(({ method }) => changing(method))
    const publicPaths = routesFor('anyone').map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(50)
    const ask = async ({ method, path, prefix }: (typeof paths)[number]) => {
      const api = prefix === '/api/v1' ? own : staff.operator
      const replies = await each(hostile, (headers) => api.request(method, path, {}, headers), 1)
      const anyone = caller(world.service.url, undefined, { prefix })
      if (!publicPaths.includes(path)) {
        replies.push(...(await each(without, (headers) => anyone.request(method, path, {}, headers), 1)))
      }
      for (const reply of replies) expectRefusal(reply, 'CROSS_SITE', `${method} ${path}`)
    }
    // A caller without a token has 600 requests a minute, of which each route takes six.
    for (let from = 0; from < paths.length; from += 50) {
      await each(paths.slice(from, from + 50), ask)
      clock.advance(MINUTE)
    }
    expect(await isIn(staff)).toBe(true)
  })

  it('is let through from the own origin, by browsers that do not say Sec-Fetch-Site', async () => {
    const { cookie } = await signIn(world, boss)
    const reply = await world.anonymous.request('DELETE', '/session', undefined, { cookie, origin: world.service.url })
    expect(reply.status).toBe(204)
  })
})

describe('codes of an authenticator', () => {
  it('are asked for once confirmed, each taken once; a recovery code opens once; a code switches them off', async () => {
    const who = await person(world, 'business-admin', clinic)
    const { account } = await signIn(world, who)
    const { body } = await account.post('/session/totp', { password: who.password })
    const totp = new TOTP({ secret: body.secret })
    const now = () => totp.generate({ timestamp: clock.now().getTime() })
    expect(body.uri).toContain('otpauth://totp/Kitlane')
    expect(body.qrSvg).toMatch(/^<svg/)
    expect((await attempt(who)).status, 'not before a code was confirmed').toBe(200)
    expectRefusal(await account.post('/session/totp/confirm', { code: '000000' }), 'CODE_WRONG', 'a wrong one')
    const { recoveryCodes } = (await account.post('/session/totp/confirm', { code: now() })).body
    expect(recoveryCodes).toHaveLength(10)

    expectRefusal(await attempt(who), 'CODE_REQUIRED', 'none')
    expectRefusal(await attempt(who, ''), 'CODE_REQUIRED', 'an empty one')
    expectRefusal(await attempt(who, now()), 'CODE_WRONG', 'the one that was confirmed')
    clock.advance(30_000)
    const code = now()
    expect((await attempt(who, code)).status).toBe(200)
    expectRefusal(await attempt(who, code), 'CODE_WRONG', 'the same again')
    expect((await attempt(who, ` ${recoveryCodes[0].toUpperCase()}`)).status).toBe(200)
    expectRefusal(await attempt(who, recoveryCodes[0]), 'CODE_WRONG', 'a used recovery code')

    clock.advance(30_000)
    const off = (code: string) => account.request('DELETE', '/session/totp', { password: who.password, code })
    expectRefusal(await off('000000'), 'CODE_WRONG', 'a wrong one')
    expect((await off(now())).status).toBe(204)
    expect((await attempt(who)).status).toBe(200)
  })

  it('are switched off with the password by the operator, when the authenticator is lost', async () => {
    const who = await person(world, 'lab')
    const { account } = await signIn(world, who)
    const totp = new TOTP({ secret: (await account.post('/session/totp', { password: who.password })).body.secret })
    await account.post('/session/totp/confirm', { code: totp.generate({ timestamp: clock.now().getTime() }) })
    const reset = (dropCodes: boolean) =>
      world.service.database.asSystem({ name: 'cli' }, (tx) => resetPassword(tx, who.email, { dropCodes }))
    const { password } = await reset(false)
    expectRefusal(await attempt({ ...who, password }), 'CODE_REQUIRED', 'the password alone')
    expect((await attempt({ ...who, ...(await reset(true)) })).status).toBe(200)
  })

  it('are switched on and off with the password only, and five wrong attempts at either are all', async () => {
    const who = await person(world, 'lab')
    const { account } = await signIn(world, who)
    const password = 'not the password'
    expectRefusal(await account.post('/session/totp', {}), 'VALIDATION_FAILED', 'no password')
    expectRefusal(await account.post('/session/totp', { password }), 'SIGN_IN_FAILED', 'a wrong one')
    const { secret } = (await account.post('/session/totp', { password: who.password })).body
    const totp = new TOTP({ secret })
    const now = () => totp.generate({ timestamp: clock.now().getTime() })
    await account.post('/session/totp/confirm', { code: now() })
    clock.advance(30_000)
    const off = async (given: { password: string; code: string }) =>
      (await account.request('DELETE', '/session/totp', given)).status
    expect(await off({ password, code: now() }), 'the code alone').toBe(401)
    const guesses = [...Array(5).keys()].map((i) => ({ password: who.password, code: `00000${i}` }))
    expect(await each(guesses, off, 1)).toEqual([401, 401, 401, 401, 429])
    expect(await off({ password: who.password, code: now() }), 'the right ones, too late').toBe(429)
    expect((await attempt(who, now())).status, 'signing in is counted apart').toBe(200)
    clock.advance(15 * MINUTE)
    const again = (await signIn(world, who, now())).account
    clock.advance(30_000)
    const right = { password: who.password, code: now() }
    expect((await again.request('DELETE', '/session/totp', right)).status).toBe(204)
  })

  it('are guessed five times only when they are switched on, too', async () => {
    const who = await person(world, 'lab')
    const { account } = await signIn(world, who)
    await account.post('/session/totp', { password: who.password })
    const confirm = async (i: number) => (await account.post('/session/totp/confirm', { code: `00000${i}` })).status
    expect(await each([...Array(6).keys()], confirm, 1)).toEqual([401, 401, 401, 401, 401, 429])
  })

  it('are guessed five times only', async () => {
    const who = await person(world, 'lab')
    const { account } = await signIn(world, who)
    const totp = new TOTP({ secret: (await account.post('/session/totp', { password: who.password })).body.secret })
    await account.post('/session/totp/confirm', { code: totp.generate({ timestamp: clock.now().getTime() }) })
    const statuses = await each([...Array(6).keys()], async (i) => (await attempt(who, `00000${i}`)).status, 1)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})
