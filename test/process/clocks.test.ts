import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock, systemClock } from '../../src/platform/clock.ts'
import { DatabaseClock } from '../../src/platform/database/heartbeat.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { type Running, spawnKitlane } from '../harness/kitlane.ts'
import { anOrder } from '../harness/orders.ts'
import { waitUntil } from '../harness/wait.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 24 * 3600 * 1000
const encryptionKey = Buffer.alloc(32, 5)

let world: World
let clinic: TestBusiness
let folder: string
let ahead: Running
/** The same business, through a process on a machine whose clock is three days ahead. */
let there: Caller
let url: string

/** Preloaded in that process to shift its clock. */
const shifted = (ms: number) => `
  const Real = Date
  globalThis.Date = class Date extends Real {
    constructor(...args) { args.length > 0 ? super(...args) : super(Real.now() + ${ms}) }
    static now() { return Real.now() + ${ms} }
  }`

beforeAll(async () => {
  world = await ownWorld('has a key of its own', { encryptionKey })
  clinic = await world.business()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-clock-'))
  const clockFile = join(folder, 'clock.mjs')
  await writeFile(clockFile, shifted(3 * DAY_MS))
  const env = {
    DATABASE_URL: world.urls.owner,
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    LOG_LEVEL: 'warn',
    FILES_URL: world.files,
    NODE_OPTIONS: `--import=${clockFile}`,
  }
  ahead = spawnKitlane(['start', '--port', '0', '--role', 'api'], env, folder)
  const waiting = /^Kitlane runs on (http:\S+), but is not ready: (.*)$/m
  await waitUntil(() => waiting.test(ahead.stderr()))
  url = waiting.exec(ahead.stderr())?.[1] ?? ''
  there = caller(url, clinic.liveToken)
})
afterAll(async () => {
  ahead.child.kill('SIGTERM')
  expect((await ahead.ended).code).toBe(0)
  await world.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('a process on a machine whose clock is three days ahead', () => {
  it('is not ready, and says why there and in its log', async () => {
    const answer = await fetch(`${url}/health/ready`)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      checks: { started: true, database: true, writes: true, clock: false, workers: true },
      problems: [expect.stringContaining('The clock of this machine is more than a minute off')],
    })
    const logged = ahead
      .stdout()
      .split('\n')
      .filter((line) => line.includes('the clock of this machine'))
    expect(logged).toHaveLength(1)
    const { clockOffMs } = JSON.parse(logged[0] ?? '')
    expect(Math.abs(clockOffMs - 3 * DAY_MS)).toBeLessThan(10_000)
    expect((await fetch(`${world.service.url}/health/ready`)).status, 'the others are').toBe(200)
  })

  it('finds the order of a key that was used elsewhere, and makes no second one', async () => {
    for (const [first, second] of [
      [clinic.live, there],
      [there, clinic.live],
    ] as const) {
      const key = { 'idempotency-key': `clock-${first === there}` }
      const placed = await first.post('/create-order', anOrder(), key)
      const again = await second.post('/create-order', anOrder(), key)
      expect([placed.status, again.status]).toEqual([201, 201])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.body.orderId).toBe(placed.body.orderId)
    }
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(2)
  })

  it('dates orders by the clock of the database', async () => {
    const { body } = await there.post('/create-order', anOrder())
    const { body: order } = await clinic.live.get(`/orders/${body.orderId}`)
    expect(Math.abs(Date.parse(order.createdDate) - systemClock.now().getTime())).toBeLessThan(60_000)
  })
})

describe('the clock of the database', () => {
  const sample = (databaseMs: number, roundTripMs = 0) => {
    const gotMs = performance.now()
    return { databaseMs, sentMs: gotMs - roundTripMs, gotMs }
  }
  const off = (clock: DatabaseClock, ms: number) => Math.abs(clock.now().getTime() - ms)

  it('goes on by itself, follows a new sample, and leaves out what may be the network', () => {
    const noon = Date.parse('2026-03-01T12:00:00Z')
    const clock = new DatabaseClock(sample(noon))
    expect(off(clock, noon)).toBeLessThan(60_000)
    clock.adjust(sample(noon + DAY_MS))
    expect(off(clock, noon + DAY_MS)).toBeLessThan(60_000)
    const before = clock.now().getTime()
    clock.adjust(sample(before - 3000, 10_000))
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before)
  })
})

it('a clock that a test moves is the one that counts there', async () => {
  const clock = manualClock(new Date('2026-03-01T08:00:00Z'))
  const moved = await ownWorld('sets the clock', {}, { clock })
  try {
    const business = await moved.business()
    clock.advance(DAY_MS)
    const { body } = await business.live.post('/create-order', anOrder())
    expect((await business.live.get(`/orders/${body.orderId}`)).body.createdDate).toBe('2026-03-02T08:00:00.000Z')
  } finally {
    await moved.stop()
  }
})
