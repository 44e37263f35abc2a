import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { jobsOf, type Module } from '../modules/define-module.ts'
import { modules as allModules } from '../modules/index.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { SecretKey } from '../platform/crypto.ts'
import { type Connected, connect, type DatabaseUrls } from '../platform/database/connect.ts'
import * as heartbeat from '../platform/database/heartbeat.ts'
import { createPool } from '../platform/database/pool.ts'
import { createProcessContext, type ProcessContext } from '../platform/database/process-context.ts'
import { Database } from '../platform/database/tx.ts'
import { createEgress, type Egress } from '../platform/egress/client.ts'
import { checkUrl } from '../platform/egress/url.ts'
import { type Jobs, startJobs } from '../platform/jobs/start.ts'
import { createLogger, type Logger } from '../platform/log.ts'
import { realmPorts } from '../platform/ports/realm-ports.ts'
import { type KeyProvider, localProvider, noProvider } from '../platform/sealing/key-provider.ts'
import { openVault, type Vault } from '../platform/sealing/vault.ts'
import { type Settings, usualSettings } from '../settings.ts'
import { kmsOf } from './aws.ts'
import { masterKeysOf, type OpenedPorts, openPorts } from './ports.ts'

const JOBS_STOP_MS = 5000

export const quietLog = (): Logger => createLogger({ level: 'silent' })

export interface Opened extends OpenedPorts {
  database: Database
  pool: Pool
  context: ProcessContext
  clock: Clock
  /** Starts the heartbeat of this process. */
  startHeartbeat(
    options: Pick<heartbeat.HeartbeatOptions, 'works' | 'callerProblem'> & { ownClock?: Clock },
  ): Promise<heartbeat.Heartbeat>
  close(): Promise<void>
}

const CLOSE_MS = 2000

/** Waits at most 2 s for a server that does not answer. */
async function closePools({ pool, replica }: Pick<Connected, 'pool' | 'replica'>): Promise<void> {
  await Promise.race([Promise.all([pool.end(), replica?.close()]), delay(CLOSE_MS, undefined, { ref: false })])
}

interface OpenedKeys {
  vault: Vault
  provider: KeyProvider
  /** Seals secrets; undefined in a process without a master key. */
  secretsKey: SecretKey | undefined
}

/** The one connection that keys are read by: who waits for a key may hold all others. */
const keyPool = (urls: DatabaseUrls, { roles, pooled }: Connected, log: Logger): Pool =>
  createPool({ url: urls.app, role: urls.asOwner ? roles.app : undefined, pooled, max: 1, log })

/** Opens the keys of all realms. @throws StartError if the master key is another one */
async function openKeys(options: {
  urls: DatabaseUrls
  connected: Connected
  settings: Settings
  egress: Egress
  log: Logger
  now(): Date
}): Promise<OpenedKeys> {
  const { urls, connected, settings, egress, log, now } = options
  const provider = await openKeyProvider(settings, egress)
  const vault = openVault({
    database: { pool: keyPool(urls, connected, log), roles: connected.roles },
    provider,
    now,
  })
  try {
    return { vault, provider, secretsKey: provider === noProvider ? undefined : await vault.secrets() }
  } catch (err) {
    await vault.close()
    throw err
  }
}

/** Where the master key is: in the settings, or at AWS KMS. */
export async function openKeyProvider(settings: Settings, egress: Egress): Promise<KeyProvider> {
  const [current, ...earlier] = masterKeysOf(settings)
  const local = current && localProvider(current, earlier)
  const kms = kmsOf(settings)
  if (!kms) return local ?? noProvider
  // Loaded only where it is used: the SDK is large.
  const { kmsProvider } = await import('../platform/sealing/kms-provider.ts')
  return kmsProvider({ ...kms, egress }, local)
}

/** Opens the database and its job queue, for the service and for every administration command. */
export async function openDatabase(
  urls: DatabaseUrls,
  options: { log?: Logger; clock?: Clock; settings?: Settings; work?: boolean; modules?: readonly Module[] } = {},
): Promise<Opened> {
  const { log = quietLog(), settings = usualSettings(), work = false, modules = allModules } = options
  const { allowLoopbackWebhooks: allowLoopback, slowStatementMs } = settings
  // Closed in the opposite order: by `close`, or where a later step fails.
  const opening = new AsyncDisposableStack()
  try {
    const connected = await connect(urls, log, masterKeysOf(settings))
    opening.defer(() => closePools(connected))
    const { pool, roles } = connected
    const databaseClock = new heartbeat.DatabaseClock(await heartbeat.sampleTime(pool))
    const { clock = databaseClock } = options
    let jobs: Jobs | undefined
    const egress = createEgress({ allowLoopback, log })
    opening.defer(() => egress.close())
    const now = () => databaseClock.now()
    const { vault, provider, secretsKey } = await openKeys({ urls, connected, settings, egress, log, now })
    opening.defer(() => vault.close())
    const context = createProcessContext({
      secretsKey,
      earlierKeys: masterKeysOf(settings),
      urlProblem: (url) => checkUrl(url, { allowLoopback }),
      settings,
      modules,
    })
    const database: Database = new Database({
      ...connected,
      clock,
      context,
      vault,
      slow: slowStatementMs > 0 ? { ms: slowStatementMs, log } : undefined,
      enqueue(client, name, input, options) {
        if (!jobs) throw new Error('the queue is not open yet')
        return jobs.enqueue(client, name, input, options)
      },
    })
    const ports = await openPorts({ database, clock, log, settings, egress, provider, url: urls.direct })
    const opened = await startJobs({
      appUrl: urls.app,
      role: roles.app,
      asOwner: urls.asOwner,
      directUrl: connected.pooled ? urls.direct : undefined,
      log,
      clock,
      queues: jobsOf(modules),
      work,
      context: (run) => {
        const actor = { name: `job:${run.name}` }
        return {
          database,
          actor,
          realmPorts: (realm) => realmPorts(database, ports.portsOf, realm, actor),
          portsOf: ports.portsOf,
          log: run.log,
          run,
        }
      },
    })
    jobs = opened
    opening.defer(() => opened.stop({ timeoutMs: JOBS_STOP_MS }))
    return {
      ...ports,
      database,
      pool,
      context,
      clock,
      startHeartbeat: ({ ownClock = systemClock, ...more }) =>
        heartbeat.startHeartbeat({ ...more, pool, clock: databaseClock, ownClock, log }),
      close: () => opening.disposeAsync(),
    }
  } catch (err) {
    await opening.disposeAsync()
    throw err
  }
}
