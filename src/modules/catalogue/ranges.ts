import type { Biomarker, Interval, Phase, Ranges, Sex } from './schema.ts'

/** How far `fair` reaches outside the reference interval: the product's definition, not a medical limit. */
export const fairReach = 0.25

export interface Person {
  sex?: Sex
  ageYears?: number
  /** Cycle phase; only where the laboratory or the person stated it. */
  phase?: Phase
  /** The interval that the laboratory printed for this result, in the biomarker's own unit. */
  labRange?: Interval
}

/**
 * The ranges that judge one result, in the biomarker's unit. The interval is the laboratory's own, else the cycle
 * phase's or age band's, else the sex's; for an unknown sex the wider union, with no optimal. No interval: no verdict.
 * `good` is the rest of the reference interval beside optimal (all of it without an optimal). `fair` is 25 % of the
 * width outside a two-sided interval, on the low side at most 25 % of the limit, and 25 % of a one-sided limit.
 * Bounds are inclusive and lie on the biomarker's decimals, so the bands have neither gaps nor overlaps.
 */
export function rangesFor(biomarker: Biomarker, person: Person): Ranges {
  const { interval, source } = referenceFor(biomarker, person)
  if (!interval) return { optimal: null, good: [], fair: [], inRange: null, source }
  const limits = scoredLimits(biomarker, interval)
  const grid = gridOf(biomarker.decimals)
  const optimal = person.sex ? fit(biomarker.optimal?.[person.sex], limits) : null
  return {
    optimal,
    good: optimal ? beside(limits, optimal, grid) : judged(limits) ? [limits] : [],
    fair: outside(limits, grid),
    inRange: interval,
    source,
  }
}

/**
 * The limits that count for a verdict: a biomarker of which lower is better has no low limit, and the reverse.
 * A limit of 0 or less cannot be passed downwards and does not count either.
 */
export function scoredLimits(biomarker: Biomarker, interval: Interval): Interval {
  const low = biomarker.direction === 'lower' || (interval.low ?? 0) <= 0 ? null : interval.low
  const high = biomarker.direction === 'higher' || (interval.high ?? 0) <= 0 ? null : interval.high
  return { low, high }
}

function referenceFor(biomarker: Biomarker, person: Person): { interval?: Interval; source: Ranges['source'] } {
  if (person.labRange && usable(person.labRange)) return { interval: person.labRange, source: 'lab' }
  if (person.sex) {
    const found = referenceOf(biomarker, person.sex, person)
    return found ?? { source: 'none' }
  }
  const each = biomarker.sexes.map((sex) => referenceOf(biomarker, sex, person)?.interval)
  const interval = each.reduce((a, b) => a && b && union(a, b))
  return interval && usable(interval) ? { interval, source: 'union' } : { source: 'none' }
}

function referenceOf(
  biomarker: Biomarker,
  sex: Sex,
  { ageYears, phase }: Person,
): { interval: Interval; source: Ranges['source'] } | undefined {
  const inPhase = sex === 'F' ? biomarker.phases?.F.find((entry) => entry.phase === phase) : undefined
  if (inPhase) return { interval: { low: inPhase.low, high: inPhase.high }, source: 'phase' }
  const age = ageYears === undefined ? undefined : Math.floor(ageYears)
  const bands = age === undefined ? [] : (biomarker.ageBands?.[sex] ?? [])
  const band = bands.find(({ minAge, maxAge }) => age !== undefined && age >= minAge && age <= maxAge)
  if (band) return { interval: { low: band.low, high: band.high }, source: 'age' }
  const interval = biomarker.reference?.[sex]
  return interval && { interval, source: 'sex' }
}

/** An interval with no bound or with its bounds the wrong way round is no interval. */
function usable({ low, high }: Interval): boolean {
  const bounds = [low, high].filter((bound) => bound !== null)
  return bounds.length > 0 && bounds.every(Number.isFinite) && (low === null || high === null || low < high)
}

function union(a: Interval, b: Interval): Interval {
  return {
    low: a.low === null || b.low === null ? null : Math.min(a.low, b.low),
    high: a.high === null || b.high === null ? null : Math.max(a.high, b.high),
  }
}

const judged = ({ low, high }: Interval) => low !== null || high !== null

/** The optimal zone inside the limits, or none where it bounds a side on which the interval in use has no limit. */
function fit(optimal: Interval | undefined, limits: Interval): Interval | null {
  if (!optimal || !judged(limits)) return null
  if ((optimal.low !== null && limits.low === null) || (optimal.high !== null && limits.high === null)) return null
  const low = limits.low === null ? null : Math.max(optimal.low ?? limits.low, limits.low)
  const high = limits.high === null ? null : Math.min(optimal.high ?? limits.high, limits.high)
  return low !== null && high !== null && low > high ? null : { low, high }
}

function beside(limits: Interval, optimal: Interval, grid: Grid): Interval[] {
  const bands: Interval[] = []
  if (limits.low !== null && optimal.low !== null) bands.push({ low: limits.low, high: grid.before(optimal.low) })
  if (limits.high !== null && optimal.high !== null) bands.push({ low: grid.after(optimal.high), high: limits.high })
  return bands.filter(nonEmpty)
}

function outside({ low, high }: Interval, grid: Grid): Interval[] {
  const width = low !== null && high !== null ? high - low : Number.POSITIVE_INFINITY
  const bands: Interval[] = []
  if (low !== null) bands.push({ low: grid.from(low - fairReach * Math.min(width, low)), high: grid.before(low) })
  if (high !== null) {
    const reach = fairReach * (low === null ? high : width)
    bands.push({ low: grid.after(high), high: grid.upTo(high + reach) })
  }
  return bands.filter(nonEmpty)
}

const nonEmpty = ({ low, high }: Interval) => low === null || high === null || low <= high

interface Grid {
  before(x: number): number
  after(x: number): number
  from(x: number): number
  upTo(x: number): number
}

/** Steps between representable results: the nearest one before, after, at or above, at or below a number. */
function gridOf(decimals: number): Grid {
  const scale = 10 ** decimals
  const up = (x: number) => Math.ceil(x * scale - 1e-6)
  const down = (x: number) => Math.floor(x * scale + 1e-6)
  return {
    before: (x) => (up(x) - 1) / scale,
    after: (x) => (down(x) + 1) / scale,
    from: (x) => up(x) / scale,
    upTo: (x) => down(x) / scale,
  }
}
