import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Claimed } from '../../src/modules/webhooks/delivery/claim-queries.ts'
import { deliver } from '../../src/modules/webhooks/delivery/deliver.ts'
import { newSecret } from '../../src/modules/webhooks/secrets.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { createLogger } from '../../src/platform/log.ts'
import { anOrder } from '../harness/orders.ts'
import { canaries, closedPort, httpReceiver, type Receiver, tcpReceiver } from '../harness/receivers.ts'
import { waitUntil } from '../harness/wait.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

interface Entry {
  id: string
  status: string
  nextAttemptDate?: string
  attempts: { number: number; date: string; ms: number; status?: number; error?: string; answer?: string }[]
}

const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop()
})

async function opened<T extends { stop(): Promise<unknown> }>(made: Promise<T>): Promise<T> {
  const one = await made
  stops.push(() => one.stop())
  return one
}

const deliveries = async (clinic: TestBusiness, id: string): Promise<Entry[]> =>
  (await clinic.live.get(`/webhooks/${id}/deliveries`)).body.data

/** Waits for this many attempts of the first delivery and returns it. */
async function deliveriesAt(clinic: TestBusiness, id: string, attempts: number): Promise<Entry> {
  let entry: Entry | undefined
  await waitUntil(async () => {
    ;[entry] = await deliveries(clinic, id)
    return (entry?.attempts.length ?? 0) >= attempts
  })
  return entry as Entry
}

const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  httpReceiver((request, response) => {
    request.resume()
    response.writeHead(status, headers).end(body)
  })

const perSecond = (socket: Socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.on('close', () => clearInterval(timer))
}

const GIGABYTE = 1024 ** 3
let poured = 0
const pour: RequestListener = (_request, response) => {
  const chunk = Buffer.alloc(256 * 1024, 'x')
  response.writeHead(200, { 'content-length': GIGABYTE })
  const more = () => {
    while (!response.destroyed && poured < GIGABYTE) {
      poured += chunk.length
      if (!response.write(chunk)) return
    }
  }
  response.on('drain', more)
  more()
}

