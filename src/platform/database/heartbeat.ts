import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isConnectionLost } from './unavailable.ts'

/** A reading of the database's clock, with this process's monotonic counter before and after it. */
interface TimeSample {
  databaseMs: number
  sentMs: number
  gotMs: number
}

// Smaller differences may come from the network: following them would make the time jump back and forth.
const NOISE_MS = 20

/**
 * The database's time of day, shared by all processes. Between two samples a monotonic counter advances it, so setting
 * this machine's clock has no effect.
 */
export class DatabaseClock implements Clock {
  #startMs: number

  constructor(sample: TimeSample) {
    this.#startMs = startOf(sample)
  }

  now(): Date {
    return new Date(this.#startMs + performance.now())
  }

  adjust(sample: TimeSample): void {
    const startMs = startOf(sample)
    const uncertainMs = (sample.gotMs - sample.sentMs) / 2
    if (Math.abs(startMs - this.#startMs) > Math.max(NOISE_MS, uncertainMs)) this.#startMs = startMs
  }
}

/** The database's time when the counter was 0, assuming that its clock was read halfway between request and answer. */
const startOf = ({ databaseMs, sentMs, gotMs }: TimeSample): number => databaseMs - (sentMs + gotMs) / 2

/** A SQL expression: milliseconds since 1970, as in JavaScript. */
const DATABASE_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8'

export async function sampleTime(pool: Pool): Promise<TimeSample> {
  const sentMs = performance.now()
  const { rows } = await pool.query<{ now: number }>(`select ${DATABASE_MS} as now`)
  return { databaseMs: rows[0]?.now ?? Number.NaN, sentMs, gotMs: performance.now() }
}

export interface Checks {
  /** It answers. */
  database: boolean
  /** Accepts writes: false on a standby or a read-only primary. */
  writes: boolean
  /** This machine's clock is within a minute of the database's. */
  clock: boolean
  /** A worker runs jobs, in this process or another. */
  workers: boolean
}

export interface Heartbeat {
  /** At most a second old; takes at most two seconds. */
  check(): Promise<Checks>
  /** How far this machine's clock was ahead of the database's at the last beat; undefined before the first. */
  clockOffMs(): number | undefined
  stop(): void
}

export interface HeartbeatOptions {
  pool: Pool
  clock: DatabaseClock
  /** This machine's clock. */
  ownClock: Clock
  /** Whether this process runs the jobs. */
  works: boolean
  /** What is wrong with the addresses of callers; undefined: nothing. */
  callerProblem?: (() => string | undefined) | undefined
  log: Logger
}

const EVERY_MS = 10_000
const FRESH_MS = 1000
const ANSWER_MS = 2000
// Replacing a worker takes a few seconds.
const WORKERS_GONE_AFTER = '60 seconds'
const CLOCK_OFF_MS = 60_000

const BEAT = `
  insert into process_beats (id, works, reads_packed, beat_at, caller_problem) values ($1, $2, true, clock_timestamp(), $3)
  on conflict (id) do update set beat_at = excluded.beat_at, caller_problem = excluded.caller_problem
  returning ${DATABASE_MS} as now, works or exists (
    select from process_beats where works and beat_at > clock_timestamp() - interval '${WORKERS_GONE_AFTER}') as workers`

const UNREACHED: Checks = { database: false, writes: false, clock: false, workers: false }

/**
 * Writes this process's row every few seconds, and on each health check. One statement proves that the database accepts
 * writes, and reads its time and whether a worker is alive.
 */
export async function startHeartbeat({
  pool,
  clock,
  ownClock,
  works,
  callerProblem,
  log,
}: HeartbeatOptions): Promise<Heartbeat> {
  const id = newOpaqueId('proc')
  let last: { checks: Checks; atMs: number } | undefined
  let beating: Promise<Checks> | undefined
  let clockOffMs: number | undefined

  async function beat(): Promise<Checks> {
    const sentMs = performance.now()
    try {
      const { rows } = await pool.query<{ now: number; workers: boolean }>({
        text: BEAT,
        values: [id, works, callerProblem?.() ?? null],
        // Shorter than for a request: a health check must answer soon. The types of `pg` lack this option.
        ...{ query_timeout: ANSWER_MS },
      })
      const { now, workers } = rows[0] ?? { now: Number.NaN, workers: false }
      clock.adjust({ databaseMs: now, sentMs, gotMs: performance.now() })
      clockOffMs = Math.round(ownClock.now().getTime() - clock.now().getTime())
      const inTime = Math.abs(clockOffMs) < CLOCK_OFF_MS
      if (!inTime && last?.checks.clock !== false) {
        log.error({ clockOffMs }, 'the clock of this machine is more than a minute off the clock of the database')
      }
      return { database: true, writes: true, clock: inTime, workers }
    } catch (err) {
      if (last?.checks.writes !== false) log.warn({ err }, 'the database takes no changes')
      return { ...UNREACHED, database: !isConnectionLost(err) }
    }
  }

  function beatOnce(): Promise<Checks> {
    beating ??= beat().then((checks) => {
      last = { checks, atMs: performance.now() }
      beating = undefined
      return checks
    })
    return beating
  }

  await beatOnce()
  const timer = setInterval(beatOnce, EVERY_MS).unref()
  await forgetOldBeats(pool, log)
  return {
    async check() {
      if (last && performance.now() - last.atMs < FRESH_MS) return last.checks
      return Promise.race([beatOnce(), delay(ANSWER_MS, UNREACHED, { ref: false })])
    },
    clockOffMs: () => clockOffMs,
    stop: () => clearInterval(timer),
  }
}

/** Deletes the rows of processes that ended long ago. */
function forgetOldBeats(pool: Pool, log: Logger): Promise<unknown> {
  return pool
    .query(`delete from process_beats where beat_at < now() - interval '1 day'`)
    .catch((err: unknown) => log.warn({ err }, 'old beats of processes could not be deleted'))
}
