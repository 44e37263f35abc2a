import { convert, isKnownUnit, normaliseUnit } from '../facts/convert.ts'
import { factorsOf } from '../facts/factors.ts'
import { holds } from '../facts/ranges.ts'
import type { Biomarker } from '../facts/schema.ts'
import { readRange } from '../parse/number.ts'
import type { Observation } from '../parse/parsed.ts'
import { unitBeside } from '../parse/unit-beside.ts'
import type { Reason } from './reasons.ts'

/** "eAG (mg/dL)" beside mg/dL: the unit of the value is no part of what was measured. */
const withoutUnit = (name: string, unit = ''): string => {
  const named = unitBeside(name, undefined, 'unknown')
  return named.bare && normaliseUnit(named.unit ?? '') === normaliseUnit(unit) ? named.bare : name
}

const dimer = /^(?:fibrin |plasma |P-)?d[ -]?d[ií]m[eè]r\p{L}*$|^d[ií]mero[ -]?d$/iu

/** "D-dimer" means one of two, and its unit says which: FEU or DDU. */
const dimerOf = (name: string, unit = ''): string => {
  const [said] = /(?<!\p{L})(?:FEU|DDU)(?!\p{L})/u.exec(unit) ?? []
  return said && dimer.test(name.trim()) ? `D-Dimer (${said})` : name
}

/** "PCR" is C-reactive protein in Spanish, Portuguese and Italian where it has a concentration: no polymerase reaction has one. */
const proteinOf = (name: string, unit = ''): string =>
  name.trim() === 'PCR' && /^mg\/d?L$/i.test(normaliseUnit(unit)) ? 'C-reactive protein' : name

/** "Natrium;P", "C-reaktivt protein [CRP];P", as NPU writes them, with the system in front: "P-Natrium". */
const withSystemFirst = (name: string): string =>
  name.replace(/^([^;[\]]{3,}?)\s*(?:\[[^\]]*\])?\s*;\s*(f?[PSBU])(?:\s*;.*|\s*)$/u, '$2-$1')

/** A name as it is looked for: without its unit, with its system in front, and with what the unit says of it. */
export const plainName = (name: string, unit: string | undefined): string =>
  proteinOf(dimerOf(withSystemFirst(withoutUnit(name, unit)), unit), unit)

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

/** Up to so many times a limit a value is near it. */
const NEAR = 1.25

/**
 * In words, the unit behind the name or a printed range where it is another one than that of the value, and the value does not lie in the
 * range once it is converted, or lies in it or near it as it is, too: "13.1 mmol/L" of hemoglobin beside "12.0-15.5 g/dL" stands in another
 * row's unit, and "71 ng/mL" of vitamin D beside "50-250 nmol/L" or "75-250 nmol/L" may.
 */
export function unitElsewhere(
  biomarker: Biomarker,
  { name, value, rangeText = '' }: Pick<Observation, 'name' | 'value' | 'rangeText'>,
  unit: string,
): string | undefined {
  const named = unitBeside(name, undefined, 'unknown').unit
  if (named && convert(biomarker, 1, named)?.factor !== convert(biomarker, 1, unit)?.factor)
    return `the name is in ${named}`
  const range = readRange(rangeText, 'thousands') ?? readRange(rangeText, 'decimal')
  if (value === undefined || !range || !isKnownUnit(range.rest)) return undefined
  const [own, printed] = [convert(biomarker, 1, unit), convert(biomarker, 1, range.rest)]
  const strange = `the range is in ${range.rest}`
  if (!printed) return normaliseUnit(unit).startsWith(normaliseUnit(range.rest)) ? undefined : strange
  if (!own || (own.factor === printed.factor && own.offset === printed.offset)) return undefined
  const meant = (value * own.factor + own.offset - printed.offset) / printed.factor
  const { low, high } = range.bounds
  const isNear = value >= (low ?? 0) / NEAR && value <= (high ?? Number.POSITIVE_INFINITY) * NEAR
  return holds(range.bounds, meant) && !isNear ? undefined : strange
}
