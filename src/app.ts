import { setTimeout as delay } from 'node:timers/promises'
import { recordHealthAccess } from './modules/audit/access-audit.ts'
import { refusalRecorder } from './modules/audit/refused.ts'
import { seed } from './modules/catalogue/service.ts'
import { operatorAuthenticator } from './modules/identity/operator-tokens.ts'
import { sessionKeeper } from './modules/identity/sessions.ts'
import { tokenCache } from './modules/identity/token-cache.ts'
import { jobs as definitions, routes } from './modules/index.ts'
import { recipientPages, troublePage } from './modules/portal/pages.ts'
import { type Sender, startSender } from './modules/webhooks/delivery/sender.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { secretKey } from './platform/crypto.ts'
import { connect, type DatabaseUrls } from './platform/database/connect.ts'
import { DatabaseClock, sampleTime } from './platform/database/database-clock.ts'
import { type Pulse, startPulse } from './platform/database/heartbeat.ts'
import { listen } from './platform/database/listen.ts'
import { type MigrationResult, migrate } from './platform/database/migrate.ts'
import { createProcessContext, type ProcessContext } from './platform/database/process-context.ts'
import { Database } from './platform/database/tx.ts'
import { checkUrl } from './platform/egress/url.ts'
import { createMetrics } from './platform/http/metrics.ts'
import { buildMonitoring } from './platform/http/monitoring.ts'
import { buildHttp } from './platform/http/server.ts'
import { cookiePolicy } from './platform/http/session-cookie.ts'
import { WEB_FOLDER } from './platform/http/web.ts'
import { installJobs } from './platform/jobs/install.ts'
import { type Jobs, startJobs } from './platform/jobs/start.ts'
import { createLogger, type Logger } from './platform/log.ts'
import { type PortsOf, realmPorts } from './platform/ports/realm-ports.ts'
import { type OpenedPorts, openPorts, type Reach } from './ports.ts'

export interface ServiceOptions {
  urls: DatabaseUrls
  host: string
  /** 0: any free port. */
  port: number
  role: 'all' | 'api' | 'worker'
  log: Logger
  /** Default: the database's clock. */
  clock?: Clock
  /** This machine's clock. */
  ownClock?: Clock
  reach?: Reach
  checkResponses?: boolean
  /** Where /health and /metrics are served: with a port, on a separate server. */
  monitoring?: { port?: number | undefined; host?: string; token?: string | undefined }
  /** Whether /docs and openapi.json are served; default true. */
  docs?: boolean
  /** The mean delay of the event loop above which requests are refused; default 1 s. */
  maxLoopDelayMs?: number | undefined
  /** How long it keeps serving after it reports "not ready". Default: 0. */
  stopDelayMs?: number
}

export interface Service {
  url: string
  /** The URL of /health and /metrics. */
  monitoringUrl: string
  database: Database
  portsOf: PortsOf
  /** Finishes running requests and jobs, then closes; `atOnce` skips the delay. */
  stop(options?: { atOnce?: boolean }): Promise<void>
}

const quiet = () => createLogger({ level: 'silent' })
// With the delay of up to 10 s this stays below the 25 s after which the process exits in any case.
const REQUESTS_STOP_MS = 8000
const LINGER_MS = 250
const JOBS_STOP_MS = 5000

export interface Opened extends OpenedPorts {
  database: Database
  context: ProcessContext
  clock: Clock
  /** Starts the heartbeat of this process. */
  startPulse(options: { works: boolean; ownClock?: Clock }): Promise<Pulse>
}

