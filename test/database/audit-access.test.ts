import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { newToken } from '../../src/platform/tokens.ts'
import { commandLine } from '../harness/command-line.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
let world: World
let clinic: TestBusiness
let owner: Client

beforeAll(async () => {
  world = await ownWorld('sets the clock', { trustedProxies: ['127.0.0.1'] }, { clock })
  clinic = await world.business()
  owner = await world.owner()
})
afterAll(() => world.stop())

interface Row {
  realm_id: number | null
  actor: string
  action: string
  object_type: string
  object_id: string
  request_id: string
  caller_request_id: string | null
  ip: string
  details: Record<string, unknown>
}

/** The audit entries of requests with this ID. */
const written = async (callerRequestId: string): Promise<Row[]> =>
  (await owner.query('select * from audit_entries where caller_request_id = $1 order by id', [callerRequestId])).rows

const refused = async (where: string): Promise<Row[]> =>
  (await owner.query(`select * from audit_entries where action = 'access.refused' and ${where} order by id`)).rows

const realmId = async () =>
  (await owner.query(`select id from realms where business_id = $1 and mode = 'live'`, [clinic.id])).rows[0].id

let count = 0
const named = () => ({ 'x-request-id': `access-${++count}` })

describe('anyone of the operator who sees a person', () => {
  let operator: Operator
  beforeAll(async () => {
    operator = await operatorWith(world, ['mail', 'fulfilment'])
  })

  it('in the queue of kits to pack is in the audit of that person’s business, with the kits that were shown', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    const kitId = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits[0].kitID
    const headers = named()
    const reply = await operator('GET', `/fulfilment/queue?businessID=${clinic.id}`, undefined, headers)
    const shown = reply.body.data.map(({ kitID }: { kitID: string }) => kitID)
    expect(shown).toContain(kitId)
    const rows = await written(headers['x-request-id'])
    expect(rows).toMatchObject([{ realm_id: await realmId(), action: 'kit.listed', object_id: '*' }])
    expect(rows.flatMap(({ details }) => details.ids as string[]).toSorted()).toEqual(shown.toSorted())
    const scanned = named()
    await operator('GET', `/fulfilment/kits/${kitId}`, undefined, scanned)
    expect(await written(scanned['x-request-id'])).toMatchObject([{ action: 'kit.read', object_id: kitId }])
  })

  it('in e-mails is in the audit of the business they are of, with the e-mails that were shown', async () => {
    await clinic.live.post('/create-order', anOrder({ isNotifyReceiver: true }))
    await person(world, 'business-admin', clinic)
    const headers = named()
    const reply = await operator('GET', '/emails', undefined, headers)
    const [email] = reply.body.data.filter(({ business }: { business?: { id: string } }) => business?.id === clinic.id)
    const rows = await written(headers['x-request-id'])
    const own = rows.filter((row) => row.action === 'email.listed' && (row.details.ids as string[]).includes(email.id))
    expect(own).toMatchObject([{ realm_id: await realmId(), details: { operation: 'listEmails' } }])
    const ids = rows.flatMap(({ details }) => details.ids as string[])
    expect(ids.toSorted()).toEqual(reply.body.data.map(({ id }: { id: string }) => id).toSorted())
    const single = named()
    await operator('GET', `/emails/${email.id}`, undefined, single)
    expect(await written(single['x-request-id'])).toMatchObject([
      { realm_id: await realmId(), action: 'email.read', object_id: email.id },
    ])
  })
})

