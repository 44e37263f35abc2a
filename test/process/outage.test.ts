import { sql } from 'kysely'
import type { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { listen } from '../../src/platform/database/listen.ts'
import { toAppError } from '../../src/platform/http/error-body.ts'
import { createLogger } from '../../src/platform/log.ts'
import { waysToBeAway } from '../../src/platform/ways-to-be-away.ts'
import { startService } from '../../src/service/app.ts'
import { openDatabase } from '../../src/service/open.ts'
import { type DatabaseProxy, databaseProxy } from '../harness/database-proxy.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { endConnections } from '../harness/owner.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

// `npm run prove:outage` does the same to a real server for a minute each, under load.
let proxy: DatabaseProxy
let world: World
let clinic: TestBusiness
let owner: Client

beforeAll(async () => {
  proxy = await databaseProxy(inject('template').owner)
  world = await ownWorld('loses its database', {}, { proxy })
  clinic = await world.business()
  owner = await world.owner()
})
beforeEach(() => proxy.setMode('open'))
afterAll(async () => {
  await world.stop()
  await proxy.close()
})

/** Polls what any caller can observe. */
const eventually = <T>(ask: () => Promise<T>) => expect.poll(ask, { interval: 100 })
const ready = async () => (await fetch(`${world.service.url}/health/ready`)).status
const isReadyFor = async () => (await fetch(`${world.service.url}/health/ready`)).json()
const orders = async (externalID: string) =>
  (await owner.query('select count(*)::int as n from orders where external_id = $1', [externalID])).rows[0].n

it('a transaction that the database ends because the service stood still is answered as by a busy service', async () => {
  const { database } = world.service
  const realm = await database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, clinic.id))
  const stood = database.inRealm(realm.live, { name: 'test' }, async ({ client }) => {
    await client.query(`set local idle_in_transaction_session_timeout = '1ms'`)
    // The event loop stands still, so that the next statement is sent before the end is read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
    await client.query('select 1')
  })
  const told = await stood.then(
    () => undefined,
    (err: unknown) => toAppError(err),
  )
  expect(told?.code).toBe('OVERLOADED')
  expect((await clinic.live.get('/orders')).status).toBe(200)
})

describe('a database that is away, in whichever way,', () => {
  const expectAway = async (way: string) => {
    const answers = await Promise.all([clinic.live.get('/orders'), clinic.live.post('/create-order', anOrder())])
    for (const { status, body, headers } of answers)
      expect([way, status, body.code, headers.get('retry-after')]).toEqual([way, 503, 'OVERLOADED', '1'])
  }

  it('makes requests answer 503 with Retry-After, whatever it refuses connections with', async () => {
    // A failed connection, a pooler, a login or a database that is not there for now, no room, starting, stopping, a lost disk.
    const states = ['08001', '08006', '08P01', '28000', '28P01', '3D000', '53100', '53200', '53300', '53400', '55000']
    for (const state of [...states, '57P01', '57P02', '57P03', '57P05', '58030', 'XX000', 'ZZ999']) {
      proxy.refuse(state)
      await expectAway(state)
    }
    await proxy.setMode('open')
    await eventually(async () => (await clinic.live.get('/orders')).status).toBe(200)
  })

  it('makes requests answer 503 with Retry-After while no host of several is the primary', async () => {
    const { urls } = world
    const second = await databaseProxy(urls.direct)
    const list = (url: string) => {
      const hosts = [proxy.url(url), second.url(url)].map((one) => new URL(one).host).join()
      const { host } = new URL(url)
      return `${url.replace(host, hosts)}?target_session_attrs=read-write`
    }
    const { database, close } = await openDatabase({ ...urls, app: list(urls.app), direct: list(urls.direct) })
    const name = new URL(urls.direct).pathname.slice(1)
    const readOnly = (on: boolean) =>
      owner.query(
        `reset role; alter database "${name}" set default_transaction_read_only = ${on}; set role kitlane_system`,
      )
    const ask = () =>
      database.asSystem({ name: 'test' }, (tx) => tx.run(sql`select 1`)).catch((err) => toAppError(err).code)
    try {
      expect(await ask()).toBe(1)
      await readOnly(true)
      for (const one of [proxy, second]) await one.setMode('broken')
      expect(await ask()).toBe('OVERLOADED')
      for (const one of [proxy, second]) await one.setMode('open')
      expect(await ask()).toBe('OVERLOADED')
    } finally {
      await readOnly(false)
      await close()
      await second.close()
    }
  })

  it('refuses for a moment with every SQLSTATE of its own trouble, and nothing is done', async () => {
    const { database } = world.service
    const { live } = await database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, clinic.id))
    const { ended, useless, busy } = waysToBeAway
    for (const state of [...ended, ...useless, ...busy, '40P01', '53200', '55P03', '57014']) {
      const failing = database.inRealm(live, { name: 'test' }, ({ client }) =>
        client.query(`do $$ begin raise sqlstate '${state.padEnd(5, '0')}'; end $$`),
      )
      const { status, code } = toAppError(await failing.catch((err: unknown) => err))
      expect([state, status, code]).toEqual([state, 503, 'OVERLOADED'])
    }
    expect((await clinic.live.get('/orders')).status).toBe(200)
  })

  it('is distinguished from an error of the program by every code of the network and sentence of the driver', () => {
    const { network, driver } = waysToBeAway
    for (const code of network)
      expect([code, toAppError(Object.assign(new Error('x'), { code })).status]).toEqual([code, 503])
    for (const words of driver) expect([words, toAppError(new Error(`${words} now`)).status]).toEqual([words, 503])
    expect(toAppError(new Error('a mistake')).status).toBe(500)
  })
})

