import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

describe('the settings', () => {
  const fresh = {
    name: expect.any(String),
    publishing: 'manual',
    insufficientCredits: 'charge',
    purchasingEnabled: true,
    uploadsEnabled: expect.any(Boolean),
    requireConsent: false,
  }

  it('of a new business are the defaults, and leave out what is not set', async () => {
    const clinic = await world.business()
    expect((await clinic.live.get('/settings')).body).toEqual(fresh)
    expect((await clinic.sandbox.get('/settings')).body).toEqual(fresh)
  })

  it('change where something is sent, in one mode only; null unsets', async () => {
    const clinic = await world.business()
    const change = { publishing: 'auto', insufficientCredits: 'reject', purchasingEnabled: false, requireConsent: true }
    const { status, body } = await clinic.live.request('PATCH', '/settings', { ...change, lowCreditThreshold: 5 })
    expect([status, body]).toEqual([200, { ...fresh, ...change, lowCreditThreshold: 5 }])
    expect((await clinic.live.get('/settings')).body).toEqual(body)
    expect((await clinic.sandbox.get('/settings')).body).toEqual(fresh)
    const unset = await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: null })
    expect(unset.body).toEqual({ ...fresh, ...change })
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

it('a valid token is told OK, its mode and its business', async () => {
  const clinic = await world.business()
  const business = { id: clinic.id, name: clinic.name }
  const [live, sandbox] = [await clinic.live.get('/verify-token'), await clinic.sandbox.get('/verify-token')]
  expect([live.status, live.body]).toEqual([200, { message: 'OK', mode: 'live', business }])
  expect([sandbox.status, sandbox.body]).toEqual([200, { message: 'OK', mode: 'sandbox', business }])
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

it('a body may have 12 MiB where data is added, 10 MiB where orders are made, and 256 KiB elsewhere', async () => {
  const clinic = await world.business()
  const filled = (bytes: number) => `{"filler":"${'x'.repeat(bytes - 13)}"}`
  const status = async (path: string, bytes: number) => (await clinic.live.post(path, filled(bytes))).status
  expect(filled(100)).toHaveLength(100)
  expect(await status('/create-order', 10 * 1024 * 1024)).toBe(400)
  expect(await status('/create-order', 10 * 1024 * 1024 + 1)).toBe(413)
  expect(await status('/customer/add-data', 12 * 1024 * 1024)).toBe(400)
  expect(await status('/customer/add-data', 12 * 1024 * 1024 + 1)).toBe(413)
  expect(await status('/customer', 256 * 1024)).toBe(400)
  expect(await status('/customer', 256 * 1024 + 1)).toBe(413)
})

it('the catalogue lists every biomarker with its units, ranges and their sources', async () => {
  const clinic = await world.business()
  const { status, body } = await clinic.live.get('/biomarkers')
  expect([status, body.length]).toEqual([200, 99])
  const known = new Set(body.map(({ id }: { id: string }) => id))
  for (const panel of (await clinic.live.get('/panels')).body) {
    expect(
      panel.biomarkers.filter((id: string) => !known.has(id)),
      panel.kitType,
    ).toEqual([])
  }
})

it('the five starter panels have the identifiers that callers know', async () => {
  const clinic = await world.business()
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
  it('because the database is busy is told so with 503 and when to try again', async () => {
    const clinic = await world.business()
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('begin')
    await owner.query('lock table customers in access exclusive mode')
    const reply = await clinic.live.get('/customers')
    await owner.query('rollback')
    expect(reply).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } })
    expect(reply.headers.get('retry-after')).toBe('1')
    expect((await clinic.live.get('/customers')).status).toBe(200)
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

  it('the OpenAPI 3.1 document and its page are there', async () => {
    const document = await get('/api/v1/openapi.json')
    expect(document.status).toBe(200)
    expect(JSON.parse(document.text).openapi).toBe('3.1.0')
    const page = await get('/docs')
    expect([page.status, page.type]).toEqual([200, expect.stringContaining('text/html')])
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
