import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { type Person, rangesFor, scoredLimits } from '@kitlane/lab-reader/facts/ranges'
import { readingOf } from '@kitlane/lab-reader/facts/reading'
import { roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Biomarker, Interval } from '@kitlane/lab-reader/facts/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { axes, categoryScore, markerWeight, type ScoredMarker } from '../../src/modules/reports/judge/axes.ts'
import { curveOf, scoreAt } from '../../src/modules/reports/judge/curve.ts'
import { assessReading, markerScore, zoneOf } from '../../src/modules/reports/judge/score.ts'
import { scoreVersion } from '../../src/modules/reports/judge/score-constants.ts'

const sexes = ['M', 'F'] as const

function get(id: string): Biomarker {
  const biomarker = biomarkers.find((entry) => entry.id === id)
  if (!biomarker) throw new Error(`no biomarker ${id}`)
  return biomarker
}

function judge(id: string, printed: string, person: Person = { sex: 'M' }) {
  const reading = readingOf(printed)
  if (!reading) throw new Error(`no reading ${printed}`)
  return assessReading(get(id), reading, person)
}

function rounded(id: string, printed: string, person?: Person): number | null {
  const { score } = judge(id, printed, person)
  return score === null ? null : Math.round(score)
}

const marker = (id: string, printed: string, person?: Person): ScoredMarker => ({
  biomarker: get(id),
  score: judge(id, printed, person).score,
})

describe('the score of a marker', () => {
  test.each([
    ['hba1c', { '5.3': 100, '5.6': 75, '6.0': 56, '6.4': 38, '7.0': 30, '8.0': 19 }],
    ['ldl', { '69': 100, '99': 75, '129': 56, '159': 38, '189': 19 }],
    ['hs_crp', { '3': 75, '10': 38 }],
    ['egfr', { '60': 75, '30': 38 }],
  ])('of %s has the published check values', (id, expected) => {
    const scores = Object.fromEntries(Object.keys(expected).map((printed) => [printed, rounded(id, printed)]))
    expect(scores).toEqual(expected)
  })

  test('without tiers falls to 50, 25 and 0 by half widths of the interval or multiples of a one-sided limit', () => {
    const man = { sex: 'M', labRange: { low: 4, high: 15.2 } } as const
    expect(['15.2', '18', '20.8', '26.4', '99'].map((x) => rounded('prolactin', x, man))).toEqual([75, 50, 25, 0, 0])
    expect(['40', '50', '60', '80'].map((x) => rounded('ast', x))).toEqual([75, 50, 25, 0])
    expect(['40', '32', '20'].map((x) => rounded('hdl', x))).toEqual([75, 50, 0])
  })

  test('on the low side is compressed so that it reaches 0 at 0 and not before', () => {
    expect(['0.45', '0.23', '0', '0.10'].map((x) => rounded('tsh', x))).toEqual([75, 26, 0, 11])
  })

  test('is null where no interval judges it', () => {
    expect(rounded('estradiol', '100', { sex: 'F' })).toBeNull()
    expect(rounded('igf_1', '200')).toBeNull()
    expect(judge('igf_1', '200')).toMatchObject({ state: 'unknown', interpretation: '', deviationScore: null })
  })

  test('for every marker and sex stays in 0 to 100, rises and then falls at most once, and is 75 or more in range', () => {
    let curves = 0
    for (const biomarker of biomarkers) {
      for (const sex of sexes) {
        // Those of one maker, too, as if its laboratory had printed them.
        const ranges = rangesFor({ ...biomarker, flags: [] }, { sex, ageYears: 40 })
        const curve = curveOf(biomarker, ranges)
        if (!curve || !ranges.inRange) continue
        curves += 1
        const limits = scoredLimits(biomarker, ranges.inRange)
        checkShape(biomarker, limits, (x) => scoreAt(curve, x))
        for (const edge of [limits.low, limits.high]) {
          if (edge !== null) expect(markerScore(biomarker, ranges, { value: edge })).toBeGreaterThanOrEqual(75)
        }
        const outwards = [curve.below.map(({ x }) => 0 - x), curve.above.map(({ x }) => x)]
        for (const xs of outwards) expect(xs).toEqual([...new Set(xs)].sort((a, b) => a - b))
      }
    }
    expect(curves).toBe(184)
  })

  test('keeps that shape on any interval that a laboratory prints', () => {
    const bound = fc.double({ min: 0.01, max: 2000, noNaN: true })
    fc.assert(
      fc.property(fc.constantFrom(...biomarkers), fc.tuple(bound, bound), (biomarker, [a, b]) => {
        const labRange = { low: Math.min(a, b), high: Math.max(a, b) }
        const ranges = rangesFor(biomarker, { sex: 'F', labRange })
        const curve = curveOf(biomarker, ranges)
        if (!curve || !ranges.inRange) return
        checkShape(biomarker, scoredLimits(biomarker, ranges.inRange), (x) => scoreAt(curve, x), 400)
      }),
    )
  })

  function checkShape(biomarker: Biomarker, limits: Interval, score: (x: number) => number, points = 4000) {
    const top = 3 * (limits.high ?? limits.low ?? 1)
    let previous = 0
    let falling = false
    const faults: number[] = []
    for (let i = 0; i <= points; i += 1) {
      const x = (top * i) / points
      const s = score(x)
      if (!(s >= 0 && s <= 100)) faults.push(x)
      if (s < previous - 1e-9) falling = true
      else if (falling && s > previous + 1e-9) faults.push(x)
      const inside = (limits.low === null || x >= limits.low) && (limits.high === null || x <= limits.high)
      if (inside && s < 75 - 1e-9) faults.push(x)
      previous = s
    }
    expect(faults, biomarker.id).toEqual([])
  }
})

