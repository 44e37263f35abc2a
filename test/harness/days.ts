const DAY_MS = 86_400_000

/**
 * `AHEAD_DAYS=450 npx vitest run …` runs tests as they will run in 450 days. A sample that was collected more than a year
 * before its kit was made is held, so that tests with fixed days fail then.
 */
export const aheadMs = Number(process.env.AHEAD_DAYS ?? 0) * DAY_MS

const WRITTEN = Date.parse('2026-11-26T00:00:00Z')
const dayIn2026 = /(?<!\d)2026(-?)(0[1-9]|1[0-2])\1(0[1-9]|[12]\d|3[01])(?!\d(?!\d))/g

/** A text of days of 2026 with each as far before today as it was on 2026-11-26. Others, and days that are none, stay. */
export function sinceWritten(text: string): string {
  const days = Math.max(0, Math.floor((Date.now() + aheadMs - WRITTEN) / DAY_MS))
  return text.replace(dayIn2026, (written, dash: string, month: string, day: string) => {
    const time = Date.parse(`2026-${month}-${day}T00:00:00Z`)
    if (Number.isNaN(time) || new Date(time).getUTCDate() !== Number(day)) return written
    const moved = new Date(time + days * DAY_MS).toISOString().slice(0, 10)
    return dash ? moved : moved.replaceAll('-', '')
  })
}

/** The day so many years before another one. */
export function yearsBefore(years: number, day: string): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year - years, month - 1, date)).toISOString().slice(0, 10)
}