describe('a listener whose database is away', () => {
  it('asks for it by one connection at a time, and hears again once it is back', async () => {
    const own = await databaseProxy(world.urls.direct)
    let heard = 0
    let others = 0
    const silent = createLogger({ level: 'silent' })
    const listener = await listen(own.url(world.urls.direct), silent)
    try {
      await listener.on('kitlane_test_channel', () => heard++)
      await listener.on('kitlane_other_channel', () => others++)
      await own.setMode('broken')
      const before = own.count().asked
      // If each failure started its own retry loop, attempts would come in bursts of 2, 4, 8 …
      await eventually(async () => own.count().asked - before).toBeGreaterThanOrEqual(4)
      await own.setMode('open')
      await eventually(async () => heard).toBe(1)
      expect(own.count()).toMatchObject({ now: 1, most: 1 })
      await owner.query(`notify kitlane_test_channel, 'x'`)
      await eventually(async () => heard).toBe(2)
      await owner.query(`notify kitlane_other_channel, 'x'`)
      await eventually(async () => others).toBe(2)
      expect([heard, own.count().now]).toEqual([2, 1])
    } finally {
      await listener.stop()
      await eventually(async () => own.count().now).toBe(0)
      await own.close()
    }
  })
})

describe('a database that vanishes without a word', () => {
  it('makes every request answer 503 with Retry-After in seconds, and an order goes through once when it is back', async () => {
    const key = { 'idempotency-key': 'silent-1' }
    const order = anOrder({ externalID: 'silent-1' })
    await clinic.live.get('/orders')
    await proxy.setMode('silent')
    const answers = await Promise.all([
      clinic.live.post('/create-order', order, key),
      clinic.live.post('/create-order', anOrder({ externalID: 'silent-2' })),
      clinic.live.post('/create-order', anOrder({ externalID: 'silent-3', paymentMethod: 'credits', dryRun: true })),
      clinic.live.get('/orders'),
      clinic.live.get('/credits'),
    ])
    for (const { status, headers, body } of answers) {
      expect(status).toBe(503)
      expect(headers.get('retry-after')).toBe('1')
      expect(body).toMatchObject({ code: 'OVERLOADED', error: body.message, requestId: expect.any(String) })
    }
    expect(await ready()).toBe(503)
    expect((await fetch(`${world.service.url}/health/live`)).status).toBe(200)
    await proxy.setMode('open')
    await eventually(async () => (await clinic.live.post('/create-order', order, key)).status).toBe(201)
    expect(await orders('silent-1')).toBe(1)
    expect(await orders('silent-2'), 'without a key it was refused, and not placed later').toBe(0)
    await eventually(ready).toBe(200)
  })

  it('keeps no more connections than before, however long it takes', async () => {
    await proxy.setMode('silent')
    for (let asked = 0; asked < 30; asked++) void clinic.live.get('/orders')
    await eventually(async () => (await clinic.live.get('/orders')).status).toBe(503)
    await proxy.setMode('open')
    await eventually(async () => (await clinic.live.get('/orders')).status).toBe(200)
    await eventually(ready).toBe(200)
    // 10 for requests, 6 for jobs, 3 for LISTEN.
    expect(proxy.count().most).toBeLessThanOrEqual(19)
  })
})

