import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownWorld, type World } from '../harness/world.ts'

const token = 'a-token-of-the-monitoring'
let open: World
let guarded: World
let apart: World

beforeAll(async () => {
  open = await ownWorld('trusts other proxies', { trustedProxies: ['127.0.0.1'] })
  guarded = await ownWorld('has figures of its own', { metrics: { token } })
  apart = await ownWorld('has figures of its own', { metrics: { port: 0 }, docs: false })
})
afterAll(() => Promise.all([open, guarded, apart].map((world) => world.stop())))

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const text = await response.text()
  return { status: response.status, text }
}

describe('metrics and health', () => {
  it('need nothing on this machine, and figures are not shown to who comes through a proxy', async () => {
    const { url } = open.service
    expect((await get(`${url}/metrics`)).text).toMatch(/^# HELP \w+/)
    expect((await get(`${url}/health/ready`)).status).toBe(200)
    const proxied = await get(`${url}/metrics`, { 'x-forwarded-for': '203.0.113.7' })
    expect(proxied.status).toBe(403)
    expect(JSON.parse(proxied.text)).toMatchObject({
      code: 'FORBIDDEN',
      error: expect.stringContaining('METRICS_TOKEN'),
    })
    expect((await get(`${url}/health/ready`, { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
  })

  it('with METRICS_TOKEN, figures take the token, and health says only whether the service is ready', async () => {
    const { url } = guarded.service
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${token}`, 'Bearer ']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      expect([authorization, (await get(`${url}/metrics`, headers)).status]).toEqual([authorization, 401])
      expect(await get(`${url}/health/ready`, headers)).toEqual({ status: 200, text: '{"status":"ready"}' })
    }
    const trusted = { authorization: `Bearer ${token}` }
    expect((await get(`${url}/metrics`, trusted)).text).toContain('http_request_duration_seconds')
    expect(JSON.parse((await get(`${url}/health/ready`, trusted)).text)).toMatchObject({ checks: { database: true } })
    expect((await get(`${url}/health/live`)).status).toBe(200)
  })

  it('with METRICS_PORT, are there and nowhere else, and count the requests of the API', async () => {
    const { url, monitoringUrl } = apart.service
    expect(monitoringUrl).not.toBe(url)
    await get(`${url}/api/v1/credits`)
    for (const path of ['/metrics', '/health/live', '/health/ready']) {
      expect([path, (await get(url + path)).status]).toEqual([path, 404])
      expect([path, (await get(monitoringUrl + path)).status]).toEqual([path, 200])
    }
    expect((await get(`${monitoringUrl}/metrics`)).text).toContain('route="/api/v1/credits"')
    expect((await get(`${monitoringUrl}/api/v1/credits`)).status).toBe(404)
  })
})

it('with DOCS=off, neither the documentation nor the OpenAPI document is served', async () => {
  const documents = ['/openapi.json', '/api/v1/openapi.json', '/openapi-dashboard.json', '/operator/v1/openapi.json']
  for (const path of ['/docs', '/docs/json', '/docs/static/index.html', ...documents]) {
    expect([path, (await get(open.service.url + path)).status]).not.toEqual([path, 404])
    expect([path, (await get(apart.service.url + path)).status]).toEqual([path, 404])
  }
})
