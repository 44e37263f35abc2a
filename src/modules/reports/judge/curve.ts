import { scoredLimits } from '@kitlane/lab-reader/facts/ranges'
import type { Interval, Ranges } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import { scoreConstants as constants } from './score-constants.ts'

/** One point of the score: a value in the biomarker's unit and what it scores. */
export interface Anchor {
  x: number
  score: number
}

export interface Curve {
  /** Scores 100. An infinite edge is a side that is not scored. */
  zone: { low: number; high: number }
  /** From the zone outwards. */
  below: Anchor[]
  above: Anchor[]
}

/** The anchors of a biomarker's score in these ranges, or undefined where no interval judges it. */
export function curveOf(biomarker: Biomarker, ranges: Ranges): Curve | undefined {
  const limits = ranges.inRange ? scoredLimits(biomarker, ranges.inRange) : { low: null, high: null }
  const { low, high } = limits
  if (low === null && high === null) return undefined
  const zone = zoneOf(limits, ranges.optimal)
  return {
    zone,
    below: low === null ? [] : side(zone.low, low, tiersBelow(biomarker, low) ?? stepsBelow(low, high)),
    above: high === null ? [] : side(zone.high, high, tiersAbove(biomarker, high) ?? stepsAbove(high, low)),
  }
}

/** The score of a value: linear between the anchors, 0 beyond the last. */
export function scoreAt({ zone, below, above }: Curve, x: number): number {
  if (x >= zone.low && x <= zone.high) return constants.inOptimal
  const anchors = x > zone.high ? above : below
  const edge = x > zone.high ? zone.high : zone.low
  const reach = Math.abs(x - edge)
  const next = anchors.findIndex((anchor) => Math.abs(anchor.x - edge) >= reach)
  const to = anchors[next]
  const from = anchors[next - 1]
  if (!to) return 0
  if (!from) return to.score
  const share = (x - from.x) / (to.x - from.x)
  return from.score * (1 - share) + to.score * share
}

/** The optimal zone; without one a zone for scoring only, which is never shown as optimal. */
function zoneOf({ low, high }: Interval, optimal: Interval | null): Curve['zone'] {
  const share = constants.implicitShare
  const quarter = low !== null && high !== null ? (high - low) / 4 : undefined
  const edge = optimal ?? {
    low: low === null ? null : quarter === undefined ? low / share : low + quarter,
    high: high === null ? null : quarter === undefined ? high * share : high - quarter,
  }
  return { low: edge.low ?? Number.NEGATIVE_INFINITY, high: edge.high ?? Number.POSITIVE_INFINITY }
}

/** Zone edge, limit, steps. Where optimal reaches the limit, the fall begins at the limit with its 75. */
function side(edge: number, limit: number, steps: Anchor[]): Anchor[] {
  const atLimit = { x: limit, score: constants.atLimit }
  return edge === limit ? [atLimit, ...steps] : [{ x: edge, score: constants.inOptimal }, atLimit, ...steps]
}

/** The end of the k-th of n guideline tiers beyond the limit scores 75 * (1 - k/n). One tier alone gives no steps. */
function tiersAbove(biomarker: Biomarker, limit: number): Anchor[] | undefined {
  const tiers = (biomarker.tiers ?? []).filter(({ high }) => high === null || high > limit)
  const ends = tiers.flatMap(({ high }) => (high === null ? [] : [high])).sort((a, b) => a - b)
  return tierSteps(ends, tiers.length, (last) => last * constants.lastTierHigh)
}

function tiersBelow(biomarker: Biomarker, limit: number): Anchor[] | undefined {
  const tiers = (biomarker.tiers ?? []).filter(({ low }) => low === null || low < limit)
  const ends = tiers.flatMap(({ low }) => (low === null ? [] : [low])).sort((a, b) => b - a)
  return tierSteps(ends, tiers.length, (last) => last / constants.lastTierLow)
}

function tierSteps(ends: number[], n: number, zeroAt: (last: number) => number): Anchor[] | undefined {
  const last = ends.at(-1)
  if (last === undefined || n < 2) return undefined
  const steps = ends.map((x, index) => ({ x, score: constants.atLimit * (1 - (index + 1) / n) }))
  return ends.length < n ? [...steps, { x: zeroAt(last), score: 0 }] : steps
}

function stepsAbove(high: number, low: number | null): Anchor[] {
  if (low === null) return constants.oneSided.map(({ times, score }) => ({ x: high * times, score }))
  const half = (high - low) / 2
  return constants.twoSided.map(({ halfWidths, score }) => ({ x: high + halfWidths * half, score }))
}

/** The low side mirrors the high side, compressed where it would go below 0. */
function stepsBelow(low: number, high: number | null): Anchor[] {
  if (high === null) return constants.oneSided.map(({ times, score }) => ({ x: low / times, score }))
  const half = Math.min((high - low) / 2, low / 2)
  return constants.twoSided.map(({ halfWidths, score }) => ({ x: low - halfWidths * half, score }))
}
