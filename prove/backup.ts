// Proves that a backup that is made under load can be relied on: npm run prove:backup -- [--orders n] [--seed n] [--external]
// `--external`: on Debian's PostgreSQL 15 instead of the embedded one.
// Everything that was acknowledged before it began is in the restored server, and nothing half. As controls, a backup with
// one changed byte, one that is cut short, and a restore that loses a policy have to be found.
import { randomBytes, randomInt } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePort } from '../test/harness/free-port.ts'
import { type Running, spawnKitlane } from '../test/harness/kitlane.ts'
import { asSystem, emptyDatabase, losePolicies, openServer, peakOf, tablesIn } from './backup/servers.ts'
import { Load } from './load.ts'
import { randomOf } from './random.ts'
import { record, report } from './record.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '5000' },
    external: { type: 'boolean', default: false },
    seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
    /** Keeps the figures in prove/results. */
    record: { type: 'boolean', default: false },
  },
})
const orders = Number(values.orders)
const draw = randomOf(Number(values.seed))
const kind = values.external ? 'external' : 'embedded'
console.log(`seed ${values.seed}, ${kind} PostgreSQL, ${orders} orders before the backup`)

/** How a command ended, and the most memory that it took. */
async function ended(running: Running) {
  const [outcome, peak] = await Promise.all([running.ended, peakOf(running)])
  return { ...outcome, peak }
}

interface Figures {
  half: number
}

const WHOLE = `
  select count(*)::int as half from orders o where not exists (
      select from kits k where k.realm_id = o.realm_id and k.order_id = o.id)
    or not exists (select from events e where e.realm_id = o.realm_id and e.type = 'order.created' and e.order_id = o.id)`

const undo: (() => Promise<unknown>)[] = []
try {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-prove-backup-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const source = await openServer(kind, join(folder, 'source'))
  undo.push(() => source.stop())
  const target = await openServer(kind, join(folder, 'target'))
  undo.push(() => target.stop())
  const keys = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'error' }
  const on = (url: string, ...args: string[]) => spawnKitlane(args, { ...keys, DATABASE_URL: url }, folder)
  /** Restores in a data folder of its own, which has the key of the backup and nothing else. */
  const restore = async (url: string, ...args: string[]) => {
    const place = await mkdtemp(join(folder, 'restore-'))
    await mkdir(join(place, 'data'))
    await copyFile(join(folder, 'data/backup.key'), join(place, 'data/backup.key'))
    return ended(spawnKitlane(['restore', ...args], { ...keys, DATABASE_URL: url }, place))
  }
  const run = async (url: string, ...args: string[]) => {
    const { code, stdout, stderr, peak } = await ended(on(url, ...args))
    if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
    return { stdout, peak }
  }

  const port = String(await freePort())
  const service = on(source.ownerUrl, 'start', '--port', port)
  undo.push(async () => {
    service.child.kill('SIGTERM')
    await service.ended
  })
  await service.until(/Kitlane is ready on/)
  const made = await run(source.ownerUrl, 'business', 'create', '--name', 'Load', '--credits', '1000000', '--json')
  await asSystem(source.ownerUrl, 'update realms set rate_limit_per_minute = 1000000')
  const load = new Load({
    url: `http://127.0.0.1:${port}`,
    token: JSON.parse(made.stdout).liveToken,
    random: draw,
    concurrency: orders > 10_000 ? 32 : 4,
    pauseMs: 0,
    reads: 'lists',
  })
  const loading = performance.now()
  await load.more(orders)
  console.log(`${load.acknowledged.length} orders were placed in ${Math.round((performance.now() - loading) / 1000)} s`)

  const before = new Set(load.orderIds)
  const { stdout, peak } = await run(source.ownerUrl, 'backup', `${folder}/kept/`, '--json')
  const backup = JSON.parse(stdout)
  const during = load.acknowledged.length - before.size
  await load.more(Math.ceil(orders / 20))
  await load.finish()
  console.log(
    `backup: ${(backup.bytes / 1e6).toFixed(1)} MB, ${backup.rows} rows, ${backup.seconds} s, at most ${peak} MB of memory; ${during} orders meanwhile`,
  )

  const restored = await emptyDatabase(target, 'restored')
  const outcome = await restore(restored, backup.location, '--json')
  if (outcome.code !== 0) throw new Error(`the restore ended with ${outcome.code}:\n${outcome.stdout}${outcome.stderr}`)
  const answer = JSON.parse(outcome.stdout)
  console.log(
    `restore: ${answer.seconds} s, at most ${outcome.peak} MB of memory; proved ${answer.proofs.length} things`,
  )
  const [there] = await asSystem<Figures>(restored, WHOLE)
  const known = new Set((await asSystem<{ id: string }>(restored, 'select id from orders')).map(({ id }) => id))
  const placed = new Set(load.orderIds)

  const damages = [
    { name: 'a backup with one changed byte', damage: changeByte },
    { name: 'a backup that is cut short', damage: cutShort },
  ]
  const found: { name: string; actual: number }[] = []
  for (const { name, damage } of damages) {
    const copy = join(folder, 'damaged')
    await copyFile(backup.location, copy)
    await damage(copy)
    const url = await emptyDatabase(target, `damaged_${found.length}`)
    const { code, stdout, stderr } = await restore(url, copy)
    const isFound = code === 1 && /damaged/.test(stderr) && (await tablesIn(url)) === 0
    if (!isFound) console.log(`${name}: the restore ended with ${code}:\n${stdout}${stderr}`)
    found.push({ name: `control: ${name} that is not found`, actual: isFound ? 0 : 1 })
  }
  const url = await emptyDatabase(target, 'lost_policy')
  await losePolicies(target, 'lost_policy')
  const { code, stderr } = await restore(url, backup.location)
  const isFound = code === 1 && /row-level security/.test(stderr) && (await tablesIn(url)) === 0
  found.push({ name: 'control: a restore without a policy that is not found', actual: isFound ? 0 : 1 })

  const figures = [
    {
      name: 'orders acknowledged before the backup that are not in it',
      actual: [...before].filter((id) => !known.has(id)).length,
    },
    { name: 'orders in it that nobody was told of', actual: [...known].filter((id) => !placed.has(id)).length },
    { name: 'orders without their kits, event, or payment', actual: there?.half ?? -1 },
    { name: 'checks of the restore that failed', actual: answer.ok ? 0 : 1 },
    ...found,
  ].map((figure) => ({ ...figure, expected: 0 }))
  report(figures)
  if (values.record) record('backup', { promises: ['R26'], seed: Number(values.seed), figures })

  async function changeByte(path: string): Promise<void> {
    const { size } = await stat(path)
    const at = Math.floor(size * (0.1 + 0.85 * draw.fraction()))
    const file = await open(path, 'r+')
    const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: at })
    await file.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, at)
    await file.close()
  }
  async function cutShort(path: string): Promise<void> {
    const { size } = await stat(path)
    await truncate(path, Math.floor(size * (0.1 + 0.85 * draw.fraction())))
  }
} finally {
  for (const step of undo.reverse()) await step()
}
