import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountScope } from '../../src/domain/scopes.ts'
import { routesFor } from '../../src/modules/index.ts'
import type { RouteOf } from '../../src/platform/http/route.ts'
import { contractViolations } from '../harness/answers.ts'
import { hostile, mutated, Raw, samples, shapeOf, stringify } from '../harness/generate.ts'
import { createIsolationFixtures, type IsolationFixtures } from '../harness/isolation-fixtures.ts'
import { each, type Received, type Sent, sender } from '../harness/send.ts'
import { kindOf, random } from '../harness/slots.ts'
import { ownWorld, type World } from '../harness/world.ts'

type Route = RouteOf<'business'>
const routes = routesFor('business')

const seed = Number(process.env.SEED ?? 20_260_101)
// One attempt of so many; `npm run prove:inputs` makes all of them.
const SHARE = Number(process.env.SHARE ?? 8)
const RUNS_PER_BODY = Number(process.env.RUNS ?? 40)
const TRIES_WHILE_BUSY = 30

let world: World
let realms: Record<'live' | 'sandbox', IsolationFixtures>
let http: ReturnType<typeof sender>
const statuses = new Map<number, number>()

beforeAll(async () => {
  world = await ownWorld('overloads the service')
  const clinic = await world.business({ credits: 100_000 })
  realms = {
    live: await createIsolationFixtures(world, clinic, 'live'),
    sandbox: await createIsolationFixtures(world, clinic, 'sandbox'),
  }
  http = sender(world.service.url)
})
afterAll(async () => {
  http.close()
  await world.stop()
})

interface Attempt extends Sent {
  /** The allowed statuses. Any 2xx or 4xx if absent. */
  expect?: readonly number[]
}

const json = { 'content-type': 'application/json' }

/** Fills the path of a route with the caller's own objects, or with the values of `fill`. */
function pathOf(route: Route, realm: IsolationFixtures, fill?: (name: string) => string): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const kind = kindOf(route, name) ?? 'order'
    return fill?.(name) ?? realm.objects[kind][0]
  })
  return `/api/v1${path}`
}

/** The credentials for this route: a token, or a session if the route accepts no token. */
const identityOf = (route: Route, { caller, session }: IsolationFixtures): Record<string, string> =>
  route.scope === accountScope
    ? { cookie: session.cookie, 'kitlane-realm': session.realm ?? '', 'sec-fetch-site': 'same-origin' }
    : { authorization: `Token ${caller.token}` }

/** Sends all attempts. Returns the violations: a 5xx, another error shape, a wrong status. */
async function bombard(route: Route, attempts: readonly Attempt[]): Promise<string[]> {
  const answers = await each(attempts, async (attempt, index) => {
    const realm = realms[route.mode ?? (index % 2 === 0 ? 'live' : 'sandbox')]
    const headers = { ...identityOf(route, realm), ...attempt.headers }
    const answer = await sendUntilTaken({ ...attempt, headers })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer
  })
  return answers.flatMap((answer, index) => faults(route, attempts[index], answer))
}

/** Like a client: 503 of a busy machine says when to come again. What is answered so each time is a violation. */
async function sendUntilTaken(sent: Sent): Promise<Received> {
  for (let tries = 1; ; tries++) {
    const answer = await http.send(sent)
    const wait = Number(answer.headers['retry-after'])
    if (answer.status !== 503 || !answer.text.includes('"OVERLOADED"') || !(wait > 0) || tries === TRIES_WHILE_BUSY)
      return answer
    await delay(wait * 1000)
  }
}

function faults(route: Route, attempt: Attempt | undefined, answer: Received): string[] {
  const found = contractViolations(answer)
  if (attempt?.expect && !attempt.expect.includes(answer.status)) found.push(`status ${answer.status}`)
  if (found.length === 0) return []
  const shown = `${attempt?.method} ${attempt?.path.slice(0, 200)} ${String(attempt?.body ?? '').slice(0, 300)}`
  return [`${route.id}: ${found.join(', ')} ← ${shown} → ${answer.status} ${answer.text.slice(0, 200)}`]
}

