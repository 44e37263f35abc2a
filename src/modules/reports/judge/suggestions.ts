import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { BiomarkerEntry, Suggestion } from '../schema.ts'

const isOutside = ({ interpretation }: BiomarkerEntry) => interpretation !== 'N' && interpretation !== ''

/** One neutral sentence for each category with results outside their reference interval. Facts only, no advice. */
export function suggestionsFor(entries: readonly BiomarkerEntry[]): (Suggestion & { text: Sentence })[] {
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

function textOf(group: readonly BiomarkerEntry[]): Sentence {
  const list = group.map(({ label }) => label)
  const [name = '', ...others] = list
  if (group[0]?.finding) {
    return others.length === 0
      ? sentence('{name} is not as expected. Discuss this result with a clinician.', { name })
      : sentence('{list} are not as expected. Discuss these results with a clinician.', { list })
  }
  return others.length === 0
    ? sentence('{name} is outside its reference interval. Discuss this result with a clinician.', { name })
    : sentence('{list} are outside their reference intervals. Discuss these results with a clinician.', { list })
}
