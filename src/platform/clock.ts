/** The only source of the time of day outside the database. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export interface ManualClock extends Clock {
  /** Moves the time; negative values move it back. */
  advance(ms: number): void
}

/** A clock for tests: it stands still until moved. */
export function manualClock(start: Date): ManualClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance(ms) {
      time += ms
    },
  }
}
