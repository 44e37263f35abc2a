import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { isBlood, mayComeFrom, specimenIds, specimensIn } from '@kitlane/lab-reader/facts/specimens'
import { biomarkerOf } from '@kitlane/lab-reader/identify/biomarker'
import { describe, expect, test } from 'vitest'

describe('the specimens that a text names', () => {
  test.each([
    ['Serum', ['serum']],
    ['119364003 Serum specimen', ['serum']],
    ['EDTA plasma', ['plasma']],
    ['Vollblut', ['blood']],
    ['Vollblut (EDTA)', ['blood']],
    ['WB EDTA whole blood', ['blood']],
    ['Blood, EDTA plasma', ['blood', 'plasma']],
    ['sang veineux', ['blood']],
    ['Dried blood spot', ['dried_blood']],
    ['capillary blood', ['capillary_blood']],
    ['BLDA', ['arterial_blood']],
    ['24h urine', ['urine']],
    ['Spontanurin', ['urine']],
    ['Urinsediment', ['urine_sediment']],
    ['UR', ['urine']],
    ['122575003', ['urine']],
    ['Orina', ['urine']],
    ['B', ['blood']],
    ['SUE', ['serum']],
    ['Hepatitis B', []],
    ['S', []],
    ['b', []],
    ['liquide pleural', ['other']],
    ['Serum Urine', ['serum', 'urine']],
    ['Menstrual blood', ['other']],
    // Exudate: it was taken for blood.
    ['258441009', ['other']],
    ['Mystery', []],
    ['constructor', []],
    ['123456789', []],
  ])('%s: %j', (text, expected) => {
    expect(specimensIn(text)).toEqual(expected)
  })

  test.each([undefined, '', 'n/a', 'Not specified', '--'])('%s says nothing', (text) => {
    expect(specimensIn(text)).toBeUndefined()
  })
})

describe('a biomarker', () => {
  test('says which specimens of the table it may come from', () => {
    for (const { id, specimens } of biomarkers) {
      expect(specimens?.length, id).toBeGreaterThan(0)
      for (const one of specimens ?? []) expect(specimenIds, id).toContain(one)
    }
  })

  test('takes nothing that is not on its list, and one without a list only blood', () => {
    const [one] = biomarkers
    if (!one) throw new Error('no biomarkers')
    expect(mayComeFrom({ ...one, specimens: ['urine'] }, ['urine'])).toBe(true)
    expect(mayComeFrom({ ...one, specimens: ['urine'] }, ['serum'])).toBe(false)
    expect(mayComeFrom({ ...one, specimens: undefined }, ['serum'])).toBe(true)
    expect(mayComeFrom({ ...one, specimens: undefined }, ['urine'])).toBe(false)
    expect(isBlood([])).toBe(false)
  })

  test.each([
    ['Exudate', 'otherSpecimen'],
    ['258441009', 'otherSpecimen'],
    ['Serum / Urine', 'otherSpecimen'],
    ['Mystery', 'unknownSpecimen'],
  ])('in %s waits: %s', (specimen, reason) => {
    const observation = { name: 'Glucose', valueText: '90', status: 'final' as const, position: '', raw: '', specimen }
    expect(biomarkerOf(biomarkers, observation, () => [])).toMatchObject({ reason })
  })
})
