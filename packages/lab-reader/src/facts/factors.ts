import { criticalLimitsOf } from './critical-limits.ts'
import table from './data/factors.json' with { type: 'json' }
import type { Biomarker } from './schema.ts'

/** A fact of a biomarker by which results are read or judged, and where it was published. */
export interface SourcedFact {
  fact: string
  source: string
}

/** The molar mass of a biomarker and its factors that follow from nothing else, each with its source. */
export function factorsOf({ id, molarMass, conversions }: Biomarker): SourcedFact[] {
  const mass = table.masses.find(({ biomarkers }) => biomarkers.includes(id))
  const ofSubstance = mass && `${mass.substance}: ${mass.source ?? `${mass.formula}, ${table.formulaSource}`}`
  const others = table.others.flatMap(({ biomarker, unit, source }) => {
    const conversion = biomarker === id && conversions.find((one) => one.unit === unit)
    return conversion ? [{ fact: `1 ${unit} is ${conversion.factor}`, source }] : []
  })
  return [...(molarMass && ofSubstance ? [{ fact: `${molarMass} g/mol`, source: ofSubstance }] : []), ...others]
}

/** The critical limits of a biomarker, each with its source. */
export const limitsOf = ({ id }: Biomarker): SourcedFact[] =>
  criticalLimitsOf(id).map(({ low, high, unit, minAge, maxAge, sex, source }) => {
    const people = [sex, minAge !== undefined && `from ${minAge} years`, maxAge !== undefined && `to ${maxAge} years`]
    const bounds = [low !== null && `${low} or less`, high !== null && `${high} or more`].filter(Boolean).join(', ')
    return { fact: [`${bounds} ${unit}`, ...people.filter(Boolean)].join(' '), source }
  })
