import { isKnownUnit, normaliseUnit } from '../facts/convert.ts'
import { factorsOf } from '../facts/factors.ts'
import type { Biomarker } from '../facts/schema.ts'
import type { Reason } from './reasons.ts'

/** Of two units that were sent the first, where both are one by a fact with a source: mmol/L and mEq/L of sodium. */
export function sameUnit(biomarker: Biomarker, sent: string): string {
  const [unit = '', ...others] = sent.split(' or ')
  const isOne = (one: string) => {
    const known = normaliseUnit(one)
    return known === biomarker.unit || factorsOf(biomarker).some(({ fact }) => fact === `1 ${known} is 1`)
  }
  return others.length > 0 && [unit, ...others].every(isOne) ? unit : sent
}

/** Why a value has no meaning in the unit that was sent. */
export const unitReason = ({ flags }: Biomarker): Reason =>
  flags.includes('no_mass_molar_conversion') ? 'noFixedRatio' : 'unknownUnit'

/** What is wrong with the unit, in words. */
export function unitBecause(biomarker: Biomarker, unit: string): string | undefined {
  if (unitReason(biomarker) !== 'unknownUnit') return undefined
  if (unit.includes(' or ')) return `two units are sent that differ, ${unit}`
  if (!isKnownUnit(unit)) return `“${unit}” is not known`
  const others = [biomarker.unit, ...biomarker.conversions.map((one) => one.unit)]
  return `“${unit}” does not fit ${biomarker.label}, which takes ${[...new Set(others)].join(', ')}`
}