async function badTls(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const server = createTlsServer({}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `https://127.0.0.1:${port}/`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

const urlOf = async (made: Promise<Receiver>) => `http://127.0.0.1:${(await opened(made)).port}/hook`

describe('a receiver that misbehaves', () => {
  let world: World
  beforeAll(async () => {
    world = await opened(ownWorld('measures the sender'))
  })

  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024))
  const elsewhere = { location: 'http://127.0.0.1:9/' }
  /** The endpoint's URL, the first attempt in the log, and the seconds before the second: 5 s plus up to a tenth. */
  const faults: [string, () => Promise<string>, Partial<Entry['attempts'][number]>, [number, number]?][] = [
    ['refuses the connection', async () => `http://127.0.0.1:${await closedPort()}/`, { error: 'CONNECT' }],
    ['never answers', () => urlOf(tcpReceiver(() => {})), { error: 'TIMEOUT' }],
    ['answers one byte a second', () => urlOf(tcpReceiver(perSecond)), { error: 'TIMEOUT', status: 200 }],
    ['answers 500', () => urlOf(answering(500, {}, 'broken')), { status: 500, answer: 'broken' }],
    ['answers 301', () => urlOf(answering(301, elsewhere)), { status: 301 }],
    ['answers 302', () => urlOf(answering(302, elsewhere)), { status: 302 }],
    ['answers 307', () => urlOf(answering(307, elsewhere)), { status: 307 }],
    ['answers 308', () => urlOf(answering(308, elsewhere)), { status: 308 }],
    [
      'answers 429 with Retry-After: 60',
      () => urlOf(answering(429, { 'retry-after': '60' })),
      { status: 429 },
      [60, 61],
    ],
    ['answers 503 with Retry-After: 1', () => urlOf(answering(503, { 'retry-after': '1' })), { status: 503 }],
    [
      'resets the connection',
      () => urlOf(tcpReceiver((socket) => void socket.once('data', () => socket.resetAndDestroy()))),
      { error: 'RESET' },
    ],
    [
      'resets it within the answer',
      () =>
        urlOf(
          tcpReceiver((socket) => {
            const half = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf'
            socket.once('data', () => socket.write(half, () => setTimeout(() => socket.resetAndDestroy(), 50)))
          }),
        ),
      { error: 'RESET', status: 200 },
    ],
    [
      'speaks no HTTP',
      () => urlOf(tcpReceiver((socket) => void socket.once('data', () => socket.end('220 hello\r\n')))),
      { error: 'PROTOCOL' },
    ],
    [
      'has a bad certificate',
      async () => {
        const server = await badTls()
        stops.push(() => server.stop())
        return server.url
      },
      { error: 'TLS' },
    ],
    ['has a name without an address', async () => 'https://nobody.invalid/', { error: 'DNS' }],
  ]

  it.concurrent.each(faults)(
    'and %s is tried again, and the log says why',
    async (_words, make, attempt, [min, max] = [5, 5.6]) => {
      const clinic = await world.business()
      const { id } = (await clinic.live.post('/webhooks', { url: await make() })).body
      await clinic.live.post('/create-order', anOrder())
      const entry = await deliveriesAt(clinic, id, 1)
      const [first] = entry.attempts
      expect([entry.status, first]).toMatchObject(['pending', { number: 1, ...attempt }])
      expect('error' in (first ?? {})).toBe('error' in attempt)
      // Fifteen seconds plus the delay of a busy machine.
      expect(first?.ms).toBeLessThan(22_000)
      const answeredAt = Date.parse(first?.date ?? '') + (first?.ms ?? 0)
      const pause = (Date.parse(entry.nextAttemptDate ?? '') - answeredAt) / 1000
      expect(pause).toBeGreaterThanOrEqual(min - 0.05)
      expect(pause).toBeLessThan(max + 10)
      expect((await clinic.live.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: true })
    },
  )

  it('and answers 410 is switched off, and its queue waits', async () => {
    const clinic = await world.business()
    const { id } = (await clinic.live.post('/webhooks', { url: await urlOf(answering(410)) })).body
    await clinic.live.post('/create-order', anOrder())
    expect(await deliveriesAt(clinic, id, 1)).toMatchObject({ status: 'pending', attempts: [{ status: 410 }] })
    expect((await clinic.live.get(`/webhooks/${id}`)).body).toMatchObject({ enabled: false, disabledReason: 'gone' })
  })

  it('and answers 200 with a gigabyte, or a gzip bomb, is read 2 kB far, and memory stays within 100 MB', async () => {
    const clinic = await world.business()
    const urls = [
      await urlOf(httpReceiver(pour)),
      await urlOf(
        httpReceiver((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
      ),
    ]
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 5)
    for (const url of urls) {
      const { id } = (await clinic.live.post('/webhooks', { url })).body
      await clinic.live.post(`/webhooks/${id}/test`)
      const entry = await deliveriesAt(clinic, id, 1)
      expect(entry).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
      expect(Buffer.byteLength(entry.attempts[0]?.answer ?? '', 'latin1')).toBeLessThanOrEqual(2048)
    }
    clearInterval(watch)
    // The receiver runs in this process, too.
    expect(most - before).toBeLessThan(100 * 1024 ** 2)
    expect(poured).toBeLessThan(64 * 1024 ** 2)
  })
})

const hostile = [
  ...['127.0.0.1', '127.0.0.1:PORT', '127.1', '127.255.255.254', '2130706433', '2130706433:PORT', '0x7f000001', '0x7f.1:PORT', '0177.0.0.1', '017700000001:PORT', '127.000.000.001', '127.0.0.1.'],
  ...['0', '0.0.0.0', '0.0.0.0:PORT', '[::]', '[::]:PORT', '[::1]', '[::1]:PORT', '[0:0:0:0:0:0:0:1]:PORT', '[::127.0.0.1]:PORT', '[::ffff:127.0.0.1]:PORT', '[::ffff:7f00:1]', '[::ffff:8.8.8.8]'],
  ...['[64:ff9b::127.0.0.1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[100::1]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[fe80::1%25lo]', '[fec0::1]', '[ff02::1]', '[4000::1]'],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1:8443', '169.254.169.254', '0xa9fea9fe', '2852039166', '169.254.170.2', '168.63.129.16', '100.64.0.1', '100.100.100.200'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...['localhost', 'localhost:PORT', 'LOCALHOST:PORT', 'localhost.', 'foo.localhost:PORT', 'printer.local', 'metadata.google.internal', 'router.lan', 'nas.home.arpa', 'intranet', 'postgres:PORT', 'x.onion', 'example.com.'],
  ...['①②⑦.⓪.⓪.①:PORT', '127。0。0。1:PORT', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT', 'user:secret@example.com', 'example.com@127.0.0.1:PORT', '127.0.0.1:PORT#@example.com', '127.0.0.1:PORT\\@example.com', '%31%32%37.0.0.1:PORT', 'example.com:22', 'example.com:5432', '256.0.0.1'],
] // biome-ignore format: one host a line would hide how they belong together
const otherSchemes = ['http://example.com/', 'http://127.0.0.1:PORT/', 'http://[::1]:PORT/', 'ftp://127.0.0.1:PORT/', 'file:///etc/passwd', 'gopher://127.0.0.1:PORT/_x', 'data:text/plain,x', 'ws://127.0.0.1:PORT/', 'https:127.0.0.1:PORT/', '//127.0.0.1:PORT/', 'unix:/var/run/docker.sock'] // biome-ignore format: as above

describe('where the operator does not allow this machine', () => {
  let world: World
  let canary: Awaited<ReturnType<typeof canaries>>
  beforeAll(async () => {
    canary = await opened(canaries())
    world = await opened(ownWorld('has another setting', { allowLoopbackWebhooks: false }))
  })
  const urls = () =>
    [...hostile.map((host) => `https://${host}/hook`), ...otherSchemes].map((url) =>
      url.replaceAll('PORT', String(canary.port)),
    )

  it('a hostile URL is refused when an endpoint is made and when it is changed', async () => {
    const clinic = await world.business()
    const { id } = (await clinic.live.post('/webhooks', { url: 'https://hooks.example.com/' })).body
    expect(urls().length).toBeGreaterThanOrEqual(80)
    for (const url of urls()) {
      const made = await clinic.live.post('/webhooks', { url })
      const changed = await clinic.live.request('PATCH', `/webhooks/${id}`, { url })
      expect([url, made.status, changed.status]).toEqual([url, 400, 400])
      expect([made.body.details[0].path, changed.body.details[0].path]).toEqual(['url', 'url'])
    }
    expect((await clinic.live.get('/webhooks')).body).toMatchObject([{ id, url: 'https://hooks.example.com/' }])
    expect(canary.accepted()).toBe(0)
  })

  it('one that stands in the database all the same is refused when it is called: no connection is made', async () => {
    const owner = await world.owner()
    const sent: [string, TestBusiness, string][] = []
    const clinic = await world.business()
    for (const [n, url] of urls().entries()) {
      // A business may have 50 endpoints.
      const business = n % 40 === 0 ? await world.business() : (sent.at(-1)?.[1] ?? clinic)
      const { id } = (await business.live.post('/webhooks', { url: 'https://hooks.example.com/' })).body
      await owner.query('update webhook_endpoints set url = $2 where id = $1', [id, url])
      await business.live.post(`/webhooks/${id}/test`)
      sent.push([url, business, id])
    }
    for (const [url, business, id] of sent) {
      const { attempts } = await deliveriesAt(business, id, 1)
      expect([url, attempts[0]?.error, attempts[0]?.status]).toEqual([url, 'REFUSED_URL', undefined])
    }
    expect(canary.accepted()).toBe(0)
  })

  it('a name that leads to this machine by the time it is called is refused: no connection is made', async () => {
    const answers = ['93.184.216.34', '127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1']
    let asked = 0
    const resolver = async () => {
      const address = answers[asked++] ?? '127.0.0.1'
      return [{ address, family: address.includes(':') ? (6 as const) : (4 as const) }]
    }
    const log = createLogger({ level: 'silent' })
    const egress = createEgress({ allowLoopback: false, allowedPorts: [canary.port], resolver, log })
    const delivery: Claimed = {
      realmId: 1,
      id: 'del_1',
      endpointId: 'we_1',
      eventId: 'evt_1',
      eventType: 'order.created',
      data: '{}',
      attempt: 1,
      occurredAt: new Date(),
      url: `https://rebound.example:${canary.port}/`,
      payload: 'full' as const,
      secret: Buffer.from('x'),
      oldSecret: null,
      ordered: false,
      rateLimit: null,
    }
    // The name resolves again at the call. The first answer is the one for the check.
    await resolver()
    for (const _ of answers.slice(1)) {
      const receipt = await deliver(egress, () => new Webhook(newSecret()), delivery, {
        clock: systemClock,
        isHeld: () => true,
      })
      expect(receipt).toMatchObject({ status: null, error: 'REFUSED_ADDRESS', answer: null })
    }
    expect(asked).toBe(answers.length)
    expect(canary.accepted()).toBe(0)
    await egress.close()
  })

  it('the canary would have noticed', async () => {
    await fetch(`http://127.0.0.1:${canary.port}/`)
    expect(canary.accepted()).toBe(1)
  })
})
