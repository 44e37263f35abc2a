import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/domain/scopes.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Caller } from '../harness/caller.ts'
import { operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const clock = manualClock(new Date('2027-03-01T08:00:00Z'))
const SECRET = 'a secret that the caller chose itself'
const shop = {
  kind: 'woocommerce',
  url: 'https://shop.example.com',
  webhookSecret: SECRET,
  items: [{ sku: 'CORE-1', kitType: CORE }],
}

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  clinic = await world.business()
})
afterAll(() => world.stop())

async function tokenWith(...scopes: Scope[]): Promise<Caller> {
  const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
    createToken(tx, (await realmsOf(tx, clinic.id)).live, { name: scopes.join(), scopes }),
  )
  return world.as(token)
}

describe('a token makes nothing that may do more than the token:', () => {
  it('no shop, whose orders would be paid by the business, without the scopes that place and read orders', async () => {
    const { shopID } = (await clinic.live.post('/shops', shop)).body
    for (const scopes of [['settings:write'], ['settings:write', 'orders:read']] as Scope[][]) {
      const token = await tokenWith(...scopes)
      const other = { ...shop, url: 'https://other.example.com' }
      expectRefusal(await token.post('/shops', other), 'FORBIDDEN', 'connect')
      expectRefusal(await token.request('PATCH', `/shops/${shopID}`, { paymentMethod: 'card' }), 'FORBIDDEN', 'change')
      expectRefusal(await token.request('PATCH', `/shops/${shopID}`, { enabled: true }), 'FORBIDDEN', 'enable')
      const item = { sku: 'MUG', kitType: CORE }
      expectRefusal(await token.post(`/shops/${shopID}/items`, item), 'FORBIDDEN', 'item')
      const rotated = await token.post(`/shops/${shopID}/rotate-secret`, { webhookSecret: SECRET })
      expectRefusal(rotated, 'FORBIDDEN', 'secret')
    }
    expect((await clinic.live.get('/shops')).body).toHaveLength(1)
    const whole = await tokenWith('settings:write', 'orders:read', 'orders:write')
    expect((await whole.post('/shops', { ...shop, url: 'https://third.example.com' })).status).toBe(201)
  })

  it.each([
    [{ publishing: 'auto' }, 'reports:review'],
    [{ publishAcknowledged: true }, 'reports:review'],
    [{ retestPanels: [CORE] }, 'orders:write'],
    [{ insufficientCredits: 'charge' }, 'payments:write'],
    [{ purchasingEnabled: true }, 'payments:write'],
  ] as [object, Scope][])('no setting %o without %s', async (change, scope) => {
    const refused = await (await tokenWith('settings:write')).request('PATCH', '/settings', change)
    expectRefusal(refused, 'FORBIDDEN', JSON.stringify(change))
    expect(refused.body.message).toContain(scope)
    const holder = await tokenWith('settings:write', scope)
    expect((await holder.request('PATCH', '/settings', change)).status).toBe(200)
  })

  it('and what a setting switches off needs the scope of settings alone', async () => {
    const token = await tokenWith('settings:write')
    const off = { publishing: 'manual', publishAcknowledged: false, insufficientCredits: 'reject', retestPanels: [] }
    expect((await token.request('PATCH', '/settings', off)).status).toBe(200)
  })

  it('no publishing by a machine of the operator that may not publish', async () => {
    const path = `/businesses/${clinic.id}`
    const machine = await operatorWith(world, ['businesses'])
    expect((await machine('PATCH', path, { publishing: 'auto' })).status).toBe(403)
    const reviewer = await operatorWith(world, ['businesses', 'review'])
    expect((await reviewer('PATCH', path, { publishing: 'auto' })).status).toBe(200)
  })
})