describe('the state of a result', () => {
  test.each([
    ['90', 'optimal', 'N', 0],
    ['91', 'good', 'N', 0],
    ['99', 'good', 'N', 0],
    ['99.4', 'fair', 'H', 0.03],
    ['99.5', 'fair', 'H', 0.03],
    ['106', 'fair', 'H', 0.48],
    ['107', 'poor', 'H', 0.55],
    ['69', 'fair', 'L', -0.07],
    ['50', 'poor', 'L', -1.38],
  ])('of glucose %s is %s, %s, deviation %d', (printed, state, interpretation, deviationScore) => {
    expect(judge('glucose', printed)).toMatchObject({ state, interpretation, deviationScore })
  })

  test('measures the deviation from a one-sided limit by that limit', () => {
    expect(judge('ldl', '148.5').deviationScore).toBe(0.5)
    expect(judge('egfr', '45').deviationScore).toBe(-0.25)
  })

  test('is the shown range that holds the value, whatever the value', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...biomarkers),
        fc.constantFrom(...sexes),
        fc.double({ min: 0, max: 3, noNaN: true }),
        (biomarker, sex, times) => {
          const ranges = rangesFor(biomarker, { sex })
          const value = roundTo(times * (ranges.inRange?.high ?? ranges.inRange?.low ?? 1), biomarker.decimals)
          const state = zoneOf(biomarker, ranges, { value })
          const holds = ({ low, high }: Interval) => (low === null || value >= low) && (high === null || value <= high)
          if (state === 'unknown') expect(ranges.good).toEqual([])
          else expect(state === 'optimal').toBe(ranges.optimal !== null && holds(ranges.optimal))
          expect(state === 'good').toBe(ranges.good.some(holds))
          expect(state === 'fair').toBe(ranges.fair.some(holds))
        },
      ),
    )
  })

  test('does not punish a low value of which lower is better, but says that the laboratory would call it low', () => {
    const person: Person = { sex: 'F', labRange: { low: 4.8, high: 5.6 } }
    expect(judge('hba1c', '4.5', person)).toMatchObject({ state: 'optimal', score: 100, interpretation: 'L' })
  })

  test('keeps critical flags to the laboratory', () => {
    expect(assessReading(get('potassium'), { value: 6.5 }, { sex: 'M' }).interpretation).toBe('H')
    expect(assessReading(get('potassium'), { value: 6.5 }, { sex: 'M' }, 'HH').interpretation).toBe('HH')
  })
})

describe('censored results', () => {
  test('are scored when every value on their side lies in one zone', () => {
    expect(judge('hs_crp', '<0.2')).toMatchObject({ score: 100, state: 'optimal', interpretation: 'N' })
    expect(judge('egfr', '>90')).toMatchObject({ score: 100, state: 'optimal' })
    expect(judge('egfr', '≥90')).toMatchObject({ score: 100, state: 'optimal' })
    expect(judge('folate', '> 20.0')).toMatchObject({ state: 'good', interpretation: 'N' })
    expect(judge('tsh', '<0.01')).toMatchObject({ score: 0, state: 'poor', interpretation: 'L' })
    expect(judge('non_hdl', '<129')).toMatchObject({ interpretation: 'N' })
    // Assays differ: only the interval of its laboratory would judge it.
    expect(judge('tpo_ab', '<35')).toMatchObject({ state: 'unknown', interpretation: '' })
  })

  test('are not scored when their side spans zones, though a side wholly in range still reads N', () => {
    expect(judge('egfr', '>60')).toMatchObject({
      score: null,
      state: 'unknown',
      interpretation: 'N',
      deviationScore: 0,
    })
    expect(judge('hba1c', '<5.7')).toMatchObject({ score: null, state: 'unknown', interpretation: 'N' })
    expect(judge('ldl', '<150')).toMatchObject({ score: null, interpretation: '', deviationScore: null })
    expect(judge('sodium', '>140')).toMatchObject({ score: null, interpretation: '' })
  })

  test.each(['TNP', '', '1,250', '5.8 H', 'see note', '<', '1e3'])('%j is no reading', (text) => {
    expect(readingOf(text)).toBeUndefined()
  })
})

