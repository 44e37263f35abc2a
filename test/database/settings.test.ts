import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allScopes } from '../../src/domain/scopes.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder } from '../harness/orders.ts'
import { ownWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await ownWorld('changes tables')
})
afterAll(() => world.stop())

describe('the settings', () => {
  const fresh = {
    name: expect.any(String),
    publishing: 'manual',
    publishAcknowledged: false,
    insufficientCredits: 'charge',
    purchasingEnabled: true,
    uploadsEnabled: expect.any(Boolean),
    requireConsent: false,
    replaceDiscarded: true,
    retestPanels: [],
  }

  it('of a new business are the defaults, and leave out what is not set', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/settings')).body).toEqual(fresh)
    expect((await clinic.sandbox.get('/settings')).body).toEqual(fresh)
  })

  it('change where something is sent, in one mode only; null unsets', async () => {
    const clinic = await world.business()
    const change = {
      publishing: 'auto',
      insufficientCredits: 'reject',
      purchasingEnabled: false,
      requireConsent: true,
      retestPanels: ['BASE'],
    }
    const { status, body } = await clinic.live.request('PATCH', '/settings', { ...change, lowCreditThreshold: 5 })
    expect([status, body]).toEqual([200, { ...fresh, ...change, lowCreditThreshold: 5 }])
    expect((await clinic.live.get('/settings')).body).toEqual(body)
    expect((await clinic.sandbox.get('/settings')).body).toEqual(fresh)
    const unset = await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: null })
    expect(unset.body).toEqual({ ...fresh, ...change })
  })

  it('tell a business how long its records are kept: the terms of its own, else those of all', async () => {
    const clinic = await world.business()
    const defaults = { laboratoryDays: 731, requisitionDays: 1096, correspondenceDays: 366, byAge: false }
    expect((await clinic.live.get('/retention')).body).toEqual({ ...defaults, auditDays: 2192 })
    const operator = await operatorWith(world, ['businesses'])
    await operator('PATCH', '/retention', { businessID: clinic.id, laboratoryDays: 3653 })
    expect((await clinic.live.get('/retention')).body).toMatchObject({ ...defaults, laboratoryDays: 3653 })
    const other = await world.business()
    expect((await other.live.get('/retention')).body).toMatchObject(defaults)
  })

  it('refuse uploadsEnabled with a sentence: it is the operator’s, and what is ignored looks as if it had worked', async () => {
    const clinic = await world.business()
    const { status, body } = await clinic.live.request('PATCH', '/settings', {
      publishing: 'auto',
      uploadsEnabled: true,
    })
    expect([status, body.code, body.details[0].path]).toEqual([400, 'VALIDATION_FAILED', 'uploadsEnabled'])
    expect(body.error).toMatch(/Only the operator enables uploads/)
    expect((await clinic.live.get('/settings')).body.publishing).toBe('manual')
  })

  it('refuse a value that there is not', async () => {
    const clinic = await world.business()
    for (const wrong of [{ publishing: 'never' }, { insufficientCredits: 1 }, { lowCreditThreshold: -1 }]) {
      expect((await clinic.live.request('PATCH', '/settings', wrong)).status).toBe(400)
    }
  })
})

it('a valid token is answered OK, its mode and its business', async () => {
  const clinic = await world.business()
  const business = { id: clinic.id, name: clinic.name }
  const scopes = allScopes.toSorted()
  const [live, sandbox] = [await clinic.live.get('/verify-token'), await clinic.sandbox.get('/verify-token')]
  expect([live.status, live.body]).toEqual([200, { message: 'OK', mode: 'live', business, scopes }])
  expect([sandbox.status, sandbox.body]).toEqual([200, { message: 'OK', mode: 'sandbox', business, scopes }])
})

it('of a token the database holds a SHA-256 only', async () => {
  const clinic = await world.business()
  const owner = await world.owner()
  const { rows } = await owner.query('select t::text as text from tokens t')
  const kept = rows.map(({ text }) => text).join()
  for (const token of [clinic.liveToken, clinic.sandboxToken]) {
    expect(kept).toContain(createHash('sha256').update(token).digest('hex'))
    expect(kept).not.toContain(token)
  }
})

