import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../domain/errors.ts'
import { type DatabaseUrls, databaseUrls } from '../platform/database/connect.ts'
import { attachEmbedded, openEmbedded } from '../platform/database/embedded/cluster.ts'
import { isComplete } from '../platform/database/embedded/create.ts'
import type { ClusterUrls } from '../platform/database/embedded/credentials.ts'
import { dataFolder } from '../platform/database/embedded/folder.ts'
import type { Settings } from '../settings.ts'

export interface OpenedDatabase {
  urls: DatabaseUrls
  embedded: boolean
  stop(): Promise<void>
}

type Where = Pick<Settings, 'dataDir' | 'database'>

const serviceName = 'Kitlane'
// The first start of a service creates its cluster in about 5 s.
const waitMs = 20_000

const embeddedUrls = ({ ownerUrl, appUrl }: ClusterUrls): DatabaseUrls => ({
  owner: ownerUrl,
  app: appUrl,
  direct: appUrl,
})

/** Opens the database of DATABASE_URL, or runs the embedded one until `stop`. */
export async function openForService(settings: Where): Promise<OpenedDatabase> {
  const external = openExternal(settings)
  if (external) return external
  const cluster = await openEmbedded({ dataDir: settings.dataDir, what: serviceName, log: console.error })
  return { urls: embeddedUrls(cluster), embedded: true, stop: () => cluster.stop() }
}

/**
 * The same for one command: uses the database of a running service, and waits for other commands to end. Only a command that `creates`
 * creates a database if missing: for any other one, the folder is a mistake. @throws StartError
 */
export async function openForCommand(
  settings: Where,
  name: string,
  { creates }: { creates: boolean },
): Promise<OpenedDatabase> {
  const external = openExternal(settings)
  if (external) return external
  const deadline = performance.now() + waitMs
  for (;;) {
    const isNew = !(await isThere(settings.dataDir, creates))
    try {
      const cluster = await openEmbedded({ dataDir: settings.dataDir, what: name })
      if (isNew) console.error(`A new database was made in ${dataFolder(settings.dataDir).root}.`)
      return { urls: embeddedUrls(cluster), embedded: true, stop: () => cluster.stop() }
    } catch (error) {
      const holder = await lockHolder(settings.dataDir)
      if (!holder || performance.now() > deadline) throw error
      const urls = holder === serviceName ? await attachEmbedded(settings.dataDir) : undefined
      if (urls) return { urls: embeddedUrls(urls), embedded: true, stop: async () => {} }
      await delay(100)
    }
  }
}

function openExternal({ database }: Where): OpenedDatabase | undefined {
  if (!database) return undefined
  return {
    urls: databaseUrls(database.url, database.directUrl, database.replicaUrl),
    embedded: false,
    stop: async () => {},
  }
}

async function isThere(dataDir: string, creates: boolean): Promise<boolean> {
  const { root, cluster } = dataFolder(dataDir)
  if ((await isComplete(cluster)) || (await lockHolder(dataDir))) return true
  if (creates) return false
  throw new StartError(
    `There is no database in the data folder ${root}. Name the folder of your installation with --data, or set DATABASE_URL; kitlane start makes a new one.`,
  )
}

async function lockHolder(dataDir: string): Promise<string | undefined> {
  const text = await readFile(dataFolder(dataDir).lockHolder, 'utf8').catch(() => '')
  return /"what":"([^"]*)"/.exec(text)?.[1]
}
