import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isForbidden, vettedLookup } from '../../src/platform/egress/addresses.ts'
import { createEgressAgent } from '../../src/platform/egress/agent.ts'
import { createEgress, type Egress } from '../../src/platform/egress/client.ts'
import { EgressError } from '../../src/platform/egress/errors.ts'
import type { EgressRequest } from '../../src/platform/egress/exchange.ts'
import { checkUrl } from '../../src/platform/egress/url.ts'
import { createLogger } from '../../src/platform/log.ts'
import { canaries, closedPort, httpReceiver, type Receiver, tcpReceiver } from '../harness/receivers.ts'

const log = createLogger({ level: 'silent' })
const opened: { close(): Promise<void> }[] = []
const receivers: { stop(): Promise<void> }[] = []
let canary: Awaited<ReturnType<typeof canaries>>

beforeAll(async () => {
  canary = await canaries()
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await Promise.all([canary, ...receivers].map((one) => one.stop()))
})

function egressWith(options: Partial<Parameters<typeof createEgress>[0]> = {}): Egress {
  const egress = createEgress({ allowLoopback: false, log, ...options })
  opened.push(egress)
  return egress
}

const receive = async (made: Promise<Receiver>): Promise<Receiver> => {
  const receiver = await made
  receivers.push(receiver)
  return receiver
}

const call = (egress: Egress, url: string, more: Partial<EgressRequest> = {}) =>
  egress.request({
    url,
    method: 'POST',
    body: '{}',
    timeoutMs: 1_500,
    maxResponseBytes: 2_048,
    policy: 'public',
    ...more,
  })

const failure = async (promise: Promise<unknown>): Promise<EgressError> => {
  const outcome = await promise.then(
    () => 'an answer',
    (err: unknown) => err,
  )
  expect(outcome).toBeInstanceOf(EgressError)
  return outcome as EgressError
}

/** "PORT" is the canaries' port. It is allowed here, so that only the address can be the reason for a refusal. */
const hostileHosts = [
  '127.0.0.1', '127.0.0.1:PORT', '127.1', '127.0.1', '127.255.255.254', '2130706433', '2130706433:PORT', '0x7f000001',
  '0x7f.0.0.1', '0x7f.1', '0177.0.0.1', '0177.0.0.01', '017700000001', '0x7F.0X0.0x0.0x1', '00000177.0.0.1', '127.0.0.1.',
  '127.0.0.1.:PORT', '127.000.000.001', '0', '0.0.0.0', '0.0.0.0:PORT', '0x0', '000000000000', '[::]', '[::]:PORT', '[::1]',
  '[::1]:PORT', '[0:0:0:0:0:0:0:1]:PORT', '[0000::0001]', '[::127.0.0.1]:PORT', '[::7f00:1]', '[::ffff:127.0.0.1]:PORT',
  '[::ffff:7f00:1]:PORT', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]',
  '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:7f00:0001::1]',
  '[2002:a00:1::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001:db8::1]', '[2001:2::1]', '[2001:10::1]',
  '[3fff::1]', '[3ffe::1]', '[5f00::1]', '[100::1]', '[fc00::1]', '[fd00:ec2::254]', '[fd12:3456:789a::1]', '[fe80::1]',
  '[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]', '[fec0::1]', '[ff02::1]', '[ff0e::1]', '[4000::1]', '[::2]',
  '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1.1:8443', '169.254.169.254',
  '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.170.2', '168.63.129.16', '100.64.0.1', '100.100.100.200',
  '100.127.255.255', '192.0.0.1', '192.0.0.192', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255',
  '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', 'localhost',
  'localhost:PORT', 'LOCALHOST:PORT', 'LocalHost', 'localhost.', 'localhost.:PORT', 'foo.localhost:PORT', 'a.b.localhost.',
  'localhost.localdomain', 'printer.local', 'metadata.google.internal', 'router.lan', 'nas.home.arpa', 'intranet', 'postgres:PORT',
  'x.onion', 'example.com.', '①②⑦.⓪.⓪.①:PORT', '127。0。0。1:PORT', '１２７.0.0.1:PORT', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT', 'xn--cvh.example.com.',
  'user@example.com', 'user:secret@example.com', '@example.com', ':@example.com', 'example.com@127.0.0.1:PORT',
  'example.com:443@127.0.0.1:PORT', '127.0.0.1:PORT#@example.com', '127.0.0.1:PORT?@example.com', 'example.com\\@127.0.0.1:PORT',
  '127.0.0.1:PORT\\@example.com', 'exa mple.com', 'example.com\t', 'exam\nple.com', '127.0.0.1%2f.example.com', '%31%32%37.0.0.1:PORT',
  '%6cocalhost:PORT', 'example.com:22', 'example.com:25', 'example.com:80', 'example.com:5432', 'example.com:0', 'example.com:65536', 'example.com:-1',
  '256.0.0.1', '1.2.3.4.5', '0x100000000', '[', '[::1', '', '.', '..', '\u0000', `${'a.'.repeat(1_100)}example.com`,
] // biome-ignore format: one host a line would hide how they belong together
const hostileUrls = [
  'http://example.com/', 'http://127.0.0.1:PORT/', 'http://[::1]:PORT/', 'ftp://127.0.0.1:PORT/', 'file:///etc/passwd',
  'gopher://127.0.0.1:PORT/_x', 'dict://127.0.0.1:PORT/', 'data:text/plain,x', 'javascript:alert(1)', 'blob:https://example.com/1',
  'ws://127.0.0.1:PORT/', 'wss://127.0.0.1:PORT/', 'https:127.0.0.1:PORT/', 'https:/127.0.0.1:PORT/', 'https:///127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT', '//127.0.0.1:PORT/', '/hooks', 'localhost', '', ' https://127.0.0.1:PORT/', 'unix:/var/run/docker.sock', 'jar:https://127.0.0.1!/',
] // biome-ignore format: as above

