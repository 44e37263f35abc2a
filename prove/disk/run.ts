import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { caller, type Reply } from '../../test/harness/caller.ts'
import { type Cluster, createCluster } from '../../test/harness/debian-cluster.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { anOrder, CORE } from '../../test/harness/orders.ts'
import { type Subject, startSubject } from '../crash/service.ts'
import { Load } from '../load.ts'
import { randomOf } from '../random.ts'
import type { Figure } from '../record.ts'
import { mebibytes, type SmallDisk, smallDisk } from './tmpfs.ts'

export interface Plan {
  seed: number
  orders: number
  bin: string
  injectFault: boolean
  say(line: string): void
}

const WITHIN_MS = 90_000
const SETTINGS = '-c min_wal_size=32MB -c max_wal_size=40MB -c checkpoint_timeout=30s'
const UPLOADS = 10

/** What was seen while a disk was full. */
interface Full {
  refusals: Map<string, number>
  reads: Map<string, number>
  liveFailed: number
  slowestLiveMs: number
}

/** Fills the disk of the files, then that of the database, then that of its log. Space is given after each. */
export async function run(plan: Plan): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-disk-'))
  const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const mounted = async (name: string, megabytes: number) => {
    const disk = await smallDisk(join(folder, name), megabytes)
    undo.push(disk.unmount)
    return disk
  }
  // PostgreSQL runs as another user, who has to get to its folders.
  try {
    await chmod(folder, 0o755)
    const [data, wal, own] = [await mounted('data', 160), await mounted('wal', 60), await mounted('own', 24)]
    const password = randomBytes(16).toString('hex')
    const cluster = await createCluster(plan.bin, password, { data: data.folder, wal: wal.folder })
    undo.push(cluster.remove)
    const port = await freePort()
    cluster.start(port, SETTINGS)
    undo.push(() => stopQuietly(cluster))
    const url = `postgres://kitlane:${password}@127.0.0.1:${port}/postgres`
    const subject = await startSubject(url, { folder: own.folder })
    undo.push(() => subject.stop())
    await subject.untilReady(WITHIN_MS)
    return await fillEach(plan, { subject, cluster, port, data, wal, own })
  } finally {
    for (const step of undo.reverse()) await step()
  }
}

interface Stage {
  subject: Subject
  cluster: Cluster
  port: number
  data: SmallDisk
  wal: SmallDisk
  own: SmallDisk
}