it('a token may make 6,000 requests a minute unless the operator says otherwise', async () => {
  const clinic = await world.business()
  const { headers } = await clinic.live.get('/credits')
  expect(headers.get('ratelimit-policy')).toBe('"default";q=6000;w=60')
})

it('a body may have 34 MiB where data is added, 10 MiB where orders are made, and 256 KiB elsewhere', async () => {
  const clinic = await world.business()
  const filled = (bytes: number) => `{"filler":"${'x'.repeat(bytes - 13)}"}`
  const status = async (path: string, bytes: number) => (await clinic.live.post(path, filled(bytes))).status
  expect(filled(100)).toHaveLength(100)
  expect(await status('/create-order', 10 * 1024 * 1024)).toBe(400)
  expect(await status('/create-order', 10 * 1024 * 1024 + 1)).toBe(413)
  expect(await status('/customer/add-data', 34 * 1024 * 1024)).toBe(400)
  expect(await status('/customer/add-data', 34 * 1024 * 1024 + 1)).toBe(413)
  expect(await status('/customer', 256 * 1024)).toBe(400)
  expect(await status('/customer', 256 * 1024 + 1)).toBe(413)
})

it('the catalogue lists every biomarker with its units, ranges and their sources', async () => {
  const clinic = await world.business()
  const { status, body } = await clinic.live.get('/biomarkers')
  expect([status, body.length > 600]).toEqual([200, true])
  const known = new Set(body.map(({ id }: { id: string }) => id))
  for (const panel of (await clinic.live.get('/panels')).body) {
    expect(
      panel.biomarkers.filter((id: string) => !known.has(id)),
      panel.kitType,
    ).toEqual([])
  }
})

it('the five starter panels have the identifiers that callers know', async () => {
  const clinic = await world.business({ panels: 'all' })
  const { body } = await clinic.live.get('/panels')
  const named = body.map(({ kitType, name }: { kitType: string; name: string }) => [kitType, name])
  expect(Object.fromEntries(named)).toEqual({
    ED1NL4E3L: 'Core Health',
    ED14KY98G: 'GLP & Cardio',
    ED2KXO3EE: "Women's Health",
    ED23L1ELT: 'HRT Monitoring',
    ULTIMATE_METABOLIC_HORMONE_THYROID_EASY_DRAW: 'Ultimate Health',
  })
})

describe('a request that fails here', () => {
  it('because the database is busy is answered with 503 and when to try again', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('begin')
    await owner.query('lock table customers in access exclusive mode')
    const reply = await clinic.live.get('/customers').finally(() => owner.query('rollback'))
    expect(reply).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } })
    expect(reply.headers.get('retry-after')).toBe('1')
    expect((await clinic.live.get('/customers')).status).toBe(200)
  })

  it('because the disk of the database is full is answered with 503, and its key places the order once there is space', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    await owner.query('reset role')
    // What PostgreSQL raises when it cannot extend a table.
    await owner.query(`
      create function no_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      grant execute on function no_room() to public;
      create trigger no_room before insert on kits for each row execute function no_room()`)
    const place = () => clinic.live.post('/create-order', anOrder(), { 'idempotency-key': 'no-room' })
    const refused = await place()
    await owner.query('drop trigger no_room on kits; drop function no_room()')
    expect(refused).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
    expect((await place()).status).toBe(201)
  })

  it('for a reason that nobody foresaw says Internal server error and nothing more', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('alter table customers rename column name to gone')
    const { status, body } = await clinic.live.get('/customers')
    await owner.query('alter table customers rename column gone to name')
    const message = 'Internal server error'
    expect([status, body]).toEqual([
      500,
      { error: message, message, code: 'INTERNAL', requestId: expect.stringMatching(/^req_/) },
    ])
  })
})