describe('the score of a category', () => {
  const lipids = [
    marker('total_cholesterol', '178'),
    marker('hdl', '62'),
    marker('ldl', '68'),
    marker('triglycerides', '80'),
    marker('apo_b', '140'),
  ]

  test('is 65 in the worked example, where a plain mean would hide the bad ApoB behind 84', () => {
    expect(categoryScore(lipids)).toEqual({ result: 65, coverage: 1, worst: 'apo_b' })
    const mean = lipids.reduce((sum, { score }) => sum + (score ?? 0), 0) / lipids.length
    expect(Math.round(mean)).toBe(84)
  })

  test('counts computed markers a quarter, low confidence half, and eAG beside A1c not at all', () => {
    const scored = new Set(['hba1c', 'hdl', 'total_cholesterol', 'triglycerides', 'glucose', 'insulin'])
    const weight = (id: string, calculated = false) =>
      markerWeight({ biomarker: get(id), score: 80, calculated }, scored)
    expect(['glucose', 'non_hdl', 'homa_ir', 'eag', 'lp_a', 'uibc'].map((id) => weight(id))).toEqual([
      1, 0.25, 0.125, 0, 1, 0.5,
    ])
    expect([weight('ldl'), weight('ldl', true)]).toEqual([1, 0.25])
    expect(markerWeight({ biomarker: get('non_hdl'), score: 80 }, new Set())).toBe(1)
  })

  test('is not given for one marker or for less than half of what was expected', () => {
    expect(categoryScore([marker('hs_crp', '0.5')])).toEqual({ result: null, coverage: 1 })
    const missing = ['hdl', 'ldl', 'apo_b'].map((id) => ({ biomarker: get(id), score: null }))
    const two = [marker('total_cholesterol', '178'), marker('triglycerides', '80')]
    expect(categoryScore([...two, ...missing])).toEqual({ result: null, coverage: 0.4 })
    expect(categoryScore([...two, ...missing.slice(1)])).toMatchObject({ result: 100, coverage: 0.5 })
  })

  test('leaves suppressed results out, neither as 0 nor as 100', () => {
    const electrolytes = [marker('sodium', '140'), marker('chloride', '100'), marker('co2', '25')]
    const suppressed = { biomarker: get('potassium'), score: null }
    expect(categoryScore([...electrolytes, suppressed])).toMatchObject({ result: 100, coverage: 0.75 })
  })

  test('never lies above the weighted mean, and one worse marker never raises it', () => {
    const score = fc.integer({ min: 0, max: 100 })
    const heart = ['total_cholesterol', 'hdl', 'ldl', 'triglycerides', 'apo_b'].map(get)
    const scores = fc.array(score, { minLength: heart.length, maxLength: heart.length })
    fc.assert(
      fc.property(scores, fc.nat(heart.length - 1), score, (values, at, lower) => {
        const resultOf = (xs: number[]) =>
          categoryScore(heart.map((biomarker, i) => ({ biomarker, score: xs[i] ?? null }))).result ?? -1
        const result = resultOf(values)
        expect(result).toBeLessThanOrEqual(Math.round(values.reduce((sum, x) => sum + x, 0) / values.length))
        expect(result).toBeGreaterThanOrEqual(0)
        const worse = values.map((x, i) => (i === at ? Math.min(x, lower) : x))
        expect(resultOf(worse)).toBeLessThanOrEqual(result)
      }),
    )
  })
})

describe('the axes of a report', () => {
  const report = [
    marker('hba1c', '5.2'),
    marker('glucose', '85'),
    marker('hs_crp', '0.4'),
    marker('trig_hdl_ratio', '1.5'),
    marker('triglycerides', '90'),
    marker('hdl', '60'),
  ]

  test('are one per category in the order of the catalogue, with their range', () => {
    const result = axes(report)
    expect(result.map(({ axis, category, range, result: score }) => ({ axis, category, range, score }))).toEqual([
      { axis: 'metabolic', category: 'Metabolic Health', range: { min: 0, max: 100 }, score: 100 },
      { axis: 'heart', category: 'Heart Health', range: { min: 0, max: 100 }, score: 100 },
      { axis: 'inflammation', category: 'Inflammation', range: { min: 0, max: 100 }, score: null },
    ])
  })

  test('lose coverage by what the panel expected, save tests that are not meant for the sex', () => {
    const expected = ['ldl', 'apo_b', 'psa', 'amh', 'lh'].map(get)
    const result = axes(report, expected, 'M')
    expect(result.find(({ axis }) => axis === 'heart')).toMatchObject({ result: 100, coverage: 0.5 })
    expect(result.find(({ axis }) => axis === 'hormonal')).toMatchObject({ result: null, coverage: 0 })
    expect(axes([], [get('psa')], 'F')).toEqual([])
  })

  test('say under which version of the constants they were computed', () => {
    expect(scoreVersion).toBe(2)
  })
})
