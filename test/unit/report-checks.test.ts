import data from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '@kitlane/lab-reader/facts/schema'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import { describe, expect, it } from 'vitest'
import { biologicalVariation, biologicalVariations } from '../../src/modules/catalogue/biological-variation.ts'
import { checksOf } from '../../src/modules/reports/checks/checks.ts'
import { changeLimits } from '../../src/modules/reports/checks/delta.ts'
import { type EarlierVersion, previousResults } from '../../src/modules/reports/checks/previous.ts'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { daysInTransit, sampleTimes } from '../../src/modules/reports/review/sample-facts.ts'

const { biomarkers: catalogue } = Catalogue.parse(data)
const subject = { sex: 'F' as const, ageYears: 40 }
type Given = Record<string, number | string>

/** Judged as a laboratory sent them, each in the catalogue's unit. */
function judged(given: Given, panel: readonly string[] = []) {
  const results = Object.entries(given).map(([biomarkerId, value]): NewResult => {
    const unit = catalogue.find(({ id }) => id === biomarkerId)?.unit ?? ''
    const below = typeof value === 'string' && value.startsWith('<')
    return { biomarkerId, unit, value: Number(String(value).replace('<', '')), ...(below && { comparator: '<' }) }
  })
  return judgeReport({ catalogue, panel, results, previous: [], labErrors: [], subject }).entries
}

const earlier = (day: string, given: Given, laboratory?: string): EarlierVersion => ({
  reportId: 'R1',
  day,
  entries: judged(given),
  ...(laboratory && { laboratory }),
})

type Facts = Partial<Parameters<typeof checksOf>[0]> & { before?: EarlierVersion[] }
function checks(given: Given, { before = [], ...facts }: Facts = {}) {
  const entries = judged(given)
  const previous = previousResults(entries, before)
  return checksOf({ entries, previous, catalogue, labErrors: [], collected: '2026-11-20', sex: 'F', ...facts })
}
const codes = (given: Given, facts?: Facts) => checks(given, facts).map(({ code }) => code)

