import type { Biomarker } from '../../catalogue/schema.ts'
import type { Contradiction } from '../said-schema.ts'
import type { ReportCheck } from './schema.ts'

const subjects: Record<Contradiction['fact'], string> = {
  collected: 'When the sample was collected',
  fasting: 'Whether the sample was taken fasting',
  phases: 'The phase of the cycle',
  pregnant: 'Whether the person is pregnant',
}

/** What laboratory and person say differently of a sample: the laboratory's word judged, and a person finds out which is right. */
export function checkSaid(contradictions: readonly Contradiction[], catalogue: readonly Biomarker[]): ReportCheck[] {
  return contradictions.map((one) => {
    const { fact, laboratory, person, biomarkers } = one
    const labels = biomarkers.map((id) => catalogue.find((one) => one.id === id)?.label ?? id)
    const depends = labels.length > 0 ? ` The verdict of ${labels.join(', ')} depends on it.` : ''
    return {
      kind: 'sample',
      code: 'saidOtherwise',
      biomarkers,
      holds: true,
      message: `${subjects[fact]}: the laboratory says ${laboratory.join(', ')}, and the person ${person.join(', ')}.${depends} The laboratory's word counts: ask who is right.`,
      source: 'By who says what: docs/collection.md',
    }
  })
}