/** Checks one route after another, and that no failure was logged. */
async function onEvery(which: (route: Route) => boolean, attempts: (route: Route) => Attempt[]): Promise<void> {
  const chosen = routes.filter(which)
  expect(chosen.length).toBeGreaterThan(0)
  const found: string[] = []
  for (const [index, route] of chosen.entries())
    found.push(
      ...(await bombard(
        route,
        attempts(route).filter((_, place) => (seed + index + place) % SHARE === 0),
      )),
    )
  expect(found, `with seed ${seed}`).toEqual([])
  expect(world.logged.filter((line) => line.includes('request failed'))).toEqual([])
}

const own = (route: Route) => pathOf(route, realms[route.mode ?? 'live'])
const hasBody = (route: Route) => route.body !== undefined

const big = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
const malformed: (string | Buffer)[] = [
  '',
  ' ',
  'null',
  '1',
  '"x"',
  '[]',
  '[{}]',
  '{',
  '{"a":',
  '{"a":1}}',
  '{a:1}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":01}',
  '{"a":1,}',
  'undefined',
  '\ufeff{}',
  '{}\0',
  '['.repeat(200_000),
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  '{"a":'.repeat(40_000),
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"email":"a@example.test","email":"b@example.test"}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc0, 0xaf]),
  Buffer.from('{"name":"\u00e9"}', 'latin1'),
  Buffer.from('{"name":"x"}', 'utf16le'),
]

