import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder } from '../harness/orders.ts'
import { httpReceiver, type Receiver } from '../harness/receivers.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

let world: World
let clinic: TestBusiness
let collector: Receiver
let hook: Receiver
const spans: Span[] = []
const metricNames = new Set<string>()
const sent: string[] = []

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request) text += part
  return text
}

beforeAll(async () => {
  collector = await httpReceiver(async (request, response) => {
    const text = await bodyOf(request)
    sent.push(text)
    const body = JSON.parse(text)
    for (const resource of body.resourceSpans ?? []) for (const scope of resource.scopeSpans) spans.push(...scope.spans)
    for (const resource of body.resourceMetrics ?? [])
      for (const scope of resource.scopeMetrics) for (const { name } of scope.metrics) metricNames.add(name)
    expect(request.headers['api-key']).toBe('secret')
    response.end('{}')
  })
  hook = await httpReceiver((_request, response) => void response.end())
  world = await ownWorld('has figures of its own', {
    metrics: { port: 0 },
    accessLog: true,
    slowStatementMs: 150,
    otelExporterOtlp: { endpoint: `http://127.0.0.1:${collector.port}`, headers: { 'api-key': 'secret' } },
  })
  clinic = await world.business({ name: 'Clinic Canary' })
})
afterAll(async () => {
  await world.stop()
  await Promise.all([collector.stop(), hook.stop()])
})

async function scrape(): Promise<string> {
  const response = await fetch(`${world.service.monitoringUrl}/metrics`)
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of one line; labels in any order. */
function figureIn(text: string, name: string, labels: Record<string, string> = {}): number {
  const line = text.split('\n').find((one) => {
    const [, found, inner = ''] = /^(\w+)(?:\{(.*)\})? /.exec(one) ?? []
    return found === name && Object.entries(labels).every(([label, value]) => inner.includes(`${label}="${value}"`))
  })
  return line === undefined ? Number.NaN : Number(line.slice(line.lastIndexOf(' ')))
}

const canary = anOrder({
  recipient: { ...anOrder().recipient, first_name: 'Canaria', email: 'canaria@example.test' },
})
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('figures', () => {
  it('count an order, its kit and its group, and say what waits for people', async () => {
    const live = { mode: 'live' }
    const before = await scrape()
    expect((await clinic.live.post('/create-order', canary)).status).toBe(201)
    const after = await scrape()
    const grown = (name: string, labels = {}) => figureIn(after, name, labels) - (figureIn(before, name, labels) || 0)
    expect(grown('kitlane_orders_placed', live)).toBe(1)
    expect(grown('kitlane_kits', { ...live, stage: 'orderPlaced' })).toBe(1)
    expect(grown('kitlane_group_requests_count', { group: 'placement' })).toBe(1)
    expect(grown('kitlane_waiting_for_people', { what: 'kits_to_pack' })).toBe(1)
    expect(figureIn(after, 'kitlane_workers')).toBe(1)
    expect(figureIn(after, 'kitlane_ready')).toBe(1)
    expect(figureIn(after, 'kitlane_figures_read', { source: 'database' })).toBe(1)
  })

  it('count a refusal by its code', async () => {
    await world.anonymous.get('/credits')
    expect(figureIn(await scrape(), 'kitlane_errors_total', { code: 'UNAUTHORIZED' })).toBeGreaterThan(0)
  })

  it('hold no identifier and no name in any label', async () => {
    const text = await scrape()
    for (const secret of [clinic.id, clinic.name, 'Canaria', 'canaria', /\b(K|ord_|evt_|biz_|tok_)\w{8,}/]) {
      expect(text).not.toMatch(secret)
    }
    const names = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name))
    expect([...names].toSorted()).toEqual(
      [
        ...['code', 'endpoint', 'group', 'kind', 'le', 'method', 'mode', 'node', 'outcome', 'queue', 'role', 'route'],
        ...[
          'source',
          'space',
          'stage',
          'state',
          'statement',
          'status',
          'type',
          'version',
          'what',
          'major',
          'minor',
          'patch',
        ],
      ]
        .filter((name) => names.has(name))
        .toSorted(),
    )
  })

  it('are all there that the alerts and the dashboard name', async () => {
    const text = await scrape()
    const shown = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name))
    const named = ['ops/prometheus/alerts.yaml', 'ops/grafana/kitlane.json'].flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:kitlane|http|nodejs|process|audit_stream)_\w+/g),
    ])
    // The stream's are there where AUDIT_STREAM is set: audit-stream.test.ts.
    const names = new Set(named.map(([name]) => name.replace(/_(bucket|sum|count)$/, '')))
    names.delete('audit_stream_lag_seconds')
    expect(names.size).toBeGreaterThan(40)
    expect([...names].filter((name) => !shown.has(name))).toEqual([])
  })

  it('are left out, and said to be missing, while the database cannot be read', async () => {
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('alter table ledger_checks rename to gone')
    const text = await scrape()
    await owner.query('alter table gone rename to ledger_checks')
    expect(figureIn(text, 'kitlane_figures_read', { source: 'database' })).toBe(0)
    expect(figureIn(text, 'kitlane_workers')).toBeNaN()
    expect(figureIn(text, 'kitlane_pool_max_connections')).toBeGreaterThan(0)
    expect(figureIn(await scrape(), 'kitlane_workers')).toBe(1)
  })
})

