/** How often: every so many weeks, or months of the calendar. */
export type Every = { weeks: number } | { months: number }

/** The dates of a plan: the first one and how often. Counted from it and never from the one before, they do not drift. */
export interface Cadence {
  every: Every
  /** `YYYY-MM-DD` */
  countedFrom: string
}

/** The dates of a plan as it stands: `nextIndex` is the one that is neither placed nor skipped yet. */
export interface Standing extends Cadence {
  nextIndex: number
  times: number | null
  placed: number
}

// Six in the morning is before the packers of Europe begin, and at night in America.
const DUE_TIME = 'T06:00:00.000Z'
const DAY_MS = 86_400_000
/** An order that cannot be placed is tried again daily, so often. */
export const RETRIES = 7
export const RETRY_MS = DAY_MS
/** How many dates an answer shows ahead. */
const SHOWN = 5
/** A plan begins within two years. */
const MAX_AHEAD_MS = 731 * DAY_MS

/** The date of a number, from 0. The 31st is the last day in a month without one. */
export function dateAt({ every, countedFrom }: Cadence, index: number): string {
  const first = new Date(`${countedFrom}T00:00:00.000Z`)
  if ('weeks' in every) return dayOf(new Date(first.getTime() + index * every.weeks * 7 * DAY_MS))
  const month = first.getUTCMonth() + index * every.months
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return dayOf(new Date(Date.UTC(first.getUTCFullYear(), month, Math.min(first.getUTCDate(), lastDay))))
}

/** The date in UTC. */
const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** When the order of a date is due. */
export const dueAt = (date: string): Date => new Date(`${date}${DUE_TIME}`)

interface Passed {
  passedMs: number
}

/** The time in the calendar of a plan: ahead of the real one where the clock of its sandbox was advanced. */
export const planTime = ({ passedMs }: Passed, now: Date): Date => new Date(now.getTime() + passedMs)

/** The real time of a time in the calendar of a plan. */
export const realTime = ({ passedMs }: Passed, time: Date): Date => new Date(time.getTime() - passedMs)

export const nextDate = (plan: Standing): string => dateAt(plan, plan.nextIndex)

/** Why a date cannot be the next one of a plan; undefined where it can. */
export function problemOfNext(date: string, now: Date, lastDate?: string): string | undefined {
  if (date < dayOf(now)) return `A date from today on, ${dayOf(now)} in UTC`
  if (dueAt(date).getTime() > now.getTime() + MAX_AHEAD_MS) return 'A date within the next two years'
  if (lastDate !== undefined && date <= lastDate) return `A date after ${lastDate}, the last one of this plan so far`
  return undefined
}

/** The next dates, as many as are left, at most five. */
export function upcoming(plan: Standing): string[] {
  const left = plan.times === null ? SHOWN : Math.min(SHOWN, plan.times - plan.placed)
  return Array.from({ length: left }, (_, i) => dateAt(plan, plan.nextIndex + i))
}

/** The dates before the first one for which `isCurrent`, and the number of that one. */
function datesUntil(
  plan: Standing,
  isCurrent: (date: string, following: string) => boolean,
): { dates: string[]; index: number } {
  const dates: string[] = []
  for (let index = plan.nextIndex; ; index++) {
    const date = dateAt(plan, index)
    if (isCurrent(date, dateAt(plan, index + 1))) return { dates, index }
    dates.push(date)
  }
}

/** The dates that were missed, because a later one is due as well: only the latest is placed. */
export const missedAt = (plan: Standing, now: Date) => datesUntil(plan, (_, following) => dueAt(following) > now)

/** The dates that have passed before today. */
export const passedAt = (plan: Standing, now: Date) => datesUntil(plan, (date) => date >= dayOf(now))
