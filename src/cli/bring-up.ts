import { prepareDatabase, type Service, startService } from '../app.ts'
import { systemClock } from '../platform/clock.ts'
import type { Config } from '../platform/config.ts'
import { StartError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'
import { demo } from './demo.ts'
import { openForService } from './open-database.ts'
import { reachOf } from './reach.ts'
import { spareMemory } from './spare-memory.ts'
import type { Running } from './stop.ts'

/** All that a running service needs, the key included. */
export type ServiceConfig = Config & { encryptionKey: Buffer }

/** Everything up, in order; where a later step fails, the database is stopped again. */
export async function bringUp(config: ServiceConfig, log: Logger): Promise<Running> {
  const opened = await openForService(config)
  let service: Service | undefined
  const stop = async () => {
    try {
      await service?.stop()
    } finally {
      await opened.stop()
    }
  }
  try {
    await prepareDatabase(opened.urls, log)
    const { host, port, role, monitoring, docs } = config
    const reach = reachOf(config)
    service = await startService({
      urls: opened.urls,
      host,
      port,
      role,
      log,
      clock: systemClock,
      reach,
      monitoring,
      docs,
    })
    await untilReady(service.monitoringUrl)
    const words = config.demo ? await demo(service, config, log) : ''
    spareMemory()
    return { words: [`Kitlane is ready on ${service.url}`, words].join('\n').trimEnd(), stop }
  } catch (error) {
    await stop()
    throw explainListening(error, config)
  }
}

async function untilReady(url: string): Promise<void> {
  const answer = await fetch(`${url}/health/ready`)
  if (answer.status !== 200) throw new StartError(`Kitlane started, but is not ready: ${await answer.text()}`)
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
      `Port ${port} on ${host} is used by another program. Choose another: kitlane start --port ${other}`,
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