describe('An outbound request to a hostile URL', () => {
  const urls = () =>
    [...hostileHosts.map((host) => `https://${host}/hook`), ...hostileUrls].map((url) =>
      url.replaceAll('PORT', String(canary.port)),
    )

  it('is refused, and the canaries on 127.0.0.1 and ::1 accept no connection', async () => {
    const allowedPorts = [443, 8443, canary.port]
    const here = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const egress = egressWith({ allowedPorts, resolver: here })
    const before = canary.accepted()
    expect(urls().length).toBeGreaterThanOrEqual(150)
    for (const url of urls()) {
      for (const method of ['GET', 'POST']) {
        const error = await failure(call(egress, url, { method, body: method === 'GET' ? undefined : '{}' }))
        expect([url, error.code]).toEqual([url, 'REFUSED_URL'])
      }
      expect([url, typeof checkUrl(url, { allowLoopback: false, allowedPorts })]).toEqual([url, 'string'])
    }
    expect(canary.accepted() - before).toBe(0)
  })

  it('reaches the canaries where loopback is allowed, so that the canaries prove something', async () => {
    const egress = egressWith({ allowLoopback: true })
    const before = canary.accepted()
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433', '0x7f.1']) {
      const { status, body } = await call(egress, `http://${host}:${canary.port}/hook`)
      expect([status, body.toString()]).toEqual([200, 'canary'])
    }
    expect(canary.accepted() - before).toBeGreaterThanOrEqual(3)
  })

  it('stays refused where loopback is allowed, unless it is this machine by name or number', async () => {
    const here = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const egress = egressWith({ allowLoopback: true, allowedPorts: [443, canary.port], resolver: here })
    const before = canary.accepted()
    for (const host of ['[::ffff:127.0.0.1]', '[::127.0.0.1]', '0.0.0.0', '10.0.0.1', '169.254.169.254', '[fd00::1]']) {
      expect((await failure(call(egress, `https://${host}:${canary.port}/`))).code).toBe('REFUSED_URL')
      expect((await failure(call(egress, `http://${host}:${canary.port}/`))).code).toBe('REFUSED_URL')
    }
    expect((await failure(call(egress, `https://evil.example:${canary.port}/`))).code).toBe('REFUSED_ADDRESS')
    expect(canary.accepted() - before).toBe(0)
  })
})

