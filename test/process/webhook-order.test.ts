import type { ServerResponse } from 'node:http'
import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { type Message, type OrderedReceiver, orderedReceiver } from '../harness/ordered-receiver.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

let world: World
let owner: Client
/** Sends beside the service of the world. */
let second: Service
const open: OrderedReceiver[] = []

beforeAll(async () => {
  world = await ownWorld('runs two services')
  owner = await world.owner()
  second = await startService({
    urls: world.urls,
    settings: { ...world.settings, role: 'worker' },
    log: createLogger({ level: 'silent' }),
  })
})
afterEach(async () => {
  for (const hook of open.splice(0)) await hook.stop()
})
afterAll(async () => {
  await second.stop({ atOnce: true })
  await world.stop()
})

async function receiver(...given: Parameters<typeof orderedReceiver>): Promise<OrderedReceiver> {
  const hook = await orderedReceiver(...given)
  open.push(hook)
  return hook
}

async function endpoint(clinic: TestBusiness, url: string, options: object = {}): Promise<string> {
  const { status, body, text } = await clinic.sandbox.post('/webhooks', { url, ...options })
  expect(status, text).toBe(201)
  return body.id
}

/** Orders a kit and brings it to its report: one event about the order, about ten about the kit. */
async function play(clinic: TestBusiness, scenario = 'published'): Promise<string> {
  const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
  const kitID = (await clinic.sandbox.get(`/orders/${orderId}`)).body.kits[0].kitID
  expect((await clinic.sandbox.post(`/sandbox/kits/${kitID}/scenario`, { scenario })).status).toBe(200)
  return kitID
}

const until = (check: () => unknown) => expect.poll(check, { interval: 25 })
const log = async (clinic: TestBusiness, id: string, query = '') =>
  (await clinic.sandbox.get(`/webhooks/${id}/deliveries?size=250${query}`)).body.data

// The database dates events by its own clock.
const aMinuteAgo = () => new Date(Date.now() - 60_000).toISOString()

/** Makes each retry of an endpoint due now, and what waits for it. */
const hurry = (id: string) =>
  owner.query(`update webhook_deliveries set due_at = now() where status = 'pending' and endpoint_id = $1`, [id])
const left = async (id: string): Promise<number> =>
  (
    await owner.query(`select count(*)::int n from webhook_deliveries where endpoint_id = $1 and status = 'pending'`, [
      id,
    ])
  ).rows[0].n

/** The IDs of all events of the sandbox in their order, with what each is about. */
async function inOrder(clinic: TestBusiness): Promise<string[]> {
  await world.settled()
  return (await clinic.sandbox.get('/events?size=250')).body.data.map(({ id }: { id: string }) => id)
}

/** Those that came before an earlier one of the same kit, or of its order, was taken. */
function overtakers(heard: readonly Message[], order: readonly string[]): string[] {
  const isTaken = (id: string, before: number) =>
    heard.slice(0, before).some((message) => message.id === id && message.status === 200)
  return heard.flatMap((one, index) => {
    const precedes = ({ id, about }: Message) =>
      about !== '' && [one.about, one.order].includes(about) && order.indexOf(id) < order.indexOf(one.id)
    return heard.filter(precedes).some(({ id }) => !isTaken(id, index)) ? [one.id] : []
  })
}

/** Refuses by seed, message and attempt, at most three times: the same for every receiver. */
function refuses({ id }: { id: string }, before: number): number {
  let hash = seed + before
  for (const character of id) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0
  return before < 3 && (hash >>> 0) % 100 < 20 ? 500 : 200
}

const taken = (hook: OrderedReceiver) => new Set(hook.heard.filter(({ status }) => status === 200).map(({ id }) => id))

