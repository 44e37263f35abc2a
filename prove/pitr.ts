// Proves that an external PostgreSQL goes back to a point in time with pgBackRest, as docs/backup.md says, and that Kitlane
// goes on there: npm run prove:pitr -- [--orders n]
// As a control, the restore without a target has more orders than the point in time. Needs Debian's postgresql-15 and pgbackrest.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { createCluster, POSTGRES_15 } from '../test/harness/debian-cluster.ts'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, spawnKitlane } from '../test/harness/kitlane.ts'
import { Load } from './load.ts'
import { randomOf } from './random.ts'
import { record, report } from './record.ts'

const PGBACKREST = '/usr/bin/pgbackrest'
if (!existsSync(PGBACKREST) || !existsSync(join(POSTGRES_15, 'postgres'))) {
  console.error('Install these first: apt-get install postgresql-15 pgbackrest')
  process.exit(1)
}
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '300' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const orders = Number(values.orders)

const undo: (() => unknown)[] = []
try {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-pitr-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const cluster = await createCluster(POSTGRES_15)
  undo.push(() => cluster.remove())
  const dbPort = await freePort()
  const config = join(cluster.folder, 'pgbackrest.conf')
  const own = (name: string) => {
    const path = join(cluster.folder, name)
    mkdirSync(path)
    cluster.give(path)
    return path
  }
  writeFileSync(
    config,
    `[global]
repo1-path=${own('repo')}
repo1-retention-full=2
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=${randomBytes(48).toString('base64')}
start-fast=y
lock-path=${own('lock')}
log-path=${own('log-of-pgbackrest')}
spool-path=${own('spool')}

[kitlane]
pg1-path=${cluster.data}
pg1-port=${dbPort}
pg1-socket-path=${cluster.folder}
pg1-user=kitlane
`,
  )
  cluster.give(config)
  const pgbackrest = (...args: string[]) =>
    cluster.run('../../../../bin/pgbackrest', [`--config=${config}`, '--stanza=kitlane', ...args])
  const archive = `-c archive_mode=on -c archive_timeout=60 -c "archive_command=${PGBACKREST} --config=${config} --stanza=kitlane archive-push %p"`
  cluster.start(dbPort, archive)
  let runs = true
  const stop = () => {
    if (runs) cluster.stop()
    runs = false
  }
  undo.push(stop)
  const admin = (text: string, database = 'postgres') => ask(`postgres://kitlane@127.0.0.1:${dbPort}/${database}`, text)
  await admin('create role clinic login createrole createdb')
  await admin('create database clinic owner clinic')
  pgbackrest('stanza-create')

  const env = {
    DATABASE_URL: `postgres://clinic@127.0.0.1:${dbPort}/clinic`,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'fatal',
  }
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  let service: Running | undefined
  const start = async () => {
    service = spawnKitlane(['start', '--port', port], env, folder)
    await service.until(/Kitlane is ready on/)
  }
  const end = async () => {
    service?.child.kill('SIGKILL')
    await service?.ended
    service = undefined
  }
  undo.push(end)
  await start()
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await spawnKitlane(args, env, folder).ended
    if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
  const { liveToken } = JSON.parse(await run('business', 'create', '--name', 'Load', '--credits', '100000', '--json'))
  const placing = (name: string) =>
    new Load({ url, token: liveToken, random: randomOf(1), name, concurrency: 2, pauseMs: 0, reads: 'lists' })
  const load = placing('pitr')
  await load.more(orders)
  pgbackrest('--type=full', 'backup')
  console.log('a full backup was made under load')
  await load.more(orders)
  const before = new Set(load.orderIds)
  await admin(`select pg_create_restore_point('agreed')`)
  const atMost = load.acknowledged.length + 2
  await load.more(orders)
  await load.finish()
  const [last] = await admin('select pg_walfile_name(pg_switch_wal()) as name')
  for (;;) {
    const [state] = await admin('select last_archived_wal as name from pg_stat_archiver')
    if (String(state?.name ?? '') >= String(last?.name)) break
    await delay(50)
  }
  const all = load.acknowledged.length
  await end()

  const back = async (...target: string[]) => {
    stop()
    pgbackrest('--delta', ...target, 'restore')
    cluster.start(dbPort, '-c archive_mode=off')
    runs = true
    for (;;) {
      const [state] = await admin('select pg_is_in_recovery() as waits')
      if (!state?.waits) break
      await delay(50)
    }
    const rows = await admin('select id from orders', 'clinic')
    return new Set(rows.map(({ id }) => String(id)))
  }
  const since = performance.now()
  const there = await back('--type=name', '--target=agreed', '--target-action=promote')
  console.log(
    `back at the point in time after ${Math.round(performance.now() - since)} ms: ${there.size} of ${all} orders`,
  )
  await run('verify-ledger')
  await run('verify-audit')
  await start()
  const again = placing('again')
  await again.more(20)
  await again.finish()
  const [counted] = await admin('select count(*)::int as orders from orders', 'clinic')
  await end()
  const whole = await back()

  const figures = [
    {
      name: 'orders acknowledged before the point in time that are not there',
      actual: [...before].filter((id) => !there.has(id)).length,
    },
    { name: 'orders from after it that are there', actual: Math.max(0, there.size - atMost) },
    {
      name: 'orders that were placed there and are not',
      actual: there.size + again.acknowledged.length - Number(counted?.orders),
    },
    { name: 'control: orders that the end of the log does not have either', actual: all - whole.size },
  ].map((figure) => ({ ...figure, expected: 0 }))
  report(figures)
  if (values.record) record('pitr', { promises: [], figures })
} finally {
  for (const step of undo.reverse()) await step()
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
