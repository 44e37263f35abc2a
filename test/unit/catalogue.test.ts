import { convert, convertInterval, normaliseUnit } from '@kitlane/lab-reader/facts/convert'
import data from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { matchBiomarker, normaliseName } from '@kitlane/lab-reader/facts/match'
import { rangesFor } from '@kitlane/lab-reader/facts/ranges'
import { isPlausible, roundTo } from '@kitlane/lab-reader/facts/rules'
import { type Biomarker, Catalogue, type Interval, type Sex } from '@kitlane/lab-reader/facts/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import panelData from '../../src/modules/catalogue/data/panels.json' with { type: 'json' }
import { Panels } from '../../src/modules/catalogue/schema.ts'
import { deriveResults } from '../../src/modules/reports/judge/derive.ts'
import { type PlausibleKind, plausibleResults } from '../../src/modules/sandbox/plausible.ts'

const catalogue = Catalogue.parse(data)
const panels = Panels.parse(panelData)
const { biomarkers } = catalogue
const sexes = ['M', 'F'] as const

function get(id: string): Biomarker {
  const biomarker = biomarkers.find((entry) => entry.id === id)
  if (!biomarker) throw new Error(`no biomarker ${id}`)
  return biomarker
}

describe('the catalogue', () => {
  test('has more than 600 biomarkers with ids, names and LOINC codes that mean one thing each', () => {
    expect(biomarkers.length).toBeGreaterThan(600)
    const owners = new Map<string, Set<string>>()
    for (const { id, label, shortLabel, aliases, loinc, loincAlternates, loincWholeBlood } of biomarkers) {
      const names = [id, label, shortLabel, ...aliases].map((name) => `name ${normaliseName(name)}`)
      const codes = [loinc, ...loincAlternates, ...loincWholeBlood].flatMap((code) => (code ? [`loinc ${code}`] : []))
      for (const key of [...names, ...codes]) owners.set(key, (owners.get(key) ?? new Set()).add(id))
    }
    expect([...owners].filter(([, ids]) => ids.size > 1)).toEqual([])
  })

  test('is as its schema reads it, so that no process checks it again', () => {
    expect(catalogue).toEqual(data)
    expect(JSON.stringify(catalogue)).toHaveLength(JSON.stringify(data).length)
  })

  test('says that a laboratory director must approve it', () => {
    expect(catalogue.status).toMatch(/laboratory director must approve/)
  })

  test('names the source of every range', () => {
    for (const { reference, optimal, ageBands, phases } of biomarkers) {
      for (const range of [reference, optimal, ageBands, phases]) if (range) expect(range.source).not.toBe('')
    }
    expect(biomarkers.filter(({ reference, ageBands }) => reference ?? ageBands)).toHaveLength(96)
  })

  test('keeps every optimal zone inside its reference interval and every range inside the plausible values', () => {
    for (const biomarker of biomarkers) {
      for (const sex of sexes) {
        const reference = biomarker.reference?.[sex]
        const optimal = biomarker.optimal?.[sex]
        if (optimal) expect(reference, biomarker.id).toBeDefined()
        if (optimal?.low != null && reference?.low != null) expect(optimal.low).toBeGreaterThanOrEqual(reference.low)
        if (optimal?.high != null && reference?.high != null) expect(optimal.high).toBeLessThanOrEqual(reference.high)
        for (const bound of [reference?.low, reference?.high]) {
          if (bound) expect(isPlausible(biomarker, bound), biomarker.id).toBe(true)
        }
      }
    }
  })

  test('has the five starter panels, whose biomarkers and formula inputs all exist', () => {
    expect(Object.values(panels).map(({ name }) => name)).toEqual([
      'Core Health',
      'GLP & Cardio',
      "Women's Health",
      'HRT Monitoring',
      'Ultimate Health',
    ])
    for (const { biomarkers: ids } of Object.values(panels)) {
      expect(new Set(ids).size).toBe(ids.length)
      for (const id of ids) expect(get(id).id).toBe(id)
    }
    for (const { derived } of biomarkers) for (const input of derived?.inputs ?? []) expect(get(input).id).toBe(input)
  })
})