describe('an endpoint in the order of kits', () => {
  it(`gets no event before the earlier ones of its kit, though it refuses many and two processes send (seed ${seed})`, async () => {
    const clinic = await world.business()
    const ordered = await receiver(refuses)
    // The second retry takes minutes: in an order of its own, nothing else would come before that.
    const control = await receiver(({ id, type }, before) =>
      type === 'order.created' && before < 2 ? 500 : refuses({ id }, before),
    )
    const ids = [await endpoint(clinic, ordered.url, { ordering: 'kit' }), await endpoint(clinic, control.url)] as const
    const since = aMinuteAgo()
    await Promise.all(Array.from({ length: 3 }, () => play(clinic)))
    const drained = (id: string) =>
      until(async () => {
        await hurry(id)
        return left(id)
      }).toBe(0)
    // What the promise is worth: without an order, events overtake each other.
    await until(async () => overtakers(control.heard, await inOrder(clinic)).length).toBeGreaterThan(0)
    // A job may tell something more meanwhile.
    const everything = async (): Promise<string[]> => {
      const order = await inOrder(clinic)
      for (const id of ids) await drained(id)
      return (await inOrder(clinic)).length === order.length ? order : everything()
    }
    const order = await everything()
    expect(order.length).toBeGreaterThan(20)
    expect(taken(ordered)).toEqual(new Set(order))
    expect(taken(control)).toEqual(new Set(order))
    expect(overtakers(ordered.heard, order)).toEqual([])
    // A stretch of time that is sent again comes in that order, too.
    ordered.heard.splice(0)
    const again = await clinic.sandbox.post(`/webhooks/${ids[0]}/replay`, { since })
    expect(again.body.events).toBe(order.length)
    await drained(ids[0])
    expect(taken(ordered)).toEqual(new Set(order))
    expect(overtakers(ordered.heard, order)).toEqual([])
  })

  it('gets at once, in order, what it refused and what waits for that, when a person sends the failed ones again', async () => {
    const clinic = await world.business()
    const since = aMinuteAgo()
    let isStuck = true
    const hook = await receiver(() => (isStuck ? 500 : 200))
    const id = await endpoint(clinic, hook.url, { ordering: 'kit', events: ['kit.updated'] })
    await play(clinic, 'registered')
    await until(
      async () => (await log(clinic, id)).flatMap((one: { attempts: unknown[] }) => one.attempts).length,
    ).toBe(1)
    const later = `update webhook_deliveries set due_at = now() + interval '1 hour' where endpoint_id = $1`
    await owner.query(`${later} and status = 'pending'`, [id])
    const waiting = await left(id)
    expect(waiting).toBeGreaterThan(1)
    isStuck = false
    await clinic.sandbox.post(`/webhooks/${id}/replay`, { since, failedOnly: true })
    await until(() => left(id)).toBe(0)
    expect(taken(hook).size).toBe(waiting)
    expect(overtakers(hook.heard, await inOrder(clinic))).toEqual([])
  })

  it('waits for one that fails, while other kits go on, until a person skips it or it has failed for good', async () => {
    const clinic = await world.business()
    const stuck = new Set<string>()
    let [wanted, unwanted] = ['', '']
    const hook = await receiver(({ id, about }) => (id === unwanted || (stuck.has(about) && id !== wanted) ? 500 : 200))
    const id = await endpoint(clinic, hook.url, { ordering: 'kit', events: ['kit.updated'] })
    const kits = [await play(clinic, 'registered'), await play(clinic, 'registered')] as const
    await until(() => left(id)).toBe(0)
    for (const kit of kits) stuck.add(kit)
    hook.heard.splice(0)
    const publish = (kit: string) => clinic.sandbox.post(`/sandbox/kits/${kit}/scenario`, { scenario: 'published' })
    for (const kit of kits) await publish(kit)
    const free = await play(clinic)
    const about = (kit: string) => hook.heard.filter((message) => message.about === kit)
    const ofKit = async (kit: string) =>
      (await clinic.sandbox.get(`/webhook-deliveries?kitID=${kit}&size=250&status=pending`)).body.data.toReversed()
    await until(async () => (await ofKit(free)).length).toBe(0)
    const waiting = await ofKit(kits[0])
    expect(waiting.length).toBeGreaterThan(2)
    for (const kit of kits) expect(new Set(about(kit).map((message) => message.id)).size).toBe(1)
    // The first of each was tried; it has the earliest event, which the feed tells.
    const order = await inOrder(clinic)
    const first = (kit: string) => about(kit)[0]?.id ?? ''
    const sorted = waiting.toSorted(
      (a: { eventID: string }, b: { eventID: string }) => order.indexOf(a.eventID) - order.indexOf(b.eventID),
    )
    expect(sorted[0].eventID).toBe(first(kits[0]))
    // What a person sends again is outside of the order.
    const { eventID: later, id: laterId } = sorted[2]
    wanted = later
    expect((await clinic.sandbox.post(`/webhook-deliveries/${laterId}/replay`)).status).toBe(202)
    await until(() => taken(hook).has(later)).toBe(true)
    expect(new Set(about(kits[0]).map((message) => message.id))).toEqual(new Set([first(kits[0]), later]))
    unwanted = first(kits[0])
    stuck.delete(kits[0])
    const skipped = await clinic.sandbox.post(`/webhook-deliveries/${sorted[0].id}/skip`)
    expect([skipped.status, skipped.body.status, skipped.body.nextAttemptDate]).toEqual([200, 'failed', undefined])
    await until(async () => (await ofKit(kits[0])).length).toBe(0)
    expect(taken(hook).has(first(kits[0]))).toBe(false)
    const rest = about(kits[0])
      .slice(1)
      .filter((message) => message.id !== later)
    expect(overtakers(rest, order)).toEqual([])
    // Its last attempt, though it is days until then.
    await owner.query(`update webhook_deliveries set attempts = 9, due_at = now() where event_id = $1`, [
      first(kits[1]),
    ])
    await until(() => about(kits[1]).filter((message) => message.id === first(kits[1])).length).toBeGreaterThan(1)
    stuck.delete(kits[1])
    await hurry(id)
    await until(() => left(id)).toBe(0)
    expect(taken(hook).has(first(kits[1]))).toBe(false)
    // One that has ended stays as it is.
    const [delivered] = await log(clinic, id, '&status=delivered')
    expect((await clinic.sandbox.post(`/webhook-deliveries/${delivered.id}/skip`)).body).toEqual(delivered)
  })

  it('gets one again whose sender was lost, and what comes after it only when that was taken', async () => {
    const clinic = await world.business()
    const held: ServerResponse[] = []
    const hook = await receiver(
      ({ type }) => (type === 'order.created' && held.length < 2 ? undefined : 200),
      (response) => held.push(response),
    )
    const id = await endpoint(clinic, hook.url, { ordering: 'kit' })
    const kit = await play(clinic)
    await until(() => held.length).toBe(1)
    // As if its process were dead: another one has it now.
    await owner.query(
      `update webhook_deliveries set lease = gen_random_uuid(), leased_until = now() - interval '1 second'
       where endpoint_id = $1 and lease is not null`,
      [id],
    )
    await until(() => held.length).toBe(2)
    await play(clinic)
    const mine = () => hook.heard.filter(({ about }) => about === kit)
    await until(() => new Set(hook.heard.map(({ about }) => about)).size).toBe(3)
    expect(mine()).toEqual([])
    for (const response of held) response.writeHead(200).end()
    await until(() => left(id)).toBe(0)
    expect(overtakers(mine(), await inOrder(clinic))).toEqual([])
  })

  it('puts in order what has waited when a business asks for it', async () => {
    const clinic = await world.business()
    const hook = await receiver(({ type }, before) => (type === 'order.created' && before === 0 ? 500 : 200))
    const id = await endpoint(clinic, hook.url, { enabled: false })
    const kit = await play(clinic)
    await clinic.sandbox.request('PATCH', `/webhooks/${id}`, { ordering: 'kit', enabled: true })
    await until(() => left(id)).toBe(0)
    // The retry takes five seconds. A person who is added is about no kit.
    const ofBoth = hook.heard.filter(({ about }) => about !== '')
    expect(ofBoth.slice(0, 2).map(({ type }) => type)).toEqual(['order.created', 'order.created'])
    expect(ofBoth.slice(2).every(({ about }) => about === kit)).toBe(true)
    expect(overtakers(ofBoth.slice(2), await inOrder(clinic))).toEqual([])
  })
})