describe('no input makes a route fail:', () => {
  it('valid bodies with hostile values anywhere in them', async () => {
    await onEvery(hasBody, (route) => {
      const schema = route.body
      if (!schema) return []
      return fc
        .sample(mutated(samples(schema)), { seed, numRuns: RUNS_PER_BODY })
        .map((body) => ({ method: route.method, path: own(route), headers: json, body: stringify(body) }))
    })
  })

  it('each field with each hostile value, where it stands at the top of a body', async () => {
    const seen = new Set<string>()
    await onEvery(hasBody, (route) => {
      const [valid] = route.body ? samples(route.body) : []
      const fields = Object.keys((route.body && shapeOf(route.body).properties) ?? {})
      // Fields of the same name and shape behave alike, so one test is enough.
      const fresh = fields.filter((name) => !seen.has(name) && seen.add(name))
      return fresh.flatMap((name) =>
        hostile.map((value) => {
          const body = stringify({ ...(valid as object), [name]: value })
          return { method: route.method, path: own(route), headers: json, body }
        }),
      )
    })
  })

  it('bodies that are no JSON, no UTF-8, too deep or of the wrong kind', async () => {
    await onEvery(hasBody, (route) => {
      const at = { method: route.method, path: own(route) }
      const [valid] = route.body ? samples(route.body) : []
      const text = JSON.stringify(valid)
      return [
        ...malformed.map((body) => ({ ...at, headers: json, body })),
        ...[
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'nonsense',
          'application/xml',
        ].map((type) => ({ ...at, headers: { 'content-type': type }, body: text, expect: [415] })),
        ...['gzip', 'br', 'deflate', 'x'].map((encoding) => ({
          ...at,
          headers: { ...json, 'content-encoding': encoding },
          body: text,
          expect: [415],
        })),
      ]
    })
  })

  it('bodies over the limit of the route are 413, also where the length is not stated', async () => {
    await onEvery(hasBody, (route) => {
      const at = { method: route.method, path: own(route), headers: json }
      const limit = route.bodyLimitBytes ?? 256 * 1024
      return [
        { ...at, body: big(limit + 1), expect: [413] },
        { ...at, body: big(limit + 1), headers: { ...json, 'transfer-encoding': 'chunked' }, expect: [413] },
        { ...at, body: big(Math.min(limit, 256 * 1024)), expect: [400] },
      ]
    })
  })

  it('hostile values in each parameter of a query', async () => {
    await onEvery(
      ({ query }) => query !== undefined,
      (route) => {
        const names = Object.keys((route.query && shapeOf(route.query).properties) ?? {})
        const values = hostile
          .map((value) => (value instanceof Raw ? value.json : typeof value === 'string' ? value : stringify(value)))
          .filter((value) => value.length < 12_000)
          .map((value) => encodeURIComponent(value.toWellFormed()).slice(0, 12_000))
        const raw = [
          '%00',
          '%zz',
          '%',
          '%ff%fe',
          '%ed%a0%80',
          'a&NAME=b',
          '',
          '1&NAME=2&NAME=3',
          '-1',
          '1e3',
          '0x10',
          '99999999999',
        ]
        const text = (name: string) => [...values, ...raw].map((value) => `${name}=${value.replaceAll('NAME', name)}`)
        const odd = ['__proto__=1', 'constructor=1', '=', '&&&', '?', 'a[]=1&a[b]=2', `${'a=1&'.repeat(1500)}`]
        return [...names.flatMap(text), ...names.map((name) => `${name}[]=1`), ...odd].map((search) => ({
          method: route.method,
          path: `${own(route)}?${search}`,
          ...(route.body && { headers: json, body: stringify(samples(route.body)[0]) }),
        }))
      },
    )
  })

  it('hostile segments in each place of a path', async () => {
    const segments = [
      ...[
        '%00',
        'a%00b',
        '%zz',
        '%',
        '%25',
        '%ff',
        '%ed%a0%80',
        '%2e%2e%2f',
        '..',
        '.',
        '%2f',
        '',
        ' ',
        '%20',
        '%0d%0a',
        ';',
        '*',
      ],
      ...[
        '__proto__',
        'constructor',
        'null',
        'undefined',
        'NaN',
        '-1',
        '0',
        '1e999',
        '9007199254740993',
        '9223372036854775808',
      ],
      ...[
        '99999999999999999999',
        '0x10',
        "'%20or%201=1",
        '%F0%9F%98%80'.repeat(60),
        'x'.repeat(256),
        'x'.repeat(10_000),
      ],
      ...['K', 'K00000000', 'KIIIIIIIII', 'k123456789', '%EF%BB%BF', '%E2%80%AE', '1%2C2', '$%7B7*7%7D', '::1', '+'],
    ]
    await onEvery(
      ({ path }) => path.includes(':'),
      (route) => {
        const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
        return names.flatMap((name) =>
          segments.map((segment) => ({
            method: route.method,
            path: pathOf(route, realms.live, (one) => (one === name ? segment : random.kit(''))).replaceAll(' ', '%20'),
            ...(route.body && { headers: json, body: stringify(samples(route.body)[0]) }),
          })),
        )
      },
    )
  })

  it('in more than 1,500 requests, of which some are taken and most refused in many ways', () => {
    const of = (isOne: (status: number) => boolean) =>
      [...statuses].reduce((sum, [status, times]) => sum + (isOne(status) ? times : 0), 0)
    expect(of(() => true)).toBeGreaterThan(1500)
    expect(of((status) => status < 300)).toBeGreaterThan(100)
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 409, 413, 415]))
  })

  it('and an answer that no caller may see would be found', () => {
    const answer = { status: 500, headers: { 'x-request-id': 'r' }, text: '{"error":"a","message":"b"}' }
    expect(contractViolations(answer)).toEqual(expect.arrayContaining(['a 5xx', 'no RateLimit', 'not the error shape']))
  })
})

it('a connection that a browser opened ahead is closed in silence after ten seconds, one with half a request is answered', async () => {
  const { hostname, port } = new URL(world.service.url)
  const answerTo = (sent: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let answer = ''
      socket.on('data', (bytes) => {
        answer += String(bytes)
      })
      socket.on('error', reject).on('close', () => resolve(answer))
      if (sent) socket.write(sent)
    })
  const [silence, refusal] = await Promise.all([answerTo(''), answerTo('GET /api/v1/credits HTTP/1.1\r\n')])
  expect(silence).toBe('')
  expect(refusal).toMatch(/^HTTP\/1\.1 400 /)
})
