import fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { parseJsonBodies } from '../../src/platform/http/body.ts'
import { toAppError } from '../../src/platform/http/error-body.ts'
import { LoadShedder } from '../../src/platform/http/load-shedder.ts'
import { registerShares, Shares } from '../../src/platform/http/shares.ts'

const apps: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('the load shedder', () => {
  async function open(waitMs: () => number) {
    const shed: string[] = []
    const shedder = new LoadShedder({ refused: (method, route) => shed.push(`${method} ${route}`) })
    const app = fastify({ serverFactory: (handle) => shedder.createServer({}, handle) })
    shedder.watch('GET', '/ordering/:id', waitMs)
    const held: (() => void)[] = []
    app.get('/ordering/:id', () => new Promise((resolve) => held.push(() => resolve('done'))))
    app.get('/ordering/:id/parts', async () => 'done')
    app.get('/other', async () => 'done')
    apps.push(app)
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const get = (path: string, token: string) =>
      fetch(`${url}${path}`, { headers: { authorization: `Token ${token}` } })
    const end = () => {
      for (const answer of held.splice(0)) answer()
    }
    return { get, held, end, shed }
  }

  it('a request whose queue is too long is refused at once, with the time to wait; others are answered', async () => {
    let waitMs = 0
    const { get, held, end, shed } = await open(() => waitMs)
    const first = get('/ordering/1', 'a')
    await expect.poll(() => held.length).toBe(1)
    waitMs = 10_000
    const refused = await get('/ordering/2?all=1', 'a')
    const answer = (await refused.json()) as { code: string; requestId: string }
    expect([refused.status, answer.code, refused.headers.get('retry-after')]).toEqual([503, 'OVERLOADED', '1'])
    expect(answer.requestId).toBe(refused.headers.get('x-request-id'))
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(shed).toEqual(['GET /ordering/:id'])
    expect((await get('/ordering/2/parts', 'a')).status).toBe(200)
    expect((await get('/other', 'a')).status).toBe(200)
    expect(held.length).toBe(1)
    end()
    expect((await first).status).toBe(200)
  })

  it('who has little under way is let in while others fill the queue', async () => {
    let waitMs = 0
    const { get, held, end } = await open(() => waitMs)
    const flood = Array.from({ length: 50 }, () => get('/ordering/1', 'flooder'))
    await expect.poll(() => held.length).toBe(50)
    waitMs = 10_000
    expect((await get('/ordering/1', 'flooder')).status).toBe(503)
    const calm = get('/ordering/1', 'calm')
    await expect.poll(() => held.length).toBe(51)
    end()
    expect((await calm).status).toBe(200)
    await Promise.all(flood)
  })
})

describe('long bodies', () => {
  const long = (rows: number, tail = '') => `{"rows":[${Array(rows).fill('{"n":"some text of a row"}').join()}]}${tail}`

  function open() {
    const app = fastify({ bodyLimit: 10_000_000 })
    const shares = new Shares(2)
    parseJsonBodies(app, shares)
    registerShares(app)
    app.setErrorHandler((err, _request, reply) => {
      const { status, code, extra } = toAppError(err)
      return reply.code(status).send({ code, ...extra })
    })
    const held: { ip: string; answer(): void }[] = []
    app.post('/', (request) => {
      return new Promise((resolve) => {
        held.push({
          ip: request.ip,
          answer: () => resolve({ rows: (request.body as { rows: unknown[] }).rows.length }),
        })
      })
    })
    apps.push(app)
    const post = (remoteAddress: string, payload: string) =>
      app.inject({ method: 'POST', url: '/', remoteAddress, payload, headers: { 'content-type': 'application/json' } })
    return { post, held }
  }

  it('are read two at a time, by turns of their senders; short ones do not wait', async () => {
    const { post, held } = open()
    const sent = ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].map((ip) => post(ip, long(5000)))
    await turns(200)
    expect(held.map(({ ip }) => ip)).toEqual(['10.0.0.1', '10.0.0.1'])
    const short = post('10.0.0.3', long(1))
    await turns(20)
    expect(held.at(-1)?.ip).toBe('10.0.0.3')
    held.splice(2, 1)[0]?.answer()
    expect((await short).json()).toEqual({ rows: 1 })
    const order: string[] = []
    while (order.length < sent.length) {
      const next = held.shift()
      if (next) order.push(next.ip)
      next?.answer()
      await turns(50)
    }
    // The queue of the first was there before that of the second: one of it comes first.
    expect(order).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.1'])
    for (const answer of await Promise.all(sent)) expect(answer.json()).toEqual({ rows: 5000 })
  })

  it('that are refused give their place back', async () => {
    const { post, held } = open()
    for (let n = 0; n < 5; n++) expect((await post('10.0.0.1', long(5000, '}'))).statusCode).toBe(400)
    const sent = post('10.0.0.1', long(5000))
    await turns(200)
    held[0]?.answer()
    expect((await sent).statusCode).toBe(200)
  })

  it('of a sender who has eight waiting get 429 with the time to wait, and nobody else does', async () => {
    const { post, held } = open()
    const sent = Array.from({ length: 10 }, () => post('10.0.0.1', long(5000)))
    await turns(200)
    const refused = await post('10.0.0.1', long(5000))
    expect([refused.statusCode, refused.json()]).toEqual([429, { code: 'RATE_LIMITED', retryAfterSeconds: 1 }])
    const other = post('10.0.0.2', long(5000))
    let answered = 0
    while (answered < 11) {
      const next = held.shift()
      if (next) answered++
      next?.answer()
      await turns(20)
    }
    for (const answer of await Promise.all([...sent, other])) expect(answer.statusCode).toBe(200)
  })

  it('are read in slices: whatever waits comes in between', async () => {
    const { post, held } = open()
    const sent = post('10.0.0.1', long(200_000))
    let seen = 0
    while (held.length === 0) {
      await turns(1)
      seen++
    }
    held[0]?.answer()
    expect((await sent).statusCode).toBe(200)
    expect(seen).toBeGreaterThan(5)
  })
})