describe('ranges', () => {
  test('good is the rest of the reference interval beside optimal and fair is 25 % outside it', () => {
    expect(rangesFor(get('vitamin_d'), { sex: 'F' })).toEqual({
      optimal: { low: 40, high: 60 },
      good: [
        { low: 30, high: 39.9 },
        { low: 60.1, high: 100 },
      ],
      fair: [
        { low: 22.5, high: 29.9 },
        { low: 100.1, high: 117.5 },
      ],
      inRange: { low: 30, high: 100 },
      source: 'sex',
    })
    expect(rangesFor(get('hba1c'), { sex: 'M' })).toMatchObject({
      good: [{ low: 5.4, high: 5.6 }],
      fair: [{ low: 5.7, high: 7 }],
    })
    expect(rangesFor(get('egfr'), { sex: 'M' }).fair).toEqual([{ low: 45, high: 59 }])
  })

  test('near zero fair is at most 25 % of the low limit, so a suppressed TSH is not fair', () => {
    expect(rangesFor(get('tsh'), { sex: 'M' }).fair[0]).toEqual({ low: 0.34, high: 0.44 })
  })

  test('follow the age where a biomarker depends on it, and none is given outside the ages of its source', () => {
    const high = (id: string, sex: Sex, ageYears: number) => rangesFor(get(id), { sex, ageYears }).inRange?.high
    expect([high('esr', 'M', 49), high('esr', 'M', 50), high('esr', 'F', 49), high('esr', 'F', 50)]).toEqual([
      15, 20, 20, 30,
    ])
    expect(rangesFor(get('ferritin'), { sex: 'F', ageYears: 40 }).inRange?.high).toBe(150)
    expect(rangesFor(get('ferritin'), { sex: 'F', ageYears: 60 }).inRange?.high).toBe(400)
    const amh = { ...get('amh'), flags: [] }
    expect(rangesFor(amh, { sex: 'F', ageYears: 42 }).inRange).toEqual({ low: 0.03, high: 5.47 })
    expect(rangesFor(amh, { sex: 'F', ageYears: 45 })).toMatchObject({ inRange: null, source: 'none' })
  })

  test('of one maker judge nothing: such a biomarker needs the range of the laboratory that measured it', () => {
    const oneMaker = /assay-insert:(?!DiaSys)|ECLIA \(|population dependent/
    const named = biomarkers.filter(({ reference, ageBands, phases }) =>
      [reference, ageBands, phases].some((one) => one && oneMaker.test(one.source)),
    )
    const known = 'shbg amh fsh lh prolactin insulin free_testosterone psa cystatin_c free_t4 free_t3 c_peptide'.split(
      ' ',
    )
    const ids = [...named.map(({ id }) => id), ...known, 'free_androgen_index', 'lh_fsh_ratio', 'tpo_ab', 'tg_ab']
    expect(named.map(({ id }) => id)).toContain('estradiol')
    for (const id of ids) {
      for (const sex of ['F', 'M'] as const) {
        const person = { sex, ageYears: 30, phase: 'luteal' as const }
        expect(rangesFor(get(id), person), id).toMatchObject({ inRange: null, optimal: null, source: 'none' })
        const labRange = { low: 1, high: 2 }
        expect(rangesFor(get(id), { ...person, labRange }), id).toMatchObject({ inRange: labRange, source: 'lab' })
      }
    }
  })

  test('come from the laboratory before cycle phase, age and sex', () => {
    const printed = { low: 100, high: 400 }
    expect(rangesFor(get('dhea_s'), { sex: 'M', ageYears: 30, labRange: printed })).toMatchObject({
      inRange: printed,
      source: 'lab',
    })
    expect(rangesFor(get('dhea_s'), { sex: 'M', ageYears: 34.9 })).toMatchObject({
      inRange: { low: 138.5, high: 475.2 },
      source: 'age',
    })
    expect(rangesFor(get('dhea_s'), { sex: 'M', ageYears: 90 })).toMatchObject({ source: 'sex' })
    expect(rangesFor({ ...get('estradiol'), flags: [] }, { sex: 'F', phase: 'luteal' })).toMatchObject({
      inRange: { low: 43.8, high: 211 },
      source: 'phase',
    })
    expect(rangesFor(get('estradiol'), { sex: 'F' })).toMatchObject({ inRange: null, source: 'none' })
  })

  test('for an unknown sex are the wider union without optimal, or none where a sex has none', () => {
    expect(rangesFor(get('ferritin'), {})).toMatchObject({
      inRange: { low: 15, high: 400 },
      optimal: null,
      source: 'union',
    })
    expect(rangesFor(get('estradiol'), {})).toMatchObject({ inRange: null, source: 'none' })
    expect(rangesFor(get('hs_crp'), {})).toMatchObject({ inRange: { low: null, high: 3 }, source: 'union' })
  })

  test('ignore a printed interval without bounds or with its bounds the wrong way round', () => {
    for (const labRange of [
      { low: null, high: null },
      { low: 9, high: 3 },
    ]) {
      expect(rangesFor(get('tsh'), { sex: 'F', labRange }).source).toBe('sex')
    }
  })

  test('drop an optimal zone that the printed interval leaves open or excludes', () => {
    expect(rangesFor(get('tsh'), { sex: 'F', labRange: { low: null, high: 4 } }).optimal).toBeNull()
    expect(rangesFor(get('vitamin_d'), { sex: 'F', labRange: { low: 70, high: 90 } }).optimal).toBeNull()
  })

  test('give bands that neither overlap nor leave gaps on the grid of results', () => {
    for (const biomarker of biomarkers) {
      for (const sex of sexes) {
        const { optimal, good, fair, inRange } = rangesFor(biomarker, { sex })
        if (!inRange) continue
        const bands = [optimal, ...good, ...fair].filter((band) => band !== null)
        const sorted = bands.sort((a, b) => (a.low ?? -1e9) - (b.low ?? -1e9))
        sorted.slice(1).forEach((band, index) => {
          const previous: Interval | undefined = sorted[index]
          const step = (band.low ?? Number.NaN) - (previous?.high ?? Number.NaN)
          expect(roundTo(step, biomarker.decimals), `${biomarker.id} ${sex}`).toBe(10 ** -biomarker.decimals)
        })
      }
    }
  })
})

describe('conversion', () => {
  test.each([
    ['glucose', 5, 'mmol/L', 90],
    ['total_cholesterol', 5.17, 'MMOL/L', 200],
    ['hba1c', 39, 'mmol/mol', 5.7],
    ['hba1c', 0.057, '1', 5.7],
    ['wbc', 6, 'K/uL', 6],
    ['wbc', 6, '10³/µL', 6],
    ['wbc', 6, 'x10E3/uL', 6],
    ['wbc', 6000, 'cells/mcL', 6],
    ['wbc', 6, '10*9/L', 6],
    ['wbc', 6, '/nl', 6],
    ['wbc', 6000, '{cells}/uL', 6],
    ['wbc', 6, '10*3/uL{WBCs}', 6],
    ['rbc', 4.8, '/pl', 4.8],
    ['rbc', 4.8, 'mill/mm3', 4.8],
    ['platelets', 250, 'thou/mm3', 250],
    ['glucose', 90, 'mg/dL{fasting}', 90],
    ['egfr', 95, 'mL/min/1.73 sq.m.', 95],
    ['rbc', 4.8, 'Million/uL', 4.8],
    ['ldl', 99, 'mg/dL (calc)', 99],
    ['iron', 90, 'mcg/dL', 90],
    ['tsh', 2.31, 'uIU/mL', 2.31],
    ['tsh', 2.31, 'μIU/mL', 2.31],
    ['alt', 20, 'IU/L', 20],
    ['sodium', 140, 'mEq/L', 140],
    ['egfr', 95, 'mL/min/1.73m²', 95],
    ['total_hdl_ratio', 3.2, '', 3.2],
    ['bun_creatinine_ratio', 14, '(calc)', 14],
    ['insulin', 60, 'pmol/L', 10],
    ['hs_crp', 10, 'nmol/L', 1.05],
  ])('%s %d %s is %d', (id, value, unit, expected) => {
    const biomarker = get(id)
    expect(roundTo(convert(biomarker, value, unit)?.value ?? Number.NaN, biomarker.decimals)).toBe(expected)
  })

  test.each([
    ['lp_a', 30, 'mg/dL'],
    ['glucose', 5, 'furlong'],
    ['glucose', 90, ''],
    ['glucose', Number.NaN, 'mg/dL'],
    ['hemoglobin', 12.5, 'g/mL'],
    ['hemoglobin', 13.4, 'g/l-1'],
    ['hba1c', 5.7, '1'],
    ['neutrophils_abs', 60, '%'],
    ['egfr', 95, 'mL/min'],
    ['d_dimer_ddu', 300, 'ug/L{FEU}'],
  ])('%s %d %s is refused, not guessed', (id, value, unit) => {
    expect(convert(get(id), value, unit)).toBeUndefined()
  })

  test('finds a value implausible that can only be another unit or a slip', () => {
    expect(isPlausible(get('calcium'), 2.4)).toBe(false)
    expect(isPlausible(get('total_testosterone'), 5000)).toBe(false)
    expect(isPlausible(get('tsh'), 0.004)).toBe(true)
  })

  test('keeps the factor and the offset that it used', () => {
    expect(convert(get('hba1c'), 39, 'mmol/mol')).toEqual({ value: 5.71972, factor: 0.09148, offset: 2.152 })
    expect(convert(get('lp_a'), 60, 'nmol/L')).toEqual({ value: 60, factor: 1, offset: 0 })
    expect(convertInterval(get('glucose'), { low: 3.9, high: null }, 'mmol/L')).toEqual({
      low: 70.26084,
      high: null,
    })
  })

  test('there and back gives the same result, for every unit of every biomarker', () => {
    const pairs = biomarkers.flatMap((biomarker) => biomarker.conversions.map(({ unit }) => ({ biomarker, unit })))
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ biomarker, unit }, share) => {
          const { min, max } = biomarker.plausible
          const top = Math.min(max, 1000 * 10 ** -biomarker.decimals * 10)
          const value = roundTo(min + (Math.max(top, min) - min) * share, biomarker.decimals)
          const { factor, offset } = convert(biomarker, 0, unit) ?? { factor: Number.NaN, offset: 0 }
          const shown = Number(((value - offset) / factor).toPrecision(6))
          // Beyond it the unit is in doubt, and nothing is converted.
          const { below = Number.POSITIVE_INFINITY } = biomarker.conversions.find((one) => one.unit === unit) ?? {}
          if (shown >= below) return
          expect(roundTo(convert(biomarker, shown, unit)?.value ?? Number.NaN, biomarker.decimals)).toBe(value)
        },
      ),
    )
  })

  test('leaves every canonical unit as it is', () => {
    for (const { unit, conversions } of biomarkers) {
      expect(normaliseUnit(unit)).toBe(unit)
      for (const conversion of conversions) expect(normaliseUnit(conversion.unit)).not.toBe(unit)
    }
  })
})

