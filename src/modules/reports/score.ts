import { type Person, rangesFor } from '../catalogue/ranges.ts'
import { roundTo } from '../catalogue/rules.ts'
import type { Biomarker, Interval, Ranges } from '../catalogue/schema.ts'
import { curveOf, scoreAt } from './curve.ts'
import type { Reading } from './reading.ts'

/** In which of the shown ranges a result lies; `unknown` where nothing judges it. */
export type State = 'optimal' | 'good' | 'fair' | 'poor' | 'unknown'

/**
 * HL7 table 0078. N, L and H come from the reference interval. LL, HH (critical) and A (abnormal) are only ever the
 * laboratory's own flag, because the catalogue holds no critical limits. Empty: no verdict.
 */
export type Interpretation = 'N' | 'L' | 'H' | 'LL' | 'HH' | 'A' | ''

export interface Assessment {
  ranges: Ranges
  /** 0 to 100, not rounded; null when not scored. */
  score: number | null
  state: State
  interpretation: Interpretation
  deviationScore: number | null
}

/** Everything a report says about one result in the biomarker's unit. `labFlag` is the laboratory's own flag. */
export function assess(biomarker: Biomarker, reading: Reading, person: Person, labFlag?: string): Assessment {
  const ranges = rangesFor(biomarker, person)
  return {
    ranges,
    score: markerScore(biomarker, ranges, reading),
    state: zoneOf(biomarker, ranges, reading),
    interpretation: interpretationOf(biomarker, ranges, reading, labFlag),
    deviationScore: deviationScore(biomarker, ranges, reading),
  }
}

/**
 * 100 in the optimal zone, 75 at the reference limit, falling to 0 along the guideline tiers or multiples of the
 * interval. A censored result scores as the value nearest to its bound if its whole side lies in one zone.
 * Null when no interval judges it. Not clinically validated: see docs/scoring.md.
 */
export function markerScore(biomarker: Biomarker, ranges: Ranges, reading: Reading): number | null {
  const curve = curveOf(biomarker, ranges)
  if (!curve || zoneOf(biomarker, ranges, reading) === 'unknown') return null
  return scoreAt(curve, nearest(biomarker, reading))
}

/** The shown range that holds the value after rounding; a censored result has one only if its whole side agrees. */
export function zoneOf(biomarker: Biomarker, ranges: Ranges, reading: Reading): State {
  if (!curveOf(biomarker, ranges) || !Number.isFinite(reading.value)) return 'unknown'
  const bands = [ranges.optimal, ...ranges.good, ...ranges.fair].filter((band) => band !== null)
  return settled(biomarker, reading, bands, (x) => stateAt(ranges, x)) ?? 'unknown'
}

/** See `Interpretation`. Both limits of the interval count here, also one that does not lower the score. */
export function interpretationOf(
  biomarker: Biomarker,
  ranges: Ranges,
  reading: Reading,
  labFlag?: string,
): Interpretation {
  if (labFlag === 'LL' || labFlag === 'HH' || labFlag === 'A') return labFlag
  const { inRange } = ranges
  if (!inRange || !Number.isFinite(reading.value)) return ''
  return settled(biomarker, reading, [inRange], (x) => sideOf(inRange, x)) ?? ''
}

/**
 * 0 inside the reference interval; outside the signed distance beyond the limit, in half widths of a two-sided
 * interval or as a share of a one-sided limit (2 decimals). Null without an interval or a definite side.
 */
export function deviationScore(biomarker: Biomarker, ranges: Ranges, reading: Reading): number | null {
  const { inRange } = ranges
  const side = interpretationOf(biomarker, ranges, reading)
  if (!inRange || side === '') return null
  const limit = side === 'H' ? inRange.high : side === 'L' ? inRange.low : null
  if (limit === null) return 0
  const { low, high } = inRange
  const unit = low !== null && high !== null ? (high - low) / 2 : Math.abs(limit)
  return unit === 0 ? null : roundTo((nearest(biomarker, reading) - limit) / unit, 2)
}

function stateAt({ optimal, good, fair }: Ranges, x: number): State {
  if (optimal && holds(optimal, x)) return 'optimal'
  if (good.some((band) => holds(band, x))) return 'good'
  return fair.some((band) => holds(band, x)) ? 'fair' : 'poor'
}

function sideOf({ low, high }: Interval, x: number): 'N' | 'L' | 'H' {
  if (low !== null && x < low) return 'L'
  return high !== null && x > high ? 'H' : 'N'
}

function holds({ low, high }: Interval, x: number): boolean {
  return (low === null || x >= low) && (high === null || x <= high)
}

/** The rounded value; for a censored result the one on its side that is nearest to the bound ("<5.7" is 5.6). */
function nearest(biomarker: Biomarker, { value, comparator }: Reading): number {
  const step = 10 ** -biomarker.decimals
  const x = roundTo(value, biomarker.decimals)
  if (comparator === '<' && x >= value) return Math.max(0, roundTo(x - step, biomarker.decimals))
  if (comparator === '>' && x <= value) return roundTo(x + step, biomarker.decimals)
  return x
}

/** What `judge` says of the value; of a censored one only if it says the same of every value on that side. */
function settled<T>(biomarker: Biomarker, reading: Reading, bands: Interval[], judge: (x: number) => T): T | undefined {
  const x = nearest(biomarker, reading)
  const verdict = judge(x)
  if (!reading.comparator) return verdict
  const below = reading.comparator.startsWith('<')
  const { decimals } = biomarker
  const step = 10 ** -decimals
  const edges = bands.flatMap(({ low, high }) => [low, high]).filter((edge) => edge !== null)
  const probes = edges.flatMap((edge) => [edge - step, edge, edge + step].map((probe) => roundTo(probe, decimals)))
  const onSide = probes.filter((probe) => (below ? probe >= 0 && probe < x : probe > x))
  const far = below ? Math.min(0, x) : Number.POSITIVE_INFINITY
  return [far, ...onSide].every((probe) => judge(probe) === verdict) ? verdict : undefined
}
