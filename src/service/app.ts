import { setTimeout as delay } from 'node:timers/promises'
import { DocsSite } from '../docs/site.ts'
import { mcpOverHttp } from '../mcp/over-http.ts'
import { recordHealthAccess, refusalRecorder } from '../modules/audit/access-audit.ts'
import { seed } from '../modules/catalogue/service.ts'
import { jobsOf, type Module, routesOf } from '../modules/define-module.ts'
import { TRACES } from '../modules/events/queries.ts'
import { operatorAuthenticator } from '../modules/identity/operator-tokens.ts'
import { scimEndpoints } from '../modules/identity/scim/endpoints.ts'
import { databaseSessions } from '../modules/identity/sessions.ts'
import { tokenCache, tokenUses } from '../modules/identity/token-cache.ts'
import { modules as allModules } from '../modules/index.ts'
import { cardPages, cardTroublePage } from '../modules/payments/cards/pages.ts'
import { neutralTroublePage, recipientPages } from '../modules/portal/pages.ts'
import { EventTraces } from '../modules/webhooks/delivery/log.ts'
import { type Sender, type SenderOptions, startSender } from '../modules/webhooks/delivery/sender.ts'
import type { Clock } from '../platform/clock.ts'
import type { DatabaseUrls } from '../platform/database/connect.ts'
import { type Listener, listen } from '../platform/database/listen.ts'
import { type MigrationResult, migrate } from '../platform/database/migrate.ts'
import type { Database } from '../platform/database/tx.ts'
import type { Egress } from '../platform/egress/client.ts'
import { callerAddresses } from '../platform/http/address-list.ts'
import { createMetrics, type Metrics } from '../platform/http/metrics.ts'
import { buildMonitoring } from '../platform/http/monitoring.ts'
import { performIn } from '../platform/http/perform.ts'
import { buildHttp } from '../platform/http/server.ts'
import { cookiePolicy } from '../platform/http/session-cookie.ts'
import { type SharedCounts, sharedCounts } from '../platform/http/shared-counts.ts'
import type { PortListener } from '../platform/http/tcp-port.ts'
import type { Telemetry } from '../platform/http/telemetry.ts'
import { WEB_FOLDER } from '../platform/http/web.ts'
import { installJobs } from '../platform/jobs/install.ts'
import type { Logger } from '../platform/log.ts'
import { VERSION } from '../platform/package-root.ts'
import type { PortsOf } from '../platform/ports/realm-ports.ts'
import type { Settings } from '../settings.ts'
import { openDatabase, quietLog } from './open.ts'
import { showFigures } from './show-figures.ts'
import { streamAudit } from './stream-audit.ts'

export interface ServiceOptions {
  urls: DatabaseUrls
  settings: Settings
  /** A listening socket that a supervisor keeps, instead of the host and port of the settings. */
  socketFd?: number | undefined
  log: Logger
  /** Default: the database's clock. */
  clock?: Clock
  /** This machine's clock. */
  ownClock?: Clock
  checkResponses?: boolean
  /** What the service consists of: all modules. */
  modules?: readonly Module[]
  /** Requests are refused above this mean delay of the event loop (default 1 s) or wait for a group (0.2 s). */
  maxLoopDelayMs?: number | undefined
}

export interface Service {
  url: string
  /** The URL of /health and /metrics. */
  monitoringUrl: string
  database: Database
  portsOf: PortsOf
  /** For how long this process has had no request. */
  quietMs(): number
  /** Finishes running requests and jobs, then closes; `atOnce` skips the delay. */
  stop(options?: { atOnce?: boolean }): Promise<void>
}

// With the delay of up to 10 s this stays below the 25 s after which the process exits in any case.
const REQUESTS_STOP_MS = 8000
const LINGER_MS = 250

/** Migrates a database to this release. Several processes may run it at once. */
export async function prepareDatabase(
  urls: DatabaseUrls,
  log: Logger = quietLog(),
  say = (sentence: string) => log.warn(sentence),
  modules: readonly Module[] = allModules,
): Promise<MigrationResult> {
  const result = await migrate(urls.owner, { say })
  await installJobs(urls.owner, jobsOf(modules), log)
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
  const running = new AsyncDisposableStack()
  try {
    return await serve(options, running)
  } catch (err) {
    await running.disposeAsync()
    throw err
  }
}

