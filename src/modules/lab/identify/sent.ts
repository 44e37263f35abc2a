import type { NewResult } from '../../reports/judge/new-result.ts'
import type { Observation } from '../parse/parsed.ts'

/** Names and codes as the laboratory has them: they go out beside ours. */
export function sentAs({ name, loinc, codes = [], status }: Observation): NonNullable<NewResult['sent']> {
  const own = codes.filter(({ code }) => code !== loinc)
  const loincs = loinc ? [{ code: loinc, system: 'http://loinc.org' }] : []
  return {
    name,
    status,
    codes: [
      ...loincs,
      ...own.map(({ code, system, name: display }) => ({
        code,
        ...(system && { system }),
        ...(display && { display }),
      })),
    ],
  }
}
