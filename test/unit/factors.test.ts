import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert } from '@kitlane/lab-reader/facts/convert'
import factors from '@kitlane/lab-reader/facts/data/factors.json' with { type: 'json' }
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { describe, expect, test } from 'vitest'

const byId = new Map(biomarkers.map((one) => [one.id, one]))
const find = (id: string): Biomarker => {
  const found = byId.get(id)
  if (!found) throw new Error(`no biomarker ${id}`)
  return found
}

/** Standard atomic weights of IUPAC 2021, abridged: https://ciaaw.org/abridged-atomic-weights.htm */
const weights: Record<string, number> = {
  ...{ H: 1.008, C: 12.011, N: 14.007, O: 15.999, Mg: 24.305, Al: 26.982, P: 30.974, S: 32.06, Cl: 35.45 },
  ...{ Ca: 40.078, Cr: 51.996, Mn: 54.938, Fe: 55.845, Co: 58.933, Ni: 58.693, Cu: 63.546, Zn: 65.38 },
  ...{ As: 74.922, Se: 78.971, Cd: 112.41, I: 126.9, Hg: 200.59, Pb: 207.2 },
}
const massOf = (formula: string): number =>
  [...formula.matchAll(/([A-Z][a-z]?)(\d*)/g)].reduce(
    (sum, [, element = '', count]) => sum + (weights[element] ?? Number.NaN) * Number(count || 1),
    0,
  )

const prefixes: Record<string, number> = { k: 3, '': 0, d: -1, c: -2, m: -3, u: -6, n: -9, p: -12, f: -15 }
/** `mg/dL` as grams in a litre, `nmol/L` as moles in a litre, `10*3/uL` as a count in a litre. */
function inBase(unit: string): { kind: string; size: number } | undefined {
  const [, amount, per] = /^(.+)\/([dcmu]?)L$/.exec(unit) ?? []
  const litre = 10 ** -(prefixes[per ?? ''] ?? Number.NaN)
  const power = /^10\*(\d+)$/.exec(amount ?? '')
  if (power) return { kind: 'count', size: 10 ** Number(power[1]) * litre }
  const [, prefix = '', kind = ''] = /^([kmunpf]?)(g|mol|eq|\[IU\])$/.exec(amount ?? '') ?? []
  return kind === '' ? undefined : { kind, size: 10 ** (prefixes[prefix] ?? Number.NaN) * litre }
}

const charges: Record<string, number> = { calcium: 2, magnesium: 2 }

describe('every molar mass of the catalogue', () => {
  test('is that of a substance in the table of factors, which names its source', () => {
    const listed = factors.masses.flatMap((one) => one.biomarkers)
    expect([...new Set(listed)].sort()).toEqual(listed.toSorted())
    expect(listed.toSorted()).toEqual(
      biomarkers.flatMap(({ id, molarMass }) => (molarMass === undefined ? [] : [id])).sort(),
    )
    for (const { substance, source, formula } of factors.masses) expect(formula ?? source, substance).toBeTruthy()
  })

  test('is what its chemical formula or the published mass of its protein makes, within 0.2 %', () => {
    for (const { substance, formula, mass, biomarkers: ids } of factors.masses) {
      const published = formula === undefined ? mass : massOf(formula)
      for (const id of ids) {
        const { molarMass = Number.NaN } = find(id)
        expect(Math.abs(molarMass / (published ?? Number.NaN) - 1), `${id} of ${substance}`).toBeLessThan(0.002)
      }
    }
  })

  test('is right for what was wrong: gastrin, osteocalcin, calcitonin, VIP, phosphate in urine', () => {
    const inOwn = (id: string, value: number, unit: string) => convert(find(id), value, unit)?.value
    expect(inOwn('gastrin', 60, 'pmol/L')).toBeCloseTo(125.9, 1)
    expect(inOwn('osteocalcin', 3, 'nmol/L')).toBeCloseTo(17.4, 1)
    expect(inOwn('calcitonin', 10, 'pmol/L')).toBeCloseTo(34.2, 1)
    expect(inOwn('vip', 10, 'pmol/L')).toBeCloseTo(33.3, 1)
    expect(inOwn('phosphate_urine', 60, 'mg/dL')).toBeCloseTo(19.4, 1)
    expect(inOwn('lactate', 18, 'mg/dL')).toBeCloseTo(2.0, 2)
  })

  test('is missing where laboratories measure fragments of no single mass: such a result waits', () => {
    expect(convert(find('chromogranin_a'), 2, 'nmol/L')).toBeUndefined()
    expect(convert(find('lp_a'), 30, 'mg/dL')).toBeUndefined()
  })
})

describe('every factor of the catalogue', () => {
  test('follows from the molar mass, the charge or the prefixes of its units, or names its source', () => {
    for (const { id, unit, molarMass, conversions } of biomarkers) {
      for (const { unit: from, factor, basis } of conversions) {
        const about = `${id} from ${from}`
        const [a, b] = [inBase(from), inBase(unit)]
        if (basis === 'molar') {
          const inGrams = a?.kind === 'mol' ? (molarMass ?? Number.NaN) : 1 / (molarMass ?? Number.NaN)
          expect(((a?.size ?? Number.NaN) * inGrams) / (b?.size ?? Number.NaN) / factor, about).toBeCloseTo(1, 4)
        } else if (basis === 'charge') {
          const perMole = b?.kind === 'g' ? (molarMass ?? Number.NaN) : 1
          const grams = ((a?.size ?? Number.NaN) / (charges[id] ?? 1)) * perMole
          expect(grams / (b?.size ?? Number.NaN) / factor, about).toBeCloseTo(1, 4)
        } else if (basis === 'iu-standard' || basis === 'ngsp-ifcc-master-equation') {
          expect(
            factors.others.some((one) => one.biomarker === id && one.unit === from && one.source !== ''),
            about,
          ).toBe(true)
        } else if (a && b && a.kind === b.kind) expect(a.size / b.size / factor, about).toBeCloseTo(1, 6)
      }
    }
  })
})
