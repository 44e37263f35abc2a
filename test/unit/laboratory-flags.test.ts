import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import type { NewNumber } from '@kitlane/lab-reader/identify/result'
import { parseFhir } from '@kitlane/lab-reader/parse/fhir/report'
import { flagOf } from '@kitlane/lab-reader/parse/flags'
import { parseHl7 } from '@kitlane/lab-reader/parse/hl7/report'
import { rangeOf } from '@kitlane/lab-reader/parse/number'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeNumber as judgeResult } from '../../src/modules/reports/judge/entry.ts'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'

function get(id: string): Biomarker {
  const biomarker = biomarkers.find((entry) => entry.id === id)
  if (!biomarker) throw new Error(`no biomarker ${id}`)
  return biomarker
}

const adult = { subject: { sex: 'F' as const, ageYears: 41 }, labErrors: [] }
const child = { subject: { sex: 'F' as const, ageYears: 17 }, labErrors: [] }

type Given = Omit<NewNumber, 'biomarkerId' | 'unit'> & { unit?: string }
const entry = (id: string, given: Given, sample = adult) =>
  judgeResult(get(id), { biomarkerId: id, unit: get(id).unit, ...given }, sample)

/** A result as a laboratory prints it: value, range, flag. */
const printed = (id: string, value: number, range: string, labFlag?: string, unit = get(id).unit) =>
  entry(id, { value, unit, labRange: rangeOf(range), ...(labFlag && { labFlag }) })

/** Every biomarker in each of its units. */
const units = biomarkers.flatMap((biomarker) =>
  [{ unit: biomarker.unit, factor: 1, offset: 0, below: undefined }, ...biomarker.conversions].map(
    ({ unit, factor, offset = 0, below }) => ({ biomarker, unit, factor, offset, below }),
  ),
)

/** A bound and a value of a biomarker in a laboratory's unit, within what is plausible. */
const measured = fc
  .record({
    of: fc.constantFrom(...units.filter(({ below }) => below === undefined)),
    share: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
    digits: fc.integer({ min: 2, max: 5 }),
  })
  .map(({ of, share, digits }) => {
    const { min, max } = of.biomarker.plausible
    const value = Math.max(min, 1e-4) * (max / Math.max(min, 1e-4)) ** share
    return { ...of, given: Number(((value - of.offset) / of.factor).toPrecision(digits)) }
  })
  .filter(({ biomarker, given, factor, offset }) => {
    const { min, max } = biomarker.plausible
    return given > 0 && given * factor + offset > min && given * factor + offset < max
  })

