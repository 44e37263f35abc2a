import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { list as listEmails } from '../../src/modules/emails/service.ts'
import { createToken } from '../../src/modules/identity/tokens.ts'
import { nextAttempt } from '../../src/modules/webhooks/rules.ts'
import { anOrder } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await sharedWorld()
})
afterAll(() => world.stop())

interface Received {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: read as a receiver without types would
  body: any
}

interface Receiver {
  url: string
  received: Received[]
  /** The answers to the next requests. The last one repeats. */
  answers: { status: number; headers?: Record<string, string>; body?: string }[]
  close(): Promise<void>
}

const open: Receiver[] = []
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.close()
})

async function receiver(answers: Receiver['answers'] = [{ status: 200 }]): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, text, body: JSON.parse(text) })
      const answer = (self.answers.length > 1 ? self.answers.shift() : self.answers[0]) ?? { status: 200 }
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  open.push(self)
  return self
}

async function endpoint(clinic: TestBusiness, url: string, options = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await clinic.live.post('/webhooks', { url, ...options })
  expect(status).toBe(201)
  return body
}

const until = (check: () => unknown) => expect.poll(check, { interval: 20 })
const log = async (clinic: TestBusiness, id: string) => (await clinic.live.get(`/webhooks/${id}/deliveries`)).body.data

/** Makes a waiting retry due now. */
async function hurry(): Promise<void> {
  const owner = await world.owner()
  await owner.query(`update webhook_deliveries set due_at = now() where status = 'pending'`)
}

