import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import others from '@kitlane/lab-reader/facts/data/other-loinc.json' with { type: 'json' }
import { exactLoinc } from '@kitlane/lab-reader/facts/match'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { hasCheckDigit } from '@kitlane/lab-reader/identify/loincs'
import { describe, expect, test } from 'vitest'

const identified = (name: string, loinc: string, value: number, unit: string, specimen?: string) => {
  const sent = { name, loinc, value, valueText: String(value), unit, status: 'final' as const, position: '1', raw: '' }
  return identifyObservations([{ ...sent, ...(specimen && { specimen }) }], biomarkers)
}

describe('a LOINC code where the message names no specimen', () => {
  test.each([
    ['Glucose', '14749-6', 5.2, 'mmol/L', 'glucose'],
    ['Fasting glucose', '14771-0', 5.2, 'mmol/L', 'glucose'],
    ['Creatinine', '14682-9', 80, 'umol/L', 'creatinine'],
    ['Urea', '22664-7', 5.4, 'mmol/L', 'urea'],
    ['Cholesterol', '14647-2', 5.1, 'mmol/L', 'total_cholesterol'],
    ['HDL cholesterol', '14646-4', 1.4, 'mmol/L', 'hdl'],
    ['LDL cholesterol', '39469-2', 3.1, 'mmol/L', 'ldl'],
    ['LDL cholesterol, direct', '69419-0', 3.1, 'mmol/L', 'ldl'],
    ['Triglyceride', '14927-8', 1.2, 'mmol/L', 'triglycerides'],
    ['Urate', '14933-6', 300, 'umol/L', 'uric_acid'],
    ['Phosphate', '14879-1', 1.1, 'mmol/L', 'phosphorus'],
    ['Calcium', '2000-8', 2.4, 'mmol/L', 'calcium'],
    ['Iron', '14798-3', 14, 'umol/L', 'iron'],
    ['Cortisol', '14675-3', 300, 'nmol/L', 'cortisol'],
    ['Free T4', '14920-3', 15, 'pmol/L', 'free_t4'],
  ])('of moles in serum is that of %s: %s', (name, loinc, value, unit, id) => {
    expect(identified(name, loinc, value, unit).results).toMatchObject([{ biomarkerId: id, value, unit }])
  })

  test.each([
    ['Glucose', '14743-9', 4.2, 'mmol/L'],
    ['Potassium', '2828-2', 4, 'mmol/L'],
    ['Phosphate', '14881-7', 1.1, 'mmol/L'],
    ['Urate', '14935-1', 300, 'umol/L'],
  ])('of another system keeps %s from being read as one of blood: %s', (name, loinc, value, unit) => {
    expect(identified(name, loinc, value, unit)).toMatchObject({ results: [], unmatched: [{ name }] })
  })

  test.each([
    ['Glucose', '2342-4', 60, 'mg/dL', /LOINC 2342-4 is of cerebrospinal fluid$/],
    ['Glucose', '14743-9', 4.2, 'mmol/L', /LOINC 14743-9 is of capillary blood$/],
    ['Glucose', '14761-1', 7.2, 'mmol/L', /LOINC 14761-1 is of a challenge, an hour or a position$/],
    ['Cortisol', '44917-3', 40, 'nmol/L', /LOINC 44917-3 is of a challenge, an hour or a position$/],
  ])(
    '%s %s waits even where the message names serum, and says of what the code is',
    (name, loinc, value, unit, why) => {
      const { results, unmatched } = identified(name, loinc, value, unit, 'Serum')
      expect(results).toEqual([])
      expect(unmatched).toMatchObject([{ code: 'codeContradictsName', reason: expect.stringMatching(why) }])
    },
  )
})

test('a second LOINC code of another specimen makes a result wait, too', () => {
  const codes = [{ code: '2342-4', system: 'LN', name: 'Glucose' }]
  const sent = { name: 'Glucose', loinc: '2345-7', codes, value: 60, valueText: '60', unit: 'mg/dL' }
  const { results, unmatched } = identifyObservations(
    [{ ...sent, status: 'final', position: '1', raw: '' }],
    biomarkers,
  )
  expect(results).toEqual([])
  expect(unmatched).toMatchObject([{ code: 'codeContradictsName' }])
})

test('codes of other systems and of challenges are none of the catalogue, each once, with right check digits', () => {
  const codes = [...Object.values(others.specimens), others.provoked].flatMap((list) => list.split(' '))
  expect(codes.length).toBeGreaterThan(4000)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes.filter((code) => !hasCheckDigit(code) || exactLoinc(biomarkers, code))).toEqual([])
})

describe('the long name that LOINC gives a code', () => {
  test.each([
    ['Hepatitis C virus Ab [Presence] in Serum', '16128-1', 'hepatitis_c_antibody'],
    ['Hepatitis C virus Ab [Presence] in Serum by Immunoblot', '16128-1', undefined],
    ['Hepatitis C virus Ab [Presence] in Urine', '16128-1', undefined],
    ['Hepatitis B virus surface Ag [Presence] in Serum', '16128-1', undefined],
    ['Chlamydia trachomatis rRNA [Presence] in Specimen by NAA with probe detection', '43304-5', 'chlamydia'],
  ])('%s of %s is %s', (name, loinc, expected) => {
    const sent = { name, loinc, valueText: 'Positive', unit: '', status: 'final' as const, position: '1', raw: '' }
    const { results } = identifyObservations([sent], biomarkers)
    expect(results.map(({ biomarkerId }) => biomarkerId)).toEqual(expected ? [expected] : [])
  })
})