async function fillEach(plan: Plan, { subject, cluster, port, data, wal, own }: Stage): Promise<Figure[]> {
  const { say } = plan
  const made = await subject.command(
    'business',
    'create',
    '--name',
    'Disk',
    '--panels',
    CORE,
    '--credits',
    '900000',
    '--json',
  )
  if (made.code !== 0) throw new Error(made.stderr)
  await subject.command('business', 'set', '--business', 'Disk', 'rateLimitPerMinute=1000000', 'uploadsEnabled=true')
  const token: string = JSON.parse(made.stdout).liveToken
  const clinic = caller(subject.url, token)
  const load = new Load({ url: subject.url, token, concurrency: 8, random: randomOf(plan.seed) })
  const files = await fillFiles(plan, subject, clinic, own)
  say(`files: ${JSON.stringify(files.answers)}`)

  await untilPlaced(load, plan.orders)
  const [read] = load.acknowledged
  const reading = `/orders/${read?.orderId}`
  await data.fill(mebibytes(1))
  const onData = await whileFull(subject.url, () => clinic.post('/create-order', anOrder({ externalID: 'probe' })), {
    reads: [() => clinic.get(reading), () => clinic.get('/orders'), () => clinic.get('/credits')],
    until: (full) => (full.refusals.get('503 STORAGE_FULL') ?? 0) >= 50,
  })
  say(`data full: ${summary(onData)}; /health/ready ${(await fetch(`${subject.url}/health/ready`)).status}`)
  data.grow(600)
  const afterData = await load.nextOrder(WITHIN_MS)
  await subject.untilReady(WITHIN_MS)
  say(`space given: the next order after ${Math.round(afterData ?? -1)} ms`)

  await wal.fill()
  const onWal = await whileFull(subject.url, () => clinic.post('/create-order', anOrder({ externalID: 'probe' })), {
    reads: [() => clinic.get(reading)],
    until: (full) => (full.refusals.get('503 OVERLOADED') ?? 0) >= 30,
  })
  say(`log full: ${summary(onWal)}`)
  wal.grow(300)
  stopQuietly(cluster)
  cluster.start(port, SETTINGS)
  const afterWal = await load.nextOrder(WITHIN_MS)
  await subject.untilReady(WITHIN_MS)
  say(`space given and PostgreSQL started: the next order after ${Math.round(afterWal ?? -1)} ms`)
  // Everything once more, by processes that remember nothing.
  subject.kill('all')
  await delay(500)
  await subject.untilReady(WITHIN_MS)
  await load.finish(WITHIN_MS)

  const db = await subject.connect()
  if (plan.injectFault) {
    await db.query('set session_replication_role = replica')
    await db.query('delete from orders where external_id = $1', [read?.key])
    await writeFile(join(own.folder, 'files', 'x.part'), 'half')
  }
  const number = async (text: string, values: unknown[] = []) => Number((await db.query(text, values)).rows[0].n)
  const lost = await number(
    `select count(*) n from jsonb_to_recordset($1::jsonb) as t(key text, "orderId" text)
     where not exists (select from orders o where o.external_id = t.key and o.id = t."orderId")`,
    [JSON.stringify(load.acknowledged)],
  )
  const twice = await number(
    `select count(*) n from (select from orders where external_id like 'order-%' group by external_id having count(*) > 1) d`,
  )
  const documents = await number('select count(*) n from documents')
  await db.end()
  const ledger = await subject.command('verify-ledger')
  const halves = (await readdir(own.folder, { recursive: true })).filter((name) => name.endsWith('.part'))
  const refused = (full: Full) => [...full.refusals].filter(([what]) => !/^503 (STORAGE_FULL|OVERLOADED)$/.test(what))
  return [
    { name: 'acknowledged orders that are lost', actual: lost, expected: 0 },
    {
      name: 'writes refused with 503 STORAGE_FULL on a full data disk',
      actual: onData.refusals.get('503 STORAGE_FULL') ?? 0,
      expected: 50,
      atLeast: true,
    },
    {
      name: 'reads that failed on a full data disk',
      actual: [...onData.reads].reduce((sum, [what, n]) => sum + (what === '200' ? 0 : n), 0),
      expected: 0,
    },
    { name: 'reads answered on a full data disk', actual: onData.reads.get('200') ?? 0, expected: 100, atLeast: true },
    { name: 'orders placed twice', actual: twice, expected: 0 },
    { name: 'orders that were never acknowledged', actual: load.begun - load.acknowledged.length, expected: 0 },
    { name: 'orders acknowledged', actual: load.acknowledged.length },
    {
      name: 'other answers than 201 and 503 on a full data disk',
      actual: refused(onData).filter(([what]) => what !== '201').length,
      expected: 0,
    },
    {
      name: 'other answers than 201 and 503 on a full log disk',
      actual: refused(onWal).filter(([what]) => what !== '201').length,
      expected: 0,
    },
    { name: '/health/live that failed', actual: onData.liveFailed + onWal.liveFailed, expected: 0 },
    {
      name: 'writes refused with 503 on a full log disk',
      actual: onWal.refusals.get('503 OVERLOADED') ?? 0,
      expected: 30,
      atLeast: true,
    },
    {
      name: 'uploads refused with 503 STORAGE_FULL on a full disk of files',
      actual: files.answers['503 STORAGE_FULL'] ?? 0,
      expected: UPLOADS,
    },
    { name: 'uploads taken after space was given', actual: files.takenAfter, expected: 1 },
    { name: 'documents of refused uploads', actual: documents - files.takenAfter - files.takenBefore, expected: 0 },
    { name: 'half-written files', actual: halves.length, expected: 0 },
    { name: 'exit code of kitlane verify-ledger', actual: ledger.code ?? -1, expected: 0 },
    {
      name: 'answers without Retry-After',
      actual: Object.keys(load.answers.orders).filter((what) => what.includes('without')).length,
      expected: 0,
    },
  ]
}