describe('a webhook endpoint', () => {
  it('gets an event for what happened, signed so that the published library verifies it', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { secret } = await endpoint(clinic, hook.url)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{40,}$/)
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await until(() => hook.received.length).toBe(1)
    const { headers, text, body } = hook.received[0] as Received
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body)
    expect(body).toMatchObject({
      type: 'order.created',
      timestamp: expect.stringMatching(/Z$/),
      data: { orderID: orderId },
    })
    expect(headers['webhook-id']).toMatch(/^evt_/)
    expect(() => new Webhook(secret).verify(`${text} `, headers as Record<string, string>)).toThrow()
  })

  it('gets kit.updated with the whole kit record, what it was before, and a gapless sequence', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    await clinic.sandbox.post('/webhooks', { url: hook.url, events: ['kit.updated'] })
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    const kitID = (await clinic.sandbox.get(`/orders/${orderId}`)).body.kits[0].kitID
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
    const kit = (await clinic.sandbox.get(`/kits?kitID=${kitID}`)).body[0]
    await until(() => hook.received.length).toBeGreaterThanOrEqual(8)
    const events = hook.received.map(({ body }) => body.data).sort((a, b) => a.sequence - b.sequence)
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, index) => index + 1))
    const last = events.at(-1)
    expect(last).toMatchObject({
      kitID,
      status: 'published',
      customerID: kit.customerID,
      previous: { status: 'inReview' },
      event: 'reportReady',
    })
    const { allowed: _, ...record } = kit
    expect(last).toMatchObject({ ...record, lastUpdatedDate: expect.any(String) })
    expect(events[0].customerID).toBeUndefined()
  })

  it('gets only the types that it asked for', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    await endpoint(clinic, hook.url, { events: ['order.canceled'] })
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    await until(() => hook.received.map(({ body }) => body.type)).toEqual(['order.canceled'])
  })

  it('with a thin payload gets identifiers and statuses, but no e-mail and no name', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    await clinic.sandbox.post('/webhooks', { url: hook.url, payload: 'thin' })
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder({ externalID: 'crm-of-ada' }))).body
    const kitID = (await clinic.sandbox.get(`/orders/${orderId}`)).body.kits[0].kitID
    await clinic.sandbox.post(`/sandbox/kits/${kitID}/advance`, { status: 'kitRegistered' })
    await until(() => hook.received.length).toBeGreaterThanOrEqual(5)
    const all = hook.received.map(({ text }) => text).join('\n')
    expect(all).toContain(kitID)
    expect(all).not.toMatch(/@|\bAda\b|crm-of-ada/)
  })

  it('of live gets nothing from the sandbox, and the other way round', async () => {
    const clinic = await world.business()
    const live = await receiver()
    const sandbox = await receiver()
    await endpoint(clinic, live.url)
    await clinic.sandbox.post('/webhooks', { url: sandbox.url })
    const first = (await clinic.live.post('/create-order', anOrder())).body.orderId
    const second = (await clinic.sandbox.post('/create-order', anOrder())).body.orderId
    await until(() => [live.received.length, sandbox.received.length]).toEqual([1, 1])
    expect(live.received[0]?.body.data.orderID).toBe(first)
    expect(sandbox.received[0]?.body.data.orderID).toBe(second)
  })

  it('is made, listed, read, changed and removed', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const made = await clinic.live.post('/webhooks', { url: hook.url, description: 'till', extra: 1 })
    const { secret, ...shown } = made.body
    expect(made.status).toBe(201)
    expect(shown).toEqual({
      id: expect.stringMatching(/^we_/),
      url: hook.url,
      events: null,
      payload: 'full',
      description: 'till',
      ordering: 'none',
      rateLimit: null,
      enabled: true,
      createdDate: expect.stringMatching(/\.\d{3}Z$/),
    })
    expect(secret).toMatch(/^whsec_/)
    expect((await clinic.live.get(`/webhooks/${shown.id}`)).body).toEqual(shown)
    expect((await clinic.live.get('/webhooks')).body).toEqual([shown])
    const change = { events: ['kit.updated', 'credits.low'], payload: 'thin', enabled: false }
    const changed = await clinic.live.request('PATCH', `/webhooks/${shown.id}`, change)
    expect([changed.status, changed.body]).toEqual([200, { ...shown, ...change, disabledReason: 'business' }])
    for (const wrong of [
      { events: ['nothing.happened'] },
      { payload: 'fat' },
      { enabled: 'yes' },
      { url: 'ftp://x' },
    ]) {
      expect((await clinic.live.request('PATCH', `/webhooks/${shown.id}`, wrong)).status).toBe(400)
    }
    expect((await clinic.live.request('DELETE', `/webhooks/${shown.id}`)).status).toBe(200)
    const gone = await clinic.live.get(`/webhooks/${shown.id}`)
    expect([gone.status, gone.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect((await clinic.live.get('/webhooks')).body).toEqual([])
  })

  it('shows its secret once; the database holds it encrypted', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { id, secret } = await endpoint(clinic, hook.url)
    expect((await clinic.live.get(`/webhooks/${id}`)).body.secret).toBeUndefined()
    expect((await clinic.live.get('/webhooks')).text).not.toContain('whsec_')
    const owner = await world.owner()
    const { rows } = await owner.query('select secret from webhook_endpoints where id = $1', [id])
    expect(rows[0].secret.toString('latin1')).not.toContain(secret.slice(6, 30))
  })

  it('keeps the old secret valid for 24 h after a rotation', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { id, secret } = await endpoint(clinic, hook.url)
    const rotated = (await clinic.live.post(`/webhooks/${id}/rotate-secret`)).body
    expect(rotated.secret).not.toBe(secret)
    const send = async () => {
      const before = hook.received.length
      await clinic.live.post(`/webhooks/${id}/test`)
      await until(() => hook.received.length).toBe(before + 1)
      const { text, headers } = hook.received.at(-1) as Received
      return (key: string) => new Webhook(key).verify(text, headers as Record<string, string>)
    }
    const during = await send()
    expect(during(secret)).toEqual(during(rotated.secret))
    const owner = await world.owner()
    await owner.query(`update webhook_endpoints set old_secret_until = now() - interval '1 second' where id = $1`, [id])
    const after = await send()
    expect(() => after(secret)).toThrow()
    expect(after(rotated.secret)).toMatchObject({ type: 'webhook.test' })
    await world.settled()
    expect((await clinic.live.get('/events?type=webhook.test')).body.data).toContainEqual({
      id: expect.any(String),
      ...(after(rotated.secret) as object),
    })
  })

  it('gets a test event alone, whatever types it wants', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const other = await receiver()
    const { id } = await endpoint(clinic, hook.url, { events: ['report.published'] })
    await endpoint(clinic, other.url)
    const { status, body } = await clinic.live.post(`/webhooks/${id}/test`)
    expect(status).toBe(202)
    await until(() => hook.received.length).toBe(1)
    await until(async () => (await log(clinic, id))[0].status).toBe('delivered')
    expect((await log(clinic, id))[0].id).toBe(body.deliveryId)
    expect(other.received).toHaveLength(0)
  })

  it('is refused where it does not lead to the outside', async () => {
    const clinic = await world.business()
    for (const url of [
      'http://example.com/x',
      'https://10.0.0.1/x',
      'https://169.254.169.254/',
      'https://user:pw@example.com/',
      'ftp://example.com',
      'nonsense',
    ]) {
      const { status, body } = await clinic.live.post('/webhooks', { url })
      expect([url, status, body.details?.[0]?.path]).toEqual([url, 400, 'url'])
    }
  })

  it('of another business, or the other mode, is not found', async () => {
    const clinic = await world.business()
    const other = await world.business()
    const hook = await receiver()
    const { id } = await endpoint(clinic, hook.url)
    for (const caller of [other.live, clinic.sandbox]) {
      expect((await caller.get(`/webhooks/${id}`)).body.code).toBe('WEBHOOK_NOT_FOUND')
      expect((await caller.request('DELETE', `/webhooks/${id}`)).status).toBe(404)
      expect((await caller.get(`/webhooks/${id}/deliveries`)).status).toBe(404)
    }
  })
})