describe('matching', () => {
  test.each([
    ['Hemoglobin A1c', 'hba1c'],
    ['LDL Chol Calc (NIH)', 'ldl'],
    ['CHOLESTEROL, TOTAL', 'total_cholesterol'],
    ['CHOL/HDLC RATIO', 'total_hdl_ratio'],
    ['T4,Free(Direct)', 'free_t4'],
    ['  lp(A) ', 'lp_a'],
    ['Anti-Müllerian Hormone', 'amh'],
    ['free_androgen_index', 'free_androgen_index'],
  ])('%s is %s', (name, id) => {
    expect(matchBiomarker(biomarkers, { name })?.id).toBe(id)
  })

  test.each([
    ['VLDL-C direct', undefined],
    ['1,25-dihydroxyvitamin D', 'calcitriol'],
    ['CRP', 'crp'],
    ['Sodium, Urine', 'sodium_urine'],
    ['Free PSA', 'psa_free'],
    ['Bioavailable testosterone', undefined],
    ['', undefined],
    ['()', undefined],
  ])('%s is never taken for a biomarker that it resembles', (name, own) => {
    expect(matchBiomarker(biomarkers, { name })?.id).toBe(own)
  })

  test('a LOINC code alone is enough, but it must agree with a name', () => {
    expect(matchBiomarker(biomarkers, { loinc: ' 4548-4 ' })?.id).toBe('hba1c')
    expect(matchBiomarker(biomarkers, { loinc: '2339-0' })?.id).toBe('glucose')
    expect(matchBiomarker(biomarkers, { loinc: '4548-4', name: 'A1C' })?.id).toBe('hba1c')
    expect(matchBiomarker(biomarkers, { loinc: '4548-4', name: 'Glucose' })).toBeUndefined()
    expect(matchBiomarker(biomarkers, { loinc: '4548-4', name: 'Mystery' })).toBeUndefined()
    expect(matchBiomarker(biomarkers, { loinc: '99999-9', name: 'Glucose' })).toBeUndefined()
    // Calcidiol (D3) alone, and the MDRD equation: other quantities than the total and CKD-EPI 2021.
    expect(matchBiomarker(biomarkers, { loinc: '1989-3', name: 'Vitamin D 25 hydroxy' })).toBeUndefined()
    expect(matchBiomarker(biomarkers, { loinc: '33914-3', name: 'eGFR' })).toBeUndefined()
  })
})

