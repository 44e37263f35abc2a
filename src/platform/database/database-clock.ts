import type { Pool } from 'pg'
import type { Clock } from '../clock.ts'

/** What the database's clock said, and what this process's counter showed meanwhile. */
export interface TimeSample {
  databaseMs: number
  sentMs: number
  gotMs: number
}

// What is less may come from the network, and would let the time jump back and forth.
const NOISE_MS = 20

/**
 * The time of day of the database, which all processes share. Between two samples it goes on by the processor's own
 * counter: somebody who sets this machine's clock changes nothing.
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

/** The database's time when the counter was 0; its clock was read halfway between question and answer. */
const startOf = ({ databaseMs, sentMs, gotMs }: TimeSample): number => databaseMs - (sentMs + gotMs) / 2

/** As an expression of SQL: milliseconds, like those of JavaScript. */
export const DATABASE_MS = '(extract(epoch from clock_timestamp()) * 1000)::float8'

export async function sampleTime(pool: Pool): Promise<TimeSample> {
  const sentMs = performance.now()
  const { rows } = await pool.query<{ now: number }>(`select ${DATABASE_MS} as now`)
  return { databaseMs: rows[0]?.now ?? Number.NaN, sentMs, gotMs: performance.now() }
}
