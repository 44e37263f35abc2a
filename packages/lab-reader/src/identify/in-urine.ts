import others from '../facts/data/other-loinc.json' with { type: 'json' }
import { isProvoked, isVetoed, matchName } from '../facts/guarded-match.ts'
import { exactLoinc } from '../facts/match.ts'
import type { Biomarker } from '../facts/schema.ts'
import { mayComeFrom, specimensIn } from '../facts/specimens.ts'
import { matchInUrine } from '../facts/urine.ts'
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
  const all = [name, ...alsoCalled].filter((one) => one !== '')
  // Every name says urine, and nothing says anything else.
  const isNamed = all.length > 0 && all.every(saysUrine)
  const isSilent = named.length === 0 && specimen.trim() === '' && !specimensIn(section)?.length
  // Random urine is one sample of no set time.
  const isState = [specimen, section].some((text) => isProvoked(text.replace(/\brandom(?= urine\b)/i, ' ')))
  if (isState || !(named.join() === 'urine' || (isSilent && isNamed))) return undefined
  const loincs = loincsOf(observation)
  if (loincs.length === 0 || loincs.some((code) => exactLoinc(catalogue, code) || !ofUrine.has(code))) return undefined
  if (isNamed) return onlyOne(all.map((one) => matchInUrine(catalogue, one)))
  if (all.some((one) => !saysUrine(one) && (specimensIn(one)?.length || isVetoed(one)))) return undefined
  const found = onlyOne(
    all.map((one) => (saysUrine(one) ? matchInUrine(catalogue, one) : matchName(catalogue, `${one} urine`)?.biomarker)),
  )
  return found && mayComeFrom(found, named) ? found : undefined
}

const saysUrine = (name: string): boolean => specimensIn(name)?.join() === 'urine'

const onlyOne = ([one, ...more]: (Biomarker | undefined)[]): Biomarker | undefined =>
  more.every((other) => other === one) ? one : undefined