describe('what was made during a support access', () => {
  let staff: SignedIn
  let boss: SignedIn
  let id: string
  const inside = () => staff.in(clinic)

  beforeAll(async () => {
    ;[staff, boss] = [
      await signIn(world, await person(world, 'operator-admin')),
      await signIn(world, await person(world, 'business-admin', clinic)),
    ]
  })
  const begin = async () => {
    id = await requestAccess(staff, clinic, { minutes: 30 })
  }
  const end = () => staff.operator.request('DELETE', `/support-accesses/${id}`)
  /** Invites somebody, who accepts and signs in. */
  const invited = async (role: string, by = (body: object) => inside().post('/users', body)) => {
    const email = `${Math.trunc(performance.now() * 1000)}@guest.test`
    const { body, text, status } = await by({ email, role })
    expect(status, text).toBe(201)
    const password = 'lantern orbit maple syrup'
    const token = body.invitationUrl.split('#')[1]
    expect((await world.anonymous.post('/invitations/accept', { token, password })).status).toBeLessThan(300)
    return signIn(world, { id: body.user.id, email, password })
  }

  it('lets nobody in after its early end: no token and no user, regardless of who invited them', async () => {
    await begin()
    const { token } = (await inside().post('/tokens', { name: 'look', scopes: ['orders:read'] })).body
    const guest = await invited('business-admin')
    const other = await invited('business-viewer', (body) =>
      staff.operator.post(`/businesses/${clinic.id}/users`, body),
    )
    expect((await world.as(token).get('/orders')).status).toBe(200)
    expect((await guest.in(clinic).get('/orders')).status).toBe(200)
    expect((await other.in(clinic).get('/orders')).status).toBe(200)
    expect((await end()).status).toBe(200)
    await expect.poll(async () => (await world.as(token).get('/orders')).status).toBe(401)
    expect((await guest.in(clinic).get('/orders')).status).toBe(401)
    expect((await other.in(clinic).get('/orders')).status).toBe(401)
    expect((await boss.in(clinic).get('/users')).body).toHaveLength(1)
  })

  it('lets nobody in after its time either, before any job has run', async () => {
    await begin()
    const guest = await invited('business-viewer')
    clock.advance(30 * MINUTE)
    ;[staff, boss] = [await signIn(world, staff.person), await signIn(world, boss.person)]
    const back = await world.anonymous.post('/session', { email: guest.person.email, password: guest.person.password })
    expect(back.status).toBeGreaterThanOrEqual(400)
  })

  it('lets nobody in once who made it has lost the role', async () => {
    const leaving = await signIn(world, await person(world, 'operator-admin'))
    await requestAccess(leaving, clinic)
    const visitor = leaving.in(clinic)
    const { token } = (await visitor.post('/tokens', { name: 'look', scopes: ['orders:read'] })).body
    const guest = await invited('business-viewer', (body) => visitor.post('/users', body))
    await staff.operator.request('PATCH', `/staff/${leaving.person.id}`, { role: 'lab' })
    expect((await guest.in(clinic).get('/orders')).status).toBe(401)
    expect((await world.as(token).get('/orders')).status).toBe(401)
  })

  it('changes no invitation of the business itself', async () => {
    const email = 'pending@guest.test'
    expect((await boss.in(clinic).post('/users', { email, role: 'business-viewer' })).status).toBe(201)
    await begin()
    expectRefusal(await inside().post('/users', { email, role: 'business-admin' }), 'FORBIDDEN', 'another role')
    await end()
    expect((await boss.in(clinic).get('/users')).body).toContainEqual(expect.objectContaining({ email }))
  })

  it('cannot be what sends out, spends, publishes or lets in later, not even by a user or a token made in it', async () => {
    const webhook = { url: 'https://receiver.example.com/hook', payload: 'full' }
    const planned = { kit_types: [{ kitType: CORE }], every: { months: 1 }, firstDate: '2027-04-01' }
    const recipient = {
      first_name: 'Ada',
      last_name: 'Low',
      email: 'ada@people.test',
      address: { street1: '1 Way', city: 'Austin', state: 'TX', zip: '73301' },
    }
    const sso = { name: 'x', issuer: 'https://idp.example.com', clientID: 'k', clientSecret: 's' }
    const own = (await boss.in(clinic).post('/sso-connections', sso)).body.id
    const { id: endpoint } = (await boss.in(clinic).post('/webhooks', webhook)).body
    const ofTokens: [string, string, object?][] = [
      ['POST', '/webhooks', webhook],
      ['POST', '/webhooks', { ...webhook, payload: 'thin' }],
      ['PATCH', `/webhooks/${endpoint}`, { url: 'https://elsewhere.example.com' }],
      ['POST', `/webhooks/${endpoint}/rotate-secret`],
      ['POST', '/shops', { ...shop, url: 'https://fourth.example.com' }],
      ['POST', '/plans', { ...planned, recipient }],
      ['PATCH', '/settings', { publishing: 'auto' }],
      ['PATCH', '/settings', { contactEmail: 'me@operator.test' }],
      ['PATCH', '/settings', { insufficientCredits: 'charge' }],
      ['PATCH', '/credits/top-up', { types: [{ type: CORE, below: 5, amount: 10 }] }],
      ['POST', '/payment-methods', { id: 'pm_card_visa' }],
      ['POST', '/on-call', { contacts: [{ name: 'Me', email: 'me@operator.test', minutes: 5 }] }],
    ]
    const ofPeople: [string, string, object?][] = [
      ['POST', '/sso-connections', { ...sso, name: 'y' }],
      ['PATCH', `/sso-connections/${own}`, { issuer: 'https://mine.example.com' }],
      ['POST', `/sso-connections/${own}/scim-token`],
      ['PATCH', '/sign-in-policy', { secondFactorRequired: false }],
      ['PATCH', `/users/${boss.person.id}`, { role: 'business-viewer' }],
      ['PATCH', '/support-policy', { approvalRequired: false }],
    ]
    await begin()
    const { token } = (await inside().post('/tokens', { name: 'all' })).body
    const guest = await invited('business-admin')
    const callers: [string, Caller, [string, string, object?][]][] = [
      ['the operator', inside(), [...ofTokens, ...ofPeople]],
      ['a user made in it', guest.in(clinic), [...ofTokens, ...ofPeople]],
      ['a token made in it', world.as(token), ofTokens],
    ]
    for (const [name, who, tries] of callers) {
      for (const [method, path, body] of tries) {
        const reply = await who.request(method as 'POST', path, body)
        expect([name, method, path, reply.status, reply.body.code]).toEqual([name, method, path, 403, 'FORBIDDEN'])
      }
    }
    expectRefusal(await guest.in(clinic).post(`/users/${guest.person.id}/keep`), 'FORBIDDEN', 'themselves')
    await end()
  })

  it('may be a user whom an administrator of the business keeps', async () => {
    await begin()
    const guest = await invited('business-viewer')
    const listed = async () =>
      (await boss.in(clinic).get('/users')).body.find(({ id }: { id: string }) => id === guest.person.id)
    expect(await listed()).toMatchObject({ endsWithSupportAccess: true })
    expectRefusal(await inside().post(`/users/${guest.person.id}/keep`), 'FORBIDDEN', 'the operator')
    expect((await boss.in(clinic).post(`/users/${guest.person.id}/keep`)).status).toBe(200)
    await end()
    expect((await guest.in(clinic).get('/orders')).status).toBe(200)
    expect(await listed()).not.toHaveProperty('endsWithSupportAccess')
  })

  it('is on a receipt: what ended, what stays, and the request that takes it back', async () => {
    await begin()
    const made = (await inside().post('/tokens', { name: 'look', scopes: ['customers:read', 'customers:write'] })).body
    const customer = { name: 'Ada Low', email: 'receipt@people.test', dateOfBirth: '1980-02-29' }
    const { body } = await world.as(made.token).post('/customer', customer)
    const guest = await invited('business-viewer')
    await inside().get('/customers')
    const receipt = async () => (await boss.in(clinic).get(`/support-accesses/${id}/receipt`)).body
    const entries = (of: { entries: { action: string }[] }, action: string) =>
      of.entries.filter((one) => one.action === action)
    expect(entries(await receipt(), 'token.created')).toMatchObject([{ objectID: made.id, outcome: 'ends' }])
    await end()
    const after = await receipt()
    expect(after.access).toMatchObject({ id, state: 'ended' })
    expect(entries(after, 'token.created')).toMatchObject([{ objectID: made.id, outcome: 'ended' }])
    expect(entries(after, 'user.invited')).toMatchObject([{ objectID: guest.person.id, outcome: 'ended' }])
    const [created] = entries(after, 'customer.created') as { undo?: { method: string; path: string } }[]
    expect(created).toMatchObject({ outcome: 'stays', undo: { operationID: 'eraseCustomer', method: 'DELETE' } })
    expect(after.entries.some(({ action }: { action: string }) => /read|listed|used/.test(action))).toBe(false)
    const path = created?.undo?.path.replace('/api/v1', '') ?? ''
    expect(path).toBe(`/customers/${body.id}`)
    expect((await boss.in(clinic).request('DELETE', path)).status).toBe(200)
    const elsewhere = await world.business()
    const stranger = (await signIn(world, await person(world, 'business-admin', elsewhere))).in(elsewhere)
    expectRefusal(await stranger.get(`/support-accesses/${id}/receipt`), 'SUPPORT_ACCESS_NOT_FOUND', 'another business')
  })
})

