import { type Converted, normaliseUnit } from '../facts/convert.ts'
import type { Phase } from '../facts/schema.ts'
import type { Candidate } from './duplicates.ts'
import type { NewResult } from './result.ts'
import { fastingOf, type Statement } from './sample-facts.ts'
import { sentAs } from './sent.ts'

export type IdentifiedResult = NewResult & {
  name: string
  position: string
  /** In words, for the reviewer. */
  why: string[]
}

export interface Conversion {
  name: string
  from: string
  to: string
  factor: number
  offset?: number
}

export function resultOf(candidate: Candidate, sample: Statement & { phases: Phase[] }): IdentifiedResult {
  const { observation, biomarker, why } = candidate
  const { value = Number.NaN, comparator, valueText, range, flag, name, position, status, said } = observation
  const words = [...why]
  // A name or code of fasting glucose is what was ordered; that the person had eaten is what happened.
  const fasting = sample.fasting === false ? false : (fastingOf(observation) ?? sample.fasting)
  const common = {
    biomarkerId: biomarker.id,
    rawResult: valueText,
    name,
    position,
    ...(flag && { labFlag: flag }),
    ...(said && { said }),
    ...(status === 'corrected' && { isCorrected: true as const }),
    ...(fasting !== undefined && { fasting }),
    ...(sample.pregnant !== undefined && { pregnant: sample.pregnant }),
    ...(sample.phases.length > 0 && { phases: sample.phases }),
    sent: sentAs(observation),
    ...(status === 'preliminary' && { preliminary: true as const }),
  }
  if ('finding' in candidate) {
    const { finding, labExpected } = candidate
    if (status !== 'final') words.push(`The result is ${status}`)
    return { ...common, finding, ...(labExpected && { labExpected }), why: words }
  }
  const { unit, converted } = candidate
  const shown = unit === '' ? 'without a unit' : unit
  if (normaliseUnit(unit) === normaliseUnit(biomarker.unit)) words.push(`${shown} is the catalogue's unit`)
  else words.push(`${shown} is read as ${biomarker.unit} by ${factorText(converted)}`)
  if (status !== 'final') words.push(`The result is ${status}`)
  return {
    ...common,
    value,
    unit,
    ...(comparator && { comparator }),
    ...(range && { labRange: range }),
    why: words,
  }
}

const factorText = ({ factor, offset }: Converted) => `× ${factor}${offset === 0 ? '' : ` + ${offset}`}`

export function conversionOf(candidate: Candidate): Conversion[] {
  if ('finding' in candidate) return []
  const { observation, biomarker, unit, converted } = candidate
  const { factor, offset } = converted
  if (normaliseUnit(unit) === normaliseUnit(biomarker.unit) || (unit === '' && factor === 1)) return []
  return [{ name: observation.name, from: unit, to: biomarker.unit, factor, ...(offset !== 0 && { offset }) }]
}
