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

/** Only concentrations by mass or amount: other spellings that look like UCUM, such as K/uL, may mean something else. */
const concentration = /^[kmunpf]?(g|mol)\/[dcmu]?L$/

/** An unlisted unit that differs by this factor or more, such as g/mL, counts as an error in the source. */
const MAX_RATIO = 100

let ucum: Ucum | undefined

const library = (): Ucum => {
  ucum ??= createRequire(import.meta.url)('@lhncbc/ucum-lhc').UcumLhcUtils.getInstance() as Ucum
  return ucum
}

/** Codes of mass, amount, volume, length, time and charge: other ones, such as [IU], the library cannot compare. */
const physical = /^[kdcmunpf]?(g|mol|L|m|s|kat|eq|osm)(\/[kdcmunpf]?(g|mol|L|m|s|kat))?$/

/** Whether a code that no table here lists is certainly another unit than the normalised one: "mmol" is not mg/dL. */
export const isOtherUnit = (unit: string, code: string): boolean => physical.test(code) && !areSameUnit(unit, code)

/** How many of the other unit one is; undefined where UCUM does not know both, or cannot compare them. */
function ratioOf(one: string, other: string): number | undefined {
  // No code of UCUM has a blank, and the library writes such a text to the console.
  if (/\s/.test(one + other)) return undefined
  const { status, toVal } = library().convertUnitTo(one, 1, other)
  return status === 'succeeded' ? (toVal ?? undefined) : undefined
}

const isOne = (ratio: number) => Math.abs(ratio - 1) < 1e-9

/** What is excreted in a day is no concentration. */
const ofDays = /\/ ?\(?(?:24[ .]?h|d(?:ays?)?|tag)\b/i

/** Whether both are units of UCUM and of different size or kind: kU/L and U/L, ug and ug/L, mmol/24 h and mmol/L. */
export function areOfOtherSize(one: string, other: string): boolean {
  if (ofDays.test(one) !== ofDays.test(other)) return true
  const ratio = ratioOf(one, other)
  return ratio === undefined ? [one, other].every((unit) => ratioOf(unit, unit) === 1) : !isOne(ratio)
}

/** Whether two normalised units are of the same size: 10*3/uL and 10*9/L, U/L and [IU]/L. */
export function areSameUnit(one: string, other: string): boolean {
  const [from, to] = [one, other].map((unit) => unit.replace('[IU]', 'U')) as [string, string]
  return from === to || isOne(ratioOf(from, to) ?? Number.NaN)
}

/**
 * The factor from a normalised UCUM unit to the biomarker's unit, by its molar mass where one unit is by mass and the
 * other by amount. Undefined where the units cannot be compared (Lp(a) has no molar mass).
 */
export function ucumFactor(biomarker: Biomarker, unit: string): number | undefined {
  if (!concentration.test(unit) || !concentration.test(biomarker.unit)) return undefined
  if (biomarker.flags.includes('no_mass_molar_conversion')) return undefined
  const { molarMass } = biomarker
  const { status, toVal } = library().convertUnitTo(
    unit,
    1,
    biomarker.unit,
    molarMass ? { molecularWeight: molarMass } : {},
  )
  if (status !== 'succeeded' || toVal === null || !Number.isFinite(toVal)) return undefined
  const ratio = molarMass && unit.includes('mol') !== biomarker.unit.includes('mol') ? 1 : toVal
  // Proteins that are mg/dL in America are g/L elsewhere.
  const isUsual = unit === 'g/L' && biomarker.unit === 'mg/dL'
  return !isUsual && (ratio >= MAX_RATIO || ratio <= 1 / MAX_RATIO) ? undefined : Number(toVal.toPrecision(8))
}
