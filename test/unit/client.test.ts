import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { Kitlane, KitlaneError, type KitlaneOptions } from '../../client/src/index.ts'
import { routes } from '../../client/src/resources.gen.ts'
import { delayAfter, retryAfterOf } from '../../client/src/retries.ts'
import forBusinesses from '../../openapi.json' with { type: 'json' }
import forDashboard from '../../openapi-dashboard.json' with { type: 'json' }
import forOperator from '../../openapi-operator.json' with { type: 'json' }
import { httpReceiver, type Receiver } from '../harness/receivers.ts'

type Step = (request: IncomingMessage, response: ServerResponse) => void

const TOKEN = 'kl_test_secretOfThisTest'
const peers: Receiver[] = []
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop()
})

/** A client of a peer that does one step with each request, and keeps what it was sent. */
async function against(steps: Step[], options: Partial<KitlaneOptions> = {}) {
  const sent: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = []
  const peer = await httpReceiver(async (request, response) => {
    const { method, url, headers } = request
    sent.push({ method, url, headers, body: await text(request) })
    const step = steps.shift()
    if (step) step(request, response)
    else response.writeHead(500).end()
  })
  peers.push(peer)
  const baseUrl = `http://127.0.0.1:${peer.port}`
  return { kitlane: new Kitlane({ token: TOKEN, baseUrl, retryDelayMs: 1, ...options }), sent, baseUrl }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (status: number, code: string, headers: Record<string, string> = { 'retry-after': '0' }) =>
  json(status, { error: 'No', message: 'No', code, requestId: 'req-1' }, headers)
const cut: Step = (request) => request.socket.destroy()
const caught = (call: PromiseLike<unknown>): Promise<KitlaneError> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (err) => err,
  )

it('a write is sent again with the same key and body after a cut connection, 503, 429 and a key in progress', async () => {
  const steps = [cut, refusal(503, 'OVERLOADED'), refusal(429, 'RATE_LIMITED'), refusal(409, 'IDEMPOTENCY_CONFLICT')]
  const { kitlane, sent } = await against([...steps, json(201, { id: 'we_1' })], { maxRetries: 4 })
  await kitlane.webhooks.create({ url: 'https://example.com/hook' })
  expect(sent).toHaveLength(5)
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(new Set(sent.map(({ body }) => body))).toEqual(new Set(['{"url":"https://example.com/hook"}']))
  expect(sent[0]?.headers).toMatchObject({ authorization: `Token ${TOKEN}`, 'content-type': 'application/json' })

  const next = await against([json(201, {}), json(201, {}), json(201, {})])
  await next.kitlane.sandbox.reset()
  await next.kitlane.sandbox.reset()
  await next.kitlane.sandbox.reset({ idempotencyKey: 'mine' })
  const keys = next.sent.map(({ headers }) => headers['idempotency-key'])
  expect([new Set(keys).size, keys[2]]).toEqual([3, 'mine'])
})

it('an answer that breaks off in the middle is asked for again, and reading sends no key', async () => {
  const half: Step = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"orderID":')
    response.socket?.destroySoon()
  }
  const { kitlane, sent } = await against([half, json(200, { orderID: 'O1' })])
  expect(await kitlane.orders.get('O1')).toEqual({ orderID: 'O1' })
  expect(sent.map(({ method, url, headers }) => [method, url, headers['idempotency-key']])).toEqual([
    ['GET', '/api/v1/orders/O1', undefined],
    ['GET', '/api/v1/orders/O1', undefined],
  ])
})

it('a refusal is not sent again, and says its code, status, details and request', async () => {
  const body = { message: 'No', code: 'VALIDATION_FAILED', details: [{ message: 'too long', path: 'reason' }] }
  const { kitlane, sent } = await against([json(400, { ...body, requestId: 'req-2' })])
  const err = await caught(kitlane.kits.replace('K1', { reason: 'lost' }))
  expect(err).toBeInstanceOf(KitlaneError)
  expect(err).toMatchObject({ name: 'KitlaneError', code: body.code, status: 400, details: body.details, attempts: 1 })
  expect(err.message).toBe('No (VALIDATION_FAILED, request req-2)')
  expect([err.requestId, err.idempotencyKey]).toEqual(['req-2', sent[0]?.headers['idempotency-key']])
  expect(sent).toHaveLength(1)
})

