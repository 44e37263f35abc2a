import { isKnownUnit, normaliseUnit } from '../facts/convert.ts'
import { flagCode, isKnownFlag } from './flags.ts'
import { type Commas, isUncertain, type Printed, readSent } from './number.ts'
import { plain } from './text.ts'

export interface SentText extends Printed {
  /** Behind the number, where no field of its own has one. */
  unit?: string
}

/** What the fields beside a text say. */
export interface OwnFields {
  unit: string | undefined
  flag: string | undefined
  /** A note says that a star marks results out of range. */
  hasLegend?: boolean
}

const legend =
  /\*+\s*(?:[:=–-]|means|marks|indicates|denotes)?\s*(?:results? |values? )?(?:(?:is|are) )?(?:abnormal|out(?:side)?(?: of)?(?: the)? (?:normal |reference )?(?:range|limits?|interval))/i

/** Whether a note says what a star behind a number means. */
export const isStarLegend = (text: string): boolean => legend.test(text)

const numbered = /^((?:<=|>=|<|>|≤|≥|less than|greater than|more than)?\s*[+-]?\d[\d.,]*)\s*(\S.*)$/i
const abnormal = /^(A|AA|H|HH|L|LL)$/

/**
 * A number in a text field, with at most a flag or a unit behind it: "139 H", "5.3 mg/dL", "139*". It counts only if the
 * fields of their own say the same, or nothing.
 */
export function readSentText(text: string, commas: Commas, { unit, flag, hasLegend = false }: OwnFields): SentText {
  const line = plain(text).replace(/\s+/g, ' ').trim()
  const alone = readSent(line, commas)
  if (alone.value !== undefined) return alone
  const [, number = '', behind = ''] = numbered.exec(line) ?? []
  // "1.250 mg/dL" is printed as in the sender's country.
  if (commas === 'unknown' && isUncertain(number, commas)) return {}
  const read = readSent(number, commas)
  if (read.value === undefined) return {}
  if (/^\*+$/.test(behind)) {
    if (flag !== undefined) return abnormal.test(flag) ? read : {}
    return hasLegend ? { ...read, flag: 'A' } : {}
  }
  // In brackets it may be anything else, unless its own field says the same.
  const bare = flag === undefined ? behind : behind.replace(/^\((.+)\)$/, '$1')
  const said = isKnownFlag(bare) && /^\p{L}/u.test(bare) ? flagCode(bare) : undefined
  if (said) return flag === undefined || flag === said ? { ...read, flag: said } : {}
  if (unit !== undefined) return normaliseUnit(behind) === normaliseUnit(unit) ? read : {}
  return isKnownUnit(behind) ? { ...read, unit: behind } : {}
}
