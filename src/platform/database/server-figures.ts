import { sql } from 'kysely'
import type { SystemTx } from './tx.ts'

export interface ServerFigures {
  sizeBytes: number
  connections: number
  maxConnections: number
  /** Of the transaction that has been open longest, of this database. */
  oldestTransactionSeconds: number
}

/**
 * How the PostgreSQL server is. Ends the transaction's role: since when others' transactions are open is shown only to
 * their login, or to one with `pg_monitor`.
 */
export async function selectServerFigures(tx: SystemTx): Promise<ServerFigures & StandbyFigures> {
  await tx.run(sql`set local role none`)
  const [server, standbys] = await Promise.all([selectServer(tx), selectStandbys(tx)])
  return { ...server, ...standbys }
}

const selectServer = (tx: SystemTx): Promise<ServerFigures> =>
  tx.row(sql<ServerFigures>`
    select pg_database_size(current_database()) as "sizeBytes", count(*) filter (where datname is not null) as connections,
           current_setting('max_connections')::int as "maxConnections",
           coalesce(extract(epoch from clock_timestamp() - min(xact_start) filter (
             where datname = current_database() and pid <> pg_backend_pid())), 0)::float as "oldestTransactionSeconds"
    from pg_stat_activity`)

export interface StandbyFigures {
  /** Standbys that stream from this server. */
  standbys: number
  /** Of the standby that is furthest behind; null without one, or where this login lacks `pg_monitor`. */
  lagSeconds: number | null
  lagBytes: number | null
}

const selectStandbys = (tx: SystemTx): Promise<StandbyFigures> =>
  tx.row(sql<StandbyFigures>`
    select count(*) as standbys, max(coalesce(extract(epoch from replay_lag), case when state is not null then 0 end))::float as "lagSeconds",
           max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn))::bigint as "lagBytes" from pg_stat_replication`)

export interface WorkerFigures {
  /** Processes that beat within a minute. */
  processes: number
  workers: number
  /** Since the last beat of any worker; null if there never was one. */
  workerSeconds: number | null
}

/** What processes that beat within a minute see that is wrong with the addresses of their callers. */
export const selectCallerProblems = async (tx: SystemTx): Promise<string[]> =>
  (
    await tx.rows(sql<{ problem: string }>`
      select distinct caller_problem as problem from process_beats
      where caller_problem is not null and beat_at > clock_timestamp() - interval '60 seconds' order by 1`)
  ).map(({ problem }) => problem)

/** The heartbeats of all processes. */
export const selectBeats = (tx: SystemTx): Promise<WorkerFigures> =>
  tx.row(sql<WorkerFigures>`
    select count(*) filter (where beat_at > clock_timestamp() - interval '60 seconds') as processes,
           count(*) filter (where works and beat_at > clock_timestamp() - interval '60 seconds') as workers,
           greatest(0, extract(epoch from clock_timestamp() - max(beat_at) filter (where works)))::float as "workerSeconds"
    from process_beats`)