it('what fails to the last try is thrown with the key that it may be sent again with', async () => {
  const { kitlane, sent } = await against([cut, cut, cut], { maxRetries: 2 })
  const err = await caught(kitlane.orders.cancel('O1'))
  expect(err).toMatchObject({ code: 'NO_ANSWER', status: undefined, attempts: 3 })
  expect(err.idempotencyKey).toBe(sent[2]?.headers['idempotency-key'])
  expect(err.requestId).toBe(sent[2]?.headers['x-request-id'])
})

it('a service that asks to wait for more than a minute is not waited for', async () => {
  const { kitlane, sent } = await against([refusal(503, 'OVERLOADED', { 'retry-after': '120' })])
  expect(await caught(kitlane.tokens.verify())).toMatchObject({
    code: 'OVERLOADED',
    retryAfterMs: 120_000,
    attempts: 1,
  })
  expect(sent).toHaveLength(1)
})

it('a call without an answer ends after timeoutMs, and with its signal, also while it waits for its next try', async () => {
  const never: Step = () => {}
  const { kitlane } = await against([never, never], { maxRetries: 0 })
  expect(await caught(kitlane.orders.get('O1', { timeoutMs: 1 }))).toMatchObject({ code: 'TIMED_OUT' })
  const given = new AbortController()
  const waiting = caught(kitlane.orders.get('O1', { signal: given.signal }))
  given.abort(new Error('no longer needed'))
  expect(await waiting).toMatchObject({ message: 'no longer needed' })

  const later = new AbortController()
  const busy = await against([cut, cut], {
    retryDelayMs: 8_000,
    onResponse: () => later.abort(new Error('changed my mind')),
  })
  expect(await caught(busy.kitlane.orders.get('O1', { signal: later.signal }))).toMatchObject({
    message: 'changed my mind',
  })
  expect(busy.sent).toHaveLength(1)
})

it('an answer of something else than Kitlane is an error of its own: a page, a redirect, a gateway', async () => {
  const page: Step = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  const moved: Step = (_, response) => response.writeHead(301, { location: 'https://kits.example.com/' }).end()
  const gateway: Step = (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
  const { kitlane, sent } = await against([page, moved, gateway, json(200, { message: 'OK' })])
  expect(await caught(kitlane.tokens.verify())).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 200 })
  const redirected = await caught(kitlane.sandbox.reset())
  expect(redirected).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 301 })
  expect(redirected.message).toContain('is baseUrl right?')
  expect(await kitlane.tokens.verify()).toEqual({ message: 'OK' })
  expect(sent).toHaveLength(4)
})

it('hooks see each try and may add headers', async () => {
  const seen: unknown[] = []
  const { kitlane, sent } = await against([refusal(503, 'OVERLOADED'), json(200, {})], {
    onRequest: ({ headers, attempt }) => headers.set('x-try', String(attempt)),
    onResponse: ({ status, attempt, error, retryInMs }) =>
      void seen.push([attempt, status, error?.code, retryInMs !== undefined]),
  })
  await kitlane.tokens.verify()
  expect(seen).toEqual([
    [1, 503, 'OVERLOADED', true],
    [2, 200, undefined, false],
  ])
  expect(sent.map(({ headers }) => headers['x-try'])).toEqual(['1', '2'])
})

it('the token is in the header alone: printing a client or an error shows nothing of it', async () => {
  const { kitlane } = await against([refusal(403, 'FORBIDDEN'), cut], { maxRetries: 0 })
  const errors = [await caught(kitlane.tokens.verify()), await caught(kitlane.tokens.verify())]
  const printed = inspect([kitlane, errors], { depth: 9, showHidden: true }) + JSON.stringify([kitlane, errors])
  expect(printed).toContain('NO_ANSWER')
  expect(printed).not.toContain('secretOfThisTest')
  const torn = () => new Kitlane({ token: 'kl_test_secret\nOfThisTest', baseUrl: 'http://127.0.0.1' })
  expect(torn).toThrow('token is missing, or has characters that no token has')
  expect(() => new Kitlane({ token: TOKEN, baseUrl: 'kits.example.com' })).toThrow('baseUrl is no address')
})

