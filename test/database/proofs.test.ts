import { XLSX } from '@kitlane/display/workbook-kind'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routes } from '../../src/modules/index.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import { Authenticator } from '../harness/authenticator.ts'
import type { Reply } from '../harness/caller.ts'
import { operatorWith } from '../harness/operator.ts'
import { person, type SignedIn, signIn } from '../harness/people.ts'
import { codeAt } from '../harness/second-factor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const origin = 'https://kits.example.com'

let world: World
let clinic: TestBusiness
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))

beforeAll(async () => {
  world = await ownWorld('sets the clock', { publicUrl: origin }, { clock })
  clinic = await world.business()
})
afterAll(() => world.stop())

/** Sessions that proved themselves ten minutes ago. */
async function late(...roles: Act['by'][]): Promise<[SignedIn, ...SignedIn[]]> {
  const sessions: SignedIn[] = []
  for (const role of roles) {
    sessions.push(await signIn(world, await person(world, role, role === 'business-admin' ? clinic : undefined)))
  }
  clock.advance(10 * MINUTE)
  const [first, ...others] = sessions
  if (!first) throw new Error('nobody was named')
  return [first, ...others]
}
const prove = (who: SignedIn, proof: object) => who.account.post('/session/proof', proof)
const codeNow = (secret: string) => codeAt(secret, clock.now().getTime())

