import catalogue from '../../catalogue/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '../../catalogue/schema.ts'

const { labParameterErrors } = Catalogue.pick({ labParameterErrors: true }).parse(catalogue)

const names = new Map<string, string>([
  ['HEMOLYSIS', 'red cells had burst in the sample'],
  ['DELAYED_SAMPLE_DELIVERY', 'the sample arrived late'],
])

export interface SpecimenNote {
  note: string
  /** True: the result is neither shown nor scored. */
  suppressed: boolean
}

/** What the laboratory's complaints about a sample mean for one biomarker; undefined where they do not touch it. */
export function specimenNote(labErrors: readonly string[], biomarkerId: string): SpecimenNote | undefined {
  const known = Object.entries(labParameterErrors).filter(([code]) => labErrors.includes(code))
  const suppressing = known.find(([, { suppress }]) => suppress.includes(biomarkerId))
  if (suppressing) return { note: `Not reported: ${names.get(suppressing[0])}`, suppressed: true }
  const cautioning = known.find(([, { caution }]) => caution.includes(biomarkerId))
  return cautioning && { note: `Interpret with care: ${names.get(cautioning[0])}`, suppressed: false }
}
