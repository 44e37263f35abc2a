import type { PgBoss } from 'pg-boss'
import type { Logger } from '../log.ts'

const EVERY_MS = 2000

// One short scan of an index for each queue, however many jobs wait.
const DUE = `
  select q.name from unnest($1::text[]) q (name)
  where exists (
    select from pgboss.job j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`

/**
 * Wakes the workers of queues with due jobs. NOTIFY announces new jobs at once; this finds retries and delayed jobs, and
 * those whose announcement was lost. One statement for all queues: workers that each ask for themselves cost an idle
 * service 20 transactions a second.
 */
export function wakeForDue(boss: PgBoss, workers: ReadonlyMap<string, readonly string[]>, log: Logger): () => void {
  const names = [...workers.keys()]
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function look(): Promise<void> {
    try {
      const { rows } = await boss.getDb().executeSql(DUE, [names])
      for (const { name } of rows as { name: string }[]) {
        for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker)
      }
    } catch (err) {
      if (!stopped) log.warn({ err }, 'due jobs cannot be looked for')
    }
    // After the answer: while the database does not answer, no second question waits behind the first.
    if (!stopped) wait()
  }

  const wait = () => {
    timer = setTimeout(() => void look(), EVERY_MS).unref()
  }
  wait()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
