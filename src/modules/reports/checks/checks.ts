import type { Sex } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { Contradiction } from '../said-schema.ts'
import { checkChange, checkReplaced, type Replaced } from './delta.ts'
import { checkPlausibility } from './plausibility.ts'
import { checkSaid } from './said.ts'
import { checkSample, type SampleFacts } from './sample.ts'
import type { PreviousResult, ReportCheck } from './schema.ts'

export interface Checked extends SampleFacts {
  catalogue: readonly Biomarker[]
  sex?: Sex | undefined
  previous: ReadonlyMap<string, PreviousResult>
  /** Results of this sample that another value replaces without a correction. */
  replaced?: readonly Replaced[]
  contradictions?: readonly Contradiction[] | undefined
}

/** What a reviewer should look at before deciding. It changes no verdict and no flag. */
export function checksOf({
  catalogue,
  sex,
  previous,
  replaced = [],
  contradictions = [],
  ...facts
}: Checked): ReportCheck[] {
  const { entries, origin } = facts
  const date = facts.collected ?? facts.resulted
  const laboratory = (origin?.laboratories ?? []).map(({ name }) => name).join(', ')
  const changes = entries.flatMap((entry) => {
    const then = previous.get(entry.id)
    return then && date ? checkChange({ entry, previous: then, date, laboratory, sex }) : []
  })
  const again = replaced.flatMap((one) => checkReplaced(one, sex))
  return [
    ...checkPlausibility(entries, catalogue),
    ...checkSample(facts),
    ...checkSaid(contradictions, catalogue),
    ...again,
    ...changes,
  ]
}