describe('a delivery', () => {
  it('that fails is tried again under the same webhook-id with a fresh timestamp, and the log shows every attempt', async () => {
    const clinic = await world.business()
    const hook = await receiver([
      { status: 500, body: 'not today' },
      { status: 200, body: 'thanks' },
    ])
    const { id, secret } = await endpoint(clinic, hook.url, { enabled: false })
    await clinic.live.post('/create-order', anOrder())
    await world.settled()
    // Verifying refuses a timestamp that is five minutes old: the event is, what is sent is not.
    const event = (await clinic.live.get('/events')).body.data.at(-1).id
    const owner = await world.owner()
    // Only who owns the table can change an event, and its own policy refuses them too.
    await owner.query('reset role')
    await owner.query(`alter table events no force row level security;
      update events set occurred_at = occurred_at - interval '1 hour' where id = '${event}';
      alter table events force row level security`)
    await clinic.live.request('PATCH', `/webhooks/${id}`, { enabled: true })
    await until(async () => (await log(clinic, id))[0]?.attempts.length).toBe(1)
    const [waiting] = await log(clinic, id)
    expect(waiting).toMatchObject({ status: 'pending', attempts: [{ number: 1, status: 500, answer: 'not today' }] })
    const pause = Date.parse(waiting.nextAttemptDate) - Date.parse(waiting.attempts[0].date)
    expect(pause).toBeGreaterThanOrEqual(5000)
    // The next retry is minutes away. The margin is for a busy machine.
    expect(pause).toBeLessThan(20_000)
    await hurry()
    await until(async () => (await log(clinic, id))[0].status).toBe('delivered')
    const [first, second] = hook.received as [Received, Received]
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(second.text).toBe(first.text)
    new Webhook(secret).verify(second.text, second.headers as Record<string, string>)
    expect((await log(clinic, id))[0].attempts.map((attempt: { status: number }) => attempt.status)).toEqual([500, 200])
  })

  it('waits as long as Retry-After says', async () => {
    const clinic = await world.business()
    const hook = await receiver([{ status: 429, headers: { 'retry-after': '120' } }])
    const { id } = await endpoint(clinic, hook.url)
    await clinic.live.post('/create-order', anOrder())
    await until(async () => (await log(clinic, id))[0]?.attempts.length).toBe(1)
    const [waiting] = await log(clinic, id)
    const pause = Date.parse(waiting.nextAttemptDate) - Date.parse(waiting.attempts[0].date)
    expect(pause).toBeGreaterThanOrEqual(119_000)
    expect(pause).toBeLessThan(150_000)
  })

  it('to an endpoint that answers 410 switches it off; its queue waits, and goes out when it is switched on again', async () => {
    const clinic = await world.business()
    const hook = await receiver([{ status: 410 }])
    const { id } = await endpoint(clinic, hook.url)
    await clinic.live.post('/create-order', anOrder())
    await until(async () => (await clinic.live.get(`/webhooks/${id}`)).body.disabledReason).toBe('gone')
    await clinic.live.post('/create-order', anOrder())
    await hurry()
    expect(hook.received).toHaveLength(1)
    hook.answers = [{ status: 204 }]
    expect((await clinic.live.request('PATCH', `/webhooks/${id}`, { enabled: true })).body.enabled).toBe(true)
    await until(() => hook.received.length).toBe(3)
    await until(async () => (await log(clinic, id)).map((entry: { status: string }) => entry.status)).toEqual([
      'delivered',
      'delivered',
    ])
  })

  it('is not redirected: a redirect is a failure', async () => {
    const clinic = await world.business()
    const target = await receiver()
    const hook = await receiver([{ status: 307, headers: { location: target.url } }])
    const { id } = await endpoint(clinic, hook.url)
    await clinic.live.post('/create-order', anOrder())
    await until(async () => (await log(clinic, id))[0]?.attempts[0]?.status).toBe(307)
    expect(target.received).toHaveLength(0)
  })

  it('is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, with jitter', () => {
    const now = new Date('2026-01-01T00:00:00Z')
    const wait = (attempts: number, random: number) => {
      const at = nextAttempt(attempts, { now, random })
      return at && (at.getTime() - now.getTime()) / 1000
    }
    const hour = 3600
    const seconds = [5, 300, 1800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    expect(seconds.map((_, index) => wait(index + 1, 0))).toEqual(seconds)
    for (const [index, least] of seconds.entries()) {
      expect(wait(index + 1, 0.5)).toBeGreaterThan(least)
      expect(wait(index + 1, 1)).toBeLessThanOrEqual(least * 1.2)
    }
    expect(wait(10, 0)).toBeUndefined()
  })

  it('gives up after the tenth attempt', async () => {
    const clinic = await world.business()
    const hook = await receiver([{ status: 503 }])
    const { id } = await endpoint(clinic, hook.url)
    await clinic.live.post('/create-order', anOrder())
    for (let attempt = 1; attempt <= 10; attempt++) {
      await until(async () => (await log(clinic, id))[0]?.attempts.length).toBe(attempt)
      await hurry()
    }
    const [given] = await log(clinic, id)
    expect(given).toMatchObject({ status: 'failed' })
    expect(given.nextAttemptDate).toBeUndefined()
  })

  it('is sent again on request, one or a stretch of time, under the same webhook-id', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { id } = await endpoint(clinic, hook.url)
    // The database stamps events: on a busy machine its clock is known to some milliseconds only.
    const since = new Date(Date.now() - 60_000).toISOString()
    await clinic.live.post('/create-order', anOrder())
    await clinic.live.post('/create-order', anOrder())
    await until(
      async () => (await log(clinic, id)).filter((entry: { status: string }) => entry.status === 'delivered').length,
    ).toBe(2)
    const [delivery] = await log(clinic, id)
    const replayed = await clinic.live.post(`/webhook-deliveries/${delivery.id}/replay`)
    expect([replayed.status, replayed.body.eventID]).toEqual([202, delivery.eventID])
    await until(() => hook.received.length).toBe(3)
    expect(hook.received[2]?.headers['webhook-id']).toBe(delivery.eventID)
    const range = await clinic.live.post(`/webhooks/${id}/replay`, { since })
    expect(range.body.events).toBe(2)
    await until(() => hook.received.length).toBe(5)
    expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })
})

