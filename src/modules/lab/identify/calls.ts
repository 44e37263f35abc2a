import { findingOfAnswers, isInfection } from '../../catalogue/answers.ts'
import { convert } from '../../catalogue/convert.ts'
import { beyondCriticalLimit } from '../../catalogue/critical-limits.ts'
import type { Scale } from '../../catalogue/finding-schema.ts'
import { findingOf } from '../../catalogue/findings.ts'
import { matchName } from '../../catalogue/guarded-match.ts'
import { exactLoinc } from '../../catalogue/match.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { Calls } from '../../reports/unassessed/rules.ts'
import type { Observation } from '../parse/parsed.ts'
import { isUsable } from '../parse/status.ts'
import type { Reason } from './reasons.ts'

const presence: Scale = { kind: 'presence', expected: ['negative'], critical: true }
const infections =
  /\b(hiv|hbsag|hbeag|hcv|hbv|hdv|htlv|hepatitis [bcd]|syphilis|lues|treponema\w*|t\.? ?pallidum|rpr|vdrl|tpha|tppa|gonorrh?o?ea\w*|gonorrhoeae|chlamydia|malaria|plasmodium|zika|cryptococc\w*|tuberculosis|quantiferon|igra)\b/i
const negativeFlags = ['N', 'NEG', 'ND', 'NR']
/** What the biomarker and its unit are is certain, and only the rest is not. */
const ofKnownUnit: readonly Reason[] = ['flagContradictsRange', 'otherScale', 'differentValues']

/**
 * Why a person has to hear at once of a result that could not be judged: it is of an infection and not clearly negative,
 * or it reaches a critical limit.
 */
export function callsFor(
  observation: Observation,
  reason: Reason,
  catalogue: readonly Biomarker[],
  suggested: readonly string[],
): Calls | undefined {
  const { status, value, valueText, unit = '', comparator } = observation
  if (!isUsable(status) || valueText.trim() === '') return undefined
  if (isOfInfection(observation, catalogue, suggested)) return isClearlyNegative(observation) ? undefined : 'infection'
  const biomarker = catalogue.find(({ id }) => id === suggested[0])
  const converted = biomarker && value !== undefined ? convert(biomarker, value, unit) : undefined
  if (!biomarker || !converted || !ofKnownUnit.includes(reason)) return undefined
  return beyondCriticalLimit(biomarker, { value: converted.value, comparator }, {}) && 'limit'
}

function isOfInfection(
  { name, alsoCalled = [], loinc }: Observation,
  catalogue: readonly Biomarker[],
  suggested: readonly string[],
): boolean {
  const names = [name, ...alsoCalled]
  const meant = [
    ...names.flatMap((one) => matchName(catalogue, one)?.biomarker ?? []),
    ...(loinc ? [exactLoinc(catalogue, loinc)] : []),
    ...catalogue.filter(({ id }) => suggested.includes(id)),
  ]
  return meant.some((one) => one?.scale && isInfection(one.scale)) || names.some((one) => infections.test(one))
}

/** By all of its words and codes, and by the laboratory's flag; of a number by its flag alone. */
function isClearlyNegative({ value, valueText, answers, flag, doubt }: Observation): boolean {
  if (doubt) return false
  const marked = (flag ?? '').trim().toUpperCase()
  if (value !== undefined) return negativeFlags.includes(marked)
  const finding = answers ? findingOfAnswers(presence, answers) : findingOf(presence, valueText)
  return (
    typeof finding === 'object' && finding.value === 'negative' && (marked === '' || negativeFlags.includes(marked))
  )
}
