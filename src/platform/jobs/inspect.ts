import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Queries } from '../database/tx.ts'
import type { Logger } from '../log.ts'

interface QueueState {
  name: string
  queued: number
  active: number
  failed: number
  oldestQueuedAt: Date | null
  cron: string | null
}

// pg-boss also has internal queues.
const ours = sql`q.name not like '\\_\\_pgboss%'`

/** Every queue with the counts of waiting, running and failed jobs. Failed jobs are kept for a week. */
export function listQueues(tx: Queries): Promise<QueueState[]> {
  return tx.rows(sql<QueueState>`
    with jobs as (
      select name, count(*) filter (where state in ('created', 'retry')) as queued, count(*) filter (where state = 'active') as active,
             count(*) filter (where state = 'failed') as failed,
             min(created_on) filter (where state in ('created', 'retry') and start_after <= now()) as oldest
      from pgboss.job where state <> 'completed' group by name)
    select q.name, coalesce(j.queued, 0) as queued, coalesce(j.active, 0) as active, coalesce(j.failed, 0) as failed,
           j.oldest as "oldestQueuedAt", (select s.cron from pgboss.schedule s where s.name = q.name limit 1) as cron
    from pgboss.queue q left join jobs j on j.name = q.name where ${ours} order by q.name`)
}

interface QueueFigures {
  name: string
  queued: number
  active: number
  failed: number
  /** Of the oldest that is due; 0 if none is. */
  oldestSeconds: number
}

/** The counts of every queue as pg-boss wrote them lately (it counts every 30 s), and how long the oldest job is due. */
export function selectQueueFigures(tx: Queries): Promise<QueueFigures[]> {
  return tx.rows(sql<QueueFigures>`
    with due as (
      select name, min(greatest(start_after, created_on)) as oldest from pgboss.job
      where state < 'active' and not blocked and start_after <= now() group by name)
    select q.name, q.queued_count as queued, q.active_count as active, q.failed_count as failed,
           coalesce(extract(epoch from now() - d.oldest), 0)::float as "oldestSeconds"
    from pgboss.queue q left join due d on d.name = q.name where ${ours} order by q.name`)
}

export interface FailedJob {
  id: string
  name: string
  createdAt: Date
  failedAt: Date | null
  attempts: number
  businessId: string | null
  /** The error as `describeError` reports it, or the text of pg-boss. */
  output: unknown
}

/** Jobs that failed for good, newest first. */
export async function listFailed(
  tx: Queries,
  { page, size }: { page: number; size: number },
): Promise<{ rows: FailedJob[]; total: number }> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*) as total from pgboss.job q where state = 'failed' and ${ours}`)
  const rows = await tx.rows(sql<FailedJob>`
    select id, name, created_on as "createdAt", completed_on as "failedAt", retry_count + 1 as attempts,
           data->'realm'->>'businessId' as "businessId", output
    from pgboss.job q where state = 'failed' and ${ours}
    order by completed_on desc nulls last, id limit ${size} offset ${page * size}`)
  return { rows, total }
}

/** Retries a failed job once, at once. False if it does not exist. */
export async function retryFailed(tx: Queries, id: string): Promise<boolean> {
  const retried = await tx.run(sql`
    update pgboss.job q set state = 'retry', retry_limit = retry_limit + 1, completed_on = null, start_after = now()
    where id::text = ${id} and state = 'failed' and ${ours}`)
  return retried > 0
}

/** Without a listener for `error`, pg-boss ends the process when the database goes away; with one it keeps trying. */
export function reportTrouble(boss: PgBoss, log: Logger): void {
  boss.on('error', (err: Error & { queue?: string }) => log.warn({ err, queue: err.queue }, 'job queue error'))
  // The warning's text may quote a job or a statement, so only its type is logged.
  boss.on('warning', ({ data }) => {
    const code = 'type' in data ? data.type : undefined
    log.warn({ code }, 'job queue warning')
  })
}
