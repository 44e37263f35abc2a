import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type DatabaseUrls, databaseUrls } from '../platform/database/connect.ts'
import { attachEmbedded, openEmbedded } from '../platform/database/embedded/cluster.ts'
import type { ClusterUrls } from '../platform/database/embedded/credentials.ts'
import { dataFolder } from '../platform/database/embedded/folder.ts'

export interface OpenedDatabase {
  urls: DatabaseUrls
  embedded: boolean
  stop(): Promise<void>
}

type Where = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicaUrl'>

const serviceName = 'Kitlane'
// The first start of a service creates its cluster in about 5 s.
const waitMs = 20_000

const embeddedUrls = ({ ownerUrl, appUrl }: ClusterUrls): DatabaseUrls => ({
  owner: ownerUrl,
  app: appUrl,
  direct: appUrl,
})

/** Opens the database of DATABASE_URL, or runs the embedded one until `stop`. */
export async function openForService(config: Where): Promise<OpenedDatabase> {
  const external = openExternal(config)
  if (external) return external
  const cluster = await openEmbedded({ dataDir: config.dataDir, what: serviceName, log: console.error })
  return { urls: embeddedUrls(cluster), embedded: true, stop: () => cluster.stop() }
}

/** The same for one command: uses the database of a running service, and waits for other commands to end. */
export async function openForCommand(config: Where, name: string): Promise<OpenedDatabase> {
  const external = openExternal(config)
  if (external) return external
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      const cluster = await openEmbedded({ dataDir: config.dataDir, what: name })
      return { urls: embeddedUrls(cluster), embedded: true, stop: () => cluster.stop() }
    } catch (error) {
      const holder = await lockHolder(config.dataDir)
      if (!holder || performance.now() > deadline) throw error
      const urls = holder === serviceName ? await attachEmbedded(config.dataDir) : undefined
      if (urls) return { urls: embeddedUrls(urls), embedded: true, stop: async () => {} }
      await delay(100)
    }
  }
}

function openExternal({ databaseUrl, databaseDirectUrl, databaseReplicaUrl }: Where): OpenedDatabase | undefined {
  if (!databaseUrl) return undefined
  return {
    urls: databaseUrls(databaseUrl, databaseDirectUrl, databaseReplicaUrl),
    embedded: false,
    stop: async () => {},
  }
}

async function lockHolder(dataDir: string): Promise<string | undefined> {
  const text = await readFile(dataFolder(dataDir).lockHolder, 'utf8').catch(() => '')
  return /"what":"([^"]*)"/.exec(text)?.[1]
}