describe('what an endpoint did not take', () => {
  it('is shown with what is sent, to those who may read such events, and noted in the audit', async () => {
    const clinic = await world.business()
    const hook = await receiver([{ status: 500, body: 'out of order' }])
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    const [kit] = (await clinic.live.get(`/orders/${orderId}`)).body.kits
    const [full, thin] = [await endpoint(clinic, hook.url), await endpoint(clinic, hook.url, { payload: 'thin' })]
    await clinic.live.post(`/kits/${kit.kitID}/register`, {
      firstName: 'Ada',
      lastName: 'Example',
      email: 'ada@example.test',
      dateOfBirth: '1980-02-29',
      sex: 'F',
    })
    const registered = () =>
      hook.received.find(({ body }) => body.type === 'kit.updated' && body.data.registeredToEmail)?.headers[
        'webhook-id'
      ]
    await until(registered).toBeDefined()
    const ofKit = async ({ id }: { id: string }) =>
      (await log(clinic, id)).find(({ eventID }: { eventID: string }) => eventID === registered())
    await until(async () => (await ofKit(full))?.attempts.length).toBeGreaterThan(0)
    const delivery = await ofKit(full)
    const shown = (await clinic.live.get(`/webhook-deliveries/${delivery.id}`)).body
    expect(shown.attempts[0]).toMatchObject({ status: 500, answer: 'out of order' })
    const sent = hook.received
      .filter(({ headers }) => headers['webhook-id'] === delivery.eventID)
      .map(({ body }) => body)
    expect(sent).toContainEqual(shown.payload)
    expect(shown.payload.data.registeredToEmail).toBe('ada@example.test')
    const { payload } = (await clinic.live.get(`/webhook-deliveries/${(await ofKit(thin)).id}`)).body
    expect([payload.data.kitID, payload.data.registeredToEmail]).toEqual([kit.kitID, undefined])
    const owner = await world.owner()
    const audited = async () =>
      (await owner.query(`select 1 from audit_entries where action = 'kit.read' and object_id = $1`, [kit.kitID]))
        .rowCount
    const reads = await audited()
    const { token } = await world.service.database.asSystem({ name: 'cli' }, async (tx) =>
      createToken(tx, (await realmsOf(tx, clinic.id)).live, { name: 'x', scopes: ['webhooks:read', 'orders:read'] }),
    )
    const blind = await world.as(token).get(`/webhook-deliveries/${delivery.id}`)
    expect([blind.status, blind.body.id, blind.body.payload]).toEqual([200, delivery.id, undefined])
    expect([reads, await audited()]).toEqual([expect.any(Number), reads])
    expect(reads).toBeGreaterThan(1)
  })

  it('is sent again since a time, and what it took is not', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { id } = await endpoint(clinic, hook.url, { events: ['order.created'] })
    const since = new Date().toISOString()
    const place = async () => (await clinic.live.post('/create-order', anOrder())).body.orderId
    const taken = await place()
    await until(() => hook.received.length).toBe(1)
    hook.answers.splice(0, 1, { status: 503 })
    const [waiting, given] = [await place(), await place()]
    await until(
      async () => (await log(clinic, id)).filter(({ attempts }: { attempts: [] }) => attempts.length > 0).length,
    ).toBe(3)
    const owner = await world.owner()
    await owner.query(
      `update webhook_deliveries set status = 'failed', due_at = null, finished_at = now()
       where endpoint_id = $1 and event_id = (select id from events where order_id = $2 and type = 'order.created')`,
      [id, given],
    )
    hook.answers.splice(0, 1, { status: 200 })
    const before = hook.received.length
    const again = await clinic.live.post(`/webhooks/${id}/replay`, { since, failedOnly: true })
    expect([again.status, again.body.events]).toEqual([202, 2])
    await until(() => hook.received.length).toBe(before + 2)
    const orders = hook.received.slice(before).map(({ body }) => body.data.orderID)
    expect(orders.sort()).toEqual([waiting, given].sort())
    expect(orders).not.toContain(taken)
    await until(
      async () => (await log(clinic, id)).filter(({ status }: { status: string }) => status === 'delivered').length,
    ).toBe(3)
    expect((await clinic.live.post(`/webhooks/${id}/replay`, { since, failedOnly: true })).body.events).toBe(0)
  })
})

