import { isCritical } from '@kitlane/display/interpretation'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { beyondCriticalLimit, limitInUnit } from '@kitlane/lab-reader/facts/critical-limits'
import type { Calls } from '@kitlane/lab-reader/identify/calls'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { Subject } from '../judge/formulas.ts'
import type { BiomarkerEntry, Critical } from '../schema.ts'
import type { NewUnassessed } from '../unassessed/rules.ts'

/** Why an entry is critical; undefined where this rule does not say so. */
type Rule = (biomarker: Biomarker, entry: BiomarkerEntry, subject: Subject) => Critical | undefined

/** A value that the sample's condition hides is no result: nobody could read it back. */
const byFlag: Rule = (_, { interpretation, labFlag, rawResult, holdsReport }) => {
  if (rawResult === '') return undefined
  const flags = [holdsReport ? '' : interpretation, (labFlag ?? '').trim().toUpperCase()]
  const flag = (['LL', 'HH', 'AA'] as const).find((one) => flags.includes(one))
  return flag === undefined ? undefined : { by: 'laboratory', flag }
}

const byLimit: Rule = (biomarker, { result, comparator }, subject) => {
  const beyond = result === null ? undefined : beyondCriticalLimit(biomarker, { value: result, comparator }, subject)
  return beyond && { by: 'limit', ...beyond }
}

/** Every rule that makes an assessed result critical; the first that says so counts. */
const rules: readonly Rule[] = [byFlag, byLimit]

/** The entry with why it is critical, or without. */
export function markCritical(biomarker: Biomarker, entry: BiomarkerEntry, subject: Subject): BiomarkerEntry {
  const { critical: _, ...rest } = entry
  for (const rule of rules) {
    const critical = rule(biomarker, entry, subject)
    if (critical) return { ...rest, critical }
  }
  return rest
}

/** Whether somebody has to hear of a result at once. */
export const isCriticalEntry = ({ critical, interpretation, holdsReport }: BiomarkerEntry): boolean =>
  critical !== undefined || isCritical(interpretation) || holdsReport === true

/** A critical result as contacts see it. */
export interface CriticalResult {
  /** What it is the result of: the same again is not raised again. */
  key: string
  name: string
  /** As the laboratory gave it. */
  value: string
  unit: string
  why: Sentence
}

const flagReason = (flag: string) => sentence('The laboratory marked it as critical ({flag}).', { flag })

/** The critical ones of a version's entries. */
export const criticalOfEntries = (entries: readonly BiomarkerEntry[]): CriticalResult[] =>
  entries.filter(isCriticalEntry).map((entry) => {
    const { id, label, rawResult, rawUnit } = entry
    return { key: `biomarker ${id}`, name: label, value: rawResult, unit: rawUnit, why: reasonOf(entry) }
  })

function reasonOf({ id, rawUnit, critical, holdsReport, interpretation }: BiomarkerEntry): Sentence {
  const { limit, unit = '', source = '' } = critical ?? {}
  if (limit !== undefined) {
    const text = criticalLimitText(id, { limit, unit }, rawUnit)
    return sentence('It reaches the critical limit of {limit} ({source}).', { limit: text, source })
  }
  if (!critical && holdsReport) return sentence('Nobody learns of such a finding without a person.')
  return flagReason(critical?.flag ?? interpretation)
}

/** "19.9 g/dL = 199 g/L": in the unit of the result, and as the source has it. */
export function criticalLimitText(
  id: string,
  { limit, unit }: { limit: number; unit: string },
  rawUnit: string,
): string {
  const biomarker = biomarkers.find((one) => one.id === id)
  const shown = rawUnit !== unit && biomarker && limitInUnit(biomarker, { limit, unit }, rawUnit)
  return shown ? `${Number(shown.toPrecision(3))} ${rawUnit} = ${limit} ${unit}` : `${limit} ${unit}`
}

const printed = /(?:\(|\s)(AA|LL|HH)\)?$/

const callReasons: Record<Calls, Sentence> = {
  infection: sentence('It is the answer of a test for an infection, could not be judged and is not clearly negative.'),
  limit: sentence('It could not be judged, and its value reaches a critical limit.'),
}

/** The critical one in what could not be assessed: the laboratory marked it so, or it may be one. */
export function criticalOfUnassessed(key: string, one: NewUnassessed): CriticalResult[] {
  const { name, value, unit = '', flag = '', sent } = one
  const criticalFlag = [flag.trim().toUpperCase(), printed.exec(value.trim())?.[1] ?? ''].find(isCritical)
  const why = criticalFlag !== undefined ? flagReason(criticalFlag) : sent?.calls && callReasons[sent.calls]
  return why === undefined ? [] : [{ key: `name ${key}`, name, value, unit, why }]
}

const plain = (text: string) => text.trim().toLowerCase().replaceAll(',', '.').replace(/\s+/g, ' ')
const digitsOf = (text: string) => text.replace(/\D/g, '')

/**
 * Whether somebody who heard a value has read it back: the whole of it, or its last digits, at least two where it has
 * so many. A text is read back whole.
 */
export function isReadBack(value: string, readBack: string): boolean {
  const [expected, repeated] = [plain(value), plain(readBack)]
  if (repeated === '') return false
  if (expected === repeated) return true
  const [expectedDigits, repeatedDigits] = [digitsOf(expected), digitsOf(repeated)]
  if (!/^[<>≤≥=]*\s*[+-]?[\d.]+$/.test(expected) || !/^[<>≤≥=]*\s*[\d.]+$/.test(repeated)) return false
  if (Number(repeated.replace(/^[<>≤≥=\s]+/, '')) === Number(expected.replace(/^[<>≤≥=\s]+/, ''))) return true
  return (
    repeatedDigits.length >= Math.min(2, expectedDigits.length) &&
    expected.replace(/^[<>≤≥=\s+-]+/, '').endsWith(repeated)
  )
}
