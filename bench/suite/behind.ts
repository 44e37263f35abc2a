// The work behind an order (search index, seals, tallies), which the service does each minute. The bench has it done after
// each turn of the service: it is counted where it belongs and never falls into a turn of the peer.
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { jobs } from '../../src/modules/index.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { openDatabase } from '../../src/service/open.ts'
import { busyUs, readCpu, type Watched } from './cpu.ts'

const EACH_MINUTE = '* * * * *'
const DEADLINE_MS = 60_000

export interface Behind {
  /** Lets the service do what has come up. Returns the microseconds of service and database. */
  work(watched: Watched): Promise<number>
  close(): Promise<void>
}

export async function openBehind(urls: DatabaseUrls, superUrl: string): Promise<Behind> {
  const { database, close } = await openDatabase(urls)
  const admin = new Client({ connectionString: superUrl })
  await admin.connect()
  const names = jobs.filter(({ cron }) => cron === EACH_MINUTE).map(({ name }) => name)

  async function work(watched: Watched): Promise<number> {
    const before = readCpu(watched)
    const ids = await database.asSystem({ name: 'bench' }, (tx) =>
      Promise.all(names.map((name) => tx.enqueue(name, {}))),
    )
    const deadline = performance.now() + DEADLINE_MS
    for (;;) {
      const { rows } = await admin.query<{ name: string; state: string }>(
        `select name, state from pgboss.job where id = any($1::uuid[]) and state <> 'completed'`,
        [ids],
      )
      if (rows.length === 0) return busyUs(before, readCpu(watched))
      if (performance.now() > deadline || rows.some(({ state }) => state === 'failed')) {
        throw new Error(`work behind did not end: ${rows.map(({ name, state }) => `${name} is ${state}`).join(', ')}`)
      }
      await delay(50)
    }
  }

  return {
    work,
    async close() {
      await admin.end()
      await close()
    },
  }
}
