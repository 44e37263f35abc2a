import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { closeOverdue } from '../../src/modules/identity/support-access.ts'
import { setDisabled } from '../../src/modules/identity/users.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { expectRefusal } from '../harness/answers.ts'
import { caller, type Reply } from '../harness/caller.ts'
import { type Person, person, requestAccess, type SignedIn, signIn } from '../harness/people.ts'
import { each } from '../harness/send.ts'
import { isNewDeviceMail, type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const clock = manualClock(new Date('2026-03-01T08:00:00Z'))
const REASON = 'Ticket 4711: reports are late'

let world: World
let server: MailServer
let clinic: TestBusiness
let agent: Person
let staff: SignedIn
let boss: SignedIn

beforeAll(async () => {
  server = await startMailServer()
  const publicUrl = 'http://kits.example.test'
  world = await ownWorld('sets the clock', { publicUrl, smtpUrl: server.url }, { clock })
  agent = await person(world, 'operator-admin')
})
beforeEach(async () => {
  clinic = await world.business()
  const admin = await person(world, 'business-admin', clinic)
  ;[staff, boss] = [await signIn(world, agent), await signIn(world, admin)]
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

const ask = (body: object = {}, who = staff) =>
  who.operator.post(`/businesses/${clinic.id}/support-accesses`, { reason: REASON, ...body })
const own = () => boss.in(clinic)
const enter = (mode: 'live' | 'sandbox' = 'live'): Promise<Reply> => staff.in(clinic, mode).get('/customers')
const demandApproval = async () => {
  expect((await own().request('PATCH', '/support-policy', { approvalRequired: true })).status).toBe(200)
}
const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
/** The newest access, as the business sees it. */
const shown = async () => (await own().get('/support-accesses')).body.data[0]
const entries = async (): Promise<{ action: string; actor: string; details?: object }[]> => {
  const { data } = (await own().get('/audit?size=250')).body
  return data.filter(({ action }: { action: string }) => action.startsWith('support_access.')).reverse()
}
const actions = async () => (await entries()).map(({ action }) => action.replace('support_access.', ''))
/** Moves the clock; everybody has to sign in again. */
async function later(ms: number) {
  clock.advance(ms)
  ;[staff, boss] = [await signIn(world, staff.person), await signIn(world, boss.person)]
}
const runJob = () => world.service.database.asSystem({ name: 'job:support-accesses.close' }, closeOverdue)

describe('somebody of the operator', () => {
  it('enters a business, live and sandbox, only with a reason, and the business reads both', async () => {
    for (const mode of ['live', 'sandbox'] as const) {
      expectRefusal(await enter(mode), 'SUPPORT_ACCESS_REQUIRED', mode)
    }
    const { status, body } = await ask()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^sup_/),
      user: { id: agent.id, email: agent.email },
      business: { id: clinic.id },
      reason: REASON,
      minutes: 60,
      state: 'active',
      requestedDate: inMs(0),
      startedDate: inMs(0),
      endsDate: inMs(HOUR),
    })
    expect([(await enter()).status, (await enter('sandbox')).status]).toEqual([200, 200])
    const { business: _, ...seen } = body
    expect(await shown()).toEqual(seen)
    const [requested, started] = await entries()
    expect(requested).toMatchObject({
      actor: `user:${agent.id}`,
      objectType: 'support_access',
      objectID: body.id,
      details: { reason: REASON, minutes: 60, needsApproval: false },
    })
    expect(started).toMatchObject({ details: { user: agent.id, reason: REASON, endsAt: inMs(HOUR) } })
  })

  it.each([
    [{ reason: 'too short' }],
    [{ reason: '   short    ' }],
    [{ reason: 'x'.repeat(501) }],
    [{ reason: undefined }],
    [{ minutes: 0 }],
    [{ minutes: 481 }],
    [{ minutes: 1.5 }],
  ])('does not with %o', async (asked) => {
    expectRefusal(await ask(asked), 'VALIDATION_FAILED', JSON.stringify(asked))
    expect((await enter()).status).toBe(403)
  })

  it('leaves each request in the audit of the business, in the mode where it was made, also one that failed', async () => {
    const id = await requestAccess(staff, clinic)
    await staff.in(clinic).get('/customers', { 'x-request-id': 'look-1' })
    await staff.in(clinic).get('/kits/K000000000')
    await staff.in(clinic, 'sandbox').get('/orders')
    const used = async (mode: 'live' | 'sandbox') =>
      (await boss.in(clinic, mode).get('/audit?action=support_access.used')).body.data.reverse()
    expect(await used('live')).toEqual([
      expect.objectContaining({
        actor: `user:${agent.id}`,
        objectID: id,
        callerRequestID: 'look-1',
        ip: '127.0.0.1',
        details: { route: 'GET /api/v1/customers' },
      }),
      expect.objectContaining({ details: { route: 'GET /api/v1/kits/:kitID' } }),
    ])
    expect(await used('sandbox')).toEqual([expect.objectContaining({ details: { route: 'GET /api/v1/orders' } })])
    const listed = (await own().get('/audit?action=customer.listed')).body.data
    expect(listed[0]).toMatchObject({ actor: `user:${agent.id}`, callerRequestID: 'look-1' })
  })

  it('is out when the time is over, before any job has run, and the end is in the audit', async () => {
    await requestAccess(staff, clinic, { minutes: 10 })
    clock.advance(10 * MINUTE - 1)
    expect((await enter()).status).toBe(200)
    clock.advance(1)
    expectRefusal(await enter(), 'SUPPORT_ACCESS_REQUIRED', 'at the end')
    expect(await shown()).toMatchObject({ state: 'ended', endedDate: inMs(0), endedBy: 'time' })
    await runJob()
    await runJob()
    expect(await actions()).toEqual(['requested', 'started', 'used', 'ended'])
    expect((await entries()).at(-1)).toMatchObject({ actor: 'job:support-accesses.close', details: { by: 'time' } })
  })

  it('stays for eight hours at most', async () => {
    const { body } = await ask({ minutes: 480 })
    await later(8 * HOUR - 1)
    expect((await enter()).status).toBe(200)
    await later(1)
    expect((await enter()).status).toBe(403)
    expect(body.endsDate).toBe(inMs(0))
  })

  it('is out at once when they, another administrator of the operator, or the business ends the access', async () => {
    const other = await signIn(world, await person(world, 'operator-admin'))
    const ways: [string, (id: string) => Promise<Reply>][] = [
      ['operator', (id) => staff.operator.request('DELETE', `/support-accesses/${id}`)],
      ['operator', (id) => other.operator.request('DELETE', `/support-accesses/${id}`)],
      ['operator', (id) => staff.in(clinic).request('DELETE', `/support-accesses/${id}`)],
      ['business', (id) => own().request('DELETE', `/support-accesses/${id}`)],
    ]
    for (const [by, end] of ways) {
      const id = await requestAccess(staff, clinic)
      expect((await enter()).status).toBe(200)
      expect((await end(id)).body).toMatchObject({ id, state: 'ended', endedBy: by })
      expectRefusal(await enter(), 'SUPPORT_ACCESS_REQUIRED', by)
      expectRefusal(
        await end(id).then((reply) =>
          reply.status === 403 ? own().request('DELETE', `/support-accesses/${id}`) : reply,
        ),
        'SUPPORT_ACCESS_CLOSED',
        'twice',
      )
    }
    expect((await actions()).filter((action) => action === 'ended')).toHaveLength(4)
  })

  it('has one access to a business at a time, also where two are asked for at once', async () => {
    const answers = await each([1, 2, 3, 4], () => ask(), 4)
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    expectRefusal(await ask(), 'SUPPORT_ACCESS_OPEN', 'again')
    const other = await world.business()
    expectRefusal(await staff.in(other).get('/orders'), 'SUPPORT_ACCESS_REQUIRED', 'another business')
  })

  it('shares an access with nobody', async () => {
    await requestAccess(staff, clinic)
    const other = await signIn(world, await person(world, 'operator-admin'))
    expectRefusal(await other.in(clinic).get('/orders'), 'SUPPORT_ACCESS_REQUIRED', 'a colleague')
    expect((await other.operator.get(`/support-accesses?businessID=${clinic.id}`)).body.data).toHaveLength(1)
    expect((await other.operator.get(`/support-accesses?businessID=${clinic.id}&mine=true`)).body.data).toEqual([])
  })

  it('is out at once when they are disabled or lose the role, and stays out of the rest of the access', async () => {
    const leaving = await person(world, 'operator-admin')
    const theirs = await signIn(world, leaving)
    await requestAccess(theirs, clinic)
    expect((await theirs.in(clinic).get('/orders')).status).toBe(200)
    await staff.operator.request('PATCH', `/staff/${leaving.id}`, { role: 'lab' })
    expectRefusal(await theirs.in(clinic).get('/orders'), 'FORBIDDEN', 'another role')
    await staff.operator.request('PATCH', `/staff/${leaving.id}`, { role: 'operator-admin' })
    await world.service.database.asSystem({ name: 'cli' }, (tx) => setDisabled(tx, leaving.email, true))
    expect((await theirs.in(clinic).get('/orders')).status).toBe(401)
  })

  it('who is a user of the business too does there what that role allows, and more only with an access', async () => {
    const both = await person(world, 'business-viewer', clinic)
    await person(world, 'operator-admin', undefined, both.email)
    const inside = await signIn(world, both)
    const change = () => inside.in(clinic).request('PATCH', '/settings', {})
    expect((await inside.in(clinic).get('/orders')).status).toBe(200)
    expectRefusal(await change(), 'FORBIDDEN', 'as a viewer')
    await requestAccess(inside, clinic)
    expect((await change()).status).toBe(200)
  })

  it('invites nobody to a business without an access: they could invite themselves', async () => {
    const invite = () =>
      staff.operator.post(`/businesses/${clinic.id}/users`, { email: 'me@operator.test', role: 'business-admin' })
    expectRefusal(await invite(), 'SUPPORT_ACCESS_REQUIRED', 'without')
    await requestAccess(staff, clinic)
    expect((await invite()).status).toBe(201)
  })

  it('needs the role of an administrator to ask, and a machine cannot: it works by its scopes', async () => {
    for (const role of ['fulfilment', 'lab', 'reviewer', 'provider'] as const) {
      expectRefusal(await ask({}, await signIn(world, await person(world, role))), 'FORBIDDEN', role)
    }
    const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
      createOperatorToken(tx, { name: 'machine', scopes: ['access'] }),
    )
    const machine = caller(world.service.url, token, { prefix: '/operator/v1' })
    const path = `/businesses/${clinic.id}/support-accesses`
    expectRefusal(await machine.post(path, { reason: REASON }), 'FORBIDDEN', 'a machine')
    const email = 'first@clinic.test'
    expect((await machine.post(`/businesses/${clinic.id}/users`, { email, role: 'business-viewer' })).status).toBe(201)
  })
})

