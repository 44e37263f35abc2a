import { isInfection } from '../facts/answers.ts'
import { annuls, belowLimit, correctionIn, reportedBefore } from '../parse/annulling.ts'
import type { Observation } from '../parse/parsed.ts'
import { mayPassAgain, unknownSentences } from '../parse/remark.ts'
import { clean } from '../parse/text.ts'
import type { Candidate } from './duplicates.ts'
import { noteSpeaksOfFinding } from './infections.ts'
import type { Refused } from './reasons.ts'

/** Characters of a note beside a reason. */
const LONGEST_NOTE = 200

const noteOf = ({ comment, said }: Observation): string => comment ?? said?.comment ?? ''

/** Why the note beside a value speaks against it. */
export function noteAgainst(observation: Observation): Refused | undefined {
  const note = noteOf(observation)
  const because = clean(note, LONGEST_NOTE)
  const correction = correctionIn(note)
  const isBefore = correction
    ? observation.value !== correction.to
    : observation.value !== undefined && observation.value === reportedBefore(note)
  if (annuls(note) || isBefore) return { reason: 'annulled', suggestions: [], because }
  const isBare = observation.value !== undefined && observation.comparator === undefined
  return isBare && belowLimit.test(note) ? { reason: 'contradicted', suggestions: [], because } : undefined
}

/** Whether a reviewer let a sentence that is not known pass beside this biomarker before. */
export type Passed = (sentence: string, observation: Observation, biomarkerId: string) => boolean

/** What would be a result waits if nothing is known of what the laboratory wrote of it, unless that passed before. */
export function withRemark(candidate: Candidate, passed: Passed): Candidate | Refused {
  const { observation, biomarker } = candidate
  const beside = [...(observation.unknownRemarks ?? []), ...(observation.strange ?? [])]
  const note = noteOf(observation)
  const remarks = [...new Set([...beside, ...unknownSentences(note)])]
  // A band that is faint today may be no band tomorrow: beside an infection each remark is looked at.
  const may = biomarker.scale && isInfection(biomarker.scale) ? () => false : mayPassAgain
  // "<10" alone may mean that there is none of it.
  const isLow = observation.comparator?.startsWith('<') && biomarker.category === 'infections'
  if (isLow && noteSpeaksOfFinding(note))
    return { reason: 'contradicted', suggestions: [biomarker.id], because: clean(note, LONGEST_NOTE) }
  const left = remarks.filter((one) => !(may(one) && passed(one, observation, biomarker.id)))
  if (left.length === 0) return candidate
  const because = clean(beside[0] ?? note, LONGEST_NOTE)
  return { reason: 'unknownRemark', suggestions: [biomarker.id], because, remarks: left.filter(may) }
}