describe('without a token', () => {
  const get = async (path: string) => {
    const response = await fetch(world.service.url + path)
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }

  it('the OpenAPI 3.1 documents and their page are there', async () => {
    const paths = async (address: string) => {
      const { status, text } = await get(address)
      const { openapi, paths } = JSON.parse(text)
      expect([status, openapi]).toEqual([200, '3.1.0'])
      return Object.keys(paths)
    }
    const business = await paths('/openapi.json')
    expect(business.filter((path) => !/^\/(?:api\/v1|fhir)\//.test(path))).toEqual([])
    for (const older of ['/api/v1/openapi.json', '/docs/json']) expect(await paths(older)).toEqual(business)
    const operator = await paths('/operator/v1/openapi.json')
    expect(operator.filter((path) => !path.startsWith('/operator/v1/'))).toEqual([])
    const dashboard = await paths('/openapi-dashboard.json')
    expect(dashboard).toContain('/api/v1/session')
    expect(dashboard.filter((path) => business.includes(path) || !path.startsWith('/api/v1/'))).toEqual([])
    const page = await get('/docs')
    expect([page.status, page.type]).toEqual([200, expect.stringContaining('text/html')])
    // JSON is YAML 1.2 too.
    expect(await paths('/docs/yaml')).toEqual(business)
    expect((await get('/docs/static/index.html')).text).toBe(page.text)
  })

  it('the documentation is there, as pages, as Markdown and as an index for language models', async () => {
    expect(await get('/docs/errors')).toMatchObject({ status: 200, type: expect.stringContaining('text/html') })
    expect((await get('/docs/reference/orders')).text).toContain('<h2 id="createOrder">')
    const text = await get('/docs/errors.md')
    expect([text.status, text.type, text.text.startsWith('# Errors\n')]).toEqual([
      200,
      'text/markdown; charset=utf-8',
      true,
    ])
    const [atRoot, below] = [await get('/llms.txt'), await get('/docs/llms.txt')]
    expect(atRoot.text).toContain('](docs/errors.md)')
    expect(below.text).toContain('](errors.md)')
    for (const nowhere of [
      '/docs/nowhere',
      '/docs/..%2fpackage.json',
      '/docs/%2e%2e%2f%2e%2e%2fpackage.json',
      '/docs/assets/docs.js',
    ]) {
      expect([nowhere, (await get(nowhere)).status]).toEqual([nowhere, 404])
    }
  })

  it('a page of the documentation comes compressed, not again while it is the same, and runs no script of others', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${world.service.url}/docs/security`, { headers })
    const page = await ask({ 'accept-encoding': 'br' })
    expect(page.headers.get('content-encoding')).toBe('br')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    const etag = page.headers.get('etag') ?? ''
    expect((await page.text()).length).toBeGreaterThan(Number(page.headers.get('content-length')) * 3)
    expect((await ask({ 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304)
  })

  it('an OpenAPI document comes compressed, and not again while it is the same', async () => {
    const ask = (headers: Record<string, string>) => fetch(`${world.service.url}/openapi.json`, { headers })
    const whole = await ask({ 'accept-encoding': 'identity' })
    const text = await whole.text()
    for (const [accepted, sent] of [
      ['gzip, br', 'br'],
      ['gzip, br;q=0', 'gzip'],
    ] as const) {
      const packed = await ask({ 'accept-encoding': accepted })
      expect(packed.headers.get('content-encoding')).toBe(sent)
      expect(Number(packed.headers.get('content-length')) * 5).toBeLessThan(text.length)
      expect(await packed.text()).toBe(text)
      const etag = packed.headers.get('etag') ?? ''
      expect(packed.headers.get('vary')).toBe('accept-encoding')
      const again = await ask({ 'accept-encoding': accepted, 'if-none-match': etag })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200)
  })

  it('health and metrics are outside /api', async () => {
    expect(await get('/health/live')).toMatchObject({ status: 200, text: expect.stringContaining('live') })
    expect(await get('/health/ready')).toMatchObject({ status: 200, text: expect.stringContaining('ready') })
    const metrics = await get('/metrics')
    expect(metrics.status).toBe(200)
    expect(metrics.text).toMatch(/^# HELP \w+/)
    expect((await get('/api/v1/metrics')).status).toBe(404)
  })
})