describe('a database that goes away between COMMIT and its answer', () => {
  it('leaves an order that its Idempotency-Key finds again, and does not place it twice', async () => {
    const bodies = {
      grouped: anOrder({ externalID: 'commit-grouped' }),
      alone: { bulkUploadData: [aRow({ external_id: 'commit-alone' })] },
    }
    for (const [name, order] of Object.entries(bodies)) {
      const key = { 'idempotency-key': `commit-${name}` }
      await clinic.live.get('/verify-token')
      proxy.cutAtCommitOf(`commit-${name}`)
      const first = await clinic.live.post('/create-order', order, key)
      expect(first.status, first.text).toBe(503)
      expect(first.body.message).toContain('with the same Idempotency-Key')
      expect(first.headers.get('retry-after')).toBe('1')
      const second = await clinic.live.post('/create-order', order, key)
      expect(second.status, second.text).toBe(201)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(await orders(`commit-${name}`)).toBe(1)
    }
  })

  it('does not place an order without a key a second time by itself', async () => {
    await clinic.live.get('/verify-token')
    proxy.cutAtCommitOf('commit-keyless')
    const { status } = await clinic.live.post('/create-order', anOrder({ externalID: 'commit-keyless' }))
    expect(status).toBe(503)
    expect(await orders('commit-keyless')).toBe(1)
  })
})

describe('a database that takes no changes', () => {
  it('is not ready, answers 503, and is given up for one that does as soon as there is one', async () => {
    const name = new URL(world.urls.owner).pathname.slice(1)
    await owner.query('reset role')
    await owner.query(`alter database ${name} set default_transaction_read_only = on`)
    await endConnections(owner)
    await eventually(isReadyFor).toMatchObject({ status: 'not ready', checks: { database: true, writes: false } })
    const refused = await clinic.live.post('/create-order', anOrder())
    expect(refused).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    await owner.query(`set default_transaction_read_only = off`)
    await owner.query(`alter database ${name} reset default_transaction_read_only`)
    await owner.query('set role kitlane_system')
    // Connections opened meanwhile stay read-only, like those to a former primary. The pool must not keep them.
    await eventually(async () => (await clinic.live.post('/create-order', anOrder())).status).toBe(201)
    await eventually(ready).toBe(200)
  })
})

describe('/health/ready', () => {
  it('is false where no worker was heard of for a minute, on a machine that only serves the API too', async () => {
    const log = createLogger({ level: 'silent' })
    const api = await startService({ urls: world.urls, settings: { ...world.settings, role: 'api' }, log })
    try {
      const answer = async () => (await fetch(`${api.url}/health/ready`)).json()
      await eventually(answer).toMatchObject({ status: 'ready', checks: { workers: true } })
      // The worker of this world is cut off, and its last heartbeat is long ago.
      await proxy.setMode('gone')
      await owner.query(`update process_beats set beat_at = beat_at - interval '2 minutes' where works`)
      await eventually(answer).toMatchObject({
        status: 'not ready',
        checks: { started: true, database: true, writes: true, clock: true, workers: false },
        problems: [expect.stringContaining('No worker')],
      })
      await proxy.setMode('open')
      await eventually(answer).toMatchObject({ status: 'ready' })
    } finally {
      await api.stop()
    }
  })

  it('writes once for all that ask within a second', async () => {
    await eventually(ready).toBe(200)
    const beats = async () => {
      await owner.query('reset role')
      const { rows } = await owner.query<{ at: Date }>(
        'select beat_at as at from process_beats order by beat_at desc limit 1',
      )
      await owner.query('set role kitlane_system')
      return rows[0]?.at.getTime() ?? 0
    }
    const seen = new Set<number>()
    const since = performance.now()
    for (let asked = 0; asked < 40; asked++) {
      await Promise.all([ready(), ready(), ready()])
      seen.add(await beats())
    }
    expect(seen.size).toBeLessThanOrEqual(2 + Math.ceil((performance.now() - since) / 1000))
  })
})
