import type { Observation } from '../parse/parsed.ts'

export const loincSystem = /^(?:LN|LOINC)$|loinc\.org|2\.16\.840\.1\.113883\.6\.1$/i

/** All LOINC codes that were sent for one result. */
export const loincsOf = ({ loinc, codes = [] }: Observation): string[] => [
  ...(loinc ? [loinc] : []),
  ...codes.flatMap(({ code, system }) => (loincSystem.test(system) ? code : [])),
]
