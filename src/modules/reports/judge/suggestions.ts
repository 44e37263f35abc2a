import type { BiomarkerEntry, Suggestion } from '../schema.ts'

const isOutside = ({ interpretation }: BiomarkerEntry) => interpretation !== 'N' && interpretation !== ''

/** One neutral sentence for each category with results outside their reference interval. Facts only, no advice. */
export function suggestionsFor(entries: readonly BiomarkerEntry[]): Suggestion[] {
  const byCategory = Map.groupBy(entries.filter(isOutside), ({ category }) => category.name)
  return [...byCategory].map(([category, outside]) => ({
    text: sentence(outside.map(({ label }) => label)),
    category,
    biomarkers: outside.map(({ id }) => id),
  }))
}

function sentence(labels: string[]): string {
  const list = new Intl.ListFormat('en').format(labels)
  return labels.length === 1
    ? `${list} is outside its reference interval. Discuss this result with a clinician.`
    : `${list} are outside their reference intervals. Discuss these results with a clinician.`
}