it('an ID that is empty or dots is refused before anything is sent; others are encoded', async () => {
  const { kitlane, sent } = await against([json(200, {})])
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    expect(() => kitlane.customers.get(id)).toThrow('id is missing')
  }
  await kitlane.customers.get('a/../b?c')
  expect(sent.map(({ url }) => url)).toEqual(['/api/v1/customers/a%2F..%2Fb%3Fc'])
})

it('a list of which nobody says how long it is ends with an empty page', async () => {
  const { kitlane, sent } = await against([json(200, [{ id: 1 }]), json(200, [{ id: 2 }]), json(200, [])])
  const ids: unknown[] = []
  for await (const message of kitlane.operator.lab.listMessages({ size: 1 })) ids.push((message as { id?: unknown }).id)
  expect([ids, sent.map(({ url }) => url?.split('?')[1])]).toEqual([
    [1, 2],
    ['page=0&size=1', 'page=1&size=1', 'page=2&size=1'],
  ])
})

it('waits grow, have chance in them, and are never shorter than Retry-After, in seconds or as a date', () => {
  const waits = (random: number) => [1, 2, 3, 4, 5, 9].map((tries) => delayAfter(tries, { firstMs: 500, random }))
  expect(waits(0)).toEqual([250, 500, 1000, 2000, 4000, 4000])
  expect(waits(1)).toEqual([500, 1000, 2000, 4000, 8000, 8000])
  expect(delayAfter(1, { firstMs: 500, retryAfterMs: 3000, random: 0 })).toBe(3000)
  expect(delayAfter(1, { firstMs: 500, retryAfterMs: 60_001 })).toBeUndefined()
  const now = Date.parse('2026-01-01T00:00:00Z')
  expect(retryAfterOf('7')).toBe(7000)
  expect(retryAfterOf('Thu, 01 Jan 2026 00:00:09 GMT', now)).toBe(9000)
  expect([retryAfterOf(null), retryAfterOf('soon')]).toEqual([undefined, undefined])
})

it('every route that takes a token has one method, and exactly the writes that take a key are sent with one', async () => {
  const lines = (table: object, base = '/api/v1'): string[] =>
    Object.entries(table).flatMap(([name, one]) =>
      typeof one === 'string' ? one.replace(' ', ` ${base}`) : lines(one, name === 'operator' ? '/operator/v1' : base),
    )
  const named = lines(routes)
    .filter((line) => !line.startsWith('WAIT '))
    .map((line) =>
      line
        .replace(/^(LIST|FEED|FILE) /, 'GET ')
        .split(' ', 2)
        .join(' '),
    )
  const { kitlane, sent } = await against([])
  const documented: string[] = []
  for (const [path, operations] of Object.entries({
    ...forBusinesses.paths,
    ...forDashboard.paths,
    ...forOperator.paths,
  })) {
    for (const [method, operation] of Object.entries(operations)) {
      const { security, deprecated, parameters } = operation as Record<string, object | undefined>
      const takesToken = JSON.stringify(security ?? []).includes('token')
      // FHIR has clients of its own.
      const isOurs = !path.startsWith('/fhir/')
      if (takesToken && isOurs && !deprecated) documented.push(`${method.toUpperCase()} ${path}`)
      if (method === 'get') continue
      await caught(kitlane.api.request(method as 'post', path as '/api/v1/create-order', { body: {} } as never))
      const takesKey = JSON.stringify(parameters ?? []).includes('IdempotencyKey')
      expect(sent.at(-1)?.headers['idempotency-key'] !== undefined, `${method} ${path}`).toBe(takesKey)
    }
  }
  // The second name of a route.
  expect(named.toSorted()).toEqual(documented.filter((one) => one !== 'POST /api/v1/customers').toSorted())
})
