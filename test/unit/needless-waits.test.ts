import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'
import { unassessedOf } from '../../src/modules/lab/unassessed.ts'

async function read(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  return reports.map(({ observations }) => identifyObservations(observations, biomarkers))
}

async function readObx(obx: string) {
  const header = 'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1'
  const [one] = await read([header, 'PID|1||X||Tester^Bo||19800229|F', 'OBR|1||ACC77', obx].join('\r'))
  const result = one?.results[0]
  if (result) return [result.biomarkerId, 'finding' in result ? result.finding.value : result.value]
  return one?.unmatched[0]?.code
}

describe('what need not wait is read', () => {
  test.each([
    [
      'OBX|1|NM|89579-7^Troponin I.cardiac [Mass/volume] in Serum or Plasma by High sensitivity method^LN||12|ng/L|||||F',
      ['troponin_i', 12],
    ],
    ['OBX|1|NM|X^hs-Troponin T^L||12|ng/L|<14||||F', ['troponin_t', 12]],
    ['OBX|1|NM|6301-6^INR^LN||1.1||0.9-1.1||||F', ['inr', 1.1]],
    ['OBX|1|NM|6301-6^INR^LN||1.1|ratio|0.9-1.1||||F', ['inr', 1.1]],
    ['OBX|1|NM|770-8^NEUTROPHILS^LN||66.3|%|40-70||||F', ['neutrophils_pct', 66.3]],
    ['OBX|1|NM|736-9^LYMPHOCYTES^LN||26.3|%|20-40||||F', ['lymphocytes_pct', 26.3]],
    ['OBX|1|NM|X^Monocytes^L||6|%|2-9||||F', ['monocytes_pct', 6]],
    ['OBX|1|NM|751-8^NEUTROPHILS^LN||4.1|10*3/uL|||||F', ['neutrophils_abs', 4.1]],
    [
      'OBX|1|CWE|56888-1^HIV 1+2 Ab+HIV1 p24 Ag [Presence] in Serum or Plasma by Immunoassay^LN||260385009^Negative^SCT||||||F',
      ['hiv_ag_ab', 'negative'],
    ],
    ['OBX|1|ST|56888-1^HIV 1+2 Ab+HIV1 p24 Ag^LN||Non-reactive||||||F', ['hiv_ag_ab', 'negative']],
    ['OBX|1|NM|2955-3^Sodium Ur^LN||117|mmol/L|||||F', ['sodium_urine', 117]],
    ['OBX|1|NM|2955-3^Sodium, urine^LN||117|mmol/L|||||F', ['sodium_urine', 117]],
    ['OBX|1|NM|K^Kalium i.S.^L||4.4|mmol/L|||||F', ['potassium', 4.4]],
    ['OBX|1|NM|K^Chlore^L||101|mmol/L|||||F', ['chloride', 101]],
    ['OBX|1|NM|K^Proteína C reactiva^L||4.4|mg/L|||||F', ['crp', 4.4]],
    ['OBX|1|NM|K^Creatinine^L||79|mcmol/L|||||F', ['creatinine', 79]],
    ['OBX|1|ST|13955-0^HCV Ab^LN||Non-reactive||||||F', ['hepatitis_c_antibody', 'negative']],
    ['OBX|1|ST|16128-1^Anti-HCV^LN||Negative||||||F', ['hepatitis_c_antibody', 'negative']],
    ['OBX|1|ST|5010-4^HCV RNA^LN||Target not detected||||||F', ['hepatitis_c_rna', 'negative']],
    ['OBX|1|NM|2756-5^pH of Urine^LN||6.0||5-8||||F', ['ph_urine', 6]],
  ])('%s', async (obx, found) => {
    expect(await readObx(obx)).toEqual(found)
  })

  test.each([
    ['OBX|1|NM|751-8^NEUTROPHILS^LN||66.3|%|40-70||||F', 'codeContradictsName'],
    ['OBX|1|NM|K^Kalium i.U.^L||48|mmol/L|||||F', 'unknownName'],
    ['OBX|1|NM|2955-3^Sodium^LN||117|mmol/L|||||F', 'codeContradictsName'],
    ['OBX|1|NM|2951-2^Sodium Ur^LN||117|mmol/L|||||F', 'otherSpecimenName'],
    ['OBX|1|NM|X^Neutrophils %^L||4.1|10*3/uL|||||F', 'unknownUnit'],
    ['OBX|1|NM|X^Glucose^L||95||70-99||||F', 'noUnit'],
    ['OBX|1|NM|X^D-Dimer^L||250|ng/mL|<500||||F', 'unknownName'],
  ])('%s still waits', async (obx, code) => {
    expect(await readObx(obx)).toBe(code)
  })

  test('what FHIR says to be absent is nothing that a person has to deal with; with a value beside it, it is', async () => {
    const observation = (more: object) =>
      JSON.stringify({ resourceType: 'Observation', status: 'final', code: { text: 'Glucose' }, ...more })
    const dataAbsentReason = { coding: [{ code: 'not-performed', display: 'Not Performed' }] }
    const [absent] = await read(observation({ dataAbsentReason }))
    expect(absent?.unmatched).toMatchObject([{ code: 'absent', valueText: 'Not Performed' }])
    expect(unassessedOf(absent?.unmatched ?? [])).toEqual([])
    const [both] = await read(observation({ dataAbsentReason, valueQuantity: { value: 95, unit: 'mg/dL' } }))
    expect(unassessedOf(both?.unmatched ?? [])).toMatchObject([{ code: 'contradicted' }])
  })
})