describe('a business that demands an approval', () => {
  it('lets nobody in before one of its administrators approved, and the time counts from then on', async () => {
    await demandApproval()
    const { status, body } = await ask({ minutes: 30 })
    expect([status, body.state, body.answerByDate]).toEqual([201, 'waiting', inMs(24 * HOUR)])
    const refused = await enter()
    expectRefusal(refused, 'SUPPORT_ACCESS_REQUIRED', 'before')
    expect(refused.body.message).toContain('waits')
    await later(3 * HOUR)
    const approved = await own().post(`/support-accesses/${body.id}/approve`)
    expect(approved.body).toMatchObject({ state: 'active', approvedBy: boss.person.id, endsDate: inMs(30 * MINUTE) })
    expect((await enter()).status).toBe(200)
    expect(await actions()).toEqual(['approval_changed', 'requested', 'approved', 'started', 'used'])
    expectRefusal(await own().post(`/support-accesses/${body.id}/approve`), 'SUPPORT_ACCESS_CLOSED', 'twice')
  })

  it('is notified by e-mail, each administrator and nobody else, and so is who asked once it is approved', async () => {
    const second = await person(world, 'business-admin', clinic)
    const viewer = await person(world, 'business-viewer', clinic)
    await demandApproval()
    const { body } = await ask()
    const to = (address: string) =>
      server.received.filter((mail) => mail.to.includes(address) && !isNewDeviceMail(mail))
    for (const { email } of [boss.person, second]) {
      await expect.poll(() => to(email).length).toBe(1)
      const [mail] = to(email)
      expect(parseMail(mail?.raw ?? '').text).toContain(REASON)
      expect(parseMail(mail?.raw ?? '').text).toContain(
        `http://kits.example.test/app/b/${clinic.id}/live/settings/support`,
      )
    }
    await own().post(`/support-accesses/${body.id}/approve`)
    await expect.poll(() => to(agent.email).length).toBe(1)
    expect(to(viewer.email)).toEqual([])
  })

  it('refuses, or the operator withdraws, and nobody enters', async () => {
    await demandApproval()
    const first = (await ask()).body.id
    expect((await own().request('DELETE', `/support-accesses/${first}`)).body.state).toBe('refused')
    const second = (await ask()).body.id
    expect((await staff.operator.request('DELETE', `/support-accesses/${second}`)).body.state).toBe('withdrawn')
    for (const id of [first, second]) {
      expectRefusal(await own().post(`/support-accesses/${id}/approve`), 'SUPPORT_ACCESS_CLOSED', id)
    }
    expect((await enter()).status).toBe(403)
    expect((await actions()).slice(1)).toEqual(['requested', 'refused', 'requested', 'withdrawn'])
  })

  it('that does not answer within 24 hours has refused', async () => {
    await demandApproval()
    const { id } = (await ask()).body
    await later(24 * HOUR)
    expect(await shown()).toMatchObject({ state: 'unanswered', endedDate: inMs(0) })
    expectRefusal(await own().post(`/support-accesses/${id}/approve`), 'SUPPORT_ACCESS_CLOSED', 'too late')
    await runJob()
    expect(await actions()).toContain('unanswered')
    expect((await ask()).body.state).toBe('waiting')
  })

  it('decides alone: no viewer, no token, nobody of the operator and nobody of another business', async () => {
    const insider = await signIn(world, await person(world, 'operator-admin'))
    await requestAccess(insider, clinic)
    const both = await person(world, 'business-admin', clinic)
    await person(world, 'operator-admin', undefined, both.email)
    const self = await signIn(world, both)
    await demandApproval()
    const { id } = (await ask()).body
    const path = `/support-accesses/${id}/approve`
    const other = await world.business()
    const theirs = await signIn(world, await person(world, 'business-admin', other))
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    expectRefusal(await insider.in(clinic).post(path), 'FORBIDDEN', 'a colleague inside')
    expectRefusal(await viewer.in(clinic).post(path), 'FORBIDDEN', 'a viewer')
    expectRefusal(await clinic.live.post(path), 'FORBIDDEN', 'a token')
    expectRefusal(await theirs.in(other).post(path), 'SUPPORT_ACCESS_NOT_FOUND', 'another business')
    expectRefusal(
      await theirs.in(other).request('DELETE', `/support-accesses/${id}`),
      'SUPPORT_ACCESS_NOT_FOUND',
      'end',
    )
    const ownRequest = (await ask({}, self)).body.id
    expectRefusal(await self.in(clinic).post(`/support-accesses/${ownRequest}/approve`), 'FORBIDDEN', 'one’s own')
    const off = { approvalRequired: false }
    for (const who of [insider.in(clinic), viewer.in(clinic), clinic.live]) {
      expectRefusal(await who.request('PATCH', '/support-policy', off), 'FORBIDDEN', 'the policy')
    }
    expect((await own().get('/support-policy')).body).toEqual({ approvalRequired: true })
    expect((await boss.in(clinic, 'sandbox').get('/support-policy')).body).toEqual({ approvalRequired: true })
  })
})
