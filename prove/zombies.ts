// Proves that a worker that stood still does nothing twice: npm run prove:zombies -- [--stops n] [--rows n] [--seed n]
// Four workers place the rows of bulk orders, send webhooks and mails. Again and again some of them are stopped (SIGSTOP)
// until others have taken over all that they held, and then go on as if nothing had happened (SIGCONT).
// --inject-fault lets a worker write the outcome of a delivery that another one holds, which must be found.
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { databaseName } from '../src/platform/database/embedded/credentials.ts'
import { caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, runKitlane, spawnKitlane } from '../test/harness/kitlane.ts'
import { aRow } from '../test/harness/orders.ts'
import { startMailServer } from '../test/harness/smtp.ts'
import { checkoutWith } from './broken-checkout.ts'
import { randomOf } from './random.ts'
import { type Figure, record, report } from './record.ts'
import { figures as webhookFigures } from './webhooks/checks.ts'
import { faultyReceiver } from './webhooks/receiver.ts'

const WORKERS = 4
/** So many stand still at once. One always works. */
const AT_ONCE = 3
const RETAKEN_WITHIN_S = 60
const PATIENCE_MS = 180_000
const DRAINED_MS = 600_000
const JOB_ROWS = 100

const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '50' },
    rows: { type: 'string', default: '5000' },
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const [stops, rows, seed] = [Number(values.stops), Number(values.rows), Number(values.seed)]
const random = randomOf(seed)
console.log(`seed ${seed}, ${WORKERS} workers, ${rows} rows, ${stops} stops`)

