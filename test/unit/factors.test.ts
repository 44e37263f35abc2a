import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { convert } from '@kitlane/lab-reader/facts/convert'
import factors from '@kitlane/lab-reader/facts/data/factors.json' with { type: 'json' }
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { MF } from 'mf-parser'
import { describe, expect, test } from 'vitest'

const byId = new Map(biomarkers.map((one) => [one.id, one]))
const find = (id: string): Biomarker => {
  const found = byId.get(id)
  if (!found) throw new Error(`no biomarker ${id}`)
  return found
}

/** By the isotopes and their abundances of a public package, with no table of ours. */
const massOf = (formula: string): number => new MF(formula).getInfo().mass

const prefixes: Record<string, number> = { k: 3, '': 0, d: -1, c: -2, m: -3, u: -6, n: -9, p: -12, f: -15 }
/** `mg/dL` as grams in a litre, `nmol/L` as moles in a litre, `10*3/uL` as a count in a litre, `fmol` as moles. */
function inBase(unit: string): { kind: string; size: number } | undefined {
  const [, amount, per] = /^(.+)\/([dcmu]?)L$/.exec(unit) ?? [unit, unit]
  const litre = per === undefined ? 1 : 10 ** -(prefixes[per] ?? Number.NaN)
  const power = /^10\*(\d+)$/.exec(amount ?? '')
  if (power) return { kind: 'count', size: 10 ** Number(power[1]) * litre }
  const [, prefix = '', kind = ''] = /^([kmunpf]?)(g|mol|eq|\[IU\])$/.exec(amount ?? '') ?? []
  return kind === '' ? undefined : { kind, size: 10 ** (prefixes[prefix] ?? Number.NaN) * litre }
}

const charges: Record<string, number> = { calcium: 2, magnesium: 2 }

/** Where the second table has the mass of something else. */
const otherSubstances: Record<string, string> = {
  vitamin_d: 'the sum of D2 and D3, 813.2; a mole of either is meant',
  triglycerides: '176.12, which is no triglyceride: triolein has 885',
  bun: '123.07; mg/dL mean the two atoms of nitrogen, mmol/L the urea',
  phosphorus: 'phosphate, 94.97; mg/dL mean phosphorus',
  phosphate_urine: 'phosphate, 94.97; mg/dL mean phosphorus',
  iodine_serum: 'I2, 253.8; laboratories report iodine atoms',
  iodine_urine: 'I2, 253.8; laboratories report iodine atoms',
}

test('the unit in which the catalogue shows a biomarker is taken as its own', () => {
  expect(biomarkers.filter((one) => convert(one, 1, one.displayUnit)?.value !== 1).map(({ id }) => id)).toEqual([])
})

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

  test('is that of a second table by LOINC code, within 2 %, unless the substance is another', () => {
    const rows = readFileSync(new URL('../harness/loinc-axes.tsv', import.meta.url), 'utf8').split('\n')
    const cells = rows.filter((line) => /^\d/.test(line)).map((line) => line.split('\t'))
    const published = new Map(cells.flatMap(([code = '', ...rest]) => (rest[8] ? [[code, Number(rest[8])]] : [])))
    const compared = biomarkers.flatMap(({ id, molarMass, loinc, loincAlternates }) =>
      [loinc ?? '', ...loincAlternates].flatMap((code) => {
        const other = published.get(code)
        return molarMass && other ? [{ id, ratio: molarMass / other }] : []
      }),
    )
    expect(new Set(compared.map(({ id }) => id)).size).toBeGreaterThan(85)
    const different = new Set(compared.filter(({ ratio }) => Math.abs(ratio - 1) > 0.02).map(({ id }) => id))
    expect(Object.fromEntries([...different].map((id) => [id, otherSubstances[id]]))).toEqual(otherSubstances)
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
        if (basis === 'molar' && unit.endsWith('{creat}')) {
          expect([from.replace('{creat}', ''), unit], about).toEqual(['mg/g', 'mg/mmol{creat}'])
          expect((find('creatinine').molarMass ?? Number.NaN) / 1000 / factor, about).toBeCloseTo(1, 6)
        } else if (basis === 'molar') {
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
