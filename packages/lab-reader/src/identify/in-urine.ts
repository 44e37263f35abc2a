import others from '../facts/data/other-loinc.json' with { type: 'json' }
import { isProvoked, isVetoed, matchName } from '../facts/guarded-match.ts'
import { exactLoinc } from '../facts/match.ts'
import type { Biomarker } from '../facts/schema.ts'
import { mayComeFrom, specimensIn } from '../facts/specimens.ts'
import type { Observation } from '../parse/parsed.ts'
import { loincsOf } from './loincs.ts'

const ofUrine = new Set(others.specimens.urine.split(' '))

/**
 * What a name that says nothing of a specimen means where specimen and LOINC code say urine and the catalogue lacks the code: "pH"
 * under 5803-2. Without such a code a person decides.
 */
export function namedInUrine(catalogue: readonly Biomarker[], observation: Observation): Biomarker | undefined {
  const { name, alsoCalled = [], section = '', specimen = '' } = observation
  const named = specimensIn(specimen) ?? []
  if (named.join() !== 'urine' || isProvoked(specimen) || isProvoked(section)) return undefined
  const loincs = loincsOf(observation)
  if (loincs.length === 0 || loincs.some((code) => exactLoinc(catalogue, code) || !ofUrine.has(code))) return undefined
  const names = [name, ...alsoCalled].filter((one) => one !== '')
  if (names.some((one) => specimensIn(one)?.length || isVetoed(one))) return undefined
  const [found, ...more] = names.map((one) => matchName(catalogue, `${one} urine`)?.biomarker)
  return found && more.every((one) => one === found) && mayComeFrom(found, named) ? found : undefined
}