const undo: (() => Promise<unknown>)[] = []
try {
  const broken = values['inject-fault']
    ? await checkoutWith({
        file: 'src/modules/webhooks/delivery/claim-queries.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
        from: ' and d.lease = ${lease} and d.attempts = m.attempt - 1',
        to: '',
      })
    : undefined
  if (broken) undo.push(broken.remove)
  const launcher = join(broken?.folder ?? join(import.meta.dirname, '..'), 'bin/kitlane.js')
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-zombies-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const cluster = await openEmbedded({ dataDir: join(folder, 'database') })
  undo.push(() => cluster.stop())
  const receiver = await faultyReceiver(random, false)
  undo.push(receiver.stop)
  const mail = await startMailServer()
  undo.push(mail.stop)
  const env = {
    DATABASE_URL: cluster.ownerUrl,
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
  await run('migrate')
  const port = String(await freePort())
  const start = (role: string, at: string): Running => {
    const running = spawnKitlane(['start', '--role', role, '--port', at], env, folder, { launcher })
    undo.push(async () => {
      running.child.kill('SIGCONT')
      running.child.kill('SIGTERM')
      await running.ended
    })
    return running
  }
  const api = start('api', port)
  const workers: Running[] = []
  for (let n = 0; n < WORKERS; n++) workers.push(start('worker', String(await freePort())))
  await Promise.all([api, ...workers].map((one) => one.until(/ready on/)))
  const db = new Client({ connectionString: cluster.superUrl.replace(/\/postgres$/, `/${databaseName}`) })
  await db.connect()
  undo.push(() => db.end())
  const number = async (text: string, given: unknown[] = []) => Number((await db.query(text, given)).rows[0].n)

  const made = await run('business', 'create', '--name', 'Clinic', '--credits', String(rows), '--json')
  await run('business', 'set', '--business', 'Clinic', 'rateLimitPerMinute=1000000')
  const clinic = caller(`http://127.0.0.1:${port}`, JSON.parse(made).liveToken)
  const endpoint = await clinic.post('/webhooks', { url: receiver.url, events: ['order.created'] })
  receiver.secret = endpoint.body.secret
  let requests = 0
  /** Bulk jobs until so many rows were asked for. Each row sends a mail to its recipient. */
  const askUpTo = async (goal: number) => {
    while (requests < Math.min(goal, rows)) {
      const size = Math.min(JOB_ROWS, rows - requests)
      const bulkUploadData = Array.from({ length: size }, (_, row) => aRow({ external_id: `row-${requests + row}` }))
      const key = `job-${requests}`
      const order = { bulkUploadData, isNotifyReceiver: true }
      const reply = await clinic.post('/create-order', order, { 'idempotency-key': key }).catch(() => undefined)
      if (reply?.status === 202) requests += size
      else await delay(500)
    }
  }

  const claims = `select 'lease ' || lease::text || ' ' || id as claim from webhook_deliveries where lease is not null
    union select 'job ' || id::text || ' ' || retry_count from pgboss.job where state = 'active'`
  const claimed = async () => new Set((await db.query<{ claim: string }>(claims)).rows.map(({ claim }) => claim))
  const retakenS: number[] = []
  let taken = 0
  for (let stopped = 0; stopped < stops; ) {
    const many = Math.min(AT_ONCE, stops - stopped)
    await askUpTo((rows * (stopped + many)) / stops)
    await delay(random.between(50, 1000))
    const sleeping = workers.toSorted(() => random.fraction() - 0.5).slice(0, many)
    for (const { child } of sleeping) child.kill('SIGSTOP')
    const since = performance.now()
    // Claims of this moment that are gone: ended by the worker that is awake, or taken from those that are not.
    const held = await claimed()
    for (const end = since + PATIENCE_MS; performance.now() < end; await delay(250)) {
      const now = await claimed()
      if ([...held].every((claim) => !now.has(claim))) break
    }
    retakenS.push((performance.now() - since) / 1000)
    taken += held.size
    for (const { child } of sleeping) child.kill('SIGCONT')
    stopped += many
    console.log(`stop ${stopped} of ${stops}: ${held.size} claims over after ${retakenS.at(-1)?.toFixed(1)} s`)
  }
  await askUpTo(rows)
  const left = {
    'bulk jobs': `select count(*) n from bulk_jobs where status in ('queued', 'processing')`,
    webhooks: `select count(*) n from webhook_deliveries where status = 'pending'`,
    mails: `select count(*) n from emails where status = 'queued'`,
  }
  for (const end = performance.now() + DRAINED_MS; performance.now() < end; await delay(1000)) {
    // Retries are hours apart.
    await db.query(
      `update webhook_deliveries set due_at = now() where status = 'pending' and lease is null and due_at > now()`,
    )
    const counts: string[] = []
    for (const [what, text] of Object.entries(left))
      if ((await number(text)) > 0) counts.push(`${await number(text)} ${what}`)
    if (counts.length === 0) break
    console.log(`left: ${counts.join(', ')}`)
  }

  const mails = mail.received.length
  const queued = await number(`select count(*) n from emails`)
  const zero = (name: string, actual: number): Figure => ({ name, actual, expected: 0 })
  const figures: Figure[] = [
    zero(
      'bulk rows without exactly one order',
      await number(
        `select count(*) n from generate_series(0, $1::int - 1) i
         where (select count(*) from orders where external_id = 'row-' || i) <> 1`,
        [rows],
      ),
    ),
    {
      name: 'slowest take-over of what a worker held that stood still',
      actual: Number(Math.max(...retakenS).toFixed(1)),
      expected: RETAKEN_WITHIN_S,
      atMost: true,
      unit: 's',
    },
    { name: 'workers that stood still and went on', actual: stops },
    { name: 'claims at those moments', actual: taken, expected: 1, atLeast: true },
    {
      name: 'credits spent',
      actual: await number(`select coalesce(sum(amount), 0) n from credit_transfers where to_account = 'spent'`),
      expected: rows,
    },
    zero('mails that are not sent', await number(`select count(*) n from emails where status <> 'sent'`)),
    zero('mails that nobody received', Math.max(0, queued - mails)),
    // SMTP has no keys: a mail whose outcome could not be written is sent again.
    { name: 'mails received again', actual: Math.max(0, mails - queued), expected: stops, atMost: true },
    zero('workers that exited', workers.filter(({ child }) => child.exitCode !== null).length),
    ...(await webhookFigures(db, receiver, { events: rows, kills: stops })),
  ]
  for (const command of ['verify-ledger', 'verify-audit']) {
    const { code } = await runKitlane([command], env, folder, { launcher })
    figures.push(zero(`exit code of kitlane ${command}`, code ?? -1))
  }
  report(figures)
  if (values.record)
    record('zombies', { promises: ['R12'], seed, figures, mistake: broken && 'outcomes written without the lease' })
} finally {
  for (const step of undo.reverse()) await step()
}