describe('a printed range', () => {
  test.each([
    ['hba1c', 5.7, '<5.7', 'H'],
    ['hba1c', 5.6, '<=5.6', 'N'],
    ['hba1c', 5.7, '< 5.7', 'H'],
    ['triglycerides', 150, '<150', 'H'],
    ['triglycerides', 150, '≤150', 'N'],
    ['triglycerides', 150, '< OR = 150', 'N'],
    ['triglycerides', 149.9, '<150', 'N'],
    ['ldl', 100, '<100', 'H'],
    ['hdl', 39, '>39', 'L'],
    ['hdl', 39.5, '>39', 'N'],
    ['hdl', 40, '≥40', 'N'],
    ['egfr', 59, '>59', 'L'],
    ['egfr', 60, '>=60', 'N'],
    ['egfr', 59.6, '>=60', 'L'],
    ['ferritin', 14.6, '15-150', 'L'],
    ['ferritin', 150.4, '15-150', 'H'],
    ['potassium', 5.24, '3.5-5.2', 'H'],
    ['potassium', 3.46, '3.5-5.2', 'L'],
    ['glucose', 99.4, '70-<99.4', 'H'],
    ['tsh', 0.004, '0.45-4.50', 'L'],
    ['tsh', 4.504, '0.45-4.50', 'H'],
    ['tsh', 4.5, '0.45-4.50', 'N'],
  ])(
    'keeps its sign, and %s %d of %s is %s: nothing is rounded before it is compared',
    (id, value, range, expected) => {
      const judged = printed(id, value, range)
      expect(judged).toMatchObject({ interpretation: expected, result: value, ranges: { source: 'lab' } })
      expect(['fair', 'poor']).toContain(expected === 'N' ? 'fair' : judged.state)
      if (expected === 'N') expect(['optimal', 'good']).toContain(judged.state)
    },
  )

  test('a value equal to a bound is outside of a strict sign and inside of any other, in every unit', () => {
    fc.assert(
      fc.property(measured, fc.constantFrom('<', '<=', '>', '>='), ({ biomarker, unit, given }, sign) => {
        const isHigh = sign.startsWith('<')
        const isStrict = !sign.endsWith('=')
        const labRange = rangeOf(`${sign}${given}`)
        if (!labRange) return
        const judged = judgeResult(biomarker, { biomarkerId: biomarker.id, value: given, unit, labRange }, adult)
        expect(judged.interpretation).toBe(isStrict ? (isHigh ? 'H' : 'L') : 'N')
      }),
    )
  })

  test('any value is on the side of the bounds on which the laboratory sees it, in every unit, shown as judged', () => {
    const other = fc.double({ min: 0.5, max: 1.5, noNaN: true })
    fc.assert(
      fc.property(measured, other, other, ({ biomarker, unit, given }, a, b) => {
        const [low, high] = [given * Math.min(a, b), given * Math.max(a, b)].map((x) => Number(x.toPrecision(6)))
        if (low === undefined || high === undefined || !(low < high)) return
        const result = { biomarkerId: biomarker.id, value: given, unit, labRange: { low, high } }
        const judged = judgeResult(biomarker, result, adult)
        expect(judged.interpretation).toBe(given < low ? 'L' : given > high ? 'H' : 'N')
        const shown = judged.labRange
        const [value, from, to] = [judged.result ?? Number.NaN, shown?.low ?? Number.NaN, shown?.high ?? Number.NaN]
        expect(value < from ? 'L' : value > to ? 'H' : 'N').toBe(judged.interpretation)
      }),
    )
  })

  test('of the catalogue is met by its own bound as it is printed in another unit', () => {
    expect(entry('hba1c', { value: 38, unit: 'mmol/mol' })).toMatchObject({ interpretation: 'N', result: 5.6 })
    expect(entry('hba1c', { value: 39, unit: 'mmol/mol' })).toMatchObject({ interpretation: 'H', result: 5.7 })
    expect(entry('glucose', { value: 5.5, unit: 'mmol/L' })).toMatchObject({ interpretation: 'N', result: 99 })
    expect(entry('ferritin', { value: 33, unit: 'pmol/L' })).toMatchObject({ interpretation: 'L', result: 14.7 })
  })
})

describe('plausibility', () => {
  test('is asked of the value as it came: a TSH of 0.004 is a result, and is shown', () => {
    expect(entry('tsh', { value: 0.004 })).toMatchObject({ result: 0.004, interpretation: 'L', state: 'poor' })
    const observation = { name: 'TSH', valueText: '0.004', value: 0.004, unit: 'mIU/L', status: 'final' as const }
    const { results } = identifyObservations([{ ...observation, position: '1', raw: '' }], biomarkers)
    expect(results).toMatchObject([{ biomarkerId: 'tsh', value: 0.004 }])
  })
})

const flags = ['N', 'L', 'H', 'LL', 'HH', 'A', 'AA'] as const

