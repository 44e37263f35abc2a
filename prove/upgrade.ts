// Proves a rolling upgrade. The previous commit's service takes orders on its own schema, keeps taking orders while the
// schema migrates and after it, and then runs beside the new service. No order may be lost or duplicated, and the new
// service must see all of them.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { randomBase62 } from '../src/domain/ids.ts'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { caller } from '../test/harness/caller.ts'
import { dropDatabase } from '../test/harness/drop-database.ts'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, spawnKitlane } from '../test/harness/kitlane.ts'
import { improper, Load } from './load.ts'
import { randomOf } from './random.ts'
import { record, report } from './record.ts'
import { checkOut, commitBefore, here } from './upgrade/before.ts'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    /** The least number of orders placed in each phase. */
    orders: { type: 'string', default: '2000' },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})

const commit = commitBefore(values.before)
if (!commit) console.log('This clone holds no earlier commit, so there is no upgrade to prove. Is it a shallow clone?')
else await prove(commit, Number(values.orders))

async function prove(commit: string, orders: number): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    const before = await checkOut(commit)
    undo.push(before.remove)
    console.log(`From ${before.subject} to this checkout, ${orders} orders per phase.`)
    const folder = await mkdtemp(join(tmpdir(), 'kitlane-upgrade-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const databaseUrl = await openDatabase(folder, undo)
    const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'error' }
    const after = join(here, 'bin', 'kitlane.js')
    const run = async (launcher: string, ...args: string[]) => {
      const { code, stdout, stderr } = await spawnKitlane(args, env, folder, { launcher }).ended
      if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
      return stdout
    }
    const start = async (launcher: string): Promise<{ url: string; process: Running }> => {
      const port = String(await freePort())
      const process = spawnKitlane(['start', '--port', port], env, folder, { launcher })
      undo.push(async () => {
        process.child.kill('SIGTERM')
        await process.ended
      })
      await process.until(/Kitlane is ready on/)
      return { url: `http://127.0.0.1:${port}`, process }
    }

    const old = await start(before.launcher)
    const made = await run(before.launcher, 'business', 'create', '--name', 'Load', '--credits', '1000000', '--json')
    const { liveToken } = JSON.parse(made)
    // Three phases may fall into one minute.
    await run(before.launcher, 'business', 'set', '--business', 'Load', 'rateLimitPerMinute=1000000')
    const placing = (url: string, name: string) =>
      new Load({ url, token: liveToken, random: randomOf(1), name, concurrency: 8, pauseMs: 0, reads: 'lists' })
    const loads = [placing(old.url, 'old')]
    const each = (work: (load: Load) => Promise<void>) => Promise.all(loads.map(work))
    await each((load) => load.more(orders))
    const since = performance.now()
    console.log((await run(after, 'migrate')).trim())
    console.log(`The migration took ${Math.round(performance.now() - since)} ms under load.`)
    await each((load) => load.more(orders))
    const fresh = await start(after)
    loads.push(placing(fresh.url, 'new'))
    await each((load) => load.more(orders))
    await each((load) => load.finish())

    const figures = await check({
      url: fresh.url,
      oldUrl: old.url,
      liveToken,
      loads,
      run: (...args) => run(after, ...args),
    })
    report(figures)
    for (const { answers } of loads) console.log(`answers: ${JSON.stringify(answers)}`)
    if (values.record)
      record('upgrade', { promises: [], figures, mistake: values.before && `--before ${values.before}` })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

interface Proof {
  url: string
  oldUrl: string
  liveToken: string
  loads: Load[]
  run(...args: string[]): Promise<string>
}

async function check({ url, oldUrl, liveToken, loads, run }: Proof) {
  const acknowledged = new Map(loads.flatMap((load) => load.acknowledged.map(({ key, orderId }) => [key, orderId])))
  const { token } = JSON.parse(
    await run('operator-token', 'create', '--name', 'proof', '--scopes', 'fulfilment', '--json'),
  )
  const business = caller(url, liveToken)
  const operator = caller(url, token, { prefix: '/operator/v1' })
  const listed = new Map<string, string>()
  let repeated = 0
  for (let page = 0; ; page++) {
    const { body } = await business.get(`/orders?page=${page}&size=100`)
    for (const { orderID: id, externalID } of body.data) {
      if (listed.has(externalID)) repeated++
      listed.set(externalID, id)
    }
    if (body.data.length < 100) break
  }
  const queued = new Set<string>()
  for (let page = 0; ; page++) {
    const { body } = await operator.get(`/fulfilment/queue?page=${page}&size=100`)
    for (const { kitID } of body.data) queued.add(kitID)
    if (body.data.length === 0) break
  }
  const total = async (at: string, path: string) => {
    const { body, headers } = await caller(at, liveToken).get(path)
    return Number(headers.get('x-total-count') ?? body.pagination?.total)
  }
  const eventsAt = async (at: string) => {
    const events = new Set<string>()
    for (let after = ''; ; ) {
      const { body, text } = await caller(at, liveToken).get(`/events?size=100&type=order.created${after}`)
      if (!body.data) throw new Error(text)
      for (const { id } of body.data) events.add(id)
      if (!body.hasMore) return events.size
      after = `&after=${body.data.at(-1).id}`
    }
  }
  const ledger = await run('verify-ledger').then(
    () => 0,
    () => 1,
  )
  const audit = await run('verify-audit').then(
    () => 0,
    () => 1,
  )
  const figure = (name: string, actual: number, expected: number) => ({ name, actual, expected })
  return [
    figure(
      'acknowledged orders that are lost',
      [...acknowledged].filter(([key, id]) => listed.get(key) !== id).length,
      0,
    ),
    figure('orders that were never acknowledged', [...listed.keys()].filter((key) => !acknowledged.has(key)).length, 0),
    figure('duplicate orders', repeated, 0),
    figure('kits in the pack queue', queued.size, acknowledged.size),
    figure('orders counted by the new service', await total(url, '/orders'), acknowledged.size),
    figure('orders counted by the old service', await total(oldUrl, '/orders'), acknowledged.size),
    figure(
      'kits counted by the new service',
      await total(url, '/kits?kitStatus=preparing&page=0&size=1'),
      acknowledged.size,
    ),
    figure('orders in the feed of the new service', await eventsAt(url), acknowledged.size),
    figure('orders in the feed of the old service', await eventsAt(oldUrl), acknowledged.size),
    figure('failures of verify-ledger', ledger, 0),
    figure('failures of verify-audit', audit, 0),
    figure(
      'answers other than 200, 201 and 503',
      loads.reduce((sum, { answers }) => sum + improper(answers, { kills: false }), 0),
      0,
    ),
  ]
}

/** Creates a database on the server of TEST_DATABASE_URL, or on an embedded server if that is not set. */
async function openDatabase(folder: string, undo: (() => Promise<unknown>)[]): Promise<string> {
  let server = process.env.TEST_DATABASE_URL
  if (!server) {
    const cluster = await openEmbedded({ dataDir: join(folder, 'data') })
    undo.push(() => cluster.stop())
    server = cluster.ownerUrl
  }
  const name = `kitlane_upgrade_${randomBase62(8).toLowerCase()}`
  const asAdmin = async (work: (admin: Client) => Promise<unknown>) => {
    const admin = new Client({ connectionString: server })
    await admin.connect()
    await work(admin).finally(() => admin.end())
  }
  await asAdmin((admin) => admin.query(`create database ${name}`))
  undo.push(() => asAdmin((admin) => dropDatabase(admin, name)))
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