describe('an endpoint that nothing gets through to', () => {
  it('for five days is switched off, and the business is notified by e-mail', async () => {
    const clinic = await world.business()
    const contactEmail = `${clinic.id.toLowerCase()}@example.test`
    await clinic.live.request('PATCH', '/settings', { contactEmail })
    const hook = await receiver([{ status: 500 }])
    const { id } = await endpoint(clinic, hook.url)
    const owner = await world.owner()
    await owner.query(
      `update webhook_endpoints set failures = 20, failing_since = now() - interval '4 days 23 hours' where id = $1`,
      [id],
    )
    await clinic.live.post('/create-order', anOrder())
    await until(async () => (await log(clinic, id))[0]?.attempts.length).toBe(1)
    expect((await clinic.live.get(`/webhooks/${id}`)).body.enabled).toBe(true)
    await owner.query(`update webhook_endpoints set failing_since = now() - interval '5 days 1 minute' where id = $1`, [
      id,
    ])
    await hurry()
    await until(async () => (await clinic.live.get(`/webhooks/${id}`)).body.disabledReason).toBe('failing')
    const { emails } = await world.service.database.asSystem({ name: 'test' }, (tx) =>
      listEmails(tx, { recipient: contactEmail, page: 0, size: 10 }),
    )
    expect(emails).toEqual([expect.objectContaining({ to: contactEmail })])
  })

  it('with a long queue does not delay the first attempt of another business', async () => {
    const dead = await world.business()
    const blackHole = createServer(() => {})
    await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve))
    const { id } = await endpoint(dead, `http://127.0.0.1:${(blackHole.address() as AddressInfo).port}/`)
    const owner = await world.owner()
    await dead.live.post('/create-order', anOrder())
    await owner.query(
      `insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
       select d.realm_id, 'del_dead' || n, d.endpoint_id, d.event_id, 'pending', now() - interval '1 hour', now()
       from webhook_deliveries d, generate_series(1, 10000) n where d.endpoint_id = $1`,
      [id],
    )
    const alive = await world.business()
    const hook = await receiver()
    await endpoint(alive, hook.url)
    const delays: number[] = []
    for (let i = 0; i < 20; i++) {
      const before = hook.received.length
      const started = performance.now()
      await alive.live.post('/create-order', anOrder())
      await expect.poll(() => hook.received.length, { interval: 2 }).toBe(before + 1)
      delays.push(performance.now() - started)
    }
    // Waiting for the dead endpoint would take its fifteen seconds.
    expect(Math.max(...delays)).toBeLessThan(7500)
    await dead.live.request('DELETE', `/webhooks/${id}`)
    blackHole.closeAllConnections()
    blackHole.close()
  })
})

