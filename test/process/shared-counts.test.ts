import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { sharedCounts } from '../../src/platform/http/shared-counts.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import type { Settings } from '../../src/settings.ts'
import { caller } from '../harness/caller.ts'
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts'
import { connecting, ON_A_BUSY_MACHINE_MS, ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const log = createLogger({ level: 'silent' })
let world: World
let proxy: DatabaseProxy
/** Another node on the same database. */
let other: Service

beforeAll(async () => {
  world = await ownWorld('runs two services')
  proxy = await databaseProxy(world.urls.app)
  const urls = { ...world.urls, app: proxy.url(world.urls.app) }
  const settings: Settings = { ...world.settings, role: 'api' }
  other = await connecting(() => startService({ urls, settings, log, maxLoopDelayMs: ON_A_BUSY_MACHINE_MS }))
})
afterAll(async () => {
  await other.stop({ atOnce: true })
  await proxy.close()
  await world.stop()
})

async function limited(rateLimitPerMinute: number): Promise<TestBusiness> {
  const clinic = await world.business()
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { rateLimitPerMinute }))
  return clinic
}

const path = '/verify-token'
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)

describe('what a caller may send in a minute', () => {
  it('is for all nodes together, and at most 2 % more for each of them', async () => {
    const clinic = await limited(200)
    const there = caller(other.url, clinic.liveToken)
    const answers = []
    for (let sent = 0; sent < 30; sent++) {
      const ten = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? clinic.live : there).get(path))
      answers.push(...(await Promise.all(ten)))
    }
    const admitted = statuses(answers).filter((status) => status === 200).length
    expect(admitted).toBeGreaterThanOrEqual(200)
    expect(admitted).toBeLessThanOrEqual(208)
    const refused = await there.get(path)
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('is said by every node in its answers, a second later at the latest', async () => {
    const clinic = await limited(1000)
    const there = caller(other.url, clinic.liveToken)
    for (let sent = 0; sent < 10; sent++) await clinic.live.get(path)
    const left = async () => Number(/r=(\d+)/.exec((await there.get(path)).headers.get('ratelimit') ?? '')?.[1])
    await expect.poll(left).toBeLessThan(990)
    const { headers } = await there.get(path)
    expect(headers.get('ratelimit')).toMatch(/^"default";r=9\d\d;t=\d+$/)
  })

  it('is counted by each node alone while the database is away, and nobody waits for it', async () => {
    const clinic = await limited(50)
    const there = caller(other.url, clinic.liveToken)
    expect((await there.get(path)).status).toBe(200)
    const counts = sharedCounts(other.database, { now: () => new Date() })
    await proxy.setMode('gone')
    try {
      await expect(counts.post([{ key: 'x', add: 1, leftMs: 1000 }])).rejects.toThrow()
    } finally {
      await proxy.setMode('open')
    }
    await expect.poll(async () => (await there.get(path)).status).toBe(200)
  })
})

describe('counts that nodes share', () => {
  const node = (service: Service, at: Date) => sharedCounts(service.database, { now: () => at })
  const start = new Date('2026-01-01T00:00:00Z')
  const later = (ms: number) => new Date(start.getTime() + ms)

  it('begin again when the window of the first node has ended, for both of them', async () => {
    const post = (service: Service, at: Date, add: number) =>
      node(service, at)
        .post([{ key: 'window', add, leftMs: 60_000 }])
        .then((totals) => totals.get('window'))
    expect(await post(world.service, start, 3)).toEqual({ count: 3, leftMs: 60_000 })
    expect(await post(other, later(10_000), 4)).toEqual({ count: 7, leftMs: 50_000 })
    expect(await post(other, later(60_001), 1)).toEqual({ count: 1, leftMs: 60_000 })
    expect(await post(world.service, later(60_002), 0)).toEqual({ count: 1, leftMs: 59_999 })
  })

  it('are exact, however many are posted at once', async () => {
    const posts = Array.from({ length: 20 }, (_, n) =>
      node(n % 2 === 0 ? world.service : other, start).post([
        { key: 'both', add: 5, leftMs: 60_000 },
        { key: `own ${n}`, add: 1, leftMs: 60_000 },
      ]),
    )
    await Promise.all(posts)
    const totals = await node(other, start).post([{ key: 'both', add: 0, leftMs: 60_000 }])
    expect(totals.get('both')?.count).toBe(100)
  })
})