describe('computed biomarkers', () => {
  const computed = (measured: Record<string, number>, subject = {}) =>
    Object.fromEntries(
      deriveResults(biomarkers, new Map(Object.entries(measured)), subject).map((r) => [
        r.biomarkerId,
        roundTo(r.value, get(r.biomarkerId).decimals),
      ]),
    )

  test('follow from what was measured, also from one another', () => {
    expect(computed({ total_cholesterol: 200, hdl: 50, triglycerides: 150 })).toEqual({
      trig_hdl_ratio: 3,
      ldl: 120,
      vldl: 30,
      non_hdl: 150,
      total_hdl_ratio: 4,
      ldl_hdl_ratio: 2.4,
    })
    expect(computed({ hba1c: 5.6 })).toEqual({ eag: 114 })
    expect(computed({ glucose: 90, insulin: 9 }, { fasting: true })).toEqual({ homa_ir: 2 })
    expect(computed({ glucose: 90, insulin: 9 })).toEqual({})
    expect(computed({ albumin: 4.4, total_protein: 7 })).toEqual({ globulin: 2.6, ag_ratio: 1.7 })
  })

  test('never replace a measured value', () => {
    const result = computed({ total_cholesterol: 200, hdl: 50, triglycerides: 150, ldl: 110 })
    expect(result).not.toHaveProperty('ldl')
    expect(result).toMatchObject({ ldl_hdl_ratio: 2.2 })
  })

  test('are left out where the formula does not hold', () => {
    expect(computed({ total_cholesterol: 300, hdl: 50, triglycerides: 400 })).not.toHaveProperty('ldl')
    expect(computed({ glucose: 90, insulin: 9 }, { fasting: false })).toEqual({})
    expect(computed({ total_testosterone: 40, shbg: 60 }, { sex: 'M' })).not.toHaveProperty('free_androgen_index')
    expect(computed({ creatinine: 0.9 }, { sex: 'M', ageYears: 17 })).toEqual({})
    expect(computed({ ldl: 100, apo_b: 0 })).toEqual({})
  })

  test('agree with published values: eGFR by CKD-EPI 2021, free testosterone by Vermeulen', () => {
    expect(computed({ creatinine: 1 }, { sex: 'M', ageYears: 50 })).toEqual({ egfr: 92 })
    expect(computed({ creatinine: 1 }, { sex: 'F', ageYears: 50 })).toEqual({ egfr: 69 })
    // The worked example of Vermeulen's group: 10 nmol/L, SHBG 40 nmol/L, albumin 43 g/L: 1.74 % free. https://issam.ch/freetesuit.html
    const { free_testosterone } = computed({ total_testosterone: 288.42, shbg: 40, albumin: 4.3 })
    expect(free_testosterone).toBe(50.2)
  })
})

