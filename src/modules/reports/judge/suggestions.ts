import type { BiomarkerEntry, Suggestion } from '../schema.ts'

const isOutside = ({ interpretation }: BiomarkerEntry) => interpretation !== 'N' && interpretation !== ''

/** One neutral sentence for each category with results outside their reference interval. Facts only, no advice. */
export function suggestionsFor(entries: readonly BiomarkerEntry[]): Suggestion[] {
  const outside = entries.filter(isOutside)
  const grouped = Map.groupBy(outside, ({ category, finding }) =>
    JSON.stringify([category.name, finding !== undefined]),
  )
  return [...grouped.values()].map((group) => ({
    text: textOf(group),
    category: group[0]?.category.name ?? '',
    biomarkers: group.map(({ id }) => id),
  }))
}

function textOf(group: readonly BiomarkerEntry[]): string {
  const list = new Intl.ListFormat('en').format(group.map(({ label }) => label))
  if (group[0]?.finding) {
    return group.length === 1
      ? `${list} is not as expected. Discuss this result with a clinician.`
      : `${list} are not as expected. Discuss these results with a clinician.`
  }
  return group.length === 1
    ? `${list} is outside its reference interval. Discuss this result with a clinician.`
    : `${list} are outside their reference intervals. Discuss these results with a clinician.`
}
