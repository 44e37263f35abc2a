import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { PgBoss } from 'pg-boss'

/** What is kept for a time only: how old a row becomes, and the job that deletes it. No job: pg-boss itself. */
const passing = [
  {
    table: 'idempotency_keys',
    column: 'created_at',
    days: 2,
    which: 'status is not null',
    job: 'access.purge-idempotency-keys',
  },
  {
    table: 'webhook_deliveries',
    column: 'finished_at',
    days: 31,
    which: `status <> 'pending'`,
    job: 'webhooks.purge-deliveries',
  },
  { table: 'pgboss.job', column: 'completed_on', days: 8, which: `state in ('completed', 'failed')`, job: undefined },
]
const PURGED_WITHIN_MS = 120_000

export interface Ageing {
  /** Rows past their time that the jobs left. */
  left: number
  /** Of each table with its indexes, after the jobs. */
  sizesMb: Record<string, number>
}

/** Makes all that may pass older than it is kept, starts the jobs that delete it, and looks at what is there afterwards. */
export async function ageAndPurge(db: Client, url: string): Promise<Ageing> {
  const old = ({ column, days }: (typeof passing)[number]) => `${column} < now() - interval '${days - 1} days'`
  for (const one of passing)
    await db.query(
      `update ${one.table} set ${one.column} = ${one.column} - interval '${one.days} days' where ${one.which} and not ${old(one)}`,
    )
  // pg-boss cleans each queue once a day.
  await db.query(`update pgboss.queue set maintain_on = maintain_on - interval '2 days'`)
  const boss = new PgBoss({ connectionString: url, migrate: false, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  for (const { job } of passing) if (job) await boss.send(job, {})
  await boss.stop()
  const count = async () => {
    let left = 0
    for (const one of passing) {
      const text = `select count(*)::int as n from ${one.table} where ${one.which} and ${old(one)}`
      left += (await db.query(text)).rows[0].n
    }
    return left
  }
  let left = await count()
  for (
    const deadline = performance.now() + PURGED_WITHIN_MS;
    left > 0 && performance.now() < deadline;
    left = await count()
  )
    await delay(1000)
  const sizesMb: Record<string, number> = {}
  for (const { table } of passing) {
    // The tree of a table without partitions is empty.
    const text = `select coalesce(sum(pg_total_relation_size(relid)), pg_total_relation_size('${table}')) / 1e6 as mb from pg_partition_tree('${table}')`
    sizesMb[table] = Number((await db.query(text)).rows[0].mb)
  }
  return { left, sizesMb }
}