describe("the laboratory's flag", () => {
  test('is the verdict, whatever the value, its range, its unit and the age of the person', () => {
    const range = fc.option(
      fc.tuple(fc.double({ min: 0.2, max: 1, noNaN: true }), fc.double({ min: 1, max: 5, noNaN: true })),
    )
    fc.assert(
      fc.property(
        measured,
        fc.constantFrom(...flags),
        range,
        fc.constantFrom(adult, child),
        (of, labFlag, at, sample) => {
          const { biomarker, unit, given } = of
          const labRange = at ? { low: given * at[0], high: given * at[1] } : undefined
          const result = { biomarkerId: biomarker.id, value: given, unit, labFlag, ...(labRange && { labRange }) }
          const judged = judgeResult(biomarker, result, sample)
          expect(judged).toMatchObject({ interpretation: labFlag, labFlag })
          if (labFlag === 'N') expect(['optimal', 'good']).toContain(judged.state)
          if (['LL', 'HH', 'AA'].includes(labFlag)) expect(judged.state).toBe('poor')
          if (['L', 'H', 'A'].includes(labFlag)) expect(['fair', 'poor']).toContain(judged.state)
        },
      ),
    )
  })

  test('counts where our interval says otherwise, and both are said', () => {
    const judged = entry('glucose', { value: 95, labFlag: 'H' })
    expect(judged).toMatchObject({ interpretation: 'H', state: 'fair', deviationScore: null, labFlag: 'H' })
    expect(judged.note).toBe(
      'The laboratory marked it as high (H), and that counts. By the interval of this catalogue, 70 – 99 mg/dL, it would be inside.',
    )
    const normal = entry('glucose', { value: 104, labFlag: 'N' })
    expect(normal).toMatchObject({ interpretation: 'N', state: 'good' })
    expect(normal.note).toContain('would be above')
    expect(printed('potassium', 5.22, '3.5-5.2', 'N').note).toContain(
      'By the interval that it printed, 3.5 – 5.2 mmol/L',
    )
    expect(entry('glucose', { value: 104, labFlag: 'H' })).not.toHaveProperty('note')
  })

  test('that nobody here knows leaves the result without a verdict, and says so', () => {
    const judged = entry('glucose', { value: 95, labFlag: 'ZZ9' })
    expect(judged).toMatchObject({ result: 95, interpretation: '', state: 'unknown' })
    expect(judged.note).toContain('"ZZ9"')
    expect(entry('glucose', { value: 95, labFlag: 'U' })).toMatchObject({ interpretation: 'N', state: 'good' })
  })

  test('that differs takes the result out of the scores: a score would contradict it', () => {
    const results = [
      { biomarkerId: 'glucose', value: 85, unit: 'mg/dL' },
      { biomarkerId: 'insulin', value: 4, unit: 'u[IU]/mL', labRange: { low: 2.6, high: 24.9 } },
      { biomarkerId: 'hba1c', value: 5, unit: '%' },
    ]
    const scoreOf = (labFlag?: string) => {
      const [first, ...rest] = results.map((result) => ({ ...result }))
      const given = first ? [{ ...first, ...(labFlag && { labFlag }) }, ...rest] : []
      const input = { catalogue: biomarkers, panel: ['glucose', 'insulin', 'hba1c'], previous: [], ...adult }
      return judgeReport({ ...input, results: given }).axes.find(({ axis }) => axis === 'metabolic')
    }
    expect(scoreOf()?.coverage).toBe(1)
    expect(scoreOf('H')?.coverage).toBeLessThan(1)
  })

  test.each([
    [['H'], 'H'],
    [['N', 'U'], 'N'],
    [['U', 'HH'], 'HH'],
    [['L', 'H'], 'A'],
    [['LL', 'H'], 'AA'],
    [['Critical High'], 'HH'],
    [['H*'], 'H'],
    [[''], undefined],
    [['D'], 'D'],
  ])('of several, %j, is %s: the gravest', (words, expected) => {
    expect(flagOf(words)).toBe(expected)
  })
})

test('only what judged a result without anything of an unsigned catalogue says that its ranges are signed', () => {
  const signedOf = (given: Partial<NewNumber>, catalogue: readonly Biomarker[] = biomarkers) => {
    const results = [{ biomarkerId: 'glucose', value: 85, unit: 'mg/dL', ...given }]
    return judgeReport({ catalogue, panel: [], previous: [], results, ...adult }).entries[0]?.rangesSigned
  }
  const labRange = { low: 60, high: 100 }
  const plain = biomarkers.map(({ optimal: _, ...one }) => one)
  expect([signedOf({}), signedOf({ labRange })]).toEqual([false, false])
  expect([signedOf({}, plain), signedOf({ labRange }, plain)]).toEqual([false, true])
  const finding = { kind: 'presence' as const, value: 'positive' as const }
  const found = (more: object) =>
    judgeReport({
      catalogue: biomarkers,
      panel: [],
      previous: [],
      ...adult,
      results: [{ biomarkerId: 'sars_cov_2_rna', finding, ...more }],
    }).entries[0]?.rangesSigned
  expect([found({}), found({ labExpected: ['negative'] })]).toEqual([false, true])
})

