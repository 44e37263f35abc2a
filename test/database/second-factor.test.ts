import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorRoles } from '../../src/modules/identity/rules.ts'
import { routesFor } from '../../src/modules/index.ts'
import { loadSettings } from '../../src/service/load-settings.ts'
import { expectRefusal } from '../harness/answers.ts'
import { Authenticator } from '../harness/authenticator.ts'
import { type Person, person, type SignedIn, signIn } from '../harness/people.ts'
import { codeAt, nextCode, withSecondFactor } from '../harness/second-factor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const origin = 'https://kits.example.com'

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await ownWorld('has a public URL', { publicUrl: origin, secondFactor: undefined })
  clinic = await world.business()
})
afterAll(() => world.stop())

const missing = async ({ account }: SignedIn) => (await account.get('/session')).body.secondFactorMissing

describe('by default, everyone who works for the operator', () => {
  it.each(operatorRoles)('needs a second factor: %s signs in, sets one up, and works', async (role) => {
    const who = await person(world, role)
    const session = await signIn(world, who)
    expect(await missing(session)).toBe(true)
    const [operator, business] = [await session.operator.get('/audit'), await session.in(clinic).get('/kits')]
    expectRefusal(operator, 'SECOND_FACTOR_REQUIRED', 'the operator')
    expectRefusal(
      business,
      role === 'operator-admin' ? 'SECOND_FACTOR_REQUIRED' : 'SECOND_FACTOR_REQUIRED',
      'a business',
    )
    const { body } = await session.account.post('/session/totp', { password: who.password })
    const code = codeAt(body.secret, Date.now())
    expect((await session.account.post('/session/totp/confirm', { code })).status).toBe(200)
    expect(await missing(session)).toBe(false)
    const paths = {
      'operator-admin': '/audit',
      fulfilment: '/fulfilment/queue',
      lab: '/lab/messages',
      reviewer: '/reports',
      provider: '/approvals',
    }
    expect((await session.operator.get(paths[role])).status).toBe(200)
  })

  it('reaches no route of the operator before, whichever it is', async () => {
    const session = await signIn(world, await person(world, 'operator-admin'))
    for (const route of routesFor('operator')) {
      const path = route.path.replace(/:\w+/g, 'none')
      const reply = await session.operator.request(route.method, path)
      expectRefusal(reply, 'SECOND_FACTOR_REQUIRED', route.id)
    }
  })

  it('may sign out before', async () => {
    const session = await signIn(world, await person(world, 'lab'))
    expect((await session.account.request('DELETE', '/session')).status).toBe(204)
    expect((await session.account.get('/session')).status).toBe(401)
  })

  it('may set up a passkey instead of codes', async () => {
    const session = await signIn(world, await person(world, 'fulfilment'))
    const { body: options } = await session.account.post('/session/passkeys/options')
    const response = new Authenticator().create(options, { origin })
    await session.account.post('/session/passkeys', { name: 'Key', response })
    expect(await missing(session)).toBe(false)
    expect((await session.operator.get('/fulfilment/queue')).status).toBe(200)
  })

  it('is asked again when the last one is gone', async () => {
    const who = await person(world, 'reviewer')
    const secret = await withSecondFactor(world, who)
    const session = await signIn(world, who, nextCode(secret))
    expect((await session.operator.get('/reports')).status).toBe(200)
    const owner = await world.owner()
    await owner.query('update users set totp_enabled_at = null, totp_secret = null where id = $1', [who.id])
    expectRefusal(await session.operator.get('/reports'), 'SECOND_FACTOR_REQUIRED', 'at the next request')
  })

  it('and nobody else: members of a business and tokens work without', async () => {
    const session = await signIn(world, await person(world, 'business-admin', clinic))
    expect(await missing(session)).toBe(false)
    expect((await session.in(clinic).get('/kits')).status).toBe(200)
    expect((await clinic.live.get('/kits')).status).toBe(200)
  })
})

describe('SECOND_FACTOR', () => {
  const read = (env: Record<string, string>, demo = false) =>
    loadSettings({ env, flags: { demo }, envFile: '/nonexistent' }).secondFactor

  it('is operators unless it says otherwise, and optional for the demo, whose password is printed', () => {
    expect(read({})).toBe('operators')
    expect(read({ SECOND_FACTOR: 'optional' })).toBe('optional')
    expect(read({}, true)).toBe('optional')
    expect(read({ SECOND_FACTOR: 'operators' }, true)).toBe('operators')
    expect(() => read({ SECOND_FACTOR: 'none' })).toThrow('SECOND_FACTOR must be operators or optional')
  })

  it('optional lets the staff of the operator work without', async () => {
    const lax = await ownWorld('has another setting', { secondFactor: 'optional' })
    try {
      const session = await signIn(lax, await person(lax, 'operator-admin'))
      expect(await missing(session)).toBe(false)
      const reply = await session.operator.get('/businesses')
      expect(reply.status, reply.text).toBe(200)
    } finally {
      await lax.stop()
    }
  })
})

describe('a business', () => {
  let strict: TestBusiness
  let boss: Person
  beforeAll(async () => {
    strict = await world.business()
    boss = await person(world, 'business-admin', strict)
  })

  it('may demand a second factor of its members, which counts at their next request', async () => {
    const [admin, viewer] = [
      await signIn(world, boss),
      await signIn(world, await person(world, 'business-viewer', strict)),
    ]
    expect((await admin.in(strict).get('/sign-in-policy')).body).toEqual({ secondFactorRequired: false })
    const change = (by: SignedIn, secondFactorRequired: boolean) =>
      by.in(strict).request('PATCH', '/sign-in-policy', { secondFactorRequired })
    expectRefusal(await change(viewer, true), 'FORBIDDEN', 'a viewer')
    expect((await change(admin, true)).body).toEqual({ secondFactorRequired: true })
    for (const one of [admin, viewer]) {
      expectRefusal(await one.in(strict, 'sandbox').get('/kits'), 'SECOND_FACTOR_REQUIRED', 'without one')
      expect(await missing(one)).toBe(true)
    }
    const secret = await withSecondFactor(world, boss)
    const again = await signIn(world, boss, nextCode(secret))
    expect((await again.in(strict).get('/kits')).status).toBe(200)
    expect((await strict.live.get('/kits')).status, 'machines are not asked').toBe(200)
    expect((await change(again, false)).status).toBe(200)
    expect((await viewer.in(strict).get('/kits')).status).toBe(200)
    const { body } = await again.in(strict).get('/audit?action=sign_in_policy.changed')
    expect(body.data.map(({ details }: { details: object }) => details)).toEqual([
      { secondFactorRequired: false },
      { secondFactorRequired: true },
    ])
  })
})
