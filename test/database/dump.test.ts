import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { databaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { prepareDatabase, type Service, startService } from '../../src/service/app.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { type Cluster, createCluster, POSTGRES_15 } from '../harness/debian-cluster.ts'
import { freePort } from '../harness/free-port.ts'
import { anOrder } from '../harness/orders.ts'
import { databaseOf } from '../harness/urls.ts'
import { ownWorld, type World } from '../harness/world.ts'

// The embedded PostgreSQL has no pg_dump. This test runs when the gate tests on Debian's PostgreSQL 15.
const isThere = process.env.TEST_DATABASE_URL !== undefined && existsSync(join(POSTGRES_15, 'pg_dump'))

describe.runIf(isThere)('a dump that was restored into a new cluster', () => {
  const key = randomBytes(32)
  let world: World
  let cluster: Cluster
  let port: number
  let restored: Service | undefined

  beforeAll(async () => {
    world = await ownWorld('has a key of its own', { encryptionKey: key })
    cluster = await createCluster(POSTGRES_15)
    port = await freePort()
    cluster.start(port, '-c fsync=off')
  })
  afterAll(async () => {
    await restored?.stop()
    cluster.stop()
    await cluster.remove()
    await world.stop()
  })

  it('is never made by the owner with empty tables: pg_dump fails with a sentence', async () => {
    await world.business()
    const owner = await world.owner()
    const login = `owner_${randomBytes(4).toString('hex')}`
    await owner.query('reset role')
    // The harness logs in as a superuser, who passes row-level security; an operator's owner does not.
    await owner.query(`create role ${login} login password 'secret' createrole createdb`)
    await owner.query(`create database ${login} owner ${login}`)
    const url = new URL(world.urls.owner)
    Object.assign(url, { username: login, password: 'secret', pathname: `/${login}` })
    await prepareDatabase(databaseUrls(url.href), createLogger({ level: 'silent' }))
    cluster.run(
      'psql',
      ['--dbname', url.href, '-q', '-v', 'ON_ERROR_STOP=1'],
      `set role ${login}_system; insert into businesses (id, name, created_at) values ('biz_1', 'Clinic', now())`,
    )
    const dumpBy = (...options: string[]) => cluster.run('pg_dump', ['--dbname', url.href, ...options])
    expect(() => dumpBy()).toThrow(/affected by row-level security/)
    expect(() => dumpBy('--enable-row-security')).toThrow(/hides every row from the owner/)
    await owner.query(`drop database ${login}`)
    await owner.query('set role kitlane_system')
  })

  it('goes on: anyone who reads the feed misses nothing, and every new order is counted', async () => {
    // Simulates a server that has run for a while.
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('do $$ begin for n in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$')
    const clinic = await world.business({ credits: 1000 })
    const old = clinic.live
    for (let n = 0; n < 30; n++) expect((await old.post('/create-order', anOrder())).status).toBe(201)
    // The feed waits a moment for older transactions in any database of the server.
    await expect.poll(() => events(old)).toHaveLength(30)
    const before = await events(old)
    const cursor = before.at(-11)

    cluster.run(
      'psql',
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'kitlane', 'postgres', '-v', 'ON_ERROR_STOP=1'],
      `
      create role kitlane_app noinherit; create role kitlane_system noinherit; create role kitlane_intake noinherit; create role kitlane_placement noinherit;
      create role kitlane_reading noinherit; grant kitlane_system, kitlane_intake, kitlane_placement, kitlane_reading to kitlane_app;
      create database ${databaseOf(world.urls)}`,
    )
    const dump = cluster.run('pg_dump', [
      '--dbname',
      world.urls.owner,
      '--role=kitlane_system',
      '--enable-row-security',
    ])
    const target = `postgres://kitlane@127.0.0.1:${port}/${databaseOf(world.urls)}`
    cluster.run('psql', ['--dbname', target, '-q', '-v', 'ON_ERROR_STOP=1'], dump)

    const isBehind = 'select bool_and(xact > pg_snapshot_xmax(pg_current_snapshot())) from events'
    expect(cluster.run('psql', ['--dbname', target, '-Atc', isBehind]).trim(), 'it counts from below').toBe('t')
    const log = createLogger({ level: 'silent' })
    const urls = databaseUrls(target)
    expect((await prepareDatabase(urls, log)).applied).toEqual([])
    restored = await startService({
      urls,
      settings: { ...world.settings, encryptionKey: key },
      log,
      clock: systemClock,
    })
    const live = caller(restored.url, clinic.liveToken)
    expect(await events(live), 'before the first order there').toEqual(before)
    for (let n = 0; n < 5; n++) expect((await live.post('/create-order', anOrder())).status).toBe(201)
    await expect.poll(() => events(live)).toHaveLength(35)
    const after = await events(live)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(await events(live, cursor), 'from a cursor of before').toEqual(after.slice(-15))
    expect((await live.get('/orders')).body.pagination.total).toBe(35)
  })
})

async function events(live: Caller, cursor?: string): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const after = ids.at(-1) ?? cursor
    const { body } = await live.get(`/events?size=50${after ? `&after=${after}` : ''}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.hasMore) return ids
  }
}
