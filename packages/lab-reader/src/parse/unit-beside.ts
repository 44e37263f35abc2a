import { isKnownUnit } from '../facts/convert.ts'
import { type Commas, readRange } from './number.ts'

/** The unit that stands behind a range or a name where it has no place of its own: "70-99 mg/dL", "Sodium mmol/L". */
export function unitBeside(
  name: string,
  rangeText: string | undefined,
  commas: Commas,
): { unit?: string; bare?: string } {
  const { rest = '' } = readRange(rangeText ?? '', commas) ?? {}
  if (isKnownUnit(rest)) return { unit: rest }
  const [, bare, inBrackets, behind] = /^(.+?)(?:\s*[([]\s*(\S+?)\s*[)\]]|,?\s+(\S+))$/.exec(name) ?? []
  const unit = inBrackets ?? behind ?? ''
  return bare && /\w\/\w|^%$/.test(unit) && (inBrackets || unit !== '%') && isKnownUnit(unit) ? { unit, bare } : {}
}
