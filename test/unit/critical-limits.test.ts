import { convert } from '@kitlane/lab-reader/facts/convert'
import { beyondCriticalLimit, criticalLimits } from '@kitlane/lab-reader/facts/critical-limits'
import data from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { rangesFor } from '@kitlane/lab-reader/facts/ranges'
import { isPlausible } from '@kitlane/lab-reader/facts/rules'
import { Catalogue } from '@kitlane/lab-reader/facts/schema'
import { describe, expect, it } from 'vitest'
import { criticalLimitText, isReadBack } from '../../src/modules/reports/critical/rules.ts'

const { biomarkers } = Catalogue.parse(data)
const find = (id: string) => {
  const biomarker = biomarkers.find((one) => one.id === id)
  if (!biomarker) throw new Error(`there is no biomarker ${id}`)
  return biomarker
}

describe('the critical limits', () => {
  it('are each of a biomarker, in a unit that converts, plausible, outside the reference interval, and from a named source', () => {
    expect(criticalLimits.limits.length).toBeGreaterThan(30)
    for (const { biomarker: id, unit, low, high, source, minAge = 0 } of criticalLimits.limits) {
      const biomarker = find(id)
      expect(criticalLimits.sources[source], `${id}: ${source}`).toBeDefined()
      for (const bound of [low, high].filter((one) => one !== null)) {
        const converted = convert(biomarker, bound, unit)?.value ?? Number.NaN
        expect(isPlausible(biomarker, converted), `${id} ${bound} ${unit}`).toBe(true)
      }
      const least = low === null ? undefined : convert(biomarker, low, unit)?.value
      const most = high === null ? undefined : convert(biomarker, high, unit)?.value
      for (const sex of ['F', 'M'] as const) {
        const { inRange } = rangesFor(biomarker, { sex, ageYears: Math.max(minAge, 18), phase: 'follicular' })
        if (least !== undefined && inRange?.low) expect(least, `${id} ${sex} low`).toBeLessThan(inRange.low)
        if (most !== undefined && inRange?.high) expect(most, `${id} ${sex} high`).toBeGreaterThan(inRange.high)
      }
    }
  })

  it('overlap for nobody', () => {
    for (const { biomarker, sex } of criticalLimits.limits) {
      const same = criticalLimits.limits.filter((one) => one.biomarker === biomarker && one.sex === sex)
      for (let age = 0; age < 110; age += 1) {
        const found = same.filter(({ minAge = 0, maxAge = 200 }) => age >= minAge && age <= maxAge)
        expect(found.length, `${biomarker} at ${age}`).toBeLessThan(2)
      }
    }
  })

  it('are said in the unit of the result, and as their source has them', () => {
    const hemoglobin = { limit: 199, unit: 'g/L' }
    expect(criticalLimitText('hemoglobin', hemoglobin, 'g/dL')).toBe('19.9 g/dL = 199 g/L')
    expect(criticalLimitText('hemoglobin', hemoglobin, 'g/L')).toBe('199 g/L')
    expect(criticalLimitText('hemoglobin', hemoglobin, 'drops')).toBe('199 g/L')
    expect(criticalLimitText('glucose', { limit: 24.9, unit: 'mmol/L' }, 'mg/dL')).toBe('449 mg/dL = 24.9 mmol/L')
    expect(criticalLimitText('a biomarker of yours', hemoglobin, 'g/dL')).toBe('199 g/L')
  })

  it('are reached at the limit, on the side of a censored result, and by a person of that age', () => {
    const potassium = find('potassium')
    const adult = { ageYears: 40 }
    const flagOf = (value: number, comparator?: '<' | '>', person: { ageYears?: number } = adult) =>
      beyondCriticalLimit(potassium, { value, comparator }, person)?.flag
    expect([flagOf(6.1), flagOf(6.2), flagOf(6.3)]).toEqual([undefined, 'HH', 'HH'])
    expect([flagOf(2.9), flagOf(2.8), flagOf(2.7)]).toEqual([undefined, 'LL', 'LL'])
    expect([flagOf(7, '>'), flagOf(7, '<'), flagOf(2.5, '<'), flagOf(2.5, '>')]).toEqual([
      'HH',
      undefined,
      'LL',
      undefined,
    ])
    expect([flagOf(6.3, undefined, { ageYears: 9 }), flagOf(6.4, undefined, { ageYears: 9 })]).toEqual([
      undefined,
      'HH',
    ])
    expect(flagOf(6.3, undefined, {})).toBe('HH')
  })
})

describe('an analyte for which laboratories call', () => {
  it.each([
    ['calcium_ionized', 0.6, 'mmol/L', 'LL'],
    ['calcium_ionized', 1.2, 'mmol/L', undefined],
    ['calcium_ionized', 2.4, 'mg/dL', 'LL'],
    ['lactate', 5, 'mmol/L', 'HH'],
    ['lactate', 45, 'mg/dL', 'HH'],
    ['inr', 6.2, '', 'HH'],
    ['inr', 2.5, '', undefined],
    ['aptt', 110, 's', 'HH'],
    ['troponin_t', 120, 'ng/L', 'HH'],
    ['troponin_i', 0.3, 'ng/mL', 'HH'],
    ['troponin_i', 8, 'ng/L', undefined],
    ['ammonia', 260, 'umol/L', 'HH'],
    ['osmolality', 240, 'mosm/kg', 'LL'],
    ['ethanol', 350, 'mg/dL', 'HH'],
    ['lead_blood', 60, 'ug/dL', 'HH'],
    ['ck', 9000, 'U/L', 'HH'],
    ['crp', 340, 'mg/L', 'HH'],
    ['blasts_pct', 3, '%', 'HH'],
  ])('%s of %d %s is %s', (id, value, unit, flag) => {
    const biomarker = find(id)
    const converted = convert(biomarker, value, unit)?.value ?? Number.NaN
    expect(beyondCriticalLimit(biomarker, { value: converted }, { ageYears: 46 })?.flag).toBe(flag)
  })
})

describe('reading a value back', () => {
  it.each([
    ['401', '401', true],
    ['401', ' 401 ', true],
    ['401', '401.0', true],
    ['401', '01', true],
    ['401', '1', false],
    ['401', '40', false],
    ['401', '4010', false],
    ['7.1', '7,1', true],
    ['7.1', '.1', false],
    ['7', '7', true],
    ['>500', '500', true],
    ['>500', '00', true],
    ['Detected', 'detected', true],
    ['Detected', 'detect', false],
    ['Not detected', 'detected', false],
    ['401', '', false],
  ])('%s as %j: %s', (value, said, expected) => {
    expect(isReadBack(value, said)).toBe(expected)
  })
})
