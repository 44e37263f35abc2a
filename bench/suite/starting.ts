import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawnKitlane } from '../../test/harness/kitlane.ts'
import type { Pace } from './placement.ts'
import { type Spread, spread } from './spread.ts'

export interface Starting {
  /** From the command to readiness, on existing data. */
  seconds: Spread
  /** Resident memory of the service's process, 5 s later. */
  idleMb: Spread
}

/** Measures what `npm start` takes, including its database. */
export async function measureStarting({ rounds, say }: Pace): Promise<Starting> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-bench-start-'))
  const seconds: number[] = []
  const idleMb: number[] = []
  try {
    for (let number = 0; number <= rounds; number++) {
      const started = performance.now()
      const running = spawnKitlane(
        ['start', '--demo', '--port', '0', '--data', join(folder, 'data')],
        { LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: '' },
        folder,
      )
      await running.until(/is ready on/)
      const took = (performance.now() - started) / 1000
      await delay(5000)
      const status = await readFile(`/proc/${running.child.pid}/status`, 'utf8')
      running.child.kill('SIGTERM')
      await running.ended
      // The first start creates the data.
      if (number === 0) continue
      seconds.push(took)
      idleMb.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
      say(`  start ${number}: ready after ${took.toFixed(2)} s, ${Math.round(idleMb.at(-1) ?? 0)} MB`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return { seconds: spread(seconds), idleMb: spread(idleMb) }
}
