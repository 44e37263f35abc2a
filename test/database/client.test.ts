import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Kitlane, KitlaneError, Webhook } from '../../client/src/index.ts'
import { aRow, CORE, recipient } from '../harness/orders.ts'
import { httpReceiver } from '../harness/receivers.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
let kitlane: Kitlane

beforeAll(async () => {
  world = await ownWorld('reads the log of requests', { accessLog: true })
  clinic = await world.business({ credits: 1000 })
  kitlane = new Kitlane({ token: clinic.liveToken, baseUrl: world.service.url, retryDelayMs: 10 })
})
afterAll(() => world.stop())

const order = { recipient, kit_types: [{ kitType: CORE }], paymentMethod: 'credits' }
const countOrders = async () => (await kitlane.orders.list({ size: 1 })).pagination.total
async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

/** A peer in front of the service that fails in one way with each request, and then passes requests on. */
async function failing(...ways: ('refuses' | 'cuts' | 'loses the answer')[]) {
  const keys: (string | undefined)[] = []
  const peer = await httpReceiver(async (request, response) => {
    const { method, url, headers } = request
    const body = await text(request)
    keys.push(headers['idempotency-key'] as string)
    const way = ways.shift()
    if (way === 'refuses') return void response.writeHead(503, { 'retry-after': '0' }).end()
    if (way === 'cuts') return void request.socket.destroy()
    const passed = Object.entries(headers).filter(([name]) => /^(authorization|content-type|idempotency)/.test(name))
    const init = { method: method ?? '', headers: Object.fromEntries(passed) as Record<string, string> }
    const answer = await fetch(`${world.service.url}${url}`, { ...init, ...(body && { body }) })
    const bytes = await answer.bytes()
    if (way === 'loses the answer') return void request.socket.destroy()
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(bytes)
  })
  const baseUrl = `http://127.0.0.1:${peer.port}`
  return { peer, keys, kitlane: new Kitlane({ token: clinic.liveToken, baseUrl, retryDelayMs: 10 }) }
}

describe('an order through a network that fails', () => {
  it('is placed once, though it was refused, cut off, and placed without an answer that arrived', async () => {
    const before = await countOrders()
    const { kitlane: unlucky, keys, peer } = await failing('refuses', 'cuts', 'loses the answer')
    const { orderId } = await unlucky.orders.create(order)
    expect(await countOrders()).toBe(before + 1)
    expect((await kitlane.orders.get(orderId ?? '')).orderStatus).toBe('preparing')
    expect([keys.length, new Set(keys).size]).toEqual([4, 1])
    await peer.stop()
  })

  it('is placed once by a program that gave up and calls again with the key of its error', async () => {
    const before = await countOrders()
    const { kitlane: unlucky, peer } = await failing('loses the answer')
    const err = await unlucky.orders.create(order, { maxRetries: 0 }).catch((thrown: unknown) => thrown)
    if (!(err instanceof KitlaneError) || err.code !== 'NO_ANSWER') return expect.unreachable()
    const { orderId } = await unlucky.orders.create(order, { idempotencyKey: err.idempotencyKey ?? '' })
    expect(orderId).toMatch(/^O/)
    expect(await countOrders()).toBe(before + 1)
    await peer.stop()
  })
})

it('for await goes through all pages of each kind: counted ones, arrays, the feed, the rows of a job', async () => {
  for (let n = 0; n < 3; n++) await kitlane.orders.create({ ...order, kit_types: [{ kitType: CORE, quantity: 2 }] })
  const orders = await all(kitlane.orders.list({ size: 2 }))
  expect(orders).toHaveLength(await countOrders())
  expect(new Set(orders.map(({ orderID }) => orderID)).size).toBe(orders.length)

  const kits = await all(kitlane.kits.list({ size: 4 }))
  expect(kits.map(({ kitID }) => kitID).toSorted()).toEqual(
    orders.flatMap(({ kits }) => kits.map(({ kitID }) => kitID)).toSorted(),
  )
  for (let n = 0; n < 3; n++) await kitlane.customers.create({ name: 'Ada Example', email: `ada${n}@example.test` })
  const pages = await all(kitlane.customers.list({ size: 2 }).pages())
  expect(pages.map((page) => page.length)).toEqual([2, 1])
  expect(await kitlane.customers.list()).toHaveLength(3)

  await world.settled()
  const events = await all(kitlane.events.list({ size: 3 }))
  expect(events.map(({ id }) => id)).toEqual((await kitlane.events.list({ size: 250 })).data.map(({ id }) => id))
  expect(events.length).toBeGreaterThan(6)
})

it('waitFor says how a bulk order goes on, and ends with it', async () => {
  const { jobId } = await kitlane.orders.create({ bulkUploadData: Array.from({ length: 21 }, () => aRow()) })
  const progress: number[] = []
  const job = await kitlane.bulkOrderJobs.waitFor(jobId ?? '', {
    onProgress: (now) => void progress.push(now.progress),
  })
  expect(job).toMatchObject({ status: 'completed', total: 21, succeeded: 21, failed: 0 })
  expect(progress.at(-1)).toBe(100)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  const rows = await all(kitlane.bulkOrderJobs.get(jobId ?? '', { size: 10 }))
  expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 21 }, (_, row) => row))
})

it('a refusal has a code that narrows it, and a request that the log of the service has', async () => {
  const { orderId = '' } = await kitlane.orders.create(order)
  await kitlane.orders.cancel(orderId)
  const err = await kitlane.orders.cancel(orderId).catch((thrown: unknown) => thrown)
  if (!(err instanceof KitlaneError) || err.code !== 'ILLEGAL_TRANSITION') return expect.unreachable()
  expect([err.status satisfies 409, err.body.allowed]).toEqual([409, []])
  // A line is written after its answer is sent.
  await expect.poll(() => world.logged.some((line) => line.includes(err.requestId))).toBe(true)
})

it('a webhook that the service sends is accepted, also with the old secret after a new one was made', async () => {
  const received: { body: Buffer; headers: Headers }[] = []
  const receiver = await httpReceiver(async (request, response) => {
    const headers = new Headers(request.headers as Record<string, string>)
    received.push({ body: Buffer.from(await text(request)), headers })
    response.writeHead(204).end()
  })
  const { id, secret } = await kitlane.webhooks.create({ url: `http://127.0.0.1:${receiver.port}/` })
  const { secret: newSecret } = await kitlane.webhooks.rotateSecret(id)
  await kitlane.webhooks.test(id)
  await expect.poll(() => received.length).toBeGreaterThan(0)
  const [{ body, headers } = { body: '', headers: new Headers() }] = received
  for (const one of [secret, newSecret]) {
    const event = await new Webhook(one).verify(body, headers)
    if (event.type !== 'webhook.test') return expect.unreachable()
    expect(event.data.endpointID).toBe(id)
  }
  await receiver.stop()
})