describe('A name that resolves to a forbidden address', () => {
  const answers: [string, string[]][] = [
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['one forbidden answer among public ones', ['93.184.216.34', '127.0.0.1']],
    ['a public answer after a forbidden one', ['::1', '93.184.216.34']],
    ['mapped', ['::ffff:127.0.0.1']],
    ['metadata', ['169.254.169.254']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['private', ['10.1.2.3']],
    ['nonsense', ['localhost']],
  ]
  it.each(answers)('is refused: %s', async (_words, addresses) => {
    const resolver = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }))
    const egress = egressWith({ allowedPorts: [canary.port], resolver })
    const before = canary.accepted()
    const error = await failure(call(egress, `https://hooks.example:${canary.port}/`))
    expect(error.code).toBe('REFUSED_ADDRESS')
    const named = { policy: { hosts: [`hooks.example:${canary.port}`] } }
    expect((await failure(call(egress, `https://hooks.example:${canary.port}/`, named))).code).toBe('REFUSED_ADDRESS')
    expect(canary.accepted() - before).toBe(0)
  })

  it('cannot be swapped in after the check: it is looked up once and the socket gets what was checked', async () => {
    const sequence = ['93.184.216.34', '127.0.0.1']
    let calls = 0
    const resolver = async () => [{ address: sequence[calls++] ?? '127.0.0.1', family: 4 as const }]
    const lookup = vettedLookup(resolver, (_host, address) => !isForbidden(address))
    const look = () =>
      new Promise((resolve) => lookup('rebind.example', { all: true }, (err, found) => resolve(err ?? found)))
    expect(await look()).toEqual([{ address: '93.184.216.34', family: 4 }])
    expect(await look()).toMatchObject({ code: 'REFUSED_ADDRESS' })

    calls = 0
    sequence.splice(0, 2, '127.0.0.1', '10.0.0.1')
    const egress = egressWith({ resolver })
    const policy = { hosts: [`rebind.example:${canary.port}`], loopback: true }
    expect((await call(egress, `http://rebind.example:${canary.port}/`, { policy })).status).toBe(200)
    expect(calls).toBe(1)
  })

  it('is found out by the address of the peer, should everything before have failed', async () => {
    let asked = 0
    const agent = createEgressAgent({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      mayBeHere: () => asked++ === 0,
      connectionsPerOrigin: 1,
    })
    opened.push({ close: () => agent.destroy() })
    const request = agent.request({ origin: `http://late.example:${canary.port}`, path: '/', method: 'GET' })
    expect(await failure(request)).toMatchObject({ code: 'REFUSED_ADDRESS', reason: 'PEER' })
    expect(asked).toBe(2)
  })

  it('does not profit from a connection that another policy opened', async () => {
    const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const egress = egressWith({ resolver, allowedPorts: [canary.port] })
    const url = `http://shared.example:${canary.port}/`
    const hosts = [`shared.example:${canary.port}`]
    expect((await call(egress, url, { policy: { hosts, loopback: true } })).status).toBe(200)
    expect((await failure(call(egress, url, { policy: { hosts } }))).code).toBe('REFUSED_URL')
    expect((await failure(call(egress, url.replace('http', 'https'), { policy: { hosts } }))).code).toBe(
      'REFUSED_ADDRESS',
    )
  })

  it('is called only where the operator named its host and port', async () => {
    const egress = egressWith()
    const policy = { hosts: ['api.stripe.com'], loopback: true }
    for (const host of [
      'evil.example',
      'api.stripe.com:8443',
      'api.stripe.com.evil.example',
      `127.0.0.1:${canary.port}`,
    ]) {
      expect((await failure(call(egress, `https://${host}/`, { policy }))).code).toBe('REFUSED_URL')
    }
  })
})

