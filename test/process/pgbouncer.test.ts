import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { databaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { type Service, startService } from '../../src/service/app.ts'
import { usualSettings } from '../../src/settings.ts'
import { type Caller, caller } from '../harness/caller.ts'
import { freePort } from '../harness/free-port.ts'
import { anOrder, aRow } from '../harness/orders.ts'
import { databaseIsSlow } from '../harness/patience.ts'
import { databaseOf, withDatabase } from '../harness/urls.ts'
import { cloned, ON_A_BUSY_MACHINE_MS } from '../harness/world.ts'

// Debian's package. The gate installs it and runs this beside Debian's PostgreSQL; elsewhere it may be missing.
const PGBOUNCER = '/usr/sbin/pgbouncer'
const mustRun = process.env.CI !== undefined || process.env.TEST_DATABASE_URL !== undefined
const NOBODY = 65534

it.runIf(mustRun)('PgBouncer is installed where the gate runs: apt-get install pgbouncer', () => {
  expect(existsSync(PGBOUNCER)).toBe(true)
})

describe.runIf(existsSync(PGBOUNCER))(
  'behind PgBouncer as Debian configures it, in transaction mode, the service',
  () => {
    const logged: string[] = []
    let folder: string
    let pooler: ChildProcess
    let ended: Promise<unknown>
    let service: Service
    let live: Caller
    let pooled: Client

    beforeAll(async () => {
      const template = inject('template')
      const name = `${databaseOf(template)}_${randomBase62(6).toLowerCase()}`
      const login = `${name}_pooled`
      const admin = new Client({ connectionString: withDatabase(template, 'postgres').owner })
      await admin.connect()
      await cloned(admin, name, databaseOf(template))
      await admin.query(`create role ${login} login password 'secret' in role kitlane_app`)
      await admin.end()
      const direct = withDatabase(template, name).owner
      const { hostname, port: serverPort } = new URL(direct)
      folder = await mkdtemp(join(tmpdir(), 'kitlane-pgbouncer-'))
      await chmod(folder, 0o755)
      await writeFile(join(folder, 'users.txt'), `"${login}" "secret"\n`, { mode: 0o644 })
      const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
      let url = ''
      do {
        // Another test may take the port before PgBouncer does, which then ends.
        const port = await freePort()
        // Debian's file with the settings that every installation needs: the database, the mode, and folders to write to.
        const settings = `[databases]
${name} = host=${hostname} port=${serverPort} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = md5
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 4
`
        await writeFile(join(folder, 'pgbouncer.ini'), settings, { mode: 0o644 })
        pooler = spawn(PGBOUNCER, [join(folder, 'pgbouncer.ini')], { ...account, stdio: 'ignore' })
        ended = once(pooler, 'exit')
        url = `postgres://${login}:secret@127.0.0.1:${port}/${name}`
        while (pooler.exitCode === null && !(await answers(url))) await delay(50)
      } while (pooler.exitCode !== null)
      const log = createLogger({ level: 'warn', stream: { write: (line) => void logged.push(line) } })
      const urls = databaseUrls(url, direct)
      const settings = usualSettings({
        port: 0,
        encryptionKey: Buffer.alloc(32, 1),
        dataDir: folder,
        slowStatementMs: 0,
      })
      databaseIsSlow(false)
      service = await startService({ urls, settings, log, clock: systemClock, maxLoopDelayMs: ON_A_BUSY_MACHINE_MS })
      const { liveToken } = await service.database.asSystem({ name: 'cli' }, (tx) =>
        onboard(tx, { name: 'Clinic', credits: 1000 }),
      )
      live = caller(service.url, liveToken)
      pooled = new Client({ connectionString: url })
      await pooled.connect()
    })
    afterAll(async () => {
      databaseIsSlow(true)
      await pooled?.end()
      await service?.stop()
      pooler.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    })

    it('places orders of many at once, reads them, and runs jobs', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) =>
          live.post('/create-order', anOrder(), { 'idempotency-key': `key-${n % 100}` }),
        ),
      )
      expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([])
      expect(new Set(answers.map(({ body }) => body.orderId)).size).toBe(100)
      const reads = await Promise.all(answers.map(({ body }) => live.get(`/orders/${body.orderId}`)))
      expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
      const job = await live.post('/create-order', { bulkUploadData: Array.from({ length: 30 }, () => aRow()) })
      expect(job.status).toBe(202)
      const state = async () => (await live.get(`/bulk-order-jobs/${job.body.jobId}`)).body
      await expect.poll(async () => (await state()).status, { interval: 100 }).toBe('completed')
      expect((await state()).succeeded).toBe(30)
      expect((await live.get('/orders')).body.pagination.total).toBe(130)
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
      // What a pooler breaks (prepared statements, settings, LISTEN), the database says with a code. A limit of time has none.
      expect(logged.filter((line) => /"code":"[0-9A-Z]{5}"/.test(line)).join('')).toBe('')
    })

    it('ends a statement and a wait for a lock after its limits', async () => {
      const realm = { id: 1, businessId: '', mode: 'live' } as const
      const limits = await service.database.inRealm(
        realm,
        { name: 'test' },
        async (tx) =>
          (
            await tx.client.query(
              `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
             current_setting('idle_in_transaction_session_timeout') as idle`,
            )
          ).rows,
      )
      expect(limits).toEqual([{ statement: '5s', lock: '2s', idle: '10s' }])
      const long = service.database.asSystem({ name: 'test' }, (tx) => tx.client.query('select pg_sleep(60)'))
      await expect(long).rejects.toMatchObject({ code: '57014' })
    })

    it('leaves nothing of a transaction on a connection that another one gets', async () => {
      for (let n = 0; n < 20; n++) {
        const { rows } = await pooled.query(
          `select current_setting('kitlane.realm', true) as realm, current_setting('statement_timeout') as timeout,
           current_user = session_user as plain, (select count(*)::int from orders) as orders`,
        )
        expect(rows[0]).toMatchObject({ timeout: '0', plain: true, orders: 0 })
        expect(rows[0].realm ?? '').toBe('')
      }
    })
  },
)

const answers = async (url: string) => {
  // What took the port instead of PgBouncer may never answer.
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}
