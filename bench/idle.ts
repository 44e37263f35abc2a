import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { clusterUrls, maybeReadCredentials } from '../src/platform/database/embedded/credentials.ts'
import { dataFolder } from '../src/platform/database/embedded/folder.ts'
import { readPidFile } from '../src/platform/database/embedded/process.ts'
import { openBenchCluster } from './suite/cluster.ts'

// Measures what a service costs that nobody uses: `kitlane start`, API and worker in one process. `--service <checkout>`
// measures another checkout, `--node <path>` starts it by another Node, as a system with an older one does.
const option = (name: string) => {
  const at = process.argv.indexOf(name)
  return at > 0 ? process.argv[at + 1] : undefined
}
const checkout = resolve(option('--service') ?? '.')
const node = option('--node') ?? process.execPath
const measuredMs = Number(option('--seconds') ?? 60) * 1000
// Longer than what follows a start: memory is given back after 1.5 s, pools close connections after 30 s.
const settleMs = Number(option('--settle') ?? 45) * 1000
const TICKS_PER_SECOND = 100

interface Sample {
  atMs: number
  transactions: number
  wakeUps: number
  databaseWakeUps: number
  cpuMs: number
  databaseCpuMs: number
}

const rows: string[][] = []
if (option('--database') !== '15') rows.push(await measureEmbedded())
if (option('--database') !== '18') rows.push(await measureExternal())
const head = [
  'database',
  'transactions / s',
  'wake-ups / s',
  'CPU ms / s',
  "the database's",
  'its wake-ups / s',
  'memory',
  'processes',
  'connections',
]
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`)

async function measureEmbedded(): Promise<string[]> {
  return withService({}, async (pid, data) => {
    const folder = dataFolder(data)
    const [credentials, found] = [await maybeReadCredentials(folder), await readPidFile(folder.cluster)]
    if (!credentials || !found) throw new Error('the embedded database is not there')
    const { superUrl } = clusterUrls(credentials, found.port)
    return ['embedded 18', ...(await measure(pid, found.pid, superUrl))]
  })
}

async function measureExternal(): Promise<string[]> {
  const cluster = await openBenchCluster('15')
  try {
    return await withService({ DATABASE_URL: cluster.urls.owner }, async (pid) => [
      'external 15',
      ...(await measure(pid, cluster.pid(), cluster.superUrl)),
    ])
  } finally {
    await cluster.stop()
  }
}

async function withService<T>(
  settings: Record<string, string>,
  look: (pid: number, data: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-idle-'))
  const data = join(folder, 'data')
  const service = spawn(node, [join(checkout, 'bin/kitlane.js'), 'start', '--port', '0', '--data', data], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => service.once('exit', resolve))
  try {
    await untilReady(service)
    await delay(settleMs)
    return await look(service.pid ?? 0, data)
  } finally {
    service.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
}

async function untilReady({ stdout }: ChildProcess): Promise<void> {
  let output = ''
  for await (const chunk of stdout ?? []) {
    output += chunk
    if (!output.includes('Kitlane is ready on')) continue
    stdout?.resume()
    return
  }
  throw new Error('the service did not start')
}

async function measure(service: number, postmaster: number, superUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  try {
    const before = await sample(client, service, postmaster)
    await delay(measuredMs)
    const after = await sample(client, service, postmaster)
    const seconds = (after.atMs - before.atMs) / 1000
    const each = (of: (one: Sample) => number) => ((of(after) - of(before)) / seconds).toFixed(1)
    const ours = await tree(service, postmaster)
    const memory = await Promise.all(ours.map(memoryMb))
    const { rows: connections } = await client.query(`select 1 from pg_stat_activity where datname = 'kitlane'`)
    return [
      each((one) => one.transactions),
      each((one) => one.wakeUps),
      each((one) => one.cpuMs),
      each((one) => one.databaseCpuMs),
      each((one) => one.databaseWakeUps),
      `${Math.round(memory.reduce((sum, one) => sum + one, 0))} MB`,
      `${ours.length} + ${(await tree(postmaster)).length}`,
      String(connections.length),
    ]
  } finally {
    await client.end()
  }
}

/** PostgreSQL counts what a connection did when that is idle for 10 s at the latest, at both ends alike. */
async function sample(client: Client, service: number, postmaster: number): Promise<Sample> {
  const { rows } = await client.query<{ count: string }>(
    `select xact_commit + xact_rollback as count from pg_stat_database where datname = 'kitlane'`,
  )
  const [ours, theirs] = [await tree(service, postmaster), await tree(postmaster)]
  return {
    atMs: performance.now(),
    transactions: Number(rows[0]?.count),
    wakeUps: await sumOf(ours, wakeUps),
    databaseWakeUps: await sumOf(theirs, wakeUps),
    cpuMs: await sumOf(ours, cpuMs),
    databaseCpuMs: await sumOf(theirs, cpuMs),
  }
}

async function sumOf(pids: readonly number[], of: (pid: number) => Promise<number>): Promise<number> {
  return (await Promise.all(pids.map(of))).reduce((sum, one) => sum + one, 0)
}

/** A process and all that it started, without `except` and what that started. */
async function tree(root: number, except?: number): Promise<number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map<number, number>()
  for (const pid of names) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const below = (pid: number): number[] =>
    pid === except ? [] : [pid, ...names.filter((one) => parents.get(one) === pid).flatMap(below)]
  return below(root)
}

/** How often any thread of a process waited and went on: its voluntary context switches. */
async function wakeUps(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  return sumOf(threads.map(Number), async (thread) => {
    const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '')
    return Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0)
  })
}

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

async function memoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
