import { Sex } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'
import data from './data/biological-variation.json' with { type: 'json' }

const Variation = z.object({
  biomarker: z.string(),
  /** Absent: for both. */
  sex: Sex.optional(),
  cv: z.number().positive().describe('Within a healthy person, in percent.'),
  source: z.string(),
})

/** How much biomarkers vary within healthy people, each with the public source that it was read in. Without a source, none. */
export const biologicalVariations = z
  .object({
    sources: z.record(z.string(), z.object({ title: z.string(), url: z.url(), seen: z.iso.date() })),
    variations: z.array(Variation),
  })
  .parse(data)

const byBiomarker = Map.groupBy(biologicalVariations.variations, ({ biomarker }) => biomarker)

export interface BiologicalVariation {
  /** In percent. */
  cv: number
  /** The source's title. */
  source: string
}

/** Of a biomarker; undefined where none is known for this sex. A person whose sex is not known has the larger one of both. */
export function biologicalVariation(biomarker: string, sex: Sex | undefined): BiologicalVariation | undefined {
  const known = byBiomarker.get(biomarker) ?? []
  const isOfBoth = known.some((one) => one.sex === undefined) || new Set(known.map((one) => one.sex)).size === 2
  const fitting = known.filter((one) => one.sex === undefined || one.sex === sex || (sex === undefined && isOfBoth))
  const [largest] = fitting.toSorted((a, b) => b.cv - a.cv)
  return largest && { cv: largest.cv, source: biologicalVariations.sources[largest.source]?.title ?? largest.source }
}
