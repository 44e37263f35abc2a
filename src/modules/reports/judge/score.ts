import { isCritical } from '@kitlane/display/interpretation'
import { type Flag, flagAgrees, readFlag } from '@kitlane/lab-reader/facts/flag'
import { holds, isMinor, type Person, rangesFor, scoredLimits } from '@kitlane/lab-reader/facts/ranges'
import type { Reading } from '@kitlane/lab-reader/facts/reading'
import { decimalsOf, roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import { curveOf, scoreAt } from './curve.ts'

/** In which of the shown ranges a result lies; `unknown` where nothing judges it. */
export type State = 'optimal' | 'good' | 'fair' | 'poor' | 'unknown'

/** On which side of the reference interval a result lies; empty if there is no interval or the side is unknown. */
type Side = 'N' | 'L' | 'H' | ''

/**
 * HL7 table 0078. The laboratory's flag where it sent one, else N, L or H from the reference interval. LL, HH, AA
 * (critical) and A (abnormal) are only ever the laboratory's. Empty: no verdict.
 */
export type Interpretation = Side | Flag

export interface ReadingVerdict {
  state: State
  interpretation: Interpretation
  deviationScore: number | null
  /** 0 to 100, not rounded; null when not scored. */
  score: number | null
  /** What the reference interval alone says. */
  side: Side
}

export interface ReadingAssessment extends ReadingVerdict {
  ranges: Ranges
}

/** Everything a report says about one result in the biomarker's unit. `labFlag` is the laboratory's own flag. */
export function assessReading(
  biomarker: Biomarker,
  reading: Reading,
  person: Person,
  labFlag?: string,
): ReadingAssessment {
  const ranges = rangesFor(biomarker, person)
  return { ranges, ...verdictInRanges(biomarker, ranges, reading, { labFlag, isAdult: !isMinor(person) }) }
}

/**
 * The verdict in ranges that are known. The laboratory's flag is never contradicted: where it and the interval differ,
 * or nothing judges the result, its flag is the verdict and there is no score. The score's steps are for adults.
 */
export function verdictInRanges(
  biomarker: Biomarker,
  ranges: Ranges,
  reading: Reading,
  { labFlag, isAdult = true }: { labFlag?: string | undefined; isAdult?: boolean } = {},
): ReadingVerdict {
  const side = sideIn(biomarker, ranges, reading)
  const zone = zoneOf(biomarker, ranges, reading)
  const flag = readFlag(labFlag)
  const none = { deviationScore: null, score: null, side }
  if (flag === 'unreadable') return { state: 'unknown', interpretation: '', ...none }
  const state = flag ? stateOf(flag, side, zone) : zone
  if (flag && (!flagAgrees(flag, side) || (state !== zone && !isCritical(flag))))
    return { state, interpretation: flag, ...none }
  return {
    state,
    interpretation: flag ?? side,
    deviationScore: deviationScore(biomarker, ranges, reading),
    score: isAdult ? markerScore(biomarker, ranges, reading) : null,
    side,
  }
}

/**
 * The state with a flag: nothing that is flagged is good, also on the side that does no harm. Inside an interval of ours a
 * value cannot be far from a limit: fair at worst.
 */
function stateOf(flag: Flag, side: Side, zone: State): State {
  const isInside = zone === 'optimal' || zone === 'good'
  if (isCritical(flag)) return 'poor'
  if (flag === 'N') return isInside ? zone : 'good'
  if (side === '' || zone === 'unknown') return 'poor'
  return isInside ? 'fair' : zone
}

/**
 * 100 in the optimal zone, 75 at the reference limit, falling to 0 along the guideline tiers or multiples of the
 * interval. A censored result scores as the value nearest to its bound if its whole side lies in one zone.
 * Null when no interval judges it. Not clinically validated: see docs/scoring.md.
 */
export function markerScore(biomarker: Biomarker, ranges: Ranges, reading: Reading): number | null {
  const curve = curveOf(biomarker, ranges)
  if (!curve || zoneOf(biomarker, ranges, reading) === 'unknown') return null
  return scoreAt(curve, nearest(biomarker, reading, boundsOf(ranges)))
}

const boundsOf = ({ inRange, optimal, good, fair }: Ranges): Interval[] =>
  [inRange, optimal, ...good, ...fair].filter((band) => band !== null)

/** The shown range that holds the value, not rounded; a censored result has one only if its whole side agrees. */
export function zoneOf(biomarker: Biomarker, ranges: Ranges, reading: Reading): State {
  if (!curveOf(biomarker, ranges) || !ranges.inRange || !Number.isFinite(reading.value)) return 'unknown'
  const limits = scoredLimits(biomarker, ranges.inRange)
  return settled(biomarker, reading, boundsOf(ranges), (x) => stateAt(ranges, limits, x)) ?? 'unknown'
}

/** Both limits of the interval count here, also one that does not lower the score. */
function sideIn(biomarker: Biomarker, { inRange }: Ranges, reading: Reading): Side {
  if (!inRange || !Number.isFinite(reading.value)) return ''
  return settled(biomarker, reading, [inRange], (x) => sideOf(inRange, x)) ?? ''
}

/**
 * 0 inside the reference interval or at its limit; outside the signed distance beyond the limit, in half widths of a
 * two-sided interval or as a share of a one-sided limit (2 decimals, at least 0.01). Null without an interval or a definite side.
 */
function deviationScore(biomarker: Biomarker, ranges: Ranges, reading: Reading): number | null {
  const { inRange } = ranges
  const side = sideIn(biomarker, ranges, reading)
  if (!inRange || side === '') return null
  const limit = side === 'H' ? inRange.high : side === 'L' ? inRange.low : null
  if (limit === null) return 0
  const { low, high } = inRange
  const unit = low !== null && high !== null ? (high - low) / 2 : Math.abs(limit)
  if (unit === 0) return null
  const distance = roundTo((nearest(biomarker, reading, [inRange]) - limit) / unit, 2)
  return side === 'H' ? Math.max(leastDistance, distance) : Math.min(-leastDistance, distance)
}

/** Outside is never 0, however near to the limit, or at one that is itself outside. */
const leastDistance = 0.01

function stateAt({ optimal, fair }: Ranges, limits: Interval, x: number): State {
  if (optimal && holds(optimal, x)) return 'optimal'
  if (holds(limits, x)) return 'good'
  const { low, high } = limits
  const isBelow = low !== null && x <= low
  const isFair = isBelow
    ? fair.some((band) => band.high !== null && band.high <= low && x >= (band.low ?? x))
    : fair.some((band) => band.low !== null && high !== null && band.low >= high && x <= (band.high ?? x))
  return isFair ? 'fair' : 'poor'
}

function sideOf(interval: Interval, x: number): 'N' | 'L' | 'H' {
  if (holds(interval, x)) return 'N'
  return interval.low !== null && x <= interval.low ? 'L' : 'H'
}

/** The decimals on which the value, the bounds and the biomarker's results all lie: what a censored result may be. */
function gridOf({ decimals }: Biomarker, { value }: Reading, bands: readonly Interval[]): number {
  const numbers = [value, ...bands.flatMap(({ low, high }) => [low ?? 0, high ?? 0])]
  return Math.min(decimals + 6, Math.max(decimals, ...numbers.map(decimalsOf)))
}

/** The value itself; for a censored result the one on its side that is nearest to the bound ("<5.7" is 5.6). */
function nearest(biomarker: Biomarker, reading: Reading, bands: readonly Interval[]): number {
  const { value, comparator } = reading
  if (!comparator) return value
  const decimals = gridOf(biomarker, reading, bands)
  const step = 10 ** -decimals
  const x = roundTo(value, decimals)
  if (comparator === '<' && x >= value) return Math.max(0, roundTo(x - step, decimals))
  if (comparator === '>' && x <= value) return roundTo(x + step, decimals)
  return x
}

/** What `judge` says of the value; of a censored one only if it says the same of every value on that side. */
function settled<T>(biomarker: Biomarker, reading: Reading, bands: Interval[], judge: (x: number) => T): T | undefined {
  const x = nearest(biomarker, reading, bands)
  const verdict = judge(x)
  if (!reading.comparator) return verdict
  const decimals = gridOf(biomarker, reading, bands)
  const below = reading.comparator.startsWith('<')
  const step = 10 ** -decimals
  const edges = bands.flatMap(({ low, high }) => [low, high]).filter((edge) => edge !== null)
  const probes = edges.flatMap((edge) => [edge - step, edge, edge + step].map((probe) => roundTo(probe, decimals)))
  const onSide = probes.filter((probe) => (below ? probe >= 0 && probe < x : probe > x))
  const far = below ? Math.min(0, x) : Number.POSITIVE_INFINITY
  return [far, ...onSide].every((probe) => judge(probe) === verdict) ? verdict : undefined
}
