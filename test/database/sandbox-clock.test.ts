import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patiently } from '../harness/answers.ts'
import { aPlan } from '../harness/plans.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { recipients } from '../harness/recipients.ts'
import { visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 86_400_000
let world: World
let owner: Client
let at: ReturnType<typeof recipients>

beforeAll(async () => {
  world = await sharedWorld()
  owner = await world.owner()
  at = recipients(world)
})
afterAll(() => world.stop())

const advance = (clinic: TestBusiness, duration: unknown, headers: Record<string, string> = {}) =>
  clinic.sandbox.post('/sandbox/clock', { advance: duration }, headers)

interface FailingOnce extends Receiver {
  url: string
  times: number
}

/** Refuses what comes first, and asks to try again a day later. */
async function failingOnce(): Promise<FailingOnce> {
  const state = { times: 0 }
  const receiver = await httpReceiver((request, response) => {
    request.resume().on('end', () => {
      state.times++
      response.writeHead(state.times === 1 ? 503 : 204, { 'retry-after': '86400' }).end()
    })
  })
  return Object.assign(state, receiver, { url: `http://127.0.0.1:${receiver.port}/hook` })
}

type Caller = TestBusiness['live']

/** An endpoint with one delivery whose retry waits for a day. */
async function waitingRetry(
  caller: Caller,
): Promise<{ receiver: FailingOnce; log(): Promise<{ nextAttemptDate?: string; status: string }> }> {
  const receiver = await failingOnce()
  const { body } = await caller.post('/webhooks', { url: receiver.url, events: ['order.created'] })
  await caller.post(`/webhooks/${body.id}/test`)
  const log = async () => (await caller.get(`/webhooks/${body.id}/deliveries`)).body.data[0]
  await expect.poll(async () => (await log()).attempts.length).toBe(1)
  return { receiver, log }
}

describe('an advance of the clock', () => {
  it('sends the retry of a webhook now, and touches neither live nor another sandbox', async () => {
    const [clinic, neighbour] = [await world.business(), await world.business()]
    const mine = await waitingRetry(clinic.sandbox)
    const others = [await waitingRetry(clinic.live), await waitingRetry(neighbour.sandbox)]
    const before = await Promise.all(others.map(({ log }) => log()))
    const early = await advance(clinic, 'PT12H')
    expect(early.body.due.webhookDeliveries, early.text).toBe(0)
    expect((await mine.log()).status).toBe('pending')

    const later = await advance(clinic, 'PT15H')
    expect(later.body).toMatchObject({ advanced: 'PT15H', total: 'P1DT3H', due: { webhookDeliveries: 1 } })
    await expect.poll(async () => (await mine.log()).status).toBe('delivered')
    expect(mine.receiver.times).toBe(2)

    expect(await Promise.all(others.map(({ log }) => log()))).toEqual(before)
    expect(others.map(({ receiver }) => receiver.times)).toEqual([1, 1])
    expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'P1DT3H' })
    expect((await neighbour.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'PT0S' })
    for (const { receiver } of [mine, ...others]) await receiver.stop()
  })

  it('disables a webhook that fails for more than five days', async () => {
    const clinic = await world.business()
    const receiver = await httpReceiver((_request, response) => void response.writeHead(503).end())
    const { body } = await clinic.sandbox.post('/webhooks', { url: `http://127.0.0.1:${receiver.port}/hook` })
    await Promise.all(Array.from({ length: 10 }, () => clinic.sandbox.post(`/webhooks/${body.id}/test`)))
    const failures = async () => {
      const { rows } = await owner.query('select failures from webhook_endpoints where id = $1', [body.id])
      return rows[0].failures
    }
    await expect.poll(failures).toBeGreaterThanOrEqual(10)
    const endpoint = async () => (await clinic.sandbox.get(`/webhooks/${body.id}`)).body
    expect((await endpoint()).enabled).toBe(true)
    await advance(clinic, 'P6D')
    await expect.poll(async () => (await endpoint()).disabledReason).toBe('failing')
    await receiver.stop()
  })

  it('ends a personal link, a shared report and the visits by them', async () => {
    const clinic = await world.business()
    const kitId = await at.newKit(clinic, 'sandbox')
    const { email } = await at.register(kitId)
    const played = await clinic.sandbox.post(`/sandbox/kits/${kitId}/scenario`, { scenario: 'published' })
    expect(played.status, played.text).toBe(200)
    const [link = ''] = await at.linksTo(email)
    const { who, home } = await at.enter(link)
    expect(home.path, home.text).toBe('/r')
    const { body: page } = await clinic.sandbox.get(`/kits/${kitId}`)
    const form = await who.open(`/r/reports/${page.reportID}/share`)
    const shared = await who.submit(form, { forWhom: 'Dr. Jones', days: '7' })
    const [, url = ''] = /readonly value="([^"]*)"/.exec(shared.html) ?? []
    const open = (path: string) => visitor(world.service.url).open(path)
    expect((await open(new URL(url).pathname)).text).toContain('Date of birth')

    const week = await advance(clinic, 'P8D')
    expect(week.body.due, week.text).toMatchObject({ sharedReports: 1, personalLinks: 0 })
    expect((await open(new URL(url).pathname)).status).toBe(404)
    expect((await who.open('/r')).text).toContain('Please open the link in your e-mail')
    expect((await open(link)).text).toContain('Date of birth')

    const quarter = await advance(clinic, 'P83D')
    expect(quarter.body.due.personalLinks).toBeGreaterThan(0)
    expect((await open(link)).text).toContain('This link does not work any more')
  })

  it('sends the reminders that fall due, day or night, and keeps them', async () => {
    const clinic = await world.business()
    const rules = [{ stage: 'register', afterDays: 7, everyDays: 7, times: 2 }]
    expect((await clinic.sandbox.post('/reminders', { rules })).status).toBe(200)
    const kitId = await at.newKit(clinic, 'sandbox', { isNotifyReceiver: true })
    await clinic.sandbox.post(`/sandbox/kits/${kitId}/advance`, { status: 'kitDelivered' })
    const sent = async () => (await clinic.sandbox.get(`/kits/${kitId}/reminders`)).body.sent.length
    await advance(clinic, 'P6D')
    expect(await sent()).toBe(0)
    await advance(clinic, 'P1D')
    await expect.poll(sent).toBe(1)
    await advance(clinic, 'P8D')
    await expect.poll(sent).toBe(2)
    const { rows } = await owner.query(`select status from emails where kit_id = $1 and kind = 'remind_register'`, [
      kitId,
    ])
    expect(rows).toEqual([{ status: 'kept' }, { status: 'kept' }])
  })

  it('tells the next contact of a critical result', async () => {
    const clinic = await world.business()
    const contacts = [
      { email: 'first@example.test', name: 'First', minutes: 15 },
      { email: 'second@example.test', name: 'Second', minutes: 30 },
    ]
    expect((await clinic.sandbox.post('/on-call', { contacts })).status).toBe(200)
    const kitId = await at.newKit(clinic, 'sandbox')
    const results = [{ biomarker: 'glucose', result: 550, unit: 'mg/dL' }]
    await clinic.sandbox.post(`/sandbox/kits/${kitId}/advance`, { status: 'reportReady', results })
    const told = async () => {
      const { rows } = await owner.query(
        `select count(*)::int as n from emails where kit_id = $1 and kind = 'critical_waits'`,
        [kitId],
      )
      return rows[0].n
    }
    await expect.poll(told).toBe(1)
    const listed = async () => (await clinic.sandbox.get(`/critical-results?kitID=${kitId}`)).body.data[0]
    const before = await listed()
    const { body, text } = await advance(clinic, 'PT20M')
    expect(body.due.criticalResults, text).toBe(1)
    await expect.poll(told).toBe(2)
    expect(Date.parse(before.deadlineDate) - Date.parse((await listed()).deadlineDate)).toBe(20 * 60_000)
  })

  it('makes a kit late, and leaves one with a report as it is', async () => {
    const clinic = await world.business()
    const [waiting, ready] = [await at.newKit(clinic, 'sandbox'), await at.newKit(clinic, 'sandbox')]
    await clinic.sandbox.post(`/sandbox/kits/${waiting}/scenario`, { scenario: 'delivered' })
    await clinic.sandbox.post(`/sandbox/kits/${ready}/scenario`, { scenario: 'published' })
    const page = async (kitId: string) => (await clinic.sandbox.get(`/kits/${kitId}`)).body
    const before = await page(ready)
    expect((await page(waiting)).next.lateSince).toBeUndefined()
    const { body, text } = await advance(clinic, 'P15D')
    expect(body.due.lateKits, text).toBe(1)
    const late = await page(waiting)
    expect(late.next).toMatchObject({ type: 'kitRegistered', lateSince: expect.any(String) })
    expect(late.kit.progress.map(({ date }: { date?: string }) => date !== undefined)).toContain(true)
    const { body: attention } = await clinic.sandbox.get('/kits?attention=late')
    expect(attention.map(({ kitID }: { kitID: string }) => kitID)).toEqual([waiting])
    expect(await page(ready)).toEqual(before)
  })

  it('places the orders of recurring plans', async () => {
    const clinic = await world.business()
    const first = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)
    const { body: created } = await clinic.sandbox.post('/plans', aPlan(first))
    const plan = async () => (await clinic.sandbox.get(`/plans/${created.planID}`)).body
    expect((await advance(clinic, 'PT1S')).body.due.planOrders).toBe(0)
    expect((await advance(clinic, 'P2D')).body.due.planOrders).toBe(1)
    await expect.poll(async () => (await plan()).placed).toBe(1)
    expect((await plan()).occurrences).toMatchObject([{ date: first, status: 'placed' }])
    await advance(clinic, 'P31D')
    await expect.poll(async () => (await plan()).placed).toBe(2)
    expect((await clinic.sandbox.get('/orders')).body.pagination.total).toBe(2)
    await clinic.sandbox.post('/sandbox/reset')
    expect((await clinic.sandbox.get('/plans')).body.data).toEqual([])
  })

  it('ends the old signing secret of a webhook', async () => {
    const clinic = await world.business()
    const { body } = await clinic.sandbox.post('/webhooks', { url: 'https://hooks.example.com/', enabled: false })
    await clinic.sandbox.post(`/webhooks/${body.id}/rotate-secret`)
    const until = async () => {
      const { rows } = await owner.query('select old_secret_until as until from webhook_endpoints where id = $1', [
        body.id,
      ])
      return rows[0].until.getTime()
    }
    const before = await until()
    await advance(clinic, 'P2D')
    expect(before - (await until())).toBe(2 * DAY_MS)
  })

  it('happens once with an Idempotency-Key, also after another advance, and is in the audit', async () => {
    const clinic = await world.business()
    const key = { 'idempotency-key': 'a-week' }
    const first = await advance(clinic, 'P1W', key)
    expect(first.body, first.text).toMatchObject({ advanced: 'P7D', total: 'P7D' })
    await advance(clinic, 'P3D')
    const again = await advance(clinic, 'P1W', key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'P10D' })
    const { rows } = await owner.query(
      `select details from audit_entries where action = 'sandbox.clock_advanced' and object_id = $1 order by id`,
      [clinic.id],
    )
    expect(rows).toHaveLength(2)
    await clinic.sandbox.post('/sandbox/reset')
    expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'PT0S' })
  })

  it('adds up where several come at once', async () => {
    const clinic = await world.business()
    await at.newKit(clinic, 'sandbox')
    const answers = await Promise.all(Array.from({ length: 5 }, () => patiently(() => advance(clinic, 'PT1H30M'))))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'PT7H30M' })
  })

  it.each(['P1M', 'P1Y', 'P', 'PT', 'P0D', '-P1D', '3d', 'P1.5D', 'P367D', 'PT31622401S', 'P99999999W', 3])(
    'by %s is refused with the form of a duration, and moves nothing',
    async (duration) => {
      const clinic = await world.business({ panels: [] })
      const refused = await advance(clinic, duration)
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: [{ path: 'advance' }] },
      })
      expect((await clinic.sandbox.get('/sandbox/clock')).body).toEqual({ total: 'PT0S' })
    },
  )

  it('is refused to a live token, and by the database for live', async () => {
    const clinic = await world.business({ panels: [] })
    for (const answer of [
      await clinic.live.get('/sandbox/clock'),
      await clinic.live.post('/sandbox/clock', { advance: 'P1D' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'SANDBOX_TOKEN_REQUIRED' } })
    }
    const ofLive = `update realms set clock_advanced_ms = 1 where mode = 'live' and business_id = $1`
    await expect(owner.query(ofLive, [clinic.id])).rejects.toThrow(/check constraint/)
  })
})