describe('the receipt of a support access', () => {
  it('shows what was there before a change, and of a person only which fields: no secret, address or name', async () => {
    const own = await world.business({ name: 'Before Clinic' })
    const admin = (await signIn(world, await person(world, 'business-admin', own))).in(own)
    await admin.request('PATCH', '/settings', { lowCreditThreshold: 7, contactEmail: 'desk@before.test' })
    const rules = [{ stage: 'register', afterDays: 5, times: 1, by: 'email' }]
    expect((await admin.post('/reminders', { rules })).status).toBe(200)
    const url = 'https://hooks.example.com/secret-word?key=secret-word'
    const hook = await admin.post('/webhooks', { url, enabled: false, events: ['order.created'] })
    expect(hook.status, hook.text).toBe(201)
    const customer = { name: 'Ada Before', email: 'ada@before.test', dateOfBirth: '1980-02-29' }
    const { id: customerID } = (await own.live.post('/customer', customer)).body
    const staff = await signIn(world, await person(world, 'operator-admin'))
    const access = await requestAccess(staff, own)
    const there = staff.in(own)
    expect((await there.request('PATCH', '/settings', { lowCreditThreshold: 9, brandColor: '#123456' })).status).toBe(
      200,
    )
    expect((await there.post('/reminders', { rules: [] })).status).toBe(200)
    expect((await there.request('DELETE', `/webhooks/${hook.body.id}`)).status).toBeLessThan(300)
    expect((await there.request('PATCH', `/customers/${customerID}`, { name: 'Ada After' })).status).toBe(200)
    const colleague = await person(world, 'business-viewer', own)
    const { id: tokenID } = (await admin.post('/tokens', { name: 'till', scopes: ['orders:read'] })).body
    expect((await there.request('DELETE', `/users/${colleague.id}`)).status).toBe(200)
    expect((await there.request('DELETE', `/tokens/${tokenID}`)).status).toBe(200)
    const { text, body } = await admin.get(`/support-accesses/${access}/receipt`)
    const entryOf = (action: string) => body.entries.find((one: { action: string }) => one.action === action)
    expect(entryOf('settings.changed').before).toEqual({ lowCreditThreshold: 7, brandColor: null })
    expect(entryOf('reminders.changed').before.rules).toMatchObject(rules)
    expect(entryOf('webhook.removed').before).toMatchObject({
      url: 'https://hooks.example.com/…',
      events: ['order.created'],
      enabled: false,
    })
    expect(entryOf('user.removed').before).toEqual({ role: 'business-viewer' })
    expect(entryOf('token.revoked').before).toEqual({ scopes: ['orders:read'] })
    expect(entryOf('customer.updated')).toMatchObject({ changed: ['name'] })
    expect(entryOf('customer.updated')).not.toHaveProperty('before')
    expect(text).not.toMatch(/secret-word|Ada|ada@|desk@/)
  })
})

