import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from '../../../domain/errors.ts'
import { systemClock } from '../../clock.ts'
import { errorCode } from '../../key-file.ts'
import { type Account, databaseAccount, takeOver } from './account.ts'
import { findBinaries } from './binaries.ts'
import { createCluster, isComplete } from './create.ts'
import { type ClusterUrls, type Credentials, clusterUrls, maybeReadCredentials } from './credentials.ts'
import { type DataFolder, dataFolder } from './folder.ts'
import { launch, type Place, type StartedPostmaster } from './launch.ts'
import { lockDataDir } from './lock.ts'
import { findPostmaster, isPostmasterOf, stopPostmaster } from './process.ts'

export interface EmbeddedCluster extends ClusterUrls {
  /** The postmaster's process id; another one after it was restarted. */
  readonly pid: number
  /** Stops PostgreSQL and gives the data folder free. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** The message for a second process on the same folder; `kitlane credits grant` for a short-lived command. */
  what?: string
  log?: (line: string) => void
}

const adoptMaxMs = 10_000

const retryMs = 1000

interface Supervised {
  pid(): number
  stop(): Promise<void>
}

/** Starts a postmaster that dies again, on the same port, so that pools find it; until `stop`. */
function supervise(
  place: Place,
  first: StartedPostmaster,
  ending: AbortController,
  log: (line: string) => void,
): Supervised {
  let current = first
  let restarting: Promise<StartedPostmaster | undefined> | undefined
  let stopped: Promise<void> | undefined
  void watch()

  async function watch(): Promise<void> {
    for (;;) {
      await current.gone
      if (ending.signal.aborted) return
      log(`PostgreSQL (process ${current.pid}) died and is started again`)
      restarting = restart()
      const next = await restarting
      restarting = undefined
      if (!next) return
      current = next
      log(`PostgreSQL runs again (process ${current.pid})`)
    }
  }

  async function restart(): Promise<StartedPostmaster | undefined> {
    while (!ending.signal.aborted) {
      try {
        return await launch(place, { port: first.port, signal: ending.signal })
      } catch (error) {
        if (ending.signal.aborted) return undefined
        log(error instanceof Error ? error.message : String(error))
        // Aborted when it is to stop, which the next round sees.
        await sleep(retryMs, undefined, { signal: ending.signal }).catch(() => {})
      }
    }
    return undefined
  }

  async function stopNow(): Promise<void> {
    ending.abort()
    const { pid } = (await restarting) ?? current
    if (!(await stopPostmaster(place.folder.cluster, pid))) log(`PostgreSQL (process ${pid}) does not stop`)
  }

  return {
    pid: () => current.pid,
    stop() {
      stopped ??= stopNow()
      return stopped
    },
  }
}

/**
 * Takes the data folder, creates the cluster if missing, and runs PostgreSQL until `stop`. One that a killed
 * service left running is taken over, and one that dies is started again on the same port. Throws StartError.
 */
