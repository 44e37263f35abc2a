import { type Sentence, sentence } from '@kitlane/display/sentence'
import catalogue from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '@kitlane/lab-reader/facts/schema'
import type { Interferent } from '@kitlane/lab-reader/parse/interference'

const { labParameterErrors } = Catalogue.pick({ labParameterErrors: true }).parse(catalogue)

const names = new Map<string, Sentence>([
  ['HEMOLYSIS', sentence('Interpret with care: red cells had burst in the sample')],
  ['LIPEMIA', sentence('Interpret with care: the sample was cloudy with fat')],
  ['ICTERUS', sentence('Interpret with care: the sample was yellow with bilirubin')],
  ['DELAYED_SAMPLE_DELIVERY', sentence('Interpret with care: the sample arrived late')],
])

/**
 * What the laboratory's complaints about a sample mean for one biomarker; undefined where they do not touch it. They never
 * hide its value: a critical one must be heard of.
 */
export function specimenNote(labErrors: readonly string[], biomarkerId: string): Sentence | undefined {
  const known = Object.entries(labParameterErrors).filter(([code]) => labErrors.includes(code))
  const touching = known.find(([, { caution }]) => caution.includes(biomarkerId))
  return touching && names.get(touching[0])
}

/** Biomarkers that what was in the sample may change, and where that was published. */
export const changedBy = (interferent: Interferent) => labParameterErrors[interferent]
