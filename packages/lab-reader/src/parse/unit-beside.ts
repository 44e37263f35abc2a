import { isKnownUnit } from '../facts/convert.ts'
import { flagCode } from './flags.ts'
import { type Commas, readRange } from './number.ts'

const flagBehind =
  /^(.*\S)\s+(?:\(?(HH?|LL?|AA?|N|High|Low|Normal|Abnormal|Critical High|Critical Low)\)?|(\*{1,2}|[↑↓▲▼]{1,2}))$/i

/** "mg/dL H": a unit with the flag of its value, where the whole is no unit and what stands before the flag is one. */
export function unitAndFlag(text: string): { unit: string; flag?: string } {
  const [, unit = '', word, sign = ''] = flagBehind.exec(text) ?? []
  const flag = flagCode(word ?? sign)
  return flag && !isKnownUnit(text) && isKnownUnit(unit) ? { unit, flag } : { unit: text }
}

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