describe('the variation within a person', () => {
  it('is of biomarkers that there are, once for a sex, from a named source', () => {
    const keys = biologicalVariations.variations.map(({ biomarker, sex = 'both' }) => `${biomarker} ${sex}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const { biomarker, source, cv } of biologicalVariations.variations) {
      expect(catalogue.find(({ id }) => id === biomarker)?.scale, biomarker).toBeUndefined()
      expect(
        catalogue.some(({ id }) => id === biomarker),
        biomarker,
      ).toBe(true)
      expect(biologicalVariations.sources[source], biomarker).toBeDefined()
      expect(cv).toBeLessThan(60)
    }
  })

  it('is unknown where no source says it, and the larger one where the sex is not known', () => {
    expect(biologicalVariation('hba1c', 'F')).toBeUndefined()
    expect(biologicalVariation('estradiol', 'F')).toBeUndefined()
    expect(biologicalVariation('estradiol', undefined)).toBeUndefined()
    expect([biologicalVariation('wbc', 'M')?.cv, biologicalVariation('wbc', undefined)?.cv]).toEqual([10.8, 15.7])
  })

  it('makes limits that are wider upwards, as ratios are', () => {
    const { fall, rise } = changeLimits({ cv: 22.6 })
    expect([Math.round(fall), Math.round(rise)]).toEqual([-60, 148])
    expect((1 + fall / 100) * (1 + rise / 100)).toBeCloseTo(1)
  })
})

describe('the check of a change', () => {
  const then = (given: Given, day = '2026-06-01') => ({ before: [earlier(day, given)] })

  it('asks to look at a change that is larger than a stable person varies, and says by how much', () => {
    const [check, ...others] = checks({ creatinine: 1.3 }, then({ creatinine: 0.8 }))
    expect(others).toEqual([])
    expect(check).toMatchObject({ kind: 'change', code: 'changed', biomarkers: ['creatinine'] })
    expect(check?.message).toContain('+63 % in 172 days')
    expect(check?.source).toContain('5.2 %')
  })

  it('says nothing of a change within that, of a biomarker without a source, and of what is too old to compare', () => {
    expect(codes({ creatinine: 0.9 }, then({ creatinine: 0.8 }))).toEqual([])
    expect(codes({ hba1c: 9 }, then({ hba1c: 5 }))).toEqual([])
    expect(codes({ creatinine: 1.3 }, then({ creatinine: 0.8 }, '2025-06-01'))).toEqual([])
    expect(codes({ creatinine: 1.3 }, then({ creatinine: 0.8 }, '2026-12-01'))).toEqual([])
  })

  it('does not compute with a result that only names a limit', () => {
    const entries = judged({ tsh: '<0.05' })
    const before = [earlier('2026-06-01', { tsh: 2 })]
    expect(previousResults(entries, before).get('tsh')).toEqual({
      reportID: 'R1',
      date: '2026-06-01T00:00:00.000Z',
      result: 2,
    })
    expect(codes({ tsh: '<0.05' }, { before })).toEqual([])
  })

  it('says where the earlier value was measured, if that was elsewhere', () => {
    const origin = { laboratories: [{ name: 'North Lab' }], specimens: [], notes: [] }
    const [check] = checks({ tsh: 9 }, { origin, before: [earlier('2026-06-01', { tsh: 1.5 }, 'South Lab')] })
    expect(check?.message).toContain('measured elsewhere then, by South Lab')
  })

  it('compares with the newest earlier report that has it', () => {
    const before = [earlier('2026-06-01', { glucose: 90 }), earlier('2026-01-01', { glucose: 80, tsh: 1 })]
    const found = previousResults(judged({ glucose: 99, tsh: 2 }), before)
    expect(found.get('glucose')).toMatchObject({ result: 90, difference: 9, percent: 10 })
    expect(found.get('tsh')).toMatchObject({ date: '2026-01-01T00:00:00.000Z', difference: 1, percent: 100 })
  })
})

describe('the checks of plausibility', () => {
  it.each<[string, Given, string[]]>([
    ['a whole blood count that fits', { hemoglobin: 14, hematocrit: 42, mcv: 90 }, []],
    ['hemoglobin that its hematocrit does not hold', { hemoglobin: 16, hematocrit: 30 }, ['redCells']],
    ['the rule of three, broken in cells of normal size', { hemoglobin: 10, hematocrit: 36, mcv: 90 }, ['redCells']],
    ['the same in small cells, for which it does not hold', { hemoglobin: 10, hematocrit: 36, mcv: 70 }, []],
    ['direct bilirubin above total', { bilirubin_total: 0.8, bilirubin_direct: 1.2 }, ['partAboveWhole']],
    ['direct bilirubin below total', { bilirubin_total: 0.8, bilirubin_direct: 0.2 }, []],
    ['HDL and LDL above total cholesterol', { total_cholesterol: 180, hdl: 80, ldl: 150 }, ['partAboveWhole']],
    ['HDL and LDL within what methods differ', { total_cholesterol: 200, hdl: 60, ldl: 150 }, []],
    ['albumin above total protein', { total_protein: 4, albumin: 4.8 }, ['partAboveWhole']],
    ['iron above what can bind it', { iron: 300, tibc: 250 }, ['partAboveWhole']],
    ['a globulin that follows from its parts', { total_protein: 7, albumin: 4.2, globulin: 2.8 }, []],
    ['a globulin that does not', { total_protein: 7, albumin: 4.2, globulin: 4.4 }, ['calculatedOtherwise']],
    [
      'an LDL, of which several formulas are in use',
      { total_cholesterol: 200, hdl: 50, triglycerides: 100, ldl: 100 },
      [],
    ],
    ['potassium and calcium as EDTA makes them', { potassium: 6.9, calcium: 7.1 }, ['tubeAdditive']],
    ['high potassium alone', { potassium: 6.9, calcium: 9.4 }, []],
    ['a value that no living person has', { potassium: 41 }, ['impossible']],
  ])('say of %s', (_, given, expected) => {
    expect(codes(given)).toEqual(expected)
  })

  const five = { neutrophils_pct: 60, lymphocytes_pct: 30, monocytes_pct: 6, eosinophils_pct: 3, basophils_pct: 1 }
  it('want the kinds of white cells to make 100 %, where those five are all that was counted', () => {
    expect(codes(five)).toEqual([])
    expect(codes({ ...five, neutrophils_pct: 62 })).toEqual([])
    expect(codes({ ...five, neutrophils_pct: 40 })).toEqual(['differential'])
    expect(codes({ ...five, neutrophils_pct: 40, bands_pct: 20 })).toEqual([])
  })

  it('do not confront a value that was computed here with its own parts', () => {
    const entries = judged({ total_protein: 7, albumin: 4.2 }, ['total_protein', 'albumin', 'globulin'])
    expect(entries.map(({ id }) => id)).toContain('globulin')
    expect(checksOf({ entries, catalogue, labErrors: [], previous: new Map() })).toEqual([])
  })
})

describe('the checks of the sample', () => {
  const origin = (condition?: string) => ({
    laboratories: [],
    notes: [],
    specimens: condition ? [{ condition }] : [],
  })

  it('ask about potassium where the laboratory mentions hemolysis in words', () => {
    expect(codes({ potassium: 5.9 }, { origin: origin('slightly haemolysed') })).toEqual(['haemolysis'])
    expect(codes({ potassium: 5.9 }, { origin: origin('clear') })).toEqual([])
    expect(codes({ potassium: 4.2 }, { origin: origin('Hemolysis 1+') })).toEqual(['haemolysis'])
    expect(codes({ tsh: 2 }, { origin: origin('Hemolysis 1+') })).toEqual([])
    expect(codes({ potassium: 5.9 }, { origin: origin('Hemolysis: none') })).toEqual([])
    expect(codes({ potassium: 5.9 }, { labErrors: ['HEMOLYSIS'] })).toEqual(['haemolysis'])
    expect(codes({ ldh: 420 }, { labErrors: ['HEMOLYSIS'] })).toEqual(['haemolysis'])
  })

  it('quote the words of the laboratory that they rest on', () => {
    const notes = ['Sample hemolysed on arrival']
    expect(checks({ potassium: 5.9 }, { origin: { laboratories: [], specimens: [], notes } })).toMatchObject([
      { code: 'haemolysis', message: expect.stringContaining('("Sample hemolysed on arrival")'), holds: true },
    ])
  })

  it('ask about what fat and bilirubin in the sample change', () => {
    expect(codes({ sodium: 139 }, { origin: origin('Specimen grossly lipemic') })).toEqual(['lipaemia'])
    expect(codes({ creatinine: 1 }, { labErrors: ['ICTERUS'] })).toEqual(['icterus'])
    expect(codes({ tsh: 2 }, { labErrors: ['LIPEMIA', 'ICTERUS'] })).toEqual([])
  })

  it('ask about a blood count that was more than 72 hours on its way, and about nothing else', () => {
    const late = { collected: '2026-11-16T08:00:00Z', received: '2026-11-20T09:00:00Z' }
    expect(codes({ platelets: 250 }, late)).toEqual(['tooOld'])
    expect(codes({ hemoglobin: 14 }, late)).toEqual([])
    expect(codes({ hba1c: 5.1 }, late)).toEqual([])
    expect(codes({ platelets: 250 }, { ...late, received: '2026-11-19T07:00:00Z' })).toEqual([])
    // Of days it is not known at what hour.
    expect(codes({ platelets: 250 }, { collected: '2026-11-16', received: '2026-11-19' })).toEqual([])
    expect(codes({ platelets: 250 }, { collected: '2026-11-16', received: '2026-11-21' })).toEqual(['tooOld'])
  })

  it('ask about dates in the wrong order', () => {
    const [check] = checks({ tsh: 2 }, { collected: '2026-11-20', received: '2026-11-18', resulted: '2026-11-21' })
    expect(check).toMatchObject({ code: 'dates', biomarkers: [] })
    expect(check?.message).toContain('2026-11-18')
    expect(codes({ tsh: 2 }, { collected: '2026-11-20', resulted: '2026-11-19' })).toEqual(['dates'])
    expect(codes({ tsh: 2 }, { collected: '2026-11-20', received: '2026-11-20', resulted: '2026-11-20' })).toEqual([])
  })

  it('take the word of the laboratory before a scan, and no step that was only filled in', () => {
    const at = '2026-11-22T10:00:00.000Z'
    const filled = { progress: { sampleInTransit: at, sampleReceived: at, reportReady: at } }
    expect(sampleTimes({ collectedDate: '2026-11-18', kit: filled })).toEqual({ collected: '2026-11-18' })
    const scanned = { progress: { sampleInTransit: '2026-11-19T08:00:00.000Z', sampleReceived: at } }
    const times = sampleTimes({ collectedDate: '2026-11-18', kit: scanned })
    expect(times).toEqual({ collected: '2026-11-18', sent: '2026-11-19T08:00:00.000Z', received: at })
    expect(daysInTransit(times)).toBe(4)
    expect(daysInTransit({ received: at })).toBeUndefined()
  })
})

describe('a check', () => {
  it('changes no verdict and no flag: the entries are as they were', () => {
    const entries = judged({ potassium: 6.9, calcium: 7.1 })
    const before = JSON.stringify(entries)
    checksOf({ entries, catalogue, labErrors: ['HEMOLYSIS'], previous: new Map() })
    expect(JSON.stringify(entries)).toBe(before)
  })

  it('has words and a source', () => {
    for (const { message, source } of checks({
      hemoglobin: 16,
      hematocrit: 30,
      bilirubin_total: 1,
      bilirubin_direct: 2,
    })) {
      expect(message.length).toBeGreaterThan(30)
      expect(source.length).toBeGreaterThan(10)
    }
  })
})