describe('A receiver that misbehaves', () => {
  let egress: Egress
  beforeAll(() => {
    egress = egressWith({ allowLoopback: true })
  })
  const http = (port: number) => `http://127.0.0.1:${port}/secret-path`
  const soon = { timeoutMs: 500 }
  const limited = async <T>(promise: Promise<T>): Promise<T> => {
    const started = performance.now()
    const result = await promise
    // Half a second, or at once. It would be 15 s by the limit of whoever sets none.
    expect(performance.now() - started).toBeLessThan(10_000)
    return result
  }

  it('and refuses connections gives CONNECT', async () => {
    const error = await limited(failure(call(egress, http(await closedPort()))))
    expect(error).toMatchObject({ code: 'CONNECT', reason: 'ECONNREFUSED' })
  })

  it.concurrent('and never answers gives TIMEOUT', async () => {
    const { port } = await receive(tcpReceiver(() => {}))
    expect((await limited(failure(call(egress, http(port), soon)))).code).toBe('TIMEOUT')
  })

  it.concurrent('and has a name that is never resolved gives TIMEOUT', async () => {
    const silent = egressWith({ resolver: () => new Promise(() => {}) })
    expect((await limited(failure(call(silent, 'https://hooks.example/', soon)))).code).toBe('TIMEOUT')
  })

  it.concurrent('and sends one byte a second, in head or body, gives TIMEOUT', async () => {
    const trickle = (head: string) =>
      tcpReceiver((socket) => {
        socket.write(head)
        const timer = setInterval(() => socket.write('x'), 200)
        socket.on('close', () => clearInterval(timer))
      })
    const head = await receive(trickle('HTTP/1.1 200 OK\r\nx-slow: '))
    expect((await limited(failure(call(egress, http(head.port), soon)))).code).toBe('TIMEOUT')
    const body = await receive(trickle('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n'))
    expect(await limited(failure(call(egress, http(body.port))))).toMatchObject({ code: 'TIMEOUT', status: 200 })
  })

  it('and has a name that does not exist gives DNS', async () => {
    const missing = Object.assign(new Error('x'), { code: 'ENOTFOUND' })
    const nowhere = egressWith({ resolver: () => Promise.reject(missing) })
    expect(await failure(call(nowhere, 'https://hooks.example/'))).toMatchObject({ code: 'DNS', reason: 'ENOTFOUND' })
    const down = egressWith({
      resolver: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })),
    })
    expect((await failure(call(down, 'https://hooks.example/'))).code).toBe('DNS')
    const empty = egressWith({ resolver: async () => [] })
    expect((await failure(call(empty, 'https://hooks.example/'))).code).toBe('DNS')
  })

  it('is not waited for once the program closes its agent', async () => {
    const receiver = await receive(tcpReceiver(() => {}))
    const { port } = receiver
    const closing = egressWith({ allowLoopback: true })
    const waiting = failure(call(closing, http(port)))
    await expect.poll(receiver.accepted).toBe(1)
    await closing.close()
    expect((await limited(waiting)).code).toBe('CLOSED')
    expect((await failure(call(closing, http(port)))).code).toBe('CLOSED')
  })

  it('and sends without end is read up to the limit and disconnected', async () => {
    const receiver = await receive(
      httpReceiver((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write(randomBytes(65_536)));
        }
        response.on('drain', more)
        more()
      }),
    )
    const response = await limited(call(egress, http(receiver.port)))
    expect(response).toMatchObject({ status: 200, truncated: true })
    expect(response.body.length).toBe(2_048)
    await expect.poll(receiver.open).toBe(0)
  })

  it('and sends a gzip bomb has it kept as it is', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const receiver = await receive(
      httpReceiver((request, response) => {
        expect(request.headers['accept-encoding']).toBe('identity')
        response.setHeader('content-encoding', 'gzip').end(bomb)
      }),
    )
    const { body, truncated } = await limited(call(egress, http(receiver.port)))
    expect(truncated).toBe(true)
    expect(body.equals(bomb.subarray(0, 2_048))).toBe(true)
  })

  it('and speaks no or another TLS gives TLS', async () => {
    const plain = await receive(tcpReceiver((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect((await limited(failure(call(egress, `https://127.0.0.1:${plain.port}/`)))).code).toBe('TLS')
    const server = createTlsServer({}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    expect((await limited(failure(call(egress, `https://127.0.0.1:${port}/`)))).code).toBe('TLS')
    server.close()
  })

  it('and resets the connection, before or within the answer, gives RESET', async () => {
    const before = await receive(tcpReceiver((socket) => void socket.once('data', () => socket.resetAndDestroy())))
    expect((await limited(failure(call(egress, http(before.port))))).code).toBe('RESET')
    const within = await receive(
      tcpReceiver((socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nhalf', () =>
            setTimeout(() => socket.resetAndDestroy(), 50),
          )
        })
      }),
    )
    expect(await limited(failure(call(egress, http(within.port))))).toMatchObject({ code: 'RESET', status: 200 })
  })

  it('and does not speak HTTP gives PROTOCOL', async () => {
    const garbage = await receive(
      tcpReceiver((socket) => void socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'))),
    )
    expect(await limited(failure(call(egress, http(garbage.port))))).toMatchObject({ code: 'PROTOCOL' })
    const heads = await receive(
      tcpReceiver((socket) => {
        socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`))
      }),
    )
    expect((await limited(failure(call(egress, http(heads.port))))).code).toBe('PROTOCOL')
  })

  it.each([301, 302, 303, 307, 308])('and redirects with %i is not followed', async (status) => {
    const before = canary.accepted()
    const location = `http://127.0.0.1:${canary.port}/`
    const { port } = await receive(
      httpReceiver((_request, response) => void response.writeHead(status, { location }).end()),
    )
    const response = await call(egress, http(port))
    expect([response.status, response.headers.location]).toEqual([status, location])
    expect(canary.accepted() - before).toBe(0)
  })

  it('and is slow holds no more connections than its share, and a neighbour is not kept waiting', async () => {
    const capped = egressWith({ allowLoopback: true, connectionsPerOrigin: 3 })
    const slow = await receive(tcpReceiver(() => {}))
    let given = 0
    const waiting = Array.from({ length: 30 }, () =>
      failure(call(capped, http(slow.port), { timeoutMs: 5_000 })).finally(() => given++),
    )
    expect((await call(capped, `http://127.0.0.1:${canary.port}/`)).status).toBe(200)
    expect(given, 'the neighbour was answered before any of those who wait gave up').toBe(0)
    expect(slow.accepted()).toBeLessThanOrEqual(3)
    expect(new Set((await Promise.all(waiting)).map(({ code }) => code))).toEqual(new Set(['TIMEOUT']))
  })

  it('leaves neither its URL nor its words in the error', async () => {
    const { port } = await receive(
      tcpReceiver((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nsecret-body')),
    )
    const error = await failure(call(egress, http(port), { body: 'secret-request' }))
    expect(`${error.stack}${JSON.stringify(error)}${String(error.cause)}`).not.toMatch(/secret/)
  })
})

describe('The fetch for SDKs', () => {
  it('sends method, headers and body, and answers as fetch does', async () => {
    const { port } = await receive(
      httpReceiver(async (request, response) => {
        let text = ''
        for await (const chunk of request) text += chunk
        response.writeHead(201, { 'x-kind': 'echo', 'set-cookie': ['a=1', 'b=2'] })
        response.end(JSON.stringify({ method: request.method, key: request.headers['idempotency-key'], text }))
      }),
    )
    const limits = { timeoutMs: 1_000, maxResponseBytes: 500, policy: { hosts: [`127.0.0.1:${port}`], loopback: true } }
    const sdkFetch = egressWith().fetchWith(limits)
    const url = `http://127.0.0.1:${port}/v1`
    const response = await sdkFetch(url, { method: 'POST', headers: { 'Idempotency-Key': 'k' }, body: 'a=1' })
    expect([response.status, response.headers.get('x-kind')]).toEqual([201, 'echo'])
    expect(await response.json()).toEqual({ method: 'POST', key: 'k', text: 'a=1' })
    expect((await failure(sdkFetch(url, { method: 'POST', body: 'x'.repeat(600) }))).code).toBe('TOO_LARGE')
    expect((await failure(sdkFetch(`http://127.0.0.1:${canary.port}/`))).code).toBe('REFUSED_URL')
  })

  it('ends with the reason of the signal', async () => {
    const { port } = await receive(tcpReceiver(() => {}))
    const limits = { timeoutMs: 5_000, maxResponseBytes: 500, policy: { hosts: [`127.0.0.1:${port}`], loopback: true } }
    const stop = new AbortController()
    const reason = new Error('enough')
    const answer = egressWith().fetchWith(limits)(`http://127.0.0.1:${port}/`, { signal: stop.signal })
    await delay(50)
    stop.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
})

it('An ordinary URL is accepted', () => {
  const good = [
    'https://hooks.example.com',
    'https://example.com:8443/a?b=c#d',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/x',
  ]
  for (const url of good) expect([url, checkUrl(url, { allowLoopback: false })]).toEqual([url, undefined])
  expect(checkUrl('http://localhost:3000/hook', { allowLoopback: true })).toBeUndefined()
  expect(checkUrl('http://localhost:3000/hook', { allowLoopback: false })).toBe(
    'The host must be a public one: this machine is called only with ALLOW_LOOPBACK_WEBHOOKS=1',
  )
})