/** Leaves in `running` what has to be closed, last first. */
async function serve(options: ServiceOptions, running: AsyncDisposableStack): Promise<Service> {
  const { urls, settings, socketFd, log, ownClock, modules = allModules } = options
  const { role } = settings
  const works = role !== 'api'
  const opened = await openDatabase(urls, { log, clock: options.clock, settings, work: works, modules })
  running.defer(opened.close)
  const { database, portsOf, egress, hooks, clock } = opened
  await opened.checkFiles()
  const isHttps = settings.publicUrl?.startsWith('https:') ?? false
  const callers = callerAddresses({ isBehindProxy: isHttps, log })
  const heartbeat = await opened.startHeartbeat({ works, ownClock, callerProblem: callers.problem })
  running.defer(heartbeat.stop)
  const tokens = tokenCache(database, clock)
  const counts = sharedCounts(database, clock)
  const uses = tokenUses(database, clock, log)
  running.defer(uses.flush)
  const listeners =
    role === 'worker' ? [] : modules.flatMap(({ requests }) => requests?.({ database, settings, log }) ?? [])
  for (const one of listeners) running.defer(() => one.flush())
  const listener = await listen(urls.direct, log)
  running.defer(listener.stop)
  await listener.on('kitlane_tokens', tokens.forget)
  let ready = false
  const metrics = createMetrics(log)
  showFigures(metrics, { ...opened, heartbeat, isReady: () => ready, role, dataDir: settings.dataDir })
  const { port: ownPort, host: ownHost, token } = settings.metrics
  const monitoring = { metrics, token, isReady: () => ready, check: heartbeat.check }
  const apart = ownPort === undefined ? undefined : buildMonitoring(monitoring)
  running.defer(() => apart?.close())
  const telemetry = await telemetryOf(settings, { egress, metrics, log })
  running.defer(() => telemetry?.stop())
  const { app, drain } = await buildHttp({
    routes: role === 'worker' ? [] : routesOf(modules),
    database,
    authenticate: tokens.authenticate,
    authenticateOperator: operatorAuthenticator(database),
    noteUse: uses.note,
    cookies: { sessions: databaseSessions(database), policy: cookiePolicy(settings.publicUrl) },
    portsOf,
    egress,
    callers,
    recordHealthAccess,
    recordRefusals: refusalRecorder(database),
    clock,
    hooks,
    pages: role === 'worker' ? [] : [recipient(modules, counts, isHttps), cards(isHttps)],
    counts,
    scim: role === 'worker' ? undefined : scimEndpoints,
    mcp: role === 'worker' ? undefined : mcpOverHttp(),
    webFolder: role === 'worker' ? undefined : WEB_FOLDER,
    log,
    metrics,
    monitoring: apart ? undefined : monitoring,
    docs: settings.docs ? () => DocsSite.open() : undefined,
    checkResponses: options.checkResponses,
    trace: telemetry?.trace,
    keepRequest:
      listeners.length === 0
        ? undefined
        : (request) => {
            for (const one of listeners) one.keep(request)
          },
    maxLoopDelayMs: options.maxLoopDelayMs,
  })
  running.defer(() => app.close())
  const ports: Pick<PortListener, 'stop'>[] = []
  const traced = telemetry !== undefined
  const sender = works ? await sendWebhooks({ ...opened, clock, log, listener, traced }) : undefined
  const stream = works ? streamAudit({ ...opened, settings, metrics, log }) : undefined
  const end = async ({ atOnce = false } = {}) => {
    ready = false
    drain.leave()
    if (!atOnce) await delay(settings.stopDelaySeconds * 1000)
    // What arrives there is a request of this process, which refuses requests from then on.
    await Promise.all(ports.map((one) => one.stop()))
    // In parallel: each waits for its own running work.
    await Promise.all([
      drain.empty({ lingerMs: atOnce ? 0 : LINGER_MS, timeoutMs: REQUESTS_STOP_MS, keepsPort: socketFd !== undefined }),
      sender?.stop(),
      stream?.stop(),
    ])
    await running.disposeAsync()
  }
  let ending: Promise<void> | undefined
  const stop = (how?: { atOnce?: boolean }) => {
    ending ??= end(how)
    return ending
  }
  try {
    const { host, port } = settings
    const place = socketFd === undefined ? { host, port } : { fd: socketFd, host: '::' }
    const url = await app.listen(place)
    const monitoringUrl = (await apart?.listen({ host: ownHost, port: ownPort })) ?? url
    opened.context.publicUrl ??= url
    for (const { listens } of role === 'worker' ? [] : modules) {
      const opensPort = await listens?.({ settings, log, perform: performIn(app), now: () => clock.now() })
      if (opensPort) ports.push(opensPort)
    }
    ready = true
    return { url, monitoringUrl, database, portsOf, quietMs: drain.quietMs, stop }
  } catch (err) {
    await stop({ atOnce: true })
    throw err
  }
}

const recipient = (modules: readonly Module[], counts: SharedCounts, isHttps: boolean) => ({
  pages: recipientPages(
    counts,
    modules.flatMap(({ pages = [] }) => pages),
  ),
  actor: 'recipient',
  trouble: neutralTroublePage,
  isHttps,
})

const cards = (isHttps: boolean) => ({ pages: cardPages, actor: 'card page', trouble: cardTroublePage, isHttps })

/** Sends webhooks as soon as the database says that some are due. `traced`: each continues the trace of its event. */
async function sendWebhooks({
  listener,
  traced,
  ...given
}: Omit<SenderOptions, 'traceOf'> & { listener: Listener; traced: boolean }): Promise<Sender> {
  const traces = new EventTraces()
  if (traced) await listener.on(TRACES, (message) => message && traces.note(message))
  const sender = startSender({ ...given, traceOf: (eventId) => traces.of(eventId) })
  await listener.on('kitlane_deliveries', (realmId) => sender.wake(realmId === undefined ? undefined : Number(realmId)))
  return sender
}

/** Sends traces and metrics to a collector, if the settings name one; else nothing of OpenTelemetry is loaded. */
async function telemetryOf(
  { otelExporterOtlp, otelTracesSamplerArg: ratio, role }: Settings,
  given: { egress: Egress; metrics: Metrics; log: Logger },
): Promise<Telemetry | undefined> {
  const { endpoint, headers } = otelExporterOtlp
  if (endpoint === undefined) return undefined
  const { startTelemetry } = await import('../platform/http/telemetry.ts')
  const attributes = {
    'service.name': 'kitlane',
    'service.version': VERSION,
    'service.instance.id': `${role}-${process.pid}`,
  }
  return startTelemetry({ endpoint, headers, ratio, attributes, ...given })
}
