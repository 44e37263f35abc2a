import { flushCompileCache } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { StartError } from '../domain/errors.ts'
import type { DatabaseUrls } from '../platform/database/connect.ts'
import { assertMigrated } from '../platform/database/migrations.ts'
import { createClient } from '../platform/database/server.ts'
import { isBusy, isConnectionLost, isNetworkFault, isStorageFull, wentAway } from '../platform/database/unavailable.ts'
import type { Logger } from '../platform/log.ts'
import { prepareDatabase, type Service, startService } from '../service/app.ts'
import type { Settings } from '../settings.ts'
import { demo } from './demo.ts'
import type { OpenedDatabase } from './open-database.ts'
import type { Running } from './stop.ts'

const ASK_AGAIN_MS = 500
const BEGIN_AGAIN_MS = 1000
// 30 s.
const SAY_AGAIN_AFTER = 60

interface Starting {
  /** With the encryption key. */
  settings: Settings
  /** A port that a supervisor holds, instead of the host and port of the settings. */
  socketFd: number | undefined
  log: Logger
}

/**
 * Starts everything on a database in order. A database that does not answer at first fails the start; one that goes away later is
 * waited for. If a step fails, the database is stopped again.
 */
export async function bringUp({
  stopping,
  opened,
  ...starting
}: Starting & { stopping: AbortSignal; opened: OpenedDatabase }): Promise<Running> {
  const { settings, log } = starting
  let service: Service | undefined
  const ended = new AbortController()
  let playing: Promise<void> | undefined
  const stop = async (options?: { atOnce: boolean }) => {
    try {
      ended.abort()
      await playing
      await service?.stop(options)
    } finally {
      await opened.stop()
    }
  }
  try {
    // Its own has answered already, and a machine that stands still for two seconds is no wrong setting.
    if (!opened.embedded) await assertThere(opened.urls.direct)
    const patiently = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await work()
        } catch (err) {
          if (stopping.aborted || !mayPass(err)) throw err
          log.warn({ err }, 'the database went away or was busy while Kitlane was starting: it begins again')
          await delay(BEGIN_AGAIN_MS, undefined, { signal: stopping })
        }
      }
    }
    const started = await patiently(() => startOn(opened.urls, starting))
    service = started
    const fill = async () => {
      const { words, play } = await patiently(() => demo(started, settings, log))
      playing = play?.(ended.signal).catch((err: unknown) => {
        // The service works without it: the next start goes on.
        log.error({ err }, 'the half year of the demo could not be played')
      })
      return words
    }
    return { words: ready(started, settings.demo ? fill : undefined), stop }
  } catch (error) {
    await stop({ atOnce: true })
    throw error
  }
}

// What was killed may hold its locks until the server has noticed.
const mayPass = (err: unknown): boolean => wentAway(err) || (isBusy(err) && !isStorageFull(err))

/** Wrong settings are refused at once. A server that says it is starting or stopping is there. */
async function assertThere(url: string): Promise<void> {
  try {
    await assertReached(url)
  } catch (err) {
    if (isNetworkFault(err) || !isConnectionLost(err)) throw err
  }
}

/** @throws what the driver reports, if the server does not let this login in */
async function assertReached(url: string): Promise<void> {
  const client = createClient(url, { application_name: 'kitlane' })
  client.on('error', () => {
    // The failed connect reports it.
  })
  await client.connect()
  await client.end()
}

async function startOn(urls: DatabaseUrls, { settings, socketFd, log }: Starting): Promise<Service> {
  if (settings.migrate) await prepareDatabase(urls, log)
  else await assertMigrated(urls.direct)
  try {
    return await startService({ urls, settings, socketFd, log })
  } catch (error) {
    throw explainListening(error, settings)
  }
}

// Late enough not to delay the first requests.
const AFTER_MS = 1500

/**
 * Frees the memory that starting used: sources, stripped types and intermediate schemas leave 60 MB of garbage, which V8
 * would keep until much more is allocated. Takes 0.1 s, once.
 */
function collectStartupGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  setTimeout(() => {
    flushCompileCache()
    collect({ type: 'major', flavor: 'last-resort' })
  }, AFTER_MS).unref()
}

/** The text to print once it is ready. */
async function ready(service: Service, fill: (() => Promise<string>) | undefined): Promise<string> {
  await untilReady(service.monitoringUrl)
  const words = (await fill?.()) ?? ''
  collectStartupGarbage()
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

function explainListening(error: unknown, { host, port, metrics }: Settings): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const { syscall, code } = error
  if (syscall === 'listen' && 'port' in error && error.port === metrics.port && metrics.port !== port) {
    return new StartError(
      `Kitlane cannot listen on port ${metrics.port} of ${metrics.host} (${code}). Choose others with METRICS_PORT and METRICS_HOST.`,
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
