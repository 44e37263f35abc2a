import type { Interval } from './interval.ts'

export type Zone = 'optimal' | 'good' | 'fair' | 'poor'

/** Where the bands and the marker of a gauge lie, from 0 (left) to 1 (right). */
export interface Gauge {
  zones: { zone: Zone; from: number; to: number }[]
  /** Absent without a value. */
  marker?: number
  /** The value lies beyond the gauge on this side; the marker stands at its end. */
  beyond?: 'low' | 'high'
}

interface Band extends Interval {
  zone: Zone
}

const ranks: readonly Zone[] = ['optimal', 'good', 'fair', 'poor']

// What is shown beyond the outermost limit, as a share of what lies between the limits.
const MARGIN = 0.18

/** The bands of a result, lower parts first; `inRange` is the reference interval. */
export interface Ranges {
  optimal: Interval | null
  good: readonly Interval[]
  fair: readonly Interval[]
  inRange: Interval | null
}

/** A gauge of ranges; undefined where there is no interval to show. Gaps between bands (a decimal) are closed. */
export function gaugeOf({ optimal, good, fair, inRange }: Ranges, value: number | null): Gauge | undefined {
  const bands: Band[] = [
    ...(optimal ? [{ ...optimal, zone: 'optimal' as const }] : []),
    ...good.map((one) => ({ ...one, zone: 'good' as const })),
    ...fair.map((one) => ({ ...one, zone: 'fair' as const })),
  ].sort((a, b) => (a.low ?? Number.NEGATIVE_INFINITY) - (b.low ?? Number.NEGATIVE_INFINITY))
  if (!inRange || bands.length === 0) return undefined
  const limits = bands.flatMap(({ low, high }) => [low ?? [], high ?? []].flat())
  if (limits.length === 0) return undefined
  const [start, end] = scaleOf(limits, bands)
  const at = (x: number) => Math.min(1, Math.max(0, (x - start) / (end - start)))
  const edges = edgesOf(bands, start, end).map(at)
  const zones = bands.map(({ zone }, index) => ({ zone, from: edges[index * 2] ?? 0, to: edges[index * 2 + 1] ?? 1 }))
  const first = zones[0]?.from ?? 0
  const last = zones.at(-1)?.to ?? 1
  return {
    zones: [
      ...(first > 0 ? [{ zone: 'poor' as const, from: 0, to: first }] : []),
      ...zones,
      ...(last < 1 ? [{ zone: 'poor' as const, from: last, to: 1 }] : []),
    ],
    ...(value !== null && { marker: at(value) }),
    ...(value !== null && value < start && { beyond: 'low' as const }),
    ...(value !== null && value > end && { beyond: 'high' as const }),
  }
}

/** From 0 where low values are all alike, else a margin beyond the outermost limits. */
function scaleOf(limits: readonly number[], bands: readonly Band[]): [number, number] {
  const [least, most] = [Math.min(...limits), Math.max(...limits)]
  const isOpenBelow = bands.some(({ low }) => low === null)
  const isOpenAbove = bands.some(({ high }) => high === null)
  const span = most - least || Math.abs(most) || 1
  const below = isOpenBelow ? Math.min(0, least) : least - MARGIN * span
  const start = least >= 0 ? Math.max(0, below) : below
  return [start, most + (isOpenAbove ? Math.max(span, 0.5 * (most - start)) : MARGIN * (most - start))]
}

/** Two edges for each band, in the unit of the value. */
function edgesOf(bands: readonly Band[], start: number, end: number): number[] {
  // What lies between two bands belongs to the outer one, so the inner one's bound is the edge.
  const between = (left: Band | undefined, right: Band | undefined) => {
    if (left?.high == null || right?.low == null) return undefined
    return ranks.indexOf(left.zone) < ranks.indexOf(right.zone) ? left.high : right.low
  }
  return bands.flatMap((band, index) => [
    between(bands[index - 1], band) ?? band.low ?? start,
    between(band, bands[index + 1]) ?? band.high ?? end,
  ])
}