describe('made-up results of the sandbox', () => {
  /** mulberry32: a small generator, so that a seed names a report. */
  const generator = (seed: number) => () => {
    seed = (seed + 0x6d2b79f5) | 0
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const cases = Object.values(panels).flatMap((panel) =>
    sexes.filter((sex) => !panel.sex || panel.sex === sex).map((sex) => ({ ...panel, sex })),
  )
  const draw = (ids: string[], sex: 'M' | 'F', kind: PlausibleKind, seed: number) =>
    plausibleResults(biomarkers, ids, { sex, kind, random: generator(seed) })
  const sideOf = (id: string, value: number, sex: 'M' | 'F') => {
    // The made-up laboratory prints the interval of its maker.
    const { inRange } = rangesFor({ ...get(id), flags: [] }, { sex, ageYears: 40, phase: 'follicular' })
    return (
      !inRange || ((inRange.low === null || value >= inRange.low) && (inRange.high === null || value <= inRange.high))
    )
  }

  test('are plausible, on the grid, in the unit of the catalogue and consistent with their formulas', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.constantFrom<PlausibleKind>('normal', 'abnormal', 'partial'),
        fc.nat(),
        ({ biomarkers: ids, sex }, kind, seed) => {
          const results = draw(ids, sex, kind, seed)
          const values = new Map(results.map(({ biomarkerId, value }) => [biomarkerId, value]))
          for (const { biomarkerId, value, unit } of results) {
            const biomarker = get(biomarkerId)
            expect(unit).toBe(biomarker.unit)
            expect(roundTo(value, biomarker.decimals), biomarkerId).toBe(value)
            expect(isPlausible(biomarker, value), `${biomarkerId} ${value}`).toBe(true)
            const [hct, rbc, mcv] = ['hematocrit', 'rbc', 'mcv'].map((id) => values.get(id))
            if (hct && rbc && mcv) expect(Math.abs((10 * hct) / rbc - mcv)).toBeLessThan(0.5)
            const { derived } = biomarker
            if (!derived?.inputs.every((input) => values.has(input))) continue
            const inputs = new Map(derived.inputs.map((input) => [input, values.get(input) ?? 0]))
            const again = deriveResults([biomarker], inputs, { sex, ageYears: 40, fasting: true })
            expect(roundTo(again[0]?.value ?? Number.NaN, biomarker.decimals), biomarkerId).toBe(value)
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  test('are normal, abnormal or incomplete as asked', () => {
    for (const { biomarkers: ids, sex } of cases) {
      for (let seed = 1; seed <= 5; seed += 1) {
        const outside = (kind: PlausibleKind) =>
          draw(ids, sex, kind, seed).filter(({ biomarkerId, value }) => !sideOf(biomarkerId, value, sex))
        const normal = draw(ids, sex, 'normal', seed)
        expect(outside('normal')).toEqual([])
        expect(normal.length).toBeGreaterThanOrEqual(ids.filter((id) => get(id).sexes.includes(sex)).length)
        expect(outside('abnormal').length).toBeGreaterThanOrEqual(3)
        const left = draw(ids, sex, 'partial', seed).length / normal.length
        expect(left).toBeGreaterThan(0.6)
        expect(left).toBeLessThan(0.75)
      }
    }
  })
})
