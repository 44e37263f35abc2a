import { z } from 'zod'
import { convert } from './convert.ts'
import data from './data/critical-limits.json' with { type: 'json' }
import type { Person } from './ranges.ts'
import { type Biomarker, Sex } from './schema.ts'

const Limit = z.object({
  biomarker: z.string(),
  /** In whole years, both included; absent: from birth, or without end. */
  minAge: z.int().optional(),
  maxAge: z.int().optional(),
  /** Absent: for both. */
  sex: Sex.optional(),
  unit: z.string().describe('UCUM.'),
  /** A value at a limit is critical. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  source: z.string(),
})

/** Limits beyond which a result may need help at once, each with the public source that it was read in. */
export const criticalLimits = z
  .object({
    sources: z.record(z.string(), z.object({ title: z.string(), url: z.url(), seen: z.iso.date() })),
    limits: z.array(Limit),
  })
  .parse(data)

const byBiomarker = Map.groupBy(criticalLimits.limits, ({ biomarker }) => biomarker)

export interface BeyondLimit {
  flag: 'LL' | 'HH'
  /** As in the source. */
  limit: number
  unit: string
  /** The source's title. */
  source: string
}

export interface MeasuredValue {
  /** In the biomarker's unit, not rounded. */
  value: number
  comparator?: '<' | '<=' | '>=' | '>' | undefined
}

/**
 * The critical limit that a result reaches; undefined where none is known or it lies between them. A person whose age or
 * sex is not known is judged by the limits of all.
 */
export function beyondCriticalLimit(
  biomarker: Biomarker,
  { value, comparator }: MeasuredValue,
  { ageYears, sex }: Pick<Person, 'ageYears' | 'sex'>,
): BeyondLimit | undefined {
  for (const limit of byBiomarker.get(biomarker.id) ?? []) {
    const { minAge = 0, maxAge = Number.POSITIVE_INFINITY, unit, low, high, source } = limit
    if (ageYears !== undefined && (Math.floor(ageYears) < minAge || Math.floor(ageYears) > maxAge)) continue
    if (limit.sex && sex && limit.sex !== sex) continue
    const from = { unit, source: criticalLimits.sources[source]?.title ?? source }
    const [least, most] = [low, high].map((bound) => bound !== null && convert(biomarker, bound, unit)?.value)
    const isAbove = comparator?.startsWith('>')
    const isBelow = comparator?.startsWith('<')
    if (low !== null && typeof least === 'number' && value <= least && !isAbove)
      return { flag: 'LL', limit: low, ...from }
    if (high !== null && typeof most === 'number' && value >= most && !isBelow)
      return { flag: 'HH', limit: high, ...from }
  }
  return undefined
}
