import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
afterEach(() => world.stop())

interface Answer {
  status?: number
  connection?: string
  retryAfter?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
  body: any
}

/** A request over the kept-alive connections of an agent. */
async function ask(agent: Agent, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const sent = request(url, { agent, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { connection, 'retry-after': retryAfter } = response.headers
  return { status: response.statusCode, connection, retryAfter, body: JSON.parse(await text(response)) }
}

/** Starts an order whose last byte is not sent yet. */
async function startOrder(token: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(world.service.url)
  const body = JSON.stringify(anOrder())
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST /api/v1/create-order HTTP/1.1\r\nhost: x\r\nauthorization: Token ${token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, -1)}`,
  )
  return {
    async finish() {
      socket.write(body.slice(-1))
      return text(socket)
    },
  }
}

describe('a service that gets the signal to stop', () => {
  it('says at once that it is not ready, and serves on for a while, asking callers to connect again', async () => {
    world = await ownWorld('stops the service', { stopDelaySeconds: 2 })
    const { live, liveToken } = await world.business()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const orders = `${world.service.url}/api/v1/orders`
    const authorization = { authorization: `Token ${liveToken}` }
    expect(await ask(agent, orders, authorization)).toMatchObject({ status: 200, connection: 'keep-alive' })
    const stopping = world.service.stop()
    expect((await fetch(`${world.service.url}/health/ready`)).status).toBe(503)
    expect(await ask(agent, orders, authorization)).toMatchObject({ status: 200, connection: 'close' })
    expect((await live.post('/create-order', anOrder())).status).toBe(201)
    await stopping
    agent.destroy()
  })

  it('finishes what is under way and refuses what comes meanwhile in our error shape, with Retry-After', async () => {
    world = await ownWorld('stops the service')
    const { liveToken } = await world.business()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const token = { authorization: `Token ${liveToken}` }
    await ask(agent, `${world.service.url}/api/v1/orders`, token)
    const order = await startOrder(liveToken)
    // It is in flight when the service has read its headers.
    await expect.poll(() => fetch(`${world.service.url}/metrics`).then((answer) => answer.status)).toBe(200)
    const stopping = world.service.stop()
    const live = `${world.service.url}/api/v1/credits`
    await expect.poll(async () => (await ask(new Agent(), live, token)).status).toBe(503)
    const kept = await ask(agent, `${world.service.url}/api/v1/orders`, token)
    const other = await ask(new Agent(), `${world.service.url}/api/v1/credits`, token)
    for (const refused of [kept, other]) {
      expect(refused).toMatchObject({ status: 503, connection: 'close', retryAfter: '1' })
      expect(refused.body).toEqual({
        error: 'The service is stopping, try again in a moment',
        message: 'The service is stopping, try again in a moment',
        code: 'OVERLOADED',
        requestId: expect.any(String),
      })
    }
    expect(await order.finish()).toMatch(/^HTTP\/1\.1 201 /)
    await stopping
    agent.destroy()
  })

  it('resets no connection of callers who go on calling', async () => {
    world = await ownWorld('stops the service', { stopDelaySeconds: 0.5 })
    const { liveToken } = await world.business()
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const url = `${world.service.url}/api/v1/orders`
    const seen = new Map<string, number>()
    let over = false
    const callers = Array.from({ length: 8 }, async () => {
      while (!over) {
        const what = await ask(agent, url, { authorization: `Token ${liveToken}` }).then(
          ({ status }) => String(status),
          (err: NodeJS.ErrnoException) => err.code ?? err.message,
        )
        seen.set(what, (seen.get(what) ?? 0) + 1)
        // They get 503 with Retry-After and reach another process.
        if (what === '503') return
      }
    })
    await expect.poll(() => seen.get('200') ?? 0).toBeGreaterThan(50)
    await world.service.stop()
    over = true
    await Promise.all(callers)
    agent.destroy()
    expect(Object.fromEntries(seen)).toEqual({ 200: expect.any(Number), 503: callers.length })
  })
})
