import { setTimeout as delay } from 'node:timers/promises'
import { prepareDatabase, type Service, startService } from '../app.ts'
import type { Config } from '../config.ts'
import { StartError } from '../domain/errors.ts'
import type { DatabaseUrls } from '../platform/database/connect.ts'
import { assertMigrated } from '../platform/database/schema-version.ts'
import { assertReached } from '../platform/database/server.ts'
import { isConnectionLost, isNetworkFault, wentAway } from '../platform/database/unavailable.ts'
import type { Logger } from '../platform/log.ts'
import { demo } from './demo.ts'
import { openForService } from './open-database.ts'
import { reachOf } from './reach.ts'
import { spareMemory } from './spare-memory.ts'
import type { Running } from './stop.ts'

const ASK_AGAIN_MS = 500
const BEGIN_AGAIN_MS = 1000
// 30 s.
const SAY_AGAIN_AFTER = 60

/** What a running service needs, including the encryption key. */
export interface ServiceConfig extends Config {
  /** A port that a supervisor holds, instead of `host` and `port`. */
  socketFd?: number | undefined
}

/**
 * Starts everything in order. A database that does not answer at first fails the start; one that goes away later is
 * waited for. If a step fails, the database is stopped again.
 */
export async function bringUp(config: ServiceConfig, log: Logger, stopping: AbortSignal): Promise<Running> {
  const opened = await openForService(config)
  let service: Service | undefined
  const stop = async (options?: { atOnce: boolean }) => {
    try {
      await service?.stop(options)
    } finally {
      await opened.stop()
    }
  }
  try {
    await assertThere(opened.urls.direct)
    while (!service) {
      try {
        service = await startOn(opened.urls, config, log)
      } catch (err) {
        if (stopping.aborted || !wentAway(err)) throw err
        log.warn({ err }, 'the database went away while Kitlane was starting: it begins again')
        await delay(BEGIN_AGAIN_MS, undefined, { signal: stopping })
      }
    }
    return { words: ready(service, config, log), stop }
  } catch (error) {
    await stop({ atOnce: true })
    throw error
  }
}

/** Wrong settings are told at once. A server that says it is starting or stopping is there. */
async function assertThere(url: string): Promise<void> {
  try {
    await assertReached(url)
  } catch (err) {
    if (isNetworkFault(err) || !isConnectionLost(err)) throw err
  }
}

async function startOn(urls: DatabaseUrls, config: ServiceConfig, log: Logger): Promise<Service> {
  if (config.migrate) await prepareDatabase(urls, log)
  else await assertMigrated(urls.direct)
  const { host, port, role, monitoring, docs, dataDir, accessLog, slowStatementMs, telemetry } = config
  try {
    return await startService({
      urls,
      host,
      port,
      socketFd: config.socketFd,
      role,
      log,
      reach: reachOf(config),
      monitoring,
      docs,
      dataDir,
      telemetry,
      accessLog,
      slowStatementMs,
      stopDelayMs: config.stopDelaySeconds * 1000,
    })
  } catch (error) {
    throw explainListening(error, config)
  }
}

/** The text to print once it is ready. */
async function ready(service: Service, config: ServiceConfig, log: Logger): Promise<string> {
  await untilReady(service.monitoringUrl)
  const words = config.demo ? await demo(service, config, log) : ''
  spareMemory()
  return [`Kitlane is ready on ${service.url}`, words].join('\n').trimEnd()
}

/** Waits until the service is ready: a worker may be starting elsewhere, or a clock may be wrong. */
async function untilReady(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/health/ready`)
    if (answer.status === 200) return
    const { problems = [] } = (await answer.json()) as { problems?: string[] }
    if (tries % SAY_AGAIN_AFTER === 0) console.error(`Kitlane runs on ${url}, but is not ready: ${problems.join(' ')}`)
    await delay(ASK_AGAIN_MS)
  }
}

function explainListening(error: unknown, { host, port, monitoring }: Config): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const { syscall, code } = error
  if (syscall === 'listen' && 'port' in error && error.port === monitoring.port && monitoring.port !== port) {
    return new StartError(
      `Kitlane cannot listen on port ${monitoring.port} of ${monitoring.host} (${code}). Choose others with METRICS_PORT and METRICS_HOST.`,
      { cause: error },
    )
  }
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    const other = port < 65_535 ? port + 1 : 8080
    return new StartError(
      `Port ${port} on ${host} is in use by another program. Choose another: kitlane start --port ${other}`,
      { cause: error },
    )
  }
  if (syscall === 'listen' && code === 'EACCES') {
    return new StartError(`You may not listen on port ${port}. Choose one above 1023: kitlane start --port 8080`, {
      cause: error,
    })
  }
  if (syscall === 'listen' || (syscall === 'getaddrinfo' && 'hostname' in error && error.hostname === host)) {
    return new StartError(
      `Kitlane cannot listen on ${host} (${code}). Choose an address of this machine with --host.`,
      { cause: error },
    )
  }
  return error
}
