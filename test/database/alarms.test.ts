import type { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sealEntries } from '../../src/modules/audit/seal.ts'
import { verifyNightly, watchEntries } from '../../src/modules/oversight/alarms/service.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { newToken } from '../../src/platform/tokens.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { person, signIn } from '../harness/people.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const limits = { refusals: 10, people: 20 }
const actor = { name: 'test' }
const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))

interface Told {
  id: string
  body: { type: string; data: Record<string, unknown> }
}
interface Alarm {
  id: string
  kind: string
  subject: string
  amount: number
  acknowledgedBy?: string
}

let world: World
let clinic: TestBusiness
let owner: Client
let mail: MailServer
let receiver: Receiver
let auditor: Operator
const told: Told[] = []

beforeAll(async () => {
  mail = await startMailServer()
  receiver = await httpReceiver((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      // The service's clock stands still, so that the time of the signature is not compared with today.
      const headers = request.headers as Record<string, string>
      const text = Buffer.concat(chunks).toString()
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      expect(new Webhook(secret).sign(id, at, text)).toBe(headers['webhook-signature'])
      told.push({ id, body: JSON.parse(text) })
      response.end()
    })
  })
  world = await ownWorld(
    'sets the clock',
    {
      publicUrl: 'https://kits.example.test',
      smtpUrl: mail.url,
      trustedProxies: ['127.0.0.1'],
      operatorWebhook: { url: `http://127.0.0.1:${receiver.port}/alarms`, secret },
      alarm: { email: 'security@example.test', ...limits },
    },
    { clock },
  )
  clinic = await world.business()
  owner = await world.owner()
  auditor = await operatorWith(world, ['audit'])
})
afterAll(async () => {
  await world.stop()
  await mail.stop()
  await receiver.stop()
})

/** Seals what is there, and looks at all of it. */
async function watched(): Promise<Alarm[]> {
  const unread = async () => {
    while (await world.service.database.asSystem(actor, sealEntries));
    while (await world.service.database.asSystem(actor, (tx) => watchEntries(tx, limits)));
    const { rows } = await owner.query(
      `select count(*)::int as n from audit_entries e cross join audit_readers r
       where r.name = 'alarms' and (e.xact, e.id) > (r.xact, r.id)`,
    )
    return rows[0].n
  }
  await expect.poll(unread).toBe(0)
  return (await auditor('GET', '/alarms')).body.data
}

const ofKind = async (kind: string) => (await watched()).filter((alarm) => alarm.kind === kind)
const acknowledgeAll = async () => {
  for (const { id } of await watched()) await auditor('POST', `/alarms/${id}/acknowledge`)
  // Minutes up to the acknowledgement do not count again.
  clock.advance(61 * 60_000)
}

beforeEach(acknowledgeAll)

const people = async (count: number) => {
  const ids: number[] = []
  for (let i = 0; i < count; i++) {
    const { body } = await clinic.live.post('/customer', {
      email: `${newToken('live').slice(-12)}@example.test`,
      name: 'A B',
    })
    ids.push(body.id)
  }
  return ids
}