describe('a domain of a single sign-on', () => {
  it('is verified by somebody else than who set it up, and again after its provider changed', async () => {
    const [one, other] = [
      await signIn(world, await person(world, 'operator-admin')),
      await signIn(world, await person(world, 'operator-admin')),
    ]
    const settings = { name: 'Staff', issuer: 'https://idp.example.com', clientID: 'k', clientSecret: 's' }
    const { id } = (await one.operator.post('/sso-connections', { ...settings, domains: ['staff.test'] })).body
    const path = `/sso-connections/${id}/domains/staff.test`
    const verified = { verified: true }
    expectRefusal(await one.operator.request('PATCH', path, verified), 'FORBIDDEN', 'who made it')
    const { token } = (await one.operator.post('/tokens', { name: 'mine' })).body
    const machine = await fetch(`${world.service.url}/operator/v1${path}`, {
      method: 'PATCH',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(verified),
    })
    expect(machine.status, 'their token').toBe(403)
    expect((await other.operator.request('PATCH', path, verified)).status).toBe(200)
    await one.operator.request('PATCH', `/sso-connections/${id}`, { issuer: 'https://idp2.example.com' })
    const listed = (await other.operator.get('/sso-domains')).body.find((found: { id: string }) => found.id === id)
    expect(listed.domains).toEqual([{ domain: 'staff.test', verified: false }])
  })
})

