import { isVetoed, matchName } from '../../../catalogue/guarded-match.ts'
import { exactLoinc, exactName } from '../../../catalogue/match.ts'
import type { Biomarker } from '../../../catalogue/schema.ts'
import type { Observation } from '../parsed.ts'

export type Named = { biomarker: Biomarker; why: string } | { reason: string; suggestions: string[] }

const bloodWords = /\b(serum|plasma|blood|bld|ser|serpl\w*|plas|whole blood)\b/i

/** Which biomarker a result is of, by everything the file calls it; any contradiction makes it none. */
export function nameOf(
  catalogue: readonly Biomarker[],
  observation: Observation,
  suggest: (name: string) => string[],
): Named {
  const { name, alsoCalled = [], loinc, section = '' } = observation
  const names = [name, ...alsoCalled].filter((one) => one !== '')
  const none = (reason: string, ...first: (Biomarker | undefined)[]): Named => {
    const ids = [...first.flatMap((one) => one?.id ?? []), ...suggest(name)]
    return { reason, suggestions: [...new Set(ids)].slice(0, 3) }
  }
  if (names.some((one) => isVetoed(one) && !exactName(catalogue, one)))
    return none('The name speaks of another specimen or a provoked state')
  if (isVetoed(section)) return none('It stands under another specimen or a provoked state')
  const matches = names.map((one) => matchName(catalogue, one)).filter((match) => match !== undefined)
  const [match] = matches
  if (matches.some(({ biomarker }) => biomarker !== match?.biomarker)) {
    return none('Its names mean different biomarkers', ...matches.map(({ biomarker }) => biomarker))
  }
  const byName = match?.biomarker
  const how = match?.how === 'alias' ? 'a name of the catalogue' : 'the words of a name of the catalogue'
  if (!loinc) return byName ? { biomarker: byName, why: `Known by ${how}` } : none('The name is not known')
  if (!hasCheckDigit(loinc)) return none('The LOINC code has a wrong check digit', byName)
  const byCode = exactLoinc(catalogue, loinc)
  if (byCode && !byName) {
    const isNameless = names.every((one) => one === loinc)
    if (isNameless) return { biomarker: byCode, why: `Known by LOINC ${loinc}, without a name` }
    return none('The LOINC code is known, but the name is not', byCode)
  }
  if (byCode && byName) {
    if (byCode === byName) return { biomarker: byCode, why: `Known by LOINC ${loinc} and ${how}` }
    return none('The LOINC code and the name mean different biomarkers', byCode, byName)
  }
  // A code that the catalogue lacks may be the same in other units, or another specimen: then blood must be named.
  if (byName && [...names, section].some((text) => bloodWords.test(text))) {
    return { biomarker: byName, why: `Known by ${how} and its specimen; the catalogue lacks LOINC ${loinc}` }
  }
  if (!byName) return none('Neither the name nor the LOINC code is known')
  return none('The catalogue lacks the LOINC code, and no specimen is named', byName)
}

/** Modulus 10, as LOINC computes it. https://loinc.org/get-started/loinc-term-basics/ */
export function hasCheckDigit(code: string): boolean {
  const match = /^(\d{1,7})-(\d)$/.exec(code)
  if (!match?.[1]) return false
  const digits = [...match[1]].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? digit * 2 : digit
    return total + Math.floor(doubled / 10) + (doubled % 10)
  }, 0)
  return (10 - (sum % 10)) % 10 === Number(match[2])
}
