import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'

/** A reading of the database's clock, with this process's monotonic counter before and after it. */
export interface TimeSample {
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
export const DATABASE_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8'

export async function sampleTime(pool: Pool): Promise<TimeSample> {
  const sentMs = performance.now()
  const { rows } = await pool.query<{ now: number }>(`select ${DATABASE_MS} as now`)
  return { databaseMs: rows[0]?.now ?? Number.NaN, sentMs, gotMs: performance.now() }
}
