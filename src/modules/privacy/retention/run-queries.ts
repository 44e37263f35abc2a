import { sql } from 'kysely'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Count } from './rules.ts'

export interface RunRow {
  id: string
  by: string
  startedAt: Date
  /** Null: it runs, or was interrupted. */
  finishedAt: Date | null
  counts: Count[]
}

export async function upsertRun(tx: SystemTx, { id, counts }: Pick<RunRow, 'id' | 'counts'>, isOver: boolean) {
  const finishedAt = isOver ? tx.now : null
  await tx.run(sql`
    insert into retention_runs (id, run_by, started_at, finished_at, counts)
    values (${id}, ${tx.actor.name}, ${tx.now}, ${finishedAt}, ${JSON.stringify(counts)})
    on conflict (id) do update set counts = excluded.counts, finished_at = excluded.finished_at`)
}

/** The last runs, newest first. */
export const selectRuns = (tx: SystemTx, limit: number): Promise<RunRow[]> =>
  tx.rows(sql<RunRow>`
    select id, run_by as by, started_at as "startedAt", finished_at as "finishedAt", counts
    from retention_runs order by started_at desc limit ${limit}`)