describe('the event feed', () => {
  it('gives every event once, oldest first, to a reader who goes on from the last one', async () => {
    const clinic = await world.business()
    await Promise.all(Array.from({ length: 12 }, () => clinic.live.post('/create-order', anOrder())))
    const seen: string[] = []
    let after = ''
    await expect
      .poll(async () => {
        const { body } = await clinic.live.get(`/events?size=5${after && `&after=${after}`}`)
        for (const event of body.data) seen.push(event.id)
        after = seen.at(-1) ?? ''
        return seen.length
      })
      .toBe(12)
    expect(new Set(seen).size).toBe(12)
    expect((await clinic.live.get(`/events?after=${after}`)).body).toEqual({ data: [], hasMore: false })
  })

  it('refuses to go on from an event that is not there, and filters by type', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/events?after=evt_nobody')).status).toBe(400)
    const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
    await clinic.live.post(`/orders/${orderId}/cancel`)
    await expect
      .poll(async () =>
        (await clinic.live.get('/events?type=order.canceled')).body.data.map((event: { type: string }) => event.type),
      )
      .toEqual(['order.canceled'])
  })
})

describe('the sandbox', () => {
  it('removes webhook history with an order and on reset', async () => {
    const clinic = await world.business()
    const hook = await receiver()
    const { id } = (await clinic.sandbox.post('/webhooks', { url: hook.url })).body
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    await clinic.sandbox.post('/create-order', anOrder())
    await until(() => hook.received.length).toBe(2)
    const removed = await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderId}`)
    expect(removed.body.deleted.webhooks).toBeGreaterThan(0)
    expect((await clinic.sandbox.get(`/webhooks/${id}/deliveries`)).body.pagination.total).toBe(1)
    await clinic.sandbox.post('/sandbox/reset')
    expect((await clinic.sandbox.get(`/webhooks/${id}/deliveries`)).body.pagination.total).toBe(0)
    expect((await clinic.sandbox.get('/events')).body.data).toEqual([])
    expect((await clinic.sandbox.get('/webhooks')).body).toHaveLength(1)
  })
})