/** Opens the database and its job queue, for the service and for every administration command. */
export async function openDatabase(
  urls: DatabaseUrls,
  options: { log?: Logger; clock?: Clock; reach?: Reach; work?: boolean } = {},
): Promise<Opened> {
  const { log = quiet(), reach = {}, work = false } = options
  const { encryptionKey, allowLoopbackWebhooks: allowLoopback = false } = reach
  const connected = await connect(urls, log, encryptionKey && secretKey(encryptionKey))
  const { pool, roles } = connected
  const databaseClock = new DatabaseClock(await sampleTime(pool))
  const { clock = databaseClock } = options
  let jobs: Jobs | undefined
  const context = createProcessContext({
    encryptionKey: encryptionKey && secretKey(encryptionKey),
    urlProblem: (url) => checkUrl(url, { allowLoopback }),
    publicUrl: reach.publicUrl,
    sendsMail: reach.smtp !== undefined,
  })
  const database: Database = new Database({
    ...connected,
    clock,
    context,
    enqueue(client, name, input, options) {
      if (!jobs) throw new Error('the queue is not open yet')
      return jobs.enqueue(client, name, input, options)
    },
  })
  const ports = await openPorts({ database, clock, log, reach })
  try {
    jobs = await startJobs({
      appUrl: urls.app,
      role: roles.app,
      asOwner: urls.asOwner,
      directUrl: connected.pooled ? urls.direct : undefined,
      log,
      clock,
      queues: definitions,
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
  } catch (err) {
    await ports.close()
    await database.close()
    throw err
  }
  const opened = jobs
  return {
    ...ports,
    database,
    context,
    clock,
    startPulse: ({ works, ownClock = systemClock }) => startPulse({ pool, clock: databaseClock, ownClock, works, log }),
    async close() {
      await opened.stop({ timeoutMs: JOBS_STOP_MS })
      await ports.close()
      await database.close()
    },
  }
}

/** Migrates a database to this release. Several processes may run it at once. */
export async function prepareDatabase(
  urls: DatabaseUrls,
  log: Logger = quiet(),
  say = (sentence: string) => log.warn(sentence),
): Promise<MigrationResult> {
  const result = await migrate(urls.owner, { say })
  await installJobs(urls.owner, definitions, log)
  const opened = await openDatabase(urls, { log })
  try {
    await opened.database.asSystem({ name: 'system' }, seed)
  } finally {
    await opened.close()
  }
  return result
}

/** Wires and starts one process of Kitlane on a prepared database. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { urls, host, port, role, log, reach, ownClock, stopDelayMs = 0 } = options
  const works = role !== 'api'
  const opened = await openDatabase(urls, { log, clock: options.clock, reach, work: works })
  const { database, portsOf, hooks, clock } = opened
  const pulse = await opened.startPulse({ works, ownClock })
  const tokens = tokenCache(database, clock)
  const listener = await listen(urls.direct, 'kitlane_tokens', log, tokens.forget)
  let ready = false
  const metrics = createMetrics()
  const { port: ownPort, host: ownHost = '127.0.0.1', token } = options.monitoring ?? {}
  const monitoring = { metrics, token, isReady: () => ready, check: pulse.check }
  const apart = ownPort === undefined ? undefined : buildMonitoring(monitoring)
  const { app, drain } = await buildHttp({
    routes: role === 'worker' ? [] : routes,
    database,
    authenticate: tokens.authenticate,
    authenticateOperator: operatorAuthenticator(database),
    cookies: { sessions: sessionKeeper(database), policy: cookiePolicy(reach?.publicUrl) },
    portsOf,
    recordHealthAccess,
    recordRefusals: refusalRecorder(database),
    clock,
    hooks,
    pages: role === 'worker' ? undefined : recipient(clock, reach),
    webFolder: role === 'worker' ? undefined : WEB_FOLDER,
    trustedProxies: reach?.trustedProxies,
    log,
    metrics,
    monitoring: apart ? undefined : monitoring,
    docs: options.docs,
    checkResponses: options.checkResponses,
    maxLoopDelayMs: options.maxLoopDelayMs,
  })
  const sender = role === 'api' ? undefined : await sendWebhooks(opened, options)
  const end = async ({ atOnce = false } = {}) => {
    ready = false
    drain.leave()
    if (!atOnce) await delay(stopDelayMs)
    // In parallel: each waits for its own running work.
    await Promise.all([drain.empty({ lingerMs: atOnce ? 0 : LINGER_MS, timeoutMs: REQUESTS_STOP_MS }), sender?.stop()])
    await app.close()
    await apart?.close()
    pulse.stop()
    await listener.stop()
    await opened.close()
  }
  let ending: Promise<void> | undefined
  const stop = (how?: { atOnce?: boolean }) => {
    ending ??= end(how)
    return ending
  }
  try {
    const url = await app.listen({ host, port })
    const monitoringUrl = (await apart?.listen({ host: ownHost, port: ownPort })) ?? url
    opened.context.publicUrl ??= url
    ready = true
    return { url, monitoringUrl, database, portsOf, stop }
  } catch (err) {
    await stop({ atOnce: true })
    throw err
  }
}

const recipient = (clock: Clock, reach?: Reach) => ({
  pages: recipientPages(clock),
  actor: 'recipient',
  trouble: troublePage,
  isHttps: reach?.publicUrl?.startsWith('https:') ?? false,
})

async function sendWebhooks(
  { database, egress, context, clock }: Opened,
  { urls, log }: ServiceOptions,
): Promise<Sender> {
  const sender = startSender({ database, egress, context, clock, log })
  const listener = await listen(urls.direct, 'kitlane_deliveries', log, (realmId) =>
    sender.wake(realmId === undefined ? undefined : Number(realmId)),
  )
  return {
    wake: sender.wake,
    async stop() {
      await listener.stop()
      await sender.stop()
    },
  }
}