describe('an endpoint with a limit', () => {
  it('gets everything, and in no second more than twice its limit, though two processes send', async () => {
    const clinic = await world.business()
    const hook = await receiver(() => 200)
    const [rateLimit, count] = [20, 60]
    const id = await endpoint(clinic, hook.url, { rateLimit, enabled: false })
    for (let n = 0; n < count; n++) await clinic.sandbox.post(`/webhooks/${id}/test`)
    await clinic.sandbox.request('PATCH', `/webhooks/${id}`, { enabled: true })
    await until(() => left(id)).toBe(0)
    expect(hook.heard).toHaveLength(count)
    const dates: number[] = (await log(clinic, id))
      .map(({ attempts }: { attempts: { date: string }[] }) => Date.parse(attempts[0]?.date ?? ''))
      .sort((a: number, b: number) => a - b)
    const most = Math.max(...dates.map((from) => dates.filter((date) => date >= from && date < from + 1000).length))
    expect(most).toBeLessThanOrEqual(2 * rateLimit)
    // Half a second's worth comes at once, and once more if the first process stood still.
    const leastMs = ((count - rateLimit) / rateLimit) * 1000
    expect((dates.at(-1) ?? 0) - (dates[0] ?? 0)).toBeGreaterThanOrEqual(leastMs)
  })
})

