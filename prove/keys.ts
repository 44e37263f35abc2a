// Proves that the keys of personal data can be replaced while everything runs, though the rotation and the service are
// killed in the middle: npm run prove:keys -- [--orders n] [--seed n] [--inject-fault]
// --inject-fault destroys the old keys too early, which the checks must find.
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { openEmbedded } from '../src/platform/database/embedded/cluster.ts'
import { type Caller, caller } from '../test/harness/caller.ts'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, spawnKitlane } from '../test/harness/kitlane.ts'
import { recipient } from '../test/harness/orders.ts'
import { improper, Load } from './load.ts'
import { randomOf } from './random.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    'inject-fault': { type: 'boolean', default: false },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const orders = Number(values.orders)
const draw = randomOf(Number(values.seed))
console.log(`seed ${values.seed}, ${orders} orders before the rotation`)

const undo: (() => Promise<unknown>)[] = []
try {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-keys-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const cluster = await openEmbedded({ dataDir: join(folder, 'data') })
  undo.push(() => cluster.stop())
  const env = {
    DATABASE_URL: cluster.ownerUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'error',
  }
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const start = async (): Promise<Running> => {
    const running = spawnKitlane(['start', '--port', port], env, folder)
    await running.until(/Kitlane is ready on/)
    return running
  }
  let service = await start()
  undo.push(async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await spawnKitlane(args, env, folder).ended
    if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
  const { liveToken } = JSON.parse(await run('business', 'create', '--name', 'Load', '--credits', '1000000', '--json'))
  const admin = new Client({ connectionString: cluster.ownerUrl })
  await admin.connect()
  await admin.query('set role kitlane_system')
  undo.push(() => admin.end())
  // Orders and reads are more than the 6,000 requests a minute of a business.
  await admin.query('update realms set rate_limit_per_minute = 1000000')
  // Without a pause, a quiet machine places 40,000 orders while a rotation of 200 waits for other processes.
  const load = new Load({
    url,
    token: liveToken,
    random: randomOf(Number(values.seed)),
    concurrency: 2,
    reads: 'lists',
  })
  await load.more(orders)

  const keysNow = async (): Promise<number[]> =>
    (await admin.query("select id from data_keys where purpose = 'data' order by id")).rows.map(({ id }) => id)
  const sealed = async (): Promise<number> => {
    const { rows } = await admin.query(
      "select coalesce(sum(sealed), 0)::int as sealed from sealing_progress where name like 'rotation %'",
    )
    return rows[0].sealed
  }
  // Killed while the values are sealed again: somewhere in the tables. One that came to its end unseen is followed by another.
  const killAfter = orders * (0.1 + draw.fraction() * 0.5)
  let before = await keysNow()
  let killed = spawnKitlane(['keys', 'rotate'], env, folder)
  while ((await sealed()) <= killAfter) {
    const end = await Promise.race([killed.ended, delay(20)])
    if (!end) continue
    if (end.code !== 0) throw new Error(`kitlane keys rotate ended with ${end.code}:\n${end.stdout}${end.stderr}`)
    before = await keysNow()
    killed = spawnKitlane(['keys', 'rotate'], env, folder)
  }
  killed.child.kill('SIGKILL')
  service.child.kill('SIGKILL')
  await Promise.all([killed.ended, service.ended])
  console.log('the rotation and the service were killed in the middle')
  service = await start()
  await load.more(Math.ceil(orders / 10))
  if (values['inject-fault']) await admin.query('delete from data_keys where id = any($1)', [before])
  const since = performance.now()
  const rotated = spawnKitlane(['keys', 'rotate'], env, folder)
  const { code, stderr } = await rotated.ended
  console.log(code === 0 ? `the rotation ended after ${Math.round(performance.now() - since)} ms` : stderr.trim())
  await load.more(Math.ceil(orders / 10))
  await load.finish()

  const call = caller(url, liveToken)
  const figures = [
    { name: 'rotations that did not end', actual: code === 0 ? 0 : 1 },
    {
      name: 'orders that cannot be read, or of somebody else',
      actual: await unreadable(call, load.orderIds),
    },
    { name: 'keys of before that are left', actual: (await keysNow()).filter((id) => before.includes(id)).length },
    { name: 'rows under an old key or in clear', actual: await oldRows(run) },
    { name: 'answers other than 200, 201, 503 and a lost connection', actual: improper(load.answers) },
  ].map((figure) => ({ ...figure, expected: 0 }))
  report(figures)
  console.log(`${load.acknowledged.length} orders; answers: ${JSON.stringify(load.answers)}`)
  if (values.record) {
    const mistake = values['inject-fault'] ? 'old keys destroyed too early' : undefined
    record('keys', { promises: [], seed: Number(values.seed), figures, mistake })
  }
} finally {
  for (const step of undo.reverse()) await step()
}

async function unreadable(call: Caller, ids: readonly string[]): Promise<number> {
  const readable = new Set<string>()
  for (let page = 0; ; page++) {
    const { body } = await call.get(`/orders?page=${page}&size=100`)
    for (const { orderID, recipientEmail } of body.data ?? [])
      if (recipientEmail === recipient.email) readable.add(orderID)
    if (!body.data || body.data.length < 100) break
  }
  return ids.filter((id) => !readable.has(id)).length
}

async function oldRows(run: (...args: string[]) => Promise<string>): Promise<number> {
  const { tables } = JSON.parse(await run('keys', 'status', '--json'))
  return tables.reduce((sum: number, { old }: { old: number }) => sum + old, 0)
}
