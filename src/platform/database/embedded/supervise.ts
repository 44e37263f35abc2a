import { setTimeout as sleep } from 'node:timers/promises'
import { launch, type Place, type StartedPostmaster } from './launch.ts'
import { stopPostmaster } from './process.ts'

const retryMs = 1000

export interface Supervised {
  pid(): number
  stop(): Promise<void>
}

/** Starts a postmaster that dies again, on the same port, so that pools find it; until `stop`. */
export function supervise(
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