describe('order and limit', () => {
  it('are shown, changed, and refused where they make no sense', async () => {
    const clinic = await world.business()
    const url = 'http://127.0.0.1:9/'
    const path = `/webhooks/${await endpoint(clinic, url, { ordering: 'kit', rateLimit: 1000, enabled: false })}`
    expect((await clinic.sandbox.get(path)).body).toMatchObject({ ordering: 'kit', rateLimit: 1000 })
    const change = async (body: object) => (await clinic.sandbox.request('PATCH', path, body)).body
    expect(await change({ ordering: 'none' })).toMatchObject({ ordering: 'none', rateLimit: 1000 })
    expect(await change({ rateLimit: null })).toMatchObject({ ordering: 'none', rateLimit: null })
    for (const wrong of [{ ordering: 'customer' }, { rateLimit: 0 }, { rateLimit: 1001 }, { rateLimit: 1.5 }]) {
      const field = Object.keys(wrong)[0]
      for (const answer of [
        await clinic.sandbox.request('PATCH', path, wrong),
        await clinic.sandbox.post('/webhooks', { url, ...wrong }),
      ]) {
        expect([answer.status, answer.body.details?.[0]?.path], JSON.stringify(wrong)).toEqual([400, field])
      }
    }
  })
})

describe('the log of deliveries', () => {
  it('says how many there are of each endpoint and state, from before and after they were tallied, and when some are gone', async () => {
    const clinic = await world.business()
    const hook = await receiver(() => 200)
    const ids = [
      await endpoint(clinic, hook.url),
      await endpoint(clinic, hook.url, { enabled: false, events: ['order.created'] }),
    ]
    /** Totals that are not how many rows there are. */
    const wrong = async () => {
      const found: unknown[] = []
      for (const id of [undefined, ...ids]) {
        for (const status of [undefined, 'pending', 'delivered', 'failed']) {
          const { rows } = await owner.query(
            `select count(*)::int as n from webhook_deliveries d join realms r on r.id = d.realm_id
             where r.business_id = $1 and ($2::text is null or endpoint_id = $2) and ($3::text is null or status = $3)`,
            [clinic.id, id, status],
          )
          const query = new URLSearchParams({ size: '1', ...(id && { endpointID: id }), ...(status && { status }) })
          const { body } = await clinic.sandbox.get(`/webhook-deliveries?${query}`)
          if (body.pagination?.total !== rows[0].n) found.push([id, status, body.pagination?.total, rows[0].n])
        }
      }
      return found
    }
    // Some may be sent or made between two answers.
    const compare = () => until(wrong).toEqual([])
    const fails = () =>
      owner.query(
        `update webhook_deliveries set status = 'failed', due_at = null, finished_at = now() where id = (
           select id from webhook_deliveries where endpoint_id = $1 and status = 'pending' order by id limit 1)`,
        [ids[1]],
      )
    const tallied = async () =>
      (
        await owner.query(
          `select coalesce(sum(amount), 0)::int as n from tallies where name = 'delivery' and key = any($1)`,
          [ids],
        )
      ).rows[0].n

    const migrating = await world.owner()
    const tallyFrom = (later: string) =>
      migrating.query(`reset role; update deliveries_tallied set since = now() + interval '${later}'`)
    await tallyFrom('1 hour')
    await play(clinic)
    await play(clinic)
    await fails()
    await compare()
    // Those that are there are dated before it.
    await tallyFrom('1 second')
    const { orderId } = (await clinic.sandbox.post('/create-order', anOrder())).body
    await until(async () => {
      await play(clinic)
      return tallied()
    }).toBeGreaterThan(20)
    await fails()
    await compare()
    expect((await clinic.sandbox.request('DELETE', `/sandbox/orders/${orderId}`)).status).toBe(200)
    await compare()
    expect((await clinic.sandbox.request('DELETE', `/webhooks/${ids[1]}`)).status).toBeLessThan(300)
    await compare()
    expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
    await compare()
    await until(tallied).toBeLessThan(20)
  })
})
