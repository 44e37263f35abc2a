import type { Interval } from './interval.ts'

/** A value over time as the report's JSON has it. */
export interface TimedValue {
  result: number
  timestamp: string
}

export interface Trend {
  /** Each point from 0 (left, bottom) to 1 (right, top). */
  points: { x: number; y: number }[]
  min: number
  max: number
  /** Where a value lies between bottom and top. */
  height(value: number): number
}

interface Followed {
  details: { collectedDate?: string | undefined; resultedDate?: string | undefined }
  biomarker: readonly {
    historic: readonly TimedValue[]
    historicFindings: readonly { timestamp: string }[]
  }[]
}

/** The report with histories that end at itself: an older report shows what was known with it. */
export function upToItself<R extends Followed>(report: R): R {
  const own = report.details.collectedDate ?? report.details.resultedDate
  if (own === undefined) return report
  const last = Date.parse(own)
  const biomarker = report.biomarker.map((entry) => ({
    ...entry,
    historic: entry.historic.filter(({ timestamp }) => Date.parse(timestamp) <= last),
    historicFindings: entry.historicFindings.filter(({ timestamp }) => Date.parse(timestamp) <= last),
  }))
  return { ...report, biomarker }
}

// Room above the highest and below the lowest point, as a share of their distance.
const ROOM = 0.15
const NEAR = 0.25

/**
 * A line through two or more values; undefined where there are fewer. Time runs to scale. The limit of `inRange` that is
 * nearest to the values is in the picture, where it is no farther from them than they are from one another or a quarter of it.
 */
export function trendOf(values: readonly TimedValue[], inRange?: Interval | null): Trend | undefined {
  if (values.length < 2) return undefined
  const times = values.map(({ timestamp }) => Date.parse(timestamp))
  const results = values.map(({ result }) => result)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const [least, most] = [Math.min(...results), Math.max(...results)]
  const near = [inRange?.low, inRange?.high].filter(
    (limit): limit is number =>
      typeof limit === 'number' &&
      Math.max(least - limit, limit - most) <= Math.max(most - least, NEAR * Math.abs(limit)),
  )
  const [min, max] = [Math.min(least, ...near), Math.max(most, ...near)]
  const room = (max - min || Math.abs(max) || 1) * ROOM
  const height = (value: number) => (value - min + room) / (max - min + 2 * room)
  // Values of one day stand side by side.
  const across = (index: number) =>
    last === first ? index / (values.length - 1) : ((times[index] ?? 0) - first) / (last - first)
  return { points: results.map((result, index) => ({ x: across(index), y: height(result) })), min, max, height }
}
