import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { FunnelCounts } from './queries.ts'
import { type FunnelTotal, type Leg, legs, type RejectionReason, type TurnaroundLeg } from './schema.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 90
/** The longest range of days that is counted. */
const MOST_DAYS = 400
/** Fewer kits than this say more about one person than about the service. */
const FEWEST = 5

/** A range of days, both counted, or why there is none. */
export type Days = { from: string; to: string; start: Date; before: Date } | { problem: string; path: string }

/** The days that were asked for; the last 91 where nothing was. Days of UTC. */
export function daysOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: Date): Days {
  const last = startOf(to ? new Date(to) : now)
  const first = from ? startOf(new Date(from)) : new Date(last.getTime() - USUAL_DAYS * DAY_MS)
  if (first > last) return { problem: '`from` is after `to`', path: 'from' }
  const before = new Date(last.getTime() + DAY_MS)
  if (before.getTime() - first.getTime() > MOST_DAYS * DAY_MS) {
    return { problem: `At most ${MOST_DAYS} days: ask for a shorter time`, path: 'from' }
  }
  return { from: dayOf(first), to: dayOf(last), start: first, before }
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const startOf = (time: Date) => new Date(`${dayOf(time)}T00:00:00.000Z`)

const shareOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000

/** Counts with the shares of what was ordered. */
export function withShares({
  ordered,
  unregistered,
  inferred,
  ...counts
}: Omit<FunnelCounts, 'cohort' | 'key' | 'name'>): FunnelTotal {
  const { delivered, registered, returned, received, reported, rejected, failed, canceled } = counts
  const of = (count: number) => shareOf(count, ordered)
  return {
    ordered,
    delivered,
    registered,
    returned,
    received,
    reported,
    rejected,
    failed,
    canceled,
    unregistered,
    inferred,
    shares: {
      delivered: of(delivered),
      registered: of(registered),
      returned: of(returned),
      received: of(received),
      reported: of(reported),
    },
  }
}

/** All rows together. */
export function totalOf(rows: readonly FunnelCounts[]): FunnelTotal {
  const sum = (of: (row: FunnelCounts) => number) => rows.reduce((total, row) => total + of(row), 0)
  return withShares({
    ordered: sum((row) => row.ordered),
    delivered: sum((row) => row.delivered),
    registered: sum((row) => row.registered),
    returned: sum((row) => row.returned),
    received: sum((row) => row.received),
    reported: sum((row) => row.reported),
    rejected: sum((row) => row.rejected),
    failed: sum((row) => row.failed),
    canceled: sum((row) => row.canceled),
    unregistered: sum((row) => row.unregistered),
    inferred: {
      delivered: sum((row) => row.inferred.delivered),
      returned: sum((row) => row.inferred.returned),
      received: sum((row) => row.inferred.received),
    },
  })
}

/** Lengths of a leg are below this: the next leg begins there. A length of 999 would be 4,000 years. */
export const LENGTHS_OF_LEG = 1000
/** How many lengths there are from a time to 2.7 times that: each is 3 of 100 longer than the one before. */
export const LENGTHS_OF_E = 32

export interface LegHours {
  leg: Leg
  kits: number
  /** Null where no kit took it. */
  p50Hours: number | null
  p95Hours: number | null
}

/** How many kits took so long for a leg. Lengths are those of the table `counted_kits`. */
export interface LegLength {
  leg: Leg
  length: number
  kits: number
}

/** Every leg, with figures where enough kits took it. */
export function turnaroundOf(rows: readonly LegHours[]): TurnaroundLeg[] {
  return legs.map((leg) => {
    const row = rows.find((one) => one.leg === leg)
    if (!row || row.kits < FEWEST) return { leg, kits: row?.kits ?? 0, p50Hours: null, p95Hours: null, why: 'tooFew' }
    return { leg, kits: row.kits, p50Hours: tenth(row.p50Hours), p95Hours: tenth(row.p95Hours) }
  })
}

const tenth = (hours: number | null) => (hours === null ? null : Math.round(hours * 10) / 10)

/**
 * Reasons by frequency, ignoring case and outer spaces. One of fewer than 5 kits may name a
 * person, and is counted without its words.
 */
export function reasonsOf(reasons: readonly (string | null)[], received: number): RejectionReason[] {
  const countByReason = new Map<string, { reason: string; kits: number }>()
  for (const reason of reasons) {
    const key = reason?.trim().toLowerCase() ?? ''
    const known = countByReason.get(key)
    if (known) known.kits++
    else countByReason.set(key, { reason: reason?.trim() ?? '', kits: 1 })
  }
  const shown = [...countByReason.values()].filter(({ reason, kits }) => reason !== '' && kits >= FEWEST)
  const rest = reasons.length - shown.reduce((sum, { kits }) => sum + kits, 0)
  const rows: { reason: string | null; kits: number }[] = shown.toSorted((a, b) => b.kits - a.kits)
  if (rest > 0) rows.push({ reason: null, kits: rest })
  return rows.map((row) => ({ ...row, share: shareOf(row.kits, received) }))
}

/** Of the received samples. */
export const rejectedShare = (rejected: number, received: number): number | null =>
  received === 0 ? null : shareOf(rejected, received)

/** How often a promise was kept, where it was due often enough. A report that came before its time was over counts, too. */
export const shareInTime = ({ kept, late, overdue }: { kept: number; late: number; overdue: number }): number | null =>
  kept + late + overdue < FEWEST ? null : shareOf(kept, kept + late + overdue)

/** How long the mean that a forecast rests on looks back. */
export const FORECAST_DAYS = 28

/** When credits run out if as many are used each day as in the mean of the last 28 days. */
export function forecastOf(available: number, used: number): { daysLeft: number | null; words: Sentence } {
  const count = FORECAST_DAYS
  if (used <= 0) {
    const words = sentence('None were used in the last {count} days, so nothing can be said.', { count })
    return { daysLeft: null, words }
  }
  const daysLeft = Math.max(0, Math.floor((available * FORECAST_DAYS) / used))
  const rate = Number((used / FORECAST_DAYS).toPrecision(2))
  const words = sentence(
    'Enough for {daysLeft, plural, one {# day} other {# days}} at {rate, number} a day, the mean of the last {count} days.',
    { daysLeft, rate, count },
  )
  return { daysLeft, words }
}
