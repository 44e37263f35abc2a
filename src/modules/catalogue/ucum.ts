import { createRequire } from 'node:module'
import type { Biomarker } from './schema.ts'

interface Ucum {
  convertUnitTo(
    from: string,
    value: number,
    to: string,
    options?: { molecularWeight?: number },
  ): { status: string; toVal: number | null }
}

/** Only concentrations by mass or amount: what else looks like UCUM, such as K/uL, may be something else. */
const concentration = /^[kmunpf]?(g|mol)\/[dcmu]?L$/

/** Further off than this, a unit that the catalogue does not list is taken to be an error in the source (g/mL). */
const farthest = 100

let ucum: Ucum | undefined

/**
 * What a value in a normalised UCUM unit is multiplied by to be in the biomarker's unit, through its molar mass where
 * one is by mass and the other by amount. Undefined where the units cannot be compared (Lp(a) has no molar mass).
 */
export function ucumFactor(biomarker: Biomarker, unit: string): number | undefined {
  if (!concentration.test(unit) || !concentration.test(biomarker.unit)) return undefined
  if (biomarker.flags.includes('no_mass_molar_conversion')) return undefined
  const { molarMass } = biomarker
  ucum ??= createRequire(import.meta.url)('@lhncbc/ucum-lhc').UcumLhcUtils.getInstance() as Ucum
  const { status, toVal } = ucum.convertUnitTo(unit, 1, biomarker.unit, molarMass ? { molecularWeight: molarMass } : {})
  if (status !== 'succeeded' || toVal === null || !Number.isFinite(toVal)) return undefined
  const ratio = molarMass && unit.includes('mol') !== biomarker.unit.includes('mol') ? 1 : toVal
  return ratio >= farthest || ratio <= 1 / farthest ? undefined : Number(toVal.toPrecision(8))
}
