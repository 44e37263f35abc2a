import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDatabase, type Service, startService } from '../../src/app.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { databaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { freePort } from '../harness/free-port.ts'
import { anOrder } from '../harness/orders.ts'
import { databaseOf } from '../harness/urls.ts'
import { startWorld, type World } from '../harness/world.ts'

// The embedded PostgreSQL brings no pg_dump: this runs where the gate runs the suite on Debian's PostgreSQL 15.
const BIN = '/usr/lib/postgresql/15/bin'
const NOBODY = 65534
const isThere = process.env.TEST_DATABASE_URL !== undefined && existsSync(join(BIN, 'pg_dump'))

describe.runIf(isThere)('a dump that was restored into a new cluster', () => {
  const isRoot = process.getuid?.() === 0
  const key = randomBytes(32)
  let world: World
  let folder: string
  let port: number
  let restored: Service | undefined

  function run(program: string, args: string[], input?: string): string {
    const account = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
    const options = { ...account, cwd: folder, input, encoding: 'utf8', maxBuffer: 2 ** 28 } as const
    const { status, stdout, stderr } = spawnSync(join(BIN, program), args, options)
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
    return stdout
  }

  beforeAll(async () => {
    world = await startWorld({ encryptionKey: key })
    folder = await mkdtemp(join(tmpdir(), 'kitlane-dump-'))
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    port = await freePort()
    run('initdb', ['-D', join(folder, 'data'), '-U', 'kitlane', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'])
    const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
    run('pg_ctl', ['-D', join(folder, 'data'), '-w', '-l', join(folder, 'log'), '-o', settings, 'start'])
  })
  afterAll(async () => {
    await restored?.stop()
    run('pg_ctl', ['-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop'])
    await rm(folder, { recursive: true, force: true })
    await world.stop()
  })

  it('goes on: whoever reads the feed misses nothing, and every new order is counted', async () => {
    // A server that has run for a while.
    const owner = await world.owner()
    await owner.query('reset role')
    await owner.query('do $$ begin for n in 1..20000 loop perform pg_current_xact_id(); commit; end loop; end $$')
    const clinic = await world.business({ credits: 1000 })
    const old = clinic.live
    for (let n = 0; n < 30; n++) expect((await old.post('/create-order', anOrder())).status).toBe(201)
    // What an older transaction of any database of this server could overtake comes a moment later.
    await expect.poll(() => events(old), { timeout: 60_000 }).toHaveLength(30)
    const before = await events(old)
    const cursor = before.at(-11)

    run(
      'psql',
      ['-h', '127.0.0.1', '-p', String(port), '-U', 'kitlane', 'postgres', '-v', 'ON_ERROR_STOP=1'],
      `
      create role kitlane_app noinherit; create role kitlane_system noinherit; create role kitlane_intake noinherit; create role kitlane_placement noinherit;
      create role kitlane_reading noinherit; grant kitlane_system, kitlane_intake, kitlane_placement, kitlane_reading to kitlane_app;
      create database ${databaseOf(world.urls)}`,
    )
    const dump = run('pg_dump', ['--dbname', world.urls.owner])
    const target = `postgres://kitlane@127.0.0.1:${port}/${databaseOf(world.urls)}`
    run('psql', ['--dbname', target, '-q', '-v', 'ON_ERROR_STOP=1'], dump)

    const isBehind = 'select bool_and(xact > pg_snapshot_xmax(pg_current_snapshot())) from events'
    expect(run('psql', ['--dbname', target, '-Atc', isBehind]).trim(), 'it counts from below').toBe('t')
    const log = createLogger({ level: 'silent' })
    const urls = databaseUrls(target)
    expect((await prepareDatabase(urls, log)).applied).toEqual([])
    const reach = { encryptionKey: key }
    restored = await startService({ urls, host: '127.0.0.1', port: 0, role: 'all', log, clock: systemClock, reach })
    const live = caller(restored.url, clinic.liveToken)
    expect(await events(live), 'before the first order there').toEqual(before)
    for (let n = 0; n < 5; n++) expect((await live.post('/create-order', anOrder())).status).toBe(201)
    await expect.poll(() => events(live), { timeout: 60_000 }).toHaveLength(35)
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
