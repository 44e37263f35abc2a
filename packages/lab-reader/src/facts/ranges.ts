import type { Biomarker, Interval, Phase, Ranges, Sex } from './schema.ts'

/** The catalogue's intervals are for adults. Only age bands and the laboratory's intervals judge younger people. */
export const adultAge = 18

/** How far `fair` reaches outside the reference interval: the product's definition, not a medical limit. */
const fairReach = 0.25

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
 * Bands end on the biomarker's decimals; a value between two of them belongs to the outer one.
 */
export function rangesFor(biomarker: Biomarker, person: Person, shownDecimals = biomarker.decimals): Ranges {
  const { interval, source } = referenceFor(biomarker, person)
  if (!interval) return { optimal: null, good: [], fair: [], inRange: null, source }
  const limits = scoredLimits(biomarker, interval)
  const grid = gridOf(biomarker.decimals)
  // A value with more decimals, such as 6.95, lies between no two bands that are printed.
  const inner = gridOf(Math.max(biomarker.decimals, shownDecimals))
  const optimal = person.sex && !isMinor(person) ? fit(biomarker.optimal?.[person.sex], limits) : null
  return {
    optimal,
    good: optimal ? beside(limits, optimal, inner) : judged(limits) ? [limits] : [],
    fair: outside(limits, grid, inner),
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
  return {
    low,
    high,
    ...(low !== null && interval.lowExclusive && { lowExclusive: true }),
    ...(high !== null && interval.highExclusive && { highExclusive: true }),
  }
}

/** Whether a value lies in an interval: a bound itself does, unless it is exclusive. */
export function holds({ low, high, lowExclusive, highExclusive }: Interval, x: number): boolean {
  const isAbove = low === null || x > low || (x === low && !lowExclusive)
  return isAbove && (high === null || x < high || (x === high && !highExclusive))
}

/** Whether the person is known to be too young for the catalogue's intervals. */
export const isMinor = ({ ageYears }: Pick<Person, 'ageYears'>): boolean =>
  ageYears !== undefined && ageYears < adultAge

/** Whether assays differ so much between makers that only the laboratory's own interval judges a result. */
export const isMakersOwn = ({ flags }: Pick<Biomarker, 'flags'>): boolean =>
  flags.includes('assay_dependent') && flags.includes('prefer_lab_reference')

function referenceFor(biomarker: Biomarker, person: Person): { interval?: Interval; source: Ranges['source'] } {
  if (person.labRange && usable(person.labRange)) return { interval: person.labRange, source: 'lab' }
  // Its cut-off is that of one maker, and says nothing of what another one's assay measured.
  if (isMakersOwn(biomarker)) return { source: 'none' }
  if (person.sex) {
    const found = referenceOf(biomarker, person.sex, person)
    return found ?? { source: 'none' }
  }
  if (isMinor(person)) return { source: 'none' }
  const each = biomarker.sexes.map((sex) => referenceOf(biomarker, sex, person)?.interval)
  const interval = each.reduce((a, b) => a && b && union(a, b))
  return interval && usable(interval) ? { interval, source: 'union' } : { source: 'none' }
}

function referenceOf(
  biomarker: Biomarker,
  sex: Sex,
  { ageYears, phase }: Person,
): { interval: Interval; source: Ranges['source'] } | undefined {
  const isAdult = !isMinor({ ageYears })
  const inPhase = sex === 'F' && isAdult ? biomarker.phases?.F.find((entry) => entry.phase === phase) : undefined
  if (inPhase) return { interval: { low: inPhase.low, high: inPhase.high }, source: 'phase' }
  const age = ageYears === undefined ? undefined : Math.floor(ageYears)
  const bands = age === undefined ? [] : (biomarker.ageBands?.[sex] ?? [])
  const band = bands.find(({ minAge, maxAge }) => age !== undefined && age >= minAge && age <= maxAge)
  if (band) return { interval: { low: band.low, high: band.high }, source: 'age' }
  const interval = isAdult ? biomarker.reference?.[sex] : undefined
  return interval && { interval, source: 'sex' }
}

/** An interval without a bound, or whose low is not below its high, does not count. */
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
  if (low !== null && high !== null && low > high) return null
  return {
    low,
    high,
    ...(limits.lowExclusive && low === limits.low && { lowExclusive: true }),
    ...(limits.highExclusive && high === limits.high && { highExclusive: true }),
  }
}

function beside(limits: Interval, optimal: Interval, grid: Grid): Interval[] {
  const { low, high, lowExclusive, highExclusive } = limits
  const bands: Interval[] = []
  if (low !== null && optimal.low !== null)
    bands.push({ low, high: grid.before(optimal.low), ...(lowExclusive && { lowExclusive }) })
  if (high !== null && optimal.high !== null)
    bands.push({ low: grid.after(optimal.high), high, ...(highExclusive && { highExclusive }) })
  return bands.filter(nonEmpty)
}

function outside({ low, high, lowExclusive, highExclusive }: Interval, grid: Grid, inner: Grid): Interval[] {
  const width = low !== null && high !== null ? high - low : Number.POSITIVE_INFINITY
  const bands: Interval[] = []
  if (low !== null) {
    const reach = fairReach * Math.min(width, low)
    bands.push({ low: grid.from(low - reach), high: lowExclusive ? low : inner.before(low) })
  }
  if (high !== null) {
    const reach = fairReach * (low === null ? high : width)
    bands.push({ low: highExclusive ? high : inner.after(high), high: grid.upTo(high + reach) })
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