describe('a proof that is older than ten minutes', () => {
  it('opens no support access', async () => {
    const staff = await signIn(world, await person(world, 'operator-admin'))
    const other = await world.business()
    clock.advance(11 * MINUTE)
    const asked = await staff.operator.post(`/businesses/${other.id}/support-accesses`, { reason: 'Ticket 4711: late' })
    expectRefusal(asked, 'REAUTHENTICATION_REQUIRED', 'support access')
    expectRefusal(await staff.in(other).get('/orders'), 'SUPPORT_ACCESS_REQUIRED', 'nothing was opened')
  })

  it('approves none', async () => {
    const own = await world.business()
    const admin = await signIn(world, await person(world, 'business-admin', own))
    await admin.in(own).request('PATCH', '/support-policy', { approvalRequired: true })
    const staff = await signIn(world, await person(world, 'operator-admin'))
    const id = await requestAccess(staff, own)
    clock.advance(11 * MINUTE)
    const approved = await admin.in(own).post(`/support-accesses/${id}/approve`)
    expectRefusal(approved, 'REAUTHENTICATION_REQUIRED', 'approval')
  })

  it('exports nobody: not as FHIR, and not as the file of who saw their data; a token is asked for its scope alone', async () => {
    const own = await world.business()
    const admin = (await signIn(world, await person(world, 'business-admin', own))).in(own)
    const customer = { name: 'Ada Low', email: 'proof@people.test', dateOfBirth: '1980-02-29' }
    const { id } = (await own.live.post('/customer', customer)).body
    const whole = `/fhir/Patient/${id}/$everything`
    expect((await admin.get(whole)).status).toBe(200)
    clock.advance(11 * MINUTE)
    expect((await admin.get(`/customers/${id}/export`)).body.code).toBe('REAUTHENTICATION_REQUIRED')
    const csv = await admin.get(`/customers/${id}/accesses`, { accept: 'text/csv' })
    expect(csv.body.code).toBe('REAUTHENTICATION_REQUIRED')
    expect((await admin.get(`/customers/${id}/accesses`)).status).toBe(200)
    const late = await admin.get(whole)
    expect([late.status, late.text.includes('REAUTHENTICATION_REQUIRED')]).toEqual([403, true])
    expect((await own.live.get(whole)).status).toBe(200)
  })
})
