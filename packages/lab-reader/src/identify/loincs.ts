import type { Observation } from '../parse/parsed.ts'

export const loincSystem = /^(?:LN|LOINC)$|loinc\.org|2\.16\.840\.1\.113883\.6\.1$/i

/** All LOINC codes that were sent for one result. */
export const loincsOf = ({ loinc, codes = [] }: Observation): string[] => [
  ...(loinc ? [loinc] : []),
  ...codes.flatMap(({ code, system }) => (loincSystem.test(system) ? code : [])),
]

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