describe('the log', () => {
  const lines = (message: string) => world.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === message)

  it('has one line for each request, with the pattern of its route and nothing that a caller wrote', async () => {
    await clinic.live.get('/orders/canary-order?email=canary-query')
    const line = lines('request answered').findLast(({ route }) => route.startsWith('/api/v1/orders/:'))
    expect(line).toMatchObject({ method: 'GET', statusCode: 404, requestId: expect.stringMatching(/^req_/) })
    expect(line.realmId).toEqual(expect.any(Number))
    expect(world.logged.join()).not.toContain('canary-')
  })

  it('names a slow statement by its verb and tables, without its values', async () => {
    const owner = await world.owner()
    await owner.query('begin; lock table customers in access exclusive mode')
    const reply = clinic.live.get('/customers')
    const waiting = `select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and not l.granted`
    await expect.poll(async () => (await owner.query(waiting)).rowCount).not.toBe(0)
    await owner.query(`select pg_sleep(0.2)`)
    await owner.query('rollback')
    await reply
    // On a busy machine others are slow, too.
    const line = lines('slow statement').find(({ statement }) => /^select:.*customers/.test(statement))
    expect(line).toMatchObject({ durationMs: expect.any(Number) })
    expect(await scrape()).toContain('kitlane_slow_statements_total{statement="select:')
  })
})

describe('traces', () => {
  it('lead from the caller’s request through its group to the job and the webhook, with no personal data', async () => {
    const made = await clinic.live.post('/webhooks', { url: `http://127.0.0.1:${hook.port}/canary-path` })
    expect(made.status).toBe(201)
    const response = await fetch(`${world.service.url}/api/v1/create-order`, {
      method: 'POST',
      headers: { authorization: `Token ${clinic.liveToken}`, 'content-type': 'application/json', traceparent: parent },
      body: JSON.stringify({ ...canary, isNotifyReceiver: true }),
    })
    expect(response.status).toBe(201)
    const own = () => spans.filter(({ traceId }) => traceId === parent.slice(3, 35))
    // The collector gets a batch every 5 s.
    const names = () => own().map(({ name }) => name)
    const expected = expect.arrayContaining(['webhook', 'job emails.send'])
    await expect.poll(names, { interval: 100 }).toEqual(expected)
    const byName = (name: string) => own().find((span) => span.name === name)
    const request = byName('POST /api/v1/create-order')
    const group = byName('group placement')
    const webhook = byName('webhook')
    expect(request?.parentSpanId).toBe(parent.slice(36, 52))
    expect(group?.parentSpanId).toBe(request?.spanId)
    expect(webhook?.parentSpanId).toBe(group?.spanId)
    const job = byName('job emails.send')
    expect(job?.parentSpanId).toBe(group?.spanId)
    expect(job?.attributes.map(({ key }) => key).toSorted()).toEqual(['kitlane.attempt', 'kitlane.job_id'])
    for (const secret of ['canaria', 'Canaria', 'canary-path', clinic.liveToken, '1 Main Street']) {
      expect(sent.join()).not.toContain(secret)
    }
  })
})

it('metrics go to the collector too, and what is left when the service stops', async () => {
  await world.service.stop({ atOnce: true })
  expect(metricNames).toContain('http_request_duration_seconds')
  expect(metricNames).toContain('kitlane_group_requests')
  expect(sent.join()).not.toContain(clinic.id)
})
