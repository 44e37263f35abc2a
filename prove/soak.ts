// Proves that the service runs for long, and that what it made can be restored: npm run prove:soak -- [--minutes n] [--seed n]
// Half of the load that it can take, in one process on a PostgreSQL of its own. Four times in a run everything that is kept
// for a time only becomes too old, and its jobs have to delete it. --inject-fault: every request leaves 4 kB behind.
import { randomBytes, randomInt } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { allScopes } from '../src/domain/scopes.ts'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { databaseName } from '../src/platform/database/embedded/credentials.ts'
import { caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { runKitlane, spawnKitlane } from '../test/harness/kitlane.ts'
import { httpReceiver } from '../test/harness/receivers.ts'
import { startMailServer } from '../test/harness/smtp.ts'
import { checkoutWith } from './broken-checkout.ts'
import { MOST_CONNECTIONS } from './outage/run.ts'
import { randomOf } from './random.ts'
import { type Figure, isRight, record, report } from './record.ts'
import { type Ageing, ageAndPurge } from './soak/ageing.ts'
import { inspect } from './soak/inspector.ts'
import { startLoad } from './soak/load.ts'
import { type FileSample, filesOf, rssMbOf, type Sample, slopeOf } from './soak/process.ts'

const SAMPLE_MS = 2000
/** How often in a run garbage is collected and the memory that stays is noted. */
const COLLECTIONS = 60
const CALIBRATE_MS = 20_000
/** This part of the run warms up. */
const WARM_UP = 1 / 3
const AGEINGS = 4
const MOST_MB_IN_10_MINUTES = 1
const MOST_GROWTH = 1.5
// A table that was emptied has no size to compare with.
const SMALL_MB = 2
const RESTORED_WITHIN_S = 600

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const minutes = Number(values.minutes)
const seed = Number(values.seed)
console.log(`seed ${seed}, ${minutes} minutes`)

const undo: (() => Promise<unknown>)[] = []
try {
  const broken = values['inject-fault']
    ? await checkoutWith({
        file: 'src/platform/http/drain.ts',
        from: '    underWay++\n',
        to: '    underWay++\n    ;((globalThis as any).left ??= []).push(Buffer.alloc(4096, 1))\n',
      })
    : undefined
  if (broken) undo.push(broken.remove)
  const launcher = join(broken?.folder ?? join(import.meta.dirname, '..'), 'bin/kitlane.js')
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-soak-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const source = await openEmbedded({ dataDir: join(folder, 'source') })
  undo.push(() => source.stop())
  const mail = await startMailServer()
  undo.push(mail.stop)
  const receiver = await httpReceiver((request, response) => request.resume().on('end', () => response.end('ok')))
  undo.push(receiver.stop)
  const env = {
    DATABASE_URL: source.ownerUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
    SMTP_URL: mail.url,
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    STOP_DELAY_SECONDS: '0',
  }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runKitlane(args, env, folder, { launcher })
    if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const watched = await freePort()
  const inspected = { ...env, NODE_OPTIONS: `--inspect=127.0.0.1:${watched}` }
  const service = spawnKitlane(['start', '--port', port], inspected, folder, { launcher })
  undo.push(async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.until(/Kitlane is ready on/)
  await run('business', 'create', '--name', 'Soak', '--credits', '9000000', '--json')
  await run('business', 'set', '--business', 'Soak', 'rateLimitPerMinute=1000000', 'uploadsEnabled=true')
  const tokenOf = async (mode: string): Promise<string> => {
    const all = ['--name', 'soak', '--scopes', allScopes.join(',')]
    return JSON.parse(await run('token', 'create', '--business', 'Soak', '--mode', mode, ...all, '--json')).token
  }
  const tokens = { live: await tokenOf('live'), sandbox: await tokenOf('sandbox') }
  for (const token of Object.values(tokens)) {
    const { status, text } = await caller(url, token).post('/webhooks', {
      url: `http://127.0.0.1:${receiver.port}/hook`,
    })
    if (status !== 201) throw new Error(text)
  }
  const superUrl = source.superUrl.replace(/\/postgres$/, `/${databaseName}`)
  const db = new Client({ connectionString: superUrl })
  await db.connect()
  undo.push(() => db.end())

  const inspector = await inspect(watched)
  undo.push(async () => inspector.close())
  const load = startLoad(url, tokens, randomOf(seed))
  // The first seconds compile.
  await delay(CALIBRATE_MS / 2)
  const before = load.rounds()
  await delay(CALIBRATE_MS)
  const rate = ((load.rounds() - before) / CALIBRATE_MS) * 500
  load.setRate(rate)
  const began = performance.now()
  const [refusedAtFirst, roundsAtFirst] = [new Map(load.answers), load.rounds()]
  console.log(`half of the load: ${rate.toFixed(1)} rounds a second`)

  const samples: Sample[] = []
  const files: FileSample[] = []
  const ageings: Ageing[] = []
  const age = async () => {
    for (let n = 1; n <= AGEINGS; n++) {
      await delay(Math.max(0, began + (n * minutes * 60_000) / (AGEINGS + 1) - performance.now()))
      const ageing = await ageAndPurge(db, superUrl)
      ageings.push(ageing)
      const sizes = Object.entries(ageing.sizesMb).map(([table, mb]) => `${table} ${mb.toFixed(1)} MB`)
      console.log(`ageing ${n}: ${ageing.left} rows left; ${sizes.join(', ')}`)
    }
  }
  const watch = async () => {
    const pid = service.child.pid ?? 0
    for (let next = 0; performance.now() - began < minutes * 60_000; await delay(SAMPLE_MS)) {
      const now = filesOf(pid, began, { own: Number(port), database: Number(new URL(superUrl).port) })
      files.push(now)
      if (now.minutes < (minutes / COLLECTIONS) * next) continue
      const mostMb = rssMbOf(pid)
      const { heapMb } = await inspector.collect()
      const sample = { minutes: now.minutes, heapMb, rssMb: rssMbOf(pid), mostMb }
      samples.push(sample)
      const memory = `${sample.rssMb.toFixed(1)} MB of ${mostMb.toFixed(0)} stay, ${heapMb.toFixed(1)} in heaps`
      if (next++ % 3 === 0)
        console.log(
          `${now.minutes.toFixed(1)} min: ${memory}; ${now.files} files, ${now.ofCallers} callers, ${now.toDatabase} connections to the database; ${load.rounds()} rounds`,
        )
    }
  }
  await Promise.all([age(), watch()])
  const rounds = load.rounds() - roundsAtFirst
  const isAlive = service.child.exitCode === null
  await load.stop()
  const isWarm = (sample: { minutes: number }) => sample.minutes > minutes * WARM_UP
  const warm = samples.filter(isWarm)
  const warmFiles = files.filter(isWarm)

  const since = performance.now()
  const backup = JSON.parse(await run('backup', `${folder}/kept/`, '--json'))
  const restored = await restore(folder, env.ENCRYPTION_KEY, backup.location)
  const restoreS = (performance.now() - since) / 1000
  const [{ orders }] = (await db.query('select count(*)::int as orders from orders')).rows

  const isExpected = (what: string) => /^(?:20\d|503 \w+)$/.test(what)
  const [first, last] = [ageings[1] ?? ageings[0], ageings.at(-1)]
  const growth = Object.entries(last?.sizesMb ?? {}).map(
    ([table, mb]) => Math.max(mb, SMALL_MB) / Math.max(first?.sizesMb[table] ?? mb, SMALL_MB),
  )
  const figures: Figure[] = [
    limit(
      'memory gained in 10 minutes, after the warm-up and each time a collection',
      slopeOf(warm, (one) => one.rssMb) * 10,
      MOST_MB_IN_10_MINUTES,
      'MB',
    ),
    { name: 'minutes', actual: minutes },
    limit(
      'open files gained in 10 minutes, after the warm-up, besides connections of callers and to the database',
      slopeOf(warmFiles, (one) => one.files) * 10,
      1,
    ),
    limit('most connections to the database', Math.max(...files.map(({ toDatabase }) => toDatabase)), MOST_CONNECTIONS),
    limit(
      'growth of the tables that are purged, from the second ageing to the last',
      Math.max(...growth),
      MOST_GROWTH,
      'times',
    ),
    zero(
      'rows past their time that were left',
      ageings.reduce((sum, { left }) => sum + left, 0),
    ),
    limit('backup, restore and its proof', restoreS, RESTORED_WITHIN_S, 's'),
    zero('orders that the restored installation does not have', orders - restored.orders),
    zero('checks of the restore that failed', restored.ok ? 0 : 1),
    zero(
      'answers other than 2xx and 503 with Retry-After',
      sum([...load.answers].filter(([what]) => !isExpected(what))),
    ),
    zero('services that exited', isAlive ? 0 : 1),
    { name: 'rounds', actual: rounds },
    { name: 'orders', actual: orders },
    {
      name: 'answers of 503',
      actual: (load.answers.get('503 OVERLOADED') ?? 0) - (refusedAtFirst.get('503 OVERLOADED') ?? 0),
    },
    { name: 'memory that stays at the end', actual: Math.round(samples.at(-1)?.rssMb ?? 0), unit: 'MB' },
    {
      name: 'most memory',
      actual: Math.round(samples.reduce((most, { mostMb }) => Math.max(most, mostMb), 0)),
      unit: 'MB',
    },
  ]
  if (!figures.every(isRight)) console.log(service.stdout().slice(-4000))
  console.log(`answers: ${JSON.stringify(Object.fromEntries(load.answers))}`)
  report(figures)
  if (values.record)
    record('soak', { promises: ['R26'], seed, figures, mistake: broken && 'every request leaves 4 kB behind' })
} finally {
  for (const step of undo.reverse()) await step()
}

/** Restores on an empty server, in a folder that has the key of the backup and nothing else. */
async function restore(folder: string, encryptionKey: string, backup: string) {
  const target = await openEmbedded({ dataDir: join(folder, 'target') })
  try {
    const place = await mkdtemp(join(folder, 'restore-'))
    await mkdir(join(place, 'data'))
    await copyFile(join(folder, 'data/backup.key'), join(place, 'data/backup.key'))
    const env = { DATABASE_URL: target.ownerUrl, ENCRYPTION_KEY: encryptionKey, LOG_LEVEL: 'error' }
    const { code, stdout, stderr } = await runKitlane(['restore', backup, '--json'], env, place)
    if (code !== 0) throw new Error(`the restore ended with ${code}:\n${stdout}${stderr}`)
    const db = new Client({ connectionString: target.superUrl.replace(/\/postgres$/, `/${databaseName}`) })
    await db.connect()
    const { rows } = await db.query('select count(*)::int as orders from orders')
    await db.end()
    return { ok: JSON.parse(stdout).ok as boolean, orders: rows[0].orders as number }
  } finally {
    await target.stop()
  }
}

function limit(name: string, actual: number, expected: number, unit?: string): Figure {
  return { name, actual: Number(actual.toFixed(2)), expected, atMost: true, ...(unit && { unit }) }
}

function zero(name: string, actual: number): Figure {
  return { name, actual, expected: 0 }
}

function sum(counted: readonly (readonly [string, number])[]): number {
  return counted.reduce((all, [, times]) => all + times, 0)
}
