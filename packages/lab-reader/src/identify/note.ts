import { isInfection } from '../facts/answers.ts'
import { convert, isKnownUnit } from '../facts/convert.ts'
import { annuls, belowLimit, correctionIn, reportedBefore } from '../parse/annulling.ts'
import { numberOf } from '../parse/number.ts'
import type { Observation } from '../parse/parsed.ts'
import { mayPassAgain, unknownSentences } from '../parse/remark.ts'
import { clean } from '../parse/text.ts'
import { type Candidate, isEqual } from './duplicates.ts'
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

/** "soit 0,88 g/L", "entspricht 16 mg/dl", "= 88 mg/dL": how much it is in another unit. */
const inOtherUnit =
  /^\W*(?:soit|i\.?e\.?|d\.?h\.?|dvs\.?|oder|ou|or|ovvero|oftewel|cioè|pari a|entspricht|(?:est )?équivalent à|equivale a|is equivalent to|equals|corresponds to|komt overeen met|motsvarar|svarer til)?[\s:=(]*(\d+(?:[.,]\d+)?)\s*([^\s\d].*?)[)\s.]*$/iu

/** Whether a sentence says no more than the value itself, in another unit of the test. */
function repeatsIt(candidate: Candidate, sentence: string): boolean {
  const [, digits = '', unit = ''] = inOtherUnit.exec(sentence) ?? []
  const value = numberOf(digits.replace(',', '.'), 'thousands')
  if (value === undefined || !isKnownUnit(unit) || !('converted' in candidate) || candidate.observation.comparator)
    return false
  const converted = convert(candidate.biomarker, value, unit)
  const observation = { ...candidate.observation, value, valueText: digits }
  return converted !== undefined && isEqual({ ...candidate, observation, unit, converted }, candidate)
}

/** What would be a result waits if nothing is known of what the laboratory wrote of it, unless that passed before. */
export function withRemark(candidate: Candidate, passed: Passed): Candidate | Refused {
  const { observation, biomarker } = candidate
  const beside = [...(observation.unknownRemarks ?? []), ...(observation.strange ?? [])]
  const note = noteOf(observation)
  const unknown = unknownSentences(note).filter((one) => !repeatsIt(candidate, one))
  const remarks = [...new Set([...beside, ...unknown])]
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