interface Act {
  what: string
  by: 'business-admin' | 'operator-admin'
  send(who: SignedIn): Promise<Reply>
}
const operator = (
  what: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Act => ({
  what,
  by: 'operator-admin',
  send: (who) => who.operator.request(method, path, body, headers),
})
const business = (
  what: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Act => ({
  what,
  by: 'business-admin',
  send: (who) => who.in(clinic).request(method, path, body, headers),
})
const csv = { accept: 'text/csv' }

const sensitive: Act[] = [
  business('to make a token', 'POST', '/tokens', { name: 'x' }),
  business('to end a token', 'DELETE', '/tokens/tok_none'),
  business('to invite a user', 'POST', '/users', { email: 'new@people.test', role: 'business-viewer' }),
  business('to change a role', 'PATCH', '/users/usr_none', { role: 'business-admin' }),
  business('to remove a user', 'DELETE', '/users/usr_none'),
  business('to change how members sign in', 'PATCH', '/sign-in-policy', { secondFactorRequired: false }),
  business('to export a person', 'GET', '/customers/1/export'),
  business('to save customers as CSV', 'GET', '/customers', undefined, csv),
  business('to save orders as CSV', 'GET', '/orders', undefined, csv),
  business('to save kits as CSV', 'GET', '/kits', undefined, csv),
  business('to change how reports are published', 'PATCH', '/settings', { publishing: 'manual' }),
  operator('to save the kits to pack as CSV', 'GET', '/fulfilment/queue', undefined, csv),
  operator('to save the kits to pack as a workbook', 'GET', '/fulfilment/queue', undefined, { accept: XLSX }),
  operator('to make a token of the operator', 'POST', '/tokens', { name: 'x' }),
  operator('to end a token of the operator', 'DELETE', '/tokens/otk_none'),
  operator('to invite staff', 'POST', '/staff', { email: 'new@staff.test', role: 'lab' }),
  operator('to change a role of the staff', 'PATCH', '/staff/usr_none', { role: 'lab' }),
  operator('to remove somebody from the staff', 'DELETE', '/staff/usr_none'),
  operator('to say where orders to a laboratory go', 'POST', '/laboratories/lab_none/connection', {
    ...{ transport: { kind: 'folder', folder: 'none' }, tests: [] },
  }),
  operator('to make a business with tokens', 'POST', '/businesses', { name: 'New' }),
]

describe('ten minutes after the sign-in a session is asked who uses it', () => {
  const sessions = new Map<string, SignedIn>()
  beforeEach(async () => {
    const [admin, staff] = await late('business-admin', 'operator-admin')
    sessions.set('business-admin', admin).set('operator-admin', staff as SignedIn)
  })

  it.each(sensitive)('$what, and the same request works after a proof', async ({ by, send }) => {
    const who = sessions.get(by) as SignedIn
    const refused = await send(who)
    expectRefusal(refused, 'REAUTHENTICATION_REQUIRED', 'no proof')
    expect(refused.body.by).toEqual(['password'])
    expect((await prove(who, { password: who.person.password })).status).toBe(204)
    const again = await send(who)
    expect(again.body.code ?? 'done').not.toBe('REAUTHENTICATION_REQUIRED')
    expect([200, 201, 404], again.text).toContain(again.status)
  })

  it('but not for what is not sensitive: lists, other settings', async () => {
    const who = (sessions.get('business-admin') as SignedIn).in(clinic)
    expect((await who.get('/customers')).status).toBe(200)
    expect((await who.request('PATCH', '/settings', { requireConsent: false })).status).toBe(200)
    expect((await who.get('/credits/transactions', csv)).status, 'nobody is named there').toBe(200)
  })

  it('and every route that asks is in this list, or changes passkeys', () => {
    const asking = routes.filter((route) => 'needsProof' in route && route.needsProof).map(({ id }) => id)
    const listed =
      `createToken changeToken rotateToken revokeToken changeSupportPolicy inviteUser changeUser removeUser setSignInPolicy exportCustomer listCustomers
      listOrders listKits changeSettings createOperatorToken changeOperatorToken rotateOperatorToken revokeOperatorToken inviteStaff changeStaff removeStaff
      createBusiness inviteUserOfBusiness changeBusiness offerPasskey createSsoConnection changeSsoConnection removeSsoConnection createOperatorSsoConnection changeOperatorSsoConnection removeOperatorSsoConnection verifySsoDomain createScimToken revokeScimToken createOperatorScimToken revokeOperatorScimToken addPasskey removePasskey
      saveLabConnection changeRetention liftLegalHold approveSupportAccess getFhirEverything keepUser listCustomerAccesses requestSupportAccess grantCopyOfData listKitsToPack beginRecall getRecall addProvider changeProvider saveLabelAccount saveWarehouse saveNotifiableRule saveHealthAuthority saveNotifiableSender`.split(
        /\s+/,
      )
    expect(asking.sort()).toEqual(listed.sort())
  })
})

describe('a proof', () => {
  it('counts for ten minutes', async () => {
    const [who] = await late('business-admin')
    await prove(who, { password: who.person.password })
    clock.advance(10 * MINUTE - 1)
    expect((await who.in(clinic).get('/orders', csv)).status).toBe(200)
    clock.advance(1)
    expectRefusal(await who.in(clinic).get('/orders', csv), 'REAUTHENTICATION_REQUIRED', 'over')
  })

  it('that is wrong proves nothing, is in the audit, and counts: five, then none is taken', async () => {
    const [who] = await late('business-admin')
    const statuses: number[] = []
    for (const _ of Array(6)) statuses.push((await prove(who, { password: 'wrong' })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expectRefusal(await prove(who, { password: who.person.password }), 'RATE_LIMITED', 'the right one too')
    expectRefusal(await who.in(clinic).get('/orders', csv), 'REAUTHENTICATION_REQUIRED', 'nothing proved')
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select action from audit_entries where object_id = $1 and action like 'session.%'`,
      [who.person.id],
    )
    expect(rows.filter(({ action }) => action === 'session.refused')).toHaveLength(5)
    expect(rows.filter(({ action }) => action === 'session.proved')).toHaveLength(0)
  })

  it('is a password, a code or a passkey; nothing at all is none', async () => {
    const [who] = await late('business-admin')
    expectRefusal(await prove(who, {}), 'VALIDATION_FAILED', 'none')
    await prove(who, { password: who.person.password })
    const { body: setup } = await who.account.post('/session/totp', { password: who.person.password })
    await who.account.post('/session/totp/confirm', { code: codeNow(setup.secret) })
    clock.advance(10 * MINUTE)
    const refused = await who.in(clinic).get('/orders', csv)
    expect(refused.body.by).toEqual(['code', 'password'])
    expectRefusal(await prove(who, { code: '000000' }), 'CODE_WRONG', 'a wrong code')
    expect((await prove(who, { code: codeNow(setup.secret) })).status).toBe(204)
    expect((await who.in(clinic).get('/orders', csv)).status).toBe(200)

    const device = new Authenticator()
    const { body: options } = await who.account.post('/session/passkeys/options')
    await who.account.post('/session/passkeys', { name: 'Laptop', response: device.create(options, { origin }) })
    clock.advance(10 * MINUTE)
    const { body: asked } = await who.account.post('/session/proof/options')
    expect(asked.allowCredentials).toHaveLength(1)
    const passkey = device.get(asked, { origin })
    expect((await prove(who, { passkey })).status).toBe(204)
    expectRefusal(await prove(who, { passkey }), 'PASSKEY_NOT_VALID', 'twice')
    expect((await who.in(clinic).get('/orders', csv)).status).toBe(200)
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select details->>'by' as by from audit_entries where action = 'session.proved' and object_id = $1 order by at, id`,
      [who.person.id],
    )
    expect(rows.map(({ by }) => by)).toEqual(['password', 'code', 'passkey'])
  })

  it("is no other person's passkey, nor one made for another session", async () => {
    const [who, other] = (await late('business-admin', 'business-admin')) as [SignedIn, SignedIn]
    const device = new Authenticator()
    await prove(other, { password: other.person.password })
    const { body: options } = await other.account.post('/session/passkeys/options')
    await other.account.post('/session/passkeys', { name: 'x', response: device.create(options, { origin }) })
    const { body: asked } = await who.account.post('/session/proof/options')
    const answer = device.get({ challenge: asked.challenge, rpId: asked.rpId }, { origin })
    expectRefusal(await prove(who, { passkey: answer }), 'PASSKEY_NOT_VALID', "another's passkey")
    const { body: theirs } = await other.account.post('/session/proof/options')
    const own = device.get({ challenge: theirs.challenge, rpId: theirs.rpId }, { origin })
    expectRefusal(await prove(who, { passkey: own }), 'PASSKEY_NOT_VALID', "another's challenge")
  })

  it('by password does not touch second factors once there is one', async () => {
    const [who] = await late('business-admin')
    const { body: setup } = await who.account.post('/session/totp', { password: who.person.password })
    await who.account.post('/session/totp/confirm', { code: codeNow(setup.secret) })
    await prove(who, { password: who.person.password })
    const refused = await who.account.post('/session/passkeys/options')
    expectRefusal(refused, 'REAUTHENTICATION_REQUIRED', 'only the password')
    expect(refused.body.by).toEqual(['code'])
    clock.advance(MINUTE)
    await prove(who, { code: codeNow(setup.secret) })
    expect((await who.account.post('/session/passkeys/options')).status).toBe(200)
  })

  it('is never asked of a token', async () => {
    clock.advance(60 * MINUTE)
    expect((await clinic.live.get('/orders', csv)).status).toBe(200)
    expect((await clinic.live.request('PATCH', '/settings', { publishing: 'manual' })).status).toBe(200)
    const machine = await operatorWith(world, ['staff', 'businesses', 'access'])
    expect((await machine('POST', '/tokens', { name: 'made', scopes: ['staff'] })).status).toBe(201)
  })

  it('that is missing is no refused attempt: the audit keeps no such entry', async () => {
    const [who] = await late('business-admin')
    expectRefusal(await who.in(clinic).get('/orders', csv), 'REAUTHENTICATION_REQUIRED', 'late')
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select 1 from audit_entries where action = 'access.refused' and details->>'code' = 'REAUTHENTICATION_REQUIRED'`,
    )
    expect(rows).toEqual([])
  })
})
