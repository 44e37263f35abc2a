const SECOND_MS = 1000
const UNITS_MS = [604_800_000, 86_400_000, 3_600_000, 60_000, SECOND_MS] as const
/** A year, also one with 29 February. */
const MAX_MS = 366 * 86_400_000

// Months and years have no fixed length.
const FORM = /^P(?!$)(?:(\d{1,8})W)?(?:(\d{1,8})D)?(?:T(?=\d)(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?$/

/** Milliseconds of an ISO 8601 duration of weeks, days, hours, minutes and seconds; undefined for any other text. */
export function millisecondsOf(duration: string): number | undefined {
  const parts = FORM.exec(duration)
  return parts ? UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0) : undefined
}

/** Whether the clock can be advanced by it at once: a second to 366 days. */
export const isAdvance = (ms: number | undefined): ms is number => ms !== undefined && ms >= SECOND_MS && ms <= MAX_MS

/** The duration in days, hours, minutes and seconds: `P10DT3H`. */
export function durationOf(ms: number): string {
  const [, day, ...units] = UNITS_MS
  const days = Math.floor(ms / day)
  let rest = ms % day
  const time = units.map((unit, index) => {
    const count = Math.floor(rest / unit)
    rest %= unit
    return count === 0 ? '' : `${count}${'HMS'[index]}`
  })
  const dayAndTime = `${days === 0 ? '' : `${days}D`}${time.some(Boolean) ? `T${time.join('')}` : ''}`
  return `P${dayAndTime || 'T0S'}`
}