async function untilPlaced(load: Load, orders: number): Promise<void> {
  const deadline = performance.now() + 10 * WITHIN_MS
  while (load.acknowledged.length < orders) {
    if (performance.now() > deadline) throw new Error(`only ${load.acknowledged.length} orders were placed`)
    await delay(100)
  }
}

/** Writes and reads until enough was seen. */
async function whileFull(
  url: string,
  write: () => Promise<Reply>,
  { reads, until }: { reads: (() => Promise<Reply>)[]; until(full: Full): boolean },
): Promise<Full> {
  const full: Full = { refusals: new Map(), reads: new Map(), liveFailed: 0, slowestLiveMs: 0 }
  const count = (where: Map<string, number>, what: string) => where.set(what, (where.get(what) ?? 0) + 1)
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline && !until(full); ) {
    const { status, body } = await write()
    count(full.refusals, status === 201 ? '201' : `${status} ${body.code}`)
    // What is read before the disk is full says nothing.
    if (full.refusals.has('503 STORAGE_FULL') || full.refusals.has('503 OVERLOADED'))
      for (const read of reads) {
        const reply = await read()
        count(full.reads, reply.status === 200 ? '200' : `${reply.status} ${reply.body.code}`)
      }
    const since = performance.now()
    const live = await fetch(`${url}/health/live`)
    full.slowestLiveMs = Math.max(full.slowestLiveMs, performance.now() - since)
    if (live.status !== 200) full.liveFailed++
  }
  return full
}

const fileOf = (kilobytes: number) => {
  const rows = Array.from({ length: kilobytes }, (_, n) => `Remark ${n},${'x'.repeat(1000)},`)
  const csv = ['Biomarker,Value,Unit', 'Glucose,88,mg/dL', ...rows].join('\n')
  return `data:text/csv;base64,${Buffer.from(csv).toString('base64')}`
}

/** Uploads before, while and after the folder of the files is full. */
async function fillFiles(plan: Plan, { untilReady }: Subject, clinic: ReturnType<typeof caller>, own: SmallDisk) {
  await untilReady(WITHIN_MS)
  const customer = await clinic.post('/customer', { name: 'Ada Example', email: `disk-${plan.seed}@example.test` })
  const userId = customer.body.id
  const upload = (kilobytes: number) =>
    clinic.post('/customer/add-data', {
      type: 'file',
      userId,
      date: '2026-01-15',
      async: true,
      fileBlob: fileOf(kilobytes),
    })
  const answers: Record<string, number> = {}
  const before = await upload(1)
  if (before.status !== 202) throw new Error(before.text)
  await own.fill(mebibytes(1) / 4)
  for (let n = 0; n < UPLOADS; n++) {
    const { status, body } = await upload(1500)
    const what = `${status} ${body.code ?? ''}`.trim()
    answers[what] = (answers[what] ?? 0) + 1
  }
  own.grow(100)
  const after = await upload(1500)
  return { answers, takenBefore: 1, takenAfter: after.status === 202 ? 1 : 0 }
}

function stopQuietly(cluster: Cluster): void {
  try {
    cluster.stop()
  } catch {
    // It went down by itself when its disk was full.
  }
}

const summary = ({ refusals, reads, slowestLiveMs }: Full) =>
  `writes ${JSON.stringify(Object.fromEntries(refusals))}, reads ${JSON.stringify(Object.fromEntries(reads))}, slowest /health/live ${Math.round(slowestLiveMs)} ms`