export async function openEmbedded({
  dataDir,
  what = 'Kitlane',
  log = () => {},
}: EmbeddedOptions): Promise<EmbeddedCluster> {
  const folder = dataFolder(dataDir)
  const lock = await lockDataDir(dataDir, what)
  try {
    const ending = new AbortController()
    const { place, postmaster, credentials } = await bringUp(folder, ending.signal, log)
    const supervised = supervise(place, postmaster, ending, log)
    return {
      ...clusterUrls(credentials, postmaster.port),
      get pid() {
        return supervised.pid()
      },
      async stop() {
        await supervised.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    if (error instanceof StartError) throw error
    throw new StartError(
      `The embedded PostgreSQL does not start in ${folder.root} (${errorCode(error)}). ` +
        'Choose another folder with --data, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

/** The URLs of the cluster that another process now runs on this folder; undefined if it does not exist. */
export async function attachEmbedded(dataDir: string): Promise<ClusterUrls | undefined> {
  const folder = dataFolder(dataDir)
  const credentials = await maybeReadCredentials(folder)
  const running = await findPostmaster(folder.cluster)
  if (!credentials || !running?.ready || !(await isComplete(folder.cluster))) return undefined
  const urls = clusterUrls(credentials, running.port)
  return (await answers(urls.ownerUrl)) ? urls : undefined
}

interface BroughtUp {
  place: Place
  credentials: Credentials
  postmaster: StartedPostmaster
}

async function bringUp(folder: DataFolder, signal: AbortSignal, log: (line: string) => void): Promise<BroughtUp> {
  const complete = await isComplete(folder.cluster)
  const account = await databaseAccount(folder.cluster)
  await handOver(folder, account)
  const place: Place = { folder, binaries: await findBinaries(account), account }
  const known = await maybeReadCredentials(folder)
  if (!complete) {
    const orphan = await findPostmaster(folder.cluster)
    if (orphan) await stopOrFail(folder, orphan.pid)
    const aside = await moveAside(folder.cluster)
    if (aside) log(`An unfinished database was found and moved to ${aside}`)
    const made = known ?? (await makeCredentials(folder))
    return { place, credentials: made, postmaster: await createCluster(place, made, signal) }
  }
  if (!known) {
    throw new StartError(`The file ${folder.credentials} with the database's passwords is missing. Put it back.`)
  }
  await checkVersion(place)
  const adopted = await adopt(folder, clusterUrls(known, 0).superUrl)
  if (adopted) log(`Took over the running PostgreSQL (process ${adopted.pid})`)
  return { place, credentials: known, postmaster: adopted ?? (await launch(place, { signal })) }
}

async function makeCredentials(folder: DataFolder): Promise<Credentials> {
  const password = () => randomBytes(24).toString('base64url')
  const made: Credentials = { superPassword: password(), ownerPassword: password(), appPassword: password() }
  const temporary = `${folder.credentials}.new`
  await writeFile(temporary, JSON.stringify(made), { mode: 0o600, flush: true })
  await rename(temporary, folder.credentials)
  return made
}

/** Refuses a cluster of another major version: its files cannot be read by ours. */
async function checkVersion(place: Place): Promise<void> {
  const made = (await readFile(join(place.folder.cluster, 'PG_VERSION'), 'utf8')).trim()
  if (made === place.binaries.major) return
  throw new StartError(
    `${place.folder.cluster} was made by PostgreSQL ${made}, and this Kitlane brings PostgreSQL ${place.binaries.major}. ` +
      'Start the Kitlane that made it, make a backup with it, and restore that with this one into a new data folder: see docs/backup.md.',
  )
}

/** Renames what an interrupted start left. It is never deleted. Returns the new name. */
async function moveAside(cluster: string): Promise<string | undefined> {
  const content = await readdir(cluster).catch(() => [])
  if (content.length === 0) return undefined
  const name = `${cluster}.broken-${systemClock.now().toISOString().replace(/[:.]/g, '-')}`
  await rename(cluster, name)
  return name
}

/** Whom a process runs as; undefined where the system does not say so. */
const ownerOf = (pid: number): Promise<number | undefined> =>
  stat(`/proc/${pid}`).then(
    ({ uid }) => uid,
    () => undefined,
  )

/** One that runs as somebody else would lose its files: it is stopped before they are given away. */
async function handOver(folder: DataFolder, account: Account | undefined): Promise<void> {
  const running = await findPostmaster(folder.cluster)
  if (running && account && (await ownerOf(running.pid)) !== account.uid) await stopOrFail(folder, running.pid)
  await takeOver(folder.cluster, account)
}

/** Takes over the postmaster that a killed service left; stops it when it does not answer. */
async function adopt(folder: DataFolder, superUrl: string): Promise<StartedPostmaster | undefined> {
  const orphan = await findPostmaster(folder.cluster)
  if (!orphan) return undefined
  const deadline = performance.now() + adoptMaxMs
  while (performance.now() < deadline) {
    const now = await findPostmaster(folder.cluster)
    if (!now) return undefined
    const url = new URL(superUrl)
    url.port = String(now.port)
    if (now.ready && (await answers(url.href))) {
      return { pid: now.pid, port: now.port, gone: untilGone(folder.cluster, now.pid) }
    }
    await sleep(50)
  }
  await stopOrFail(folder, orphan.pid)
  return undefined
}

/** A process that is not our child is only seen by asking: every 250 ms, without keeping us alive. */
async function untilGone(cluster: string, pid: number): Promise<void> {
  while (await isPostmasterOf(cluster, pid)) await sleep(250, undefined, { ref: false })
}

async function stopOrFail(folder: DataFolder, pid: number): Promise<void> {
  if (await stopPostmaster(folder.cluster, pid)) return
  throw new StartError(`PostgreSQL (process ${pid}) still runs on ${folder.cluster} and does not stop. End it first.`)
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false // starting, stopping, or not ours: the caller decides
  } finally {
    // The answer is known; a connection that is gone already needs no closing.
    await client.end().catch(() => {})
  }
}