it('who is shown the person of a kit by the answer to a write is in the audit, too', async () => {
  const { body } = await clinic.sandbox.post('/create-order', anOrder())
  const kitId = (await clinic.sandbox.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const advanced = async (status: string) => {
    const headers = named()
    const reply = await clinic.sandbox.post(`/sandbox/kits/${kitId}/advance`, { status }, headers)
    return { kit: reply.body, rows: await written(headers['x-request-id']) }
  }
  const unregistered = await advanced('kitDelivered')
  expect(unregistered.kit.customerID).toBeUndefined()
  expect(unregistered.rows.map(({ action }) => action)).not.toContain('kit.read')
  const registered = await advanced('sampleReceived')
  expect(registered.kit.customerID).toBeDefined()
  expect(registered.rows).toContainEqual(
    expect.objectContaining({
      action: 'kit.read',
      object_id: kitId,
      details: { operation: 'advanceSandboxKit' },
    }),
  )
})

it('who reads e-mails on the command line is in the audit, too, and without the key reads none', async () => {
  const { body } = await clinic.sandbox.post('/create-order', anOrder({ isNotifyReceiver: true }))
  const kitId = (await clinic.sandbox.get(`/orders/${body.orderId}`)).body.kits[0].kitID
  const given = { firstName: 'A', lastName: 'B', email: 'a.b@example.test', dateOfBirth: '1980-01-01', sex: 'F' }
  await clinic.sandbox.post(`/kits/${kitId}/register`, given)
  await clinic.sandbox.post(`/sandbox/kits/${kitId}/advance`, { status: 'sampleReceived' })
  const cli = await commandLine(world.urls.owner, world.encryptionKey)
  const withoutKey = await commandLine(world.urls.owner)
  try {
    const { emails } = await cli.json('email', 'list', '--business', clinic.id)
    expect(await withoutKey.refusal('email', 'list', '--business', clinic.id)).toMatch(/needs the encryption key/)
    const [email] = emails.filter(({ kind }: { kind: string }) => kind === 'kit_registered')
    const shown = await cli.json('email', 'show', '--email', email.id)
    expect(shown.text).toMatch(/\/r\/[\w-]{43}/)
    expect(await withoutKey.refusal('email', 'show', '--email', email.id)).toMatch(/needs the encryption key/)
    const { rows } = await owner.query(
      `select action, object_id, details from audit_entries where actor = 'cli' and object_type = 'email' order by id`,
    )
    expect(rows.map(({ action, object_id }) => [action, object_id])).toContainEqual(['email.read', email.id])
    const listed = rows.filter(({ action }) => action === 'email.listed').flatMap(({ details }) => details.ids)
    expect(listed.toSorted()).toEqual(emails.map(({ id }: { id: string }) => id).toSorted())
  } finally {
    await withoutKey.close()
    await cli.close()
  }
})

describe('an attempt that is refused', () => {
  it('leaves an entry: without a credential, with an unknown one, and with one that may not do this', async () => {
    const unknown = newToken('live')
    const without = named()
    await world.anonymous.get('/orders', without)
    const guessed = named()
    await world.as(unknown).get('/kits', guessed)
    expect(await written(without['x-request-id'])).toMatchObject([
      { realm_id: null, actor: 'anonymous', object_id: 'GET /api/v1/orders', details: { code: 'UNAUTHORIZED' } },
    ])
    const [entry] = await written(guessed['x-request-id'])
    expect(entry).toMatchObject({ action: 'access.refused', object_id: 'GET /api/v1/kits', ip: '127.0.0.1' })
    expect(JSON.stringify(entry)).not.toContain(unknown.slice(8))

    const admin = await signIn(world, await person(world, 'business-admin', clinic))
    const other = await world.business()
    const astray = named()
    await admin.in(other).get('/orders', astray)
    const nosy = named()
    await admin.operator.get('/audit', nosy)
    for (const { 'x-request-id': id } of [astray, nosy]) {
      expect(await written(id)).toMatchObject([{ actor: `user:${admin.person.id}`, details: { code: 'FORBIDDEN' } }])
    }
    const viewer = await signIn(world, await person(world, 'business-viewer', clinic))
    const lacking = named()
    await viewer.in(clinic).post('/create-order', anOrder(), lacking)
    expect(await written(lacking['x-request-id'])).toMatchObject([
      { realm_id: await realmId(), actor: `user:${viewer.person.id}`, object_id: 'POST /api/v1/create-order' },
    ])
    const live = named()
    await clinic.live.get('/sandbox/kits', live)
    expect(await written(live['x-request-id'])).toMatchObject([{ details: { code: 'SANDBOX_TOKEN_REQUIRED' } }])
  })

  it('is counted and not written again while others like it come', async () => {
    clock.advance(60_000)
    for (let tries = 0; tries < 20; tries++) {
      const from = { 'x-forwarded-for': `2001:db8::${tries}` }
      await world.as(newToken('live')).get('/credits', from)
    }
    const rows = () => refused(`object_id = 'GET /api/v1/credits'`)
    expect(await rows()).toHaveLength(1)
    clock.advance(60_000)
    await world.anonymous.get('/panels')
    expect((await rows()).map(({ details }) => details)).toEqual([
      { code: 'UNAUTHORIZED' },
      { code: 'UNAUTHORIZED', more: 19 },
    ])
  })

  it('from many addresses writes a bounded number of rows, and each attempt is counted', async () => {
    clock.advance(60_000)
    const before = (await refused('true')).length
    for (let tries = 0; tries < 150; tries++) {
      await world.anonymous.get('/settings', { 'x-forwarded-for': `198.51.100.${tries}` })
    }
    clock.advance(60_000)
    await world.anonymous.get('/panels')
    const rows = (await refused('true')).slice(before)
    // 100 kinds, one entry for all others with their count, and the first entry of the next minute.
    expect(rows).toHaveLength(100 + 1 + 1 + 1)
    const ofSettings = rows.slice(0, -1)
    expect(ofSettings.filter(({ details }) => details.more === undefined)).toHaveLength(101)
    expect(ofSettings.reduce((sum, { details }) => sum + Number(details.more ?? 0), 0)).toBe(49)
  })
})

describe('the ID of a request', () => {
  it('in the audit is ours and unique, and the caller’s own stands beside it', async () => {
    const headers = named()
    await clinic.live.post('/create-order', anOrder(), headers)
    await clinic.live.post('/create-order', anOrder(), headers)
    const placed = (await written(headers['x-request-id'])).filter(({ action }) => action === 'order.placed')
    expect(placed).toHaveLength(2)
    expect(new Set(placed.map(({ request_id }) => request_id)).size).toBe(2)
    for (const { request_id } of placed) expect(request_id).toMatch(/^req_\w{22}$/)
    const admin = await signIn(world, await person(world, 'business-admin', clinic))
    const { data } = (await admin.in(clinic).get('/audit')).body
    const shown = data.filter(
      ({ callerRequestID }: { callerRequestID?: string }) => callerRequestID === headers['x-request-id'],
    )
    expect(shown.map(({ requestID }: { requestID: string }) => requestID).toSorted()).toEqual(
      placed.map(({ request_id }) => request_id).toSorted(),
    )
  })

  it('that a caller makes look like another request’s does not take its place', async () => {
    const first = await clinic.live.post('/create-order', anOrder())
    const taken = first.headers.get('x-request-id') ?? ''
    const reply = await clinic.live.post('/create-order', anOrder(), { 'x-request-id': taken })
    expect(reply.headers.get('x-request-id')).toBe(taken)
    const { rows } = await owner.query(
      `select object_id from audit_entries where request_id = $1 and action = 'order.placed'`,
      [taken],
    )
    expect(rows).toEqual([{ object_id: first.body.orderId }])
  })
})