describe('a person under 18', () => {
  test('is not judged by intervals for adults, and the reason is said', () => {
    const judged = entry('glucose', { value: 110 }, child)
    expect(judged).toMatchObject({ result: 110, state: 'unknown', interpretation: '', deviationScore: null })
    expect(judged.ranges).toMatchObject({ inRange: null, optimal: null, source: 'none' })
    expect(judged.note).toContain('under 18')
  })

  test("is judged by the laboratory's own range or flag, without a score", () => {
    const labRange = { low: 60, high: 100 }
    expect(entry('glucose', { value: 110, labRange }, child)).toMatchObject({ interpretation: 'H', state: 'fair' })
    expect(entry('glucose', { value: 85, labRange }, child).ranges.optimal).toBeNull()
    const flagged = entry('glucose', { value: 401, labFlag: 'HH' }, child)
    expect(flagged).toMatchObject({ interpretation: 'HH', state: 'poor', note: expect.stringContaining('counts') })
    const results = ['glucose', 'insulin', 'hba1c'].map((biomarkerId) => ({
      biomarkerId,
      value: 5,
      unit: get(biomarkerId).unit,
      labRange: { low: 4, high: 6 },
    }))
    const { axes } = judgeReport({ catalogue: biomarkers, panel: [], previous: [], results, ...child })
    expect(axes.every(({ result }) => result === null)).toBe(true)
  })
})

test('the laboratory that sends a message is named with the CLIA number of the header', () => {
  const bytes = Buffer.from(
    [
      'MSH|^~\\&|LAB|Kestrel^14D0987654^CLIA|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'OBR|1|||24331-1^Panel^LN|||20260401083000|||||||||||||||20260402110000|||F',
      'OBX|1|NM|2345-7^Glucose^LN||91|mg/dL|70-99|N|||F',
    ].join('\r'),
  )
  const [report] = parseHl7(bytes).reports
  expect(report?.origin?.laboratories).toEqual([{ name: 'Kestrel', clia: '14D0987654' }])
})

const oru = (...obx: string[]) =>
  Buffer.from(
    [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||X||Tester^Bo||19800229|F',
      'OBR|1|||24331-1^Panel^LN|||20260401083000|||||||||||||||20260402110000|||F',
      ...obx,
    ].join('\r'),
  )
const first = (...obx: string[]) => parseHl7(oru(...obx)).reports[0]?.observations[0]

describe('HL7 and FHIR', () => {
  test('keep signs, flags and comparators of a result', () => {
    const glucose = 'OBX|1|NM|2345-7^Glucose^LN||'
    expect(first(`${glucose}5.7|%|<5.7|H~U|||F`)).toMatchObject({
      range: { low: null, high: 5.7, highExclusive: true },
      flag: 'H',
    })
    expect(first(`${glucose}10|mg/dL|>59|<|||F`)).toMatchObject({
      value: 10,
      comparator: '<',
      range: { low: 59, high: null, lowExclusive: true },
    })
    expect(first('OBX|1|SN|2345-7^Glucose^LN||>^500|mg/dL||HH|||F')).toMatchObject({ comparator: '>', flag: 'HH' })
  })

  test('FHIR keeps the sign of the text and every interpretation', () => {
    const resource = {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '4548-4', display: 'Hemoglobin A1c' }] },
      valueQuantity: { value: 5.7, unit: '%', system: 'http://unitsofmeasure.org', code: '%' },
      interpretation: [{ coding: [{ code: 'U' }] }, { coding: [{ code: 'local' }, { code: 'HH' }] }],
      referenceRange: [{ high: { value: 5.7, unit: '%' }, text: '<5.7' }],
    }
    const [observation] = parseFhir(Buffer.from(JSON.stringify(resource))).reports[0]?.observations ?? []
    expect(observation).toMatchObject({ flag: 'HH', range: { low: null, high: 5.7, highExclusive: true } })
  })
})
