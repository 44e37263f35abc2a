import { isInside } from '@kitlane/display/interval'
import { limitsText } from '@kitlane/display/report-text'
import { normaliseUnit } from '@kitlane/lab-reader/facts/convert'
import { exact, roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import type { BiomarkerEntry, ShownEntry, ValueThen } from '../schema.ts'
import type { OtherUnit } from './systems.ts'

const MOST_DECIMALS = 6
// A limit of 3.42 is no 3.
const NEAR = 0.02

export interface ConvertedEntry {
  entry: ShownEntry
  /** A value of another version of the report. */
  inOther(value: ValueThen): ValueThen
}

/**
 * A value with its limits and its history in another unit. It is rounded as far as each value stays on its side of each limit:
 * what is shown never contradicts the verdict. A value that the laboratory gave in that unit is shown as it gave it.
 */
export function convertEntry(entry: ShownEntry, other: OtherUnit): ConvertedEntry {
  const { ranges, labRange, result, historic } = entry
  const into = (x: number) => exact(x * other.factor + other.offset)
  const intervals = [ranges.optimal, ...ranges.good, ...ranges.fair, ranges.inRange, labRange].filter(
    (one) => one !== null,
  )
  const given = normaliseUnit(other.unit) === normaliseUnit(entry.rawUnit) ? entry.rawValue : undefined
  const values = [...(result === null ? [] : [result]), ...historic.map((point) => point.result)]
  const start = startingDecimals(entry, other.factor)
  const rounded = firstOf((more) =>
    attempt({ intervals, values, into, decimals: start + more, own: { result, given } }),
  )
  const { limit, value } = rounded ?? { limit: into, value: into }
  const within = (one: Interval): Interval => ({ ...one, low: bound(one.low, limit), high: bound(one.high, limit) })
  const shown: Ranges = {
    ...ranges,
    optimal: ranges.optimal && within(ranges.optimal),
    good: ranges.good.map(within),
    fair: ranges.fair.map(within),
    inRange: ranges.inRange && within(ranges.inRange),
  }
  return {
    entry: {
      ...entry,
      unit: other.unit,
      displayUnit: other.unit,
      result: result === null ? null : value(result),
      ranges: shown,
      labRange: labRange && within(labRange),
      historic: historic.map((point) => ({ ...point, result: value(point.result) })),
      ...noteIn({ ...shown, unit: other.unit }, entry),
    },
    inOther: (old) =>
      old.unit !== entry.unit || old.result === null
        ? old
        : { ...old, unit: other.unit, displayUnit: other.unit, result: value(old.result) },
  }
}

const bound = (x: number | null, limit: (x: number) => number) => (x === null ? null : limit(x))

/** A note may name the interval, as `judge/entry.ts` wrote it. */
function noteIn(
  shown: { inRange: Interval | null; unit: string },
  { note, noteKept, ranges: { inRange }, displayUnit }: BiomarkerEntry,
): Pick<BiomarkerEntry, 'note' | 'noteKept'> {
  if (!note || !inRange || !shown.inRange) return {}
  const [from, to] = [limitsText(inRange, displayUnit), limitsText(shown.inRange, shown.unit)]
  const inKept = (_: string, value: unknown) => (value === from ? to : value)
  return {
    note: note.replace(from, to),
    ...(noteKept && { noteKept: JSON.parse(JSON.stringify(noteKept), inKept) }),
  }
}

const decimalsOf = (x: number | null | undefined): number => (x == null ? 0 : (String(x).split('.')[1]?.length ?? 0))

/** The decimals that tell in the other unit what those of the report tell in its own: 95 mg/dL is 5.3 mmol/L. */
function startingDecimals({ result, ranges: { inRange, optimal } }: ShownEntry, factor: number): number {
  const own = Math.max(...[result, inRange?.low, inRange?.high, optimal?.low, optimal?.high].map(decimalsOf))
  return Math.min(MOST_DECIMALS, Math.max(0, Math.round(own - Math.log10(factor))))
}

/** The first that is there and right of those that more and more decimals make. */
function firstOf<T>(made: (more: number) => T | undefined, isRight: (one: T) => boolean = () => true): T | undefined {
  for (let more = 0; more <= MOST_DECIMALS; more++) {
    const one = made(more)
    if (one !== undefined && isRight(one)) return one
  }
  return undefined
}

interface Attempt {
  intervals: readonly Interval[]
  values: readonly number[]
  into(x: number): number
  decimals: number
  /** The value of this report, and how the laboratory gave it where that was in the other unit. */
  own: { result: number | null; given: number | undefined }
}

interface Rounded {
  limit(x: number): number
  value(x: number): number
}

/** Limits with so many decimals, and each value with as many as it needs besides; undefined where that contradicts a verdict. */
function attempt({ intervals, values, into, decimals, own }: Attempt): Rounded | undefined {
  const round = (x: number, to: number) => roundTo(into(x), to)
  const isNear = (x: number, rounded: number) => Math.abs(rounded - into(x)) <= NEAR * Math.abs(into(x))
  const limit = (x: number) => round(x, decimals)
  const limits = intervals.flatMap(({ low, high }) => [low, high].filter((one) => one !== null))
  const isDistinguished = ({ low, high }: Interval) =>
    low === null || high === null || low >= high || limit(low) < limit(high)
  if (!limits.every((one) => isNear(one, limit(one))) || !intervals.every(isDistinguished)) return undefined
  const shown = intervals.map((one) => ({ ...one, low: bound(one.low, limit), high: bound(one.high, limit) }))
  const agrees = (x: number, rounded: number) =>
    intervals.every((one, index) => isInside(one, x) === isInside(shown[index] ?? one, rounded))
  const known = new Map<number, number>()
  for (const x of values) {
    const asGiven = x === own.result ? own.given : undefined
    const isRight = (one: number) => isNear(x, one) && agrees(x, one)
    const found =
      asGiven !== undefined && isRight(asGiven) ? asGiven : firstOf((more) => round(x, decimals + more), isRight)
    if (found === undefined) return undefined
    known.set(x, found)
  }
  return { limit, value: (x) => known.get(x) ?? round(x, decimals) }
}
