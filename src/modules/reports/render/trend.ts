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

// Room above the highest and below the lowest point, as a share of their distance.
const ROOM = 0.15

/** A line through two or more values; undefined where there are fewer. Time runs to scale. */
export function trendOf(values: readonly TimedValue[]): Trend | undefined {
  if (values.length < 2) return undefined
  const times = values.map(({ timestamp }) => Date.parse(timestamp))
  const results = values.map(({ result }) => result)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const [min, max] = [Math.min(...results), Math.max(...results)]
  const room = (max - min || Math.abs(max) || 1) * ROOM
  const height = (value: number) => (value - min + room) / (max - min + 2 * room)
  // Values of one day stand side by side.
  const across = (index: number) =>
    last === first ? index / (values.length - 1) : ((times[index] ?? 0) - first) / (last - first)
  return { points: results.map((result, index) => ({ x: across(index), y: height(result) })), min, max, height }
}
