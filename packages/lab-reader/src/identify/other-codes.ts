import others from '../facts/data/other-loinc.json' with { type: 'json' }
import type { Biomarker } from '../facts/schema.ts'
import { labelsOf, mayComeFrom } from '../facts/specimens.ts'

const provoked = new Set(others.provoked.split(' '))
const specimens = new Map(
  Object.entries(others.specimens).flatMap(([id, codes]) => codes.split(' ').map((code) => [code, id] as const)),
)

/** What a LOINC code that the catalogue lacks says against a biomarker: another specimen, a challenge or an hour. */
export function otherByCode(biomarker: Biomarker, loinc: string): string | undefined {
  if (provoked.has(loinc)) return `LOINC ${loinc} is of a challenge, an hour or a position`
  const id = specimens.get(loinc)
  if (id === undefined || mayComeFrom(biomarker, [id])) return undefined
  return `LOINC ${loinc} is of ${labelsOf([id])}`
}