describe('an alarm', () => {
  it('is raised by a burst of refused attempts of one caller, and sent once by webhook and e-mail, without a name', async () => {
    const before = [told.length, mail.received.length]
    const [first] = await people(1)
    for (let i = 0; i < 12; i++) await world.as(clinic.liveToken).get(`/tokens?n=${i}`)
    clock.advance(61_000)
    await world.as(clinic.liveToken).get('/tokens')
    const [alarm] = await ofKind('refusals')
    expect(alarm).toMatchObject({ kind: 'refusals', subject: expect.stringMatching(/^token:tok_/) })
    expect(alarm?.amount).toBeGreaterThanOrEqual(12)
    await expect.poll(() => told.length).toBe((before[0] ?? 0) + 1)
    await expect.poll(() => mail.received.length).toBe((before[1] ?? 0) + 1)
    const [event] = told.slice(before[0])
    expect(event).toMatchObject({
      id: alarm?.id,
      body: { type: 'alarm.raised', data: { kind: 'refusals', caller: alarm?.subject } },
    })
    const { text, headers } = parseMail(mail.received.at(-1)?.raw ?? '')
    expect(headers.get('subject')).toBe('Alarm: Many attempts were refused')
    expect(text).toContain('https://kits.example.test/app/operator/alarms')
    expect(`${text}${JSON.stringify(event)}`).not.toContain(String(first))
    // It goes on: the same alarm, and nobody is told again.
    for (let i = 0; i < 3; i++) await world.as(clinic.liveToken).get('/users')
    expect((await ofKind('refusals')).map(({ id }) => id)).toEqual([alarm?.id])
    expect(told.length).toBe((before[0] ?? 0) + 1)
  })

  it('is raised by attempts from one network without a credential, whose address it does not send', async () => {
    const before = told.length
    const from = { 'x-forwarded-for': '203.0.113.7' }
    for (const path of [
      '/orders',
      '/kits',
      '/customers',
      '/reports',
      '/users',
      '/tokens',
      '/audit',
      '/search',
      '/events',
      '/webhooks',
      '/overview',
    ])
      await world.anonymous.get(path, from)
    const [alarm] = await ofKind('refusals')
    expect(alarm?.subject).toBe('network:203.0.113.7')
    await expect.poll(() => told.length).toBe(before + 1)
    expect(JSON.stringify(told.at(-1))).not.toContain('203.0.113')
  })

  it('is not raised by fewer, or by those of an hour', async () => {
    for (const path of ['/orders', '/kits', '/customers', '/reports', '/users', '/tokens']) {
      await world.anonymous.get(path, { 'x-forwarded-for': '203.0.113.8' })
      clock.advance(10 * 60_000)
      await world.anonymous.get(`${path}x`, { 'x-forwarded-for': '203.0.113.8' })
    }
    expect(await ofKind('refusals')).toEqual([])
  })

  it('is raised when one caller reads the data of many people within an hour, one by one or in lists', async () => {
    const ids = await people(21)
    for (const id of ids) await clinic.live.get(`/customers/${id}`)
    const [alarm] = await ofKind('mass_read')
    expect(alarm).toMatchObject({ subject: expect.stringMatching(/^token:tok_/), amount: 21 })
    await acknowledgeAll()
    await clinic.live.get('/customers?page=0&size=20')
    expect((await ofKind('mass_read'))[0]?.amount).toBe(20)
  })

  it('is raised by one file of a whole list of many people', async () => {
    await clinic.live.get('/customers', { accept: 'text/csv' })
    const [alarm] = await ofKind('mass_read')
    const { rows } = await owner.query(
      `select count(*)::int as n from customers c join realms r on r.id = c.realm_id where r.business_id = $1`,
      [clinic.id],
    )
    expect(alarm?.amount).toBe(rows[0].n)
  })

  it('is not raised by reading the same few people again and again, or by the person themself', async () => {
    const [id] = await people(1)
    for (let i = 0; i < 30; i++) await clinic.live.get(`/customers/${id}`)
    expect(await ofKind('mass_read')).toEqual([])
  })

  it('is raised again after it was acknowledged, and not by what was there before', async () => {
    const ids = await people(20)
    for (const id of ids) await clinic.live.get(`/customers/${id}`)
    const [first] = await ofKind('mass_read')
    const reply = await auditor('POST', `/alarms/${first?.id}/acknowledge`)
    expect(reply.body.acknowledgedBy).toMatch(/^operator:/)
    clock.advance(60_000)
    await clinic.live.get(`/customers/${ids[0]}`)
    expect(await ofKind('mass_read')).toEqual([])
    for (const id of ids) await clinic.live.get(`/customers/${id}`)
    const [second] = await ofKind('mass_read')
    expect(second && second.id !== first?.id).toBe(true)
    const { rows } = await owner.query(
      `select count(*)::int as n from audit_entries where action = 'alarm.acknowledged' and object_id = $1`,
      [first?.id],
    )
    expect(rows[0].n).toBe(1)
  })

  it('is raised by a sign-in from a network that the user did not use in 180 days, and not by the first one', async () => {
    const who = await person(world, 'business-admin', clinic)
    const from = (ip: string) =>
      world.anonymous.post('/session', { email: who.email, password: who.password }, { 'x-forwarded-for': ip })
    await from('198.51.100.1')
    await from('198.51.100.1')
    expect(await ofKind('new_place')).toEqual([])
    await from('198.51.100.99')
    const alarms = await ofKind('new_place')
    expect(alarms).toMatchObject([{ subject: `user:${who.id}` }])
    await acknowledgeAll()
    await from('198.51.100.99')
    expect(await ofKind('new_place')).toEqual([])
  })

  it('is raised at night by a broken seal', async () => {
    const { database } = world.service
    await watched()
    expect(await verifyNightly(database, actor, { which: 'whole' })).toBeUndefined()
    await owner.query('reset role; alter table audit_entries no force row level security')
    const change = (to: string) =>
      owner.query(`update audit_entries set action = $1 where id = (select min(id) from audit_entries)`, [to])
    const { rows } = await owner.query('select action from audit_entries order by id limit 1')
    await change('nothing.happened')
    try {
      expect(await verifyNightly(database, actor, { which: 'whole' })).toContain('was changed')
      expect(await verifyNightly(database, actor, { which: 'whole' })).toContain('was changed')
    } finally {
      await change(rows[0].action)
      await owner.query('alter table audit_entries force row level security; set role kitlane_system')
    }
    expect(await ofKind('broken_seal')).toMatchObject([{ subject: expect.stringContaining('was changed') }])
  })

  it('is counted on the operator’s overview, for those who may read the audit', async () => {
    await clinic.live.get('/customers?page=0&size=20')
    const open = (await watched()).length
    expect(open).toBe(1)
    expect((await auditor('GET', '/overview')).body.alarms).toBe(open)
    const packer = await operatorWith(world, ['fulfilment'])
    expect((await packer('GET', '/overview')).body.alarms).toBeUndefined()
    expect((await packer('GET', '/alarms')).status).toBe(403)
    expect((await auditor('POST', '/alarms/alm_none/acknowledge')).body.code).toBe('ALARM_NOT_FOUND')
    const staff = await signIn(world, await person(world, 'operator-admin'))
    expect((await staff.operator.get('/alarms?state=all')).body.pagination.total).toBeGreaterThan(4)
  })
})
