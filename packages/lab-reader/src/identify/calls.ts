import { findingOfAnswers, isInfection } from '../facts/answers.ts'
import { convert } from '../facts/convert.ts'
import { beyondCriticalLimit } from '../facts/critical-limits.ts'
import type { Scale } from '../facts/finding-schema.ts'
import { findingOf } from '../facts/findings.ts'
import { matchName } from '../facts/guarded-match.ts'
import { exactLoinc } from '../facts/match.ts'
import { holds } from '../facts/ranges.ts'
import { isPlausible } from '../facts/rules.ts'
import type { Biomarker } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'
import { isUsable } from '../parse/status.ts'
import { biomarkerOf } from './biomarker.ts'
import { infectionNamed, noteSpeaksOfFinding } from './infections.ts'
import type { Reason } from './reasons.ts'

/** Why a person must hear of it at once: an infection that is not clearly ruled out, or a critical limit. */
export type Calls = 'infection' | 'limit'

const presence: Scale = { kind: 'presence', expected: ['negative'], critical: true }
const negativeFlags = ['N', 'NEG', 'ND', 'NR']
/** It says nothing of the person's own sample now, or which number is the result is not certain. */
const notOfNow: readonly Reason[] = [
  ...(['notOwn', 'otherSite', 'superseded', 'replaced', 'replacedByFinal', 'earlierOrGoal'] as const),
  ...(['shifted', 'unreadable', 'notCounted', 'implausible', 'absent'] as const),
]
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
  const { status, valueText } = observation
  if (!isUsable(status) || valueText.trim() === '') return undefined
  const infection = infectionOf(observation, catalogue, suggested)
  if (infection) return isClearlyNegative(observation, infection) ? undefined : 'infection'
  if (notOfNow.includes(reason)) return undefined
  const named = biomarkerOf(catalogue, observation, () => [])
  const certain = ofKnownUnit.includes(reason) ? catalogue.find(({ id }) => id === suggested[0]) : undefined
  const biomarker = 'biomarker' in named ? named.biomarker : certain
  return biomarker && numbersIn(observation).some((number) => reachesLimit(biomarker, number)) ? 'limit' : undefined
}

interface Printed {
  value: number
  unit: string
  comparator: Observation['comparator']
}

/** The number of a result; of a text all that it may mean: a comma is read both ways. */
function numbersIn({ value, valueText, unit, comparator }: Observation): Printed[] {
  if (value !== undefined) return [{ value, unit: unit ?? '', comparator }]
  return valueText.split(/;|~|\s\/\s/).flatMap((part) => {
    const match = /^([<>])?=?\s*(\d[\d.,]*)\s*(.*)$/.exec(part.trim())
    if (!match) return []
    const [, sign, digits = '', behind = ''] = match
    const own = behind.replace(/\(.*$|(?:^|\s+)(?:AA?|HH?|LL?)$|[*!]+$/, '').trim()
    const values = [digits.replace(',', '.'), digits.replaceAll(',', ''), digits.replaceAll('.', '').replace(',', '.')]
    return [...new Set(values.map(Number))].flatMap((one) =>
      Number.isFinite(one) ? [{ value: one, unit: unit ?? own, comparator: sign as '<' | '>' | undefined }] : [],
    )
  })
}

function reachesLimit(biomarker: Biomarker, { value, unit, comparator }: Printed): boolean {
  const converted = convert(biomarker, value, unit)
  if (!converted || !isPlausible(biomarker, converted.value)) return false
  return beyondCriticalLimit(biomarker, { value: converted.value, comparator }, {}) !== undefined
}

function infectionOf(
  observation: Observation,
  catalogue: readonly Biomarker[],
  suggested: readonly string[],
): 'grave' | 'other' | undefined {
  const { name, alsoCalled = [], loinc } = observation
  const names = [name, ...alsoCalled]
  const meant = [
    ...names.flatMap((one) => matchName(catalogue, one)?.biomarker ?? []),
    ...(loinc ? [exactLoinc(catalogue, loinc)] : []),
    ...catalogue.filter(({ id }) => suggested.includes(id)),
  ]
  return meant.some((one) => one?.scale && isInfection(one.scale)) ? 'grave' : infectionNamed(observation)
}

/** By all of its words and codes, by the note and the flag beside it; of a number by its flag, and where it is printed by its range. */
function isClearlyNegative(observation: Observation, infection: 'grave' | 'other'): boolean {
  const { value, comparator, valueText, answers, flag, doubt, range, comment, said } = observation
  if (doubt || noteSpeaksOfFinding(comment ?? said?.comment ?? '')) return false
  const marked = (flag ?? '').trim().toUpperCase()
  const isMarkedNegative = negativeFlags.includes(marked)
  if (value !== undefined) {
    const isInRange = range !== undefined && holds(range, value) && !comparator?.startsWith('>')
    return isMarkedNegative || (infection === 'other' && marked === '' && (isInRange || range === undefined))
  }
  const finding = answers ? findingOfAnswers(presence, answers) : findingOf(presence, valueText)
  return typeof finding === 'object' && finding.value === 'negative' && (marked === '' || isMarkedNegative)
}
