import { annuls, belowLimit, correctionIn } from '../parse/annulling.ts'
import type { Observation } from '../parse/parsed.ts'
import { unknownIn } from '../parse/remark.ts'
import { clean } from '../parse/text.ts'
import type { Candidate } from './duplicates.ts'
import type { Refused } from './reasons.ts'

/** Characters of a note beside a reason. */
const LONGEST_NOTE = 200

const noteOf = ({ comment, said }: Observation): string => comment ?? said?.comment ?? ''

/** Why the note beside a value speaks against it. */
export function noteAgainst(observation: Observation): Refused | undefined {
  const note = noteOf(observation)
  const because = clean(note, LONGEST_NOTE)
  const correction = correctionIn(note)
  const isBefore = correction !== undefined && observation.value !== correction.to
  if (annuls(note) || isBefore) return { reason: 'annulled', suggestions: [], because }
  const isBare = observation.value !== undefined && observation.comparator === undefined
  return isBare && belowLimit.test(note) ? { reason: 'contradicted', suggestions: [], because } : undefined
}

/** What would be a result waits if nothing is known of what the laboratory wrote beside it. */
export function withRemark(decided: Candidate | Refused): Candidate | Refused {
  if ('reason' in decided) return decided
  const unknown = unknownIn([noteOf(decided.observation)])
  return unknown === undefined
    ? decided
    : { reason: 'unknownRemark', suggestions: [decided.biomarker.id], because: clean(unknown, LONGEST_NOTE) }
}
