import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'

const HARD_EXIT_MS = 25_000
const DRAIN_AFTER_FAULT_MS = 2000
// The terminal, npm and the launcher each forward a Ctrl-C: signals this close together are the same one.
const SAME_REQUEST_MS = 1000

export interface Running {
  /** The text to print once it is ready, possibly long after the start. */
  words: Promise<string>
  /** `atOnce`: without waiting for load balancers to drain it. */
  stop(options: { atOnce: boolean }): Promise<void>
}

/** Runs until a signal asks it to stop, which also ends a start that waits. A second signal stops it at once; a fault stops it after a short drain. */
export async function stopOnSignals(
  log: Logger,
  bringUp: (stopping: AbortSignal) => Promise<Running>,
  { staysOnHangUp = false } = {},
): Promise<void> {
  const abort = new AbortController()
  const starting = bringUp(abort.signal)
  let stopping: { since: number } | undefined

  const stop = async (atOnce: boolean): Promise<void> => {
    // Report to the caller why it did not start.
    const running = await starting.catch(() => undefined)
    await running?.stop({ atOnce })
  }

  const onSignal = async (signal: NodeJS.Signals) => {
    if (stopping) {
      if (performance.now() - stopping.since > SAME_REQUEST_MS) process.exit(1)
      return
    }
    stopping = { since: performance.now() }
    abort.abort()
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.error('did not stop in time')
      process.exit(1)
    }, HARD_EXIT_MS).unref()
    try {
      // A supervisor sends SIGTERM; the other signals come from a person who is waiting.
      await stop(signal !== 'SIGTERM')
      process.exit(0)
    } catch (err) {
      log.error({ err }, 'did not stop cleanly')
      process.exit(1)
    }
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void onSignal(signal))
  // A program that rotates logs sends it. The file of the audit is opened for each batch, so that there is nothing to do.
  process.on('SIGHUP', () => (staysOnHangUp ? log.info('SIGHUP is ignored') : void onSignal('SIGHUP')))

  const onFault = async (err: unknown) => {
    log.fatal({ err }, 'unexpected fault: the process ends')
    // The fault is logged and ends the process; a second fault during shutdown changes nothing.
    await Promise.race([stop(true).catch(() => {}), delay(DRAIN_AFTER_FAULT_MS)])
    process.exit(1)
  }
  process.on('uncaughtException', (err) => void onFault(err))
  process.on('unhandledRejection', (err) => void onFault(err))

  try {
    const words = await (await starting).words
    if (!stopping) console.log(words)
  } catch (error) {
    // An interrupted start fails because its database was stopped.
    if (stopping) return
    await stop(true)
    throw error
  }
}
