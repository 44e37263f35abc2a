import { z } from 'zod'
import { convert } from './convert.ts'
import data from './data/critical-limits.json' with { type: 'json' }
import type { Person } from './ranges.ts'
import { type Biomarker, CriticalLimit } from './schema.ts'

const Limit = CriticalLimit.extend({ biomarker: z.string() })

/** Limits beyond which a result may need help at once, each with the public source that it was read in. */
export const criticalLimits = z
  .object({
    sources: z.record(z.string(), z.object({ title: z.string(), url: z.url(), seen: z.iso.date() })),
    limits: z.array(Limit),
  })
  .parse(data)

const byBiomarker = Map.groupBy(criticalLimits.limits, ({ biomarker }) => biomarker)

/** Those of a biomarker, each with its source by name. */
export const criticalLimitsOf = (id: string): CriticalLimit[] =>
  (byBiomarker.get(id) ?? []).map(({ biomarker: _, source, ...limit }) => ({ ...limit, source: titleOf(source) }))

/** A definition with the limits of this release, which a laboratory director signs with its ranges. */
export function withCriticalLimits<B extends Biomarker>(biomarker: B): B {
  const limits = criticalLimitsOf(biomarker.id)
  return { ...biomarker, criticalLimits: limits.length > 0 ? limits : undefined }
}

const titleOf = (source: string): string => criticalLimits.sources[source]?.title ?? source

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
    const from = { unit, source: titleOf(source) }
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

/** A limit in the unit of a result; undefined where one of the two units is none of this biomarker. */
export function limitInUnit(biomarker: Biomarker, { limit, unit }: { limit: number; unit: string }, shown: string) {
  const [own, one] = [convert(biomarker, limit, unit), convert(biomarker, 1, shown)]
  return own && one && (own.value - one.offset) / one.factor
}
