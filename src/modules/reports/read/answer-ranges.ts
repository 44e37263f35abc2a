import type { Interval } from '@kitlane/lab-reader/facts/schema'
import type { BiomarkerEntry } from '../schema.ts'
import type { BiomarkerAnswer, ReferenceInterval } from './answer-schema.ts'

type Judged = Pick<BiomarkerEntry, 'ranges' | 'labRange' | 'phases'>

/** Each band as the one stretch that holds it and everything better. */
export function envelopes({ ranges: { optimal, good, fair, inRange } }: Judged): {
  ranges: BiomarkerAnswer['ranges']
  nonUpperRanged: boolean
} {
  const best = optimal ? [optimal] : []
  const normal = [...good, ...best]
  const bands = {
    optimal: envelope(best),
    good: envelope(normal),
    fair: envelope([...fair, ...normal, ...(inRange ? [inRange] : [])]),
    inRange: envelope(inRange ? [inRange] : []),
  }
  return { ranges: bands, nonUpperRanged: Object.values(bands).some(({ length }) => length === 1) }
}

/** `[low, high]`; open above `[low]`; open below from 0, or from the limit where that is below 0; without a bound `[]`. */
function envelope(intervals: readonly Interval[]): number[] {
  const bounded = intervals.filter(({ low, high }) => low !== null || high !== null)
  if (bounded.length === 0) return []
  const lows = bounded.map(({ low }) => low)
  const highs = bounded.map(({ high }) => high)
  const high = highs.includes(null) ? null : Math.max(...highs.map(Number))
  const low = lows.includes(null) ? Math.min(0, high ?? 0) : Math.min(...lows.map(Number))
  return high === null ? [low] : [low, high]
}

/** The exact pieces that judged, and the laboratory's own interval where another one did. */
export function referenceIntervals({ ranges, labRange, phases }: Judged, version: string): ReferenceInterval[] {
  const { inRange, optimal, good, fair, source } = ranges
  const [phase] = phases ?? []
  const appliesTo = source === 'phase' && phase ? { phase } : {}
  const own = labRange && source !== 'lab' ? [piece('laboratory', labRange, 'lab', version)] : []
  if (source === 'none') return own
  const of = (band: ReferenceInterval['band'], intervals: readonly (Interval | null)[]) =>
    intervals.flatMap((interval) => (interval ? [{ ...piece(band, interval, source, version), appliesTo }] : []))
  // Only the reference interval is the laboratory's: the other bands are computed from it, or the catalogue's.
  const computed = source === 'lab' ? 'computed' : source
  const others = (band: ReferenceInterval['band'], intervals: readonly (Interval | null)[]) =>
    intervals.flatMap((interval) => (interval ? [{ ...piece(band, interval, computed, version), appliesTo }] : []))
  return [
    ...of('reference', [inRange]),
    ...others('optimal', [optimal]),
    ...others('good', good),
    ...others('fair', fair),
    ...own,
  ]
}

const sources: Record<ReferenceInterval['basis'], string> = {
  lab: 'printed by the laboratory',
  phase: 'catalogue, for the phase of the cycle that the laboratory states',
  age: 'catalogue, for the age',
  sex: 'catalogue, for the sex',
  union: 'catalogue, the wider of both sexes',
  computed: "computed here from the laboratory's interval and the catalogue",
}

function piece(
  band: ReferenceInterval['band'],
  { low, high, lowExclusive, highExclusive }: Interval,
  basis: ReferenceInterval['basis'],
  version: string,
): ReferenceInterval {
  return {
    band,
    ...(low !== null && { low: { value: low, sign: lowExclusive ? '>' : '>=' } }),
    ...(high !== null && { high: { value: high, sign: highExclusive ? '<' : '<=' } }),
    basis,
    source: sources[basis],
    appliesTo: {},
    version,
  }
}

/** As laboratories print it: `70-99`, `<=5.6`, `<5.7`, `>=40`; empty without bounds. */
export function printedRange(interval: Interval | null): string {
  const { low, high, lowExclusive, highExclusive }: Interval = interval ?? { low: null, high: null }
  if (low !== null && high !== null) return `${lowExclusive ? '>' : ''}${low}-${highExclusive ? '<' : ''}${high}`
  if (high !== null) return `${highExclusive ? '<' : '<='}${high}`
  return low === null ? '' : `${lowExclusive ? '>' : '>='}${low}`
}
