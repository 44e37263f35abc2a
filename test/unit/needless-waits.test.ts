import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { siblings } from '@kitlane/lab-reader/identify/siblings'
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
    ['OBX|1|NM|11580-8^TSH^LN||1.7|mIU/L|||||F', ['tsh', 1.7]],
    ['OBX|1|NM|20568-2^Prolactin^LN||11.8|ng/mL|||||F', ['prolactin', 11.8]],
    ['OBX|1|NM|20568-2^TSH^LN||1.7|mIU/L|||||F', 'codeContradictsName'],
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
    ['OBX|1|NM|777-3^Platelets^LN||0.25|10*12/L|||||F', ['platelets', 0.25]],
    ['OBX|1|NM|PLQ^Plaquetas^L||248|mil/mm³|150 a 450||||F', ['platelets', 248]],
    ['OBX|1|NM|789-8^RBC^LN||4.52|mil/uL|3.90-5.00||||F', ['rbc', 4.52]],
    ['OBX|1|NM|789-8^RBC^LN||4520|mil/mm³|3900-5000||||F', 'implausible'],
    ['OBX|1|NM|777-3^Platelets^LN||0.25|mil/uL|0.15-0.45||||F', 'implausible'],
    ['OBX|1|NM|2345-7^Glucose^LN||92||70-100 mg/dL||||F', ['glucose', 92]],
    ['OBX|1|NM|NA^Sodium mmol/L^L||140||136-145||||F', ['sodium', 140]],
    ['OBX|1|NM|NA^Sodium^L||140|mmol/L^mEq/L|136-145||||F', ['sodium', 140]],
    ['OBX|1|ST|2276-4^Ferritin^LN||1.250|ng/mL|15-150|H|||F', ['ferritin', 1250]],
    ['OBX|1|ST|CA^Calcium^L||9,4|mg/dL|8,5-10,5||||F', ['calcium', 9.4]],
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
    ['OBX|1|NM|2160-0^Creatinine^LN||0.9|mg/dL^umol/L|||||F', 'unknownUnit'],
    ['OBX|1|NM|19123-9^Magnesium^LN||2|mmol/L^mEq/L|||||F', 'unknownUnit'],
    ['OBX|1|NM|2276-4^Ferritin^LN||1.250|ng/mL|15-150|H|||F', 'flagContradictsRange'],
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

describe('what a specimen, a code and names say together is read of FHIR', () => {
  const become = async (specimen: string, [loinc, display]: [string?, string?], text: string, value: object) => {
    const coding = loinc ? [{ system: 'http://loinc.org', code: loinc, display }] : []
    const [one] = await read(
      JSON.stringify([
        { resourceType: 'Specimen', id: 's', type: { text: specimen } },
        {
          resourceType: 'Observation',
          status: 'final',
          code: { coding, text },
          specimen: { reference: 'Specimen/s' },
          ...value,
        },
      ]),
    )
    const result = one?.results[0]
    if (result) return [result.biomarkerId, 'finding' in result ? result.finding.value : result.value]
    return one?.unmatched[0]?.code
  }
  const pH = ['5803-2', 'pH of Urine by Test strip'] as [string, string]
  const nitrite = ['5802-4', 'Nitrite [Presence] in Urine by Test strip'] as [string, string]
  const pylori = ['17780-8', 'Helicobacter pylori Ag [Presence] in Stool'] as [string, string]
  const nmol = (value: number) => ({ valueQuantity: { value, unit: 'nmol/L' } })

  test('where one name is LOINC’s long name and the other says less', async () => {
    expect(await become('Urine', pH, 'pH', { valueInteger: 6 })).toEqual(['ph_urine', 6])
    expect(await become('Stool', pylori, 'H. pylori antigen, stool', { valueString: 'Negative' })).toEqual([
      'h_pylori_stool',
      'negative',
    ])
    expect(await become('Blood', pH, 'pH', { valueInteger: 7 })).toBe('otherSpecimenName')
    expect(await become('Serum', pylori, 'H. pylori antigen, stool', { valueString: 'Negative' })).toBe('notANumber')
    expect(await become('Urine', pH, 'pH after acid load', { valueInteger: 6 })).toBe('otherSpecimenName')
  })

  test('where the morning is named beside saliva, and no other hour', async () => {
    expect(await become('Saliva', [], 'Cortisol, saliva, morning', nmol(11.8))).toEqual(['cortisol_saliva', 11.8])
    expect(await become('Saliva', [], 'Cortisol, saliva, midnight', nmol(1.8))).toBe('otherSpecimenName')
    expect(await become('Serum', [], 'Cortisol, saliva, morning', nmol(11.8))).toBe('otherSpecimen')
  })

  test('where true and false answer whether something is there by its code, unless it is an infection', async () => {
    expect(await become('Urine', nitrite, 'Nitrite', { valueBoolean: false })).toEqual(['nitrite_strip', 'negative'])
    expect(await become('Urine', nitrite, 'Nitrite', { valueBoolean: true })).toEqual(['nitrite_strip', 'positive'])
    expect(await become('Urine', [], 'Nitrite', { valueBoolean: true })).toBe('unknownWord')
    expect(await become('Stool', pylori, 'H. pylori antigen, stool', { valueBoolean: false })).toBe('unknownWord')
  })

  test('where a titre is sent as a ratio beside its method, and not by its second number alone', async () => {
    const ratio = { valueRatio: { numerator: { value: 1 }, denominator: { value: 320 } } }
    expect(await become('Serum', [], 'ANA titre (IIF, HEp-2)', ratio)).toEqual(['ana_titre', 320])
    expect(await become('Serum', [], 'ANA titre', { valueInteger: 320 })).toBe('noUnit')
  })
})

describe('what need not wait in a table is read', () => {
  const becameOf = async (...lines: string[]) => {
    const [one] = await read(lines.join('\n'))
    return [
      ...(one?.results ?? []).map((result) => [
        result.biomarkerId,
        'value' in result && result.value,
        'unit' in result && result.unit,
        result.labFlag,
      ]),
      ...(one?.unmatched ?? []).map(({ name, code }) => [name, code]),
    ]
  }

  test.each<[string[], (string | number | undefined)[][]]>([
    [
      ['Patient,Ferritin_ng_mL,HbA1c_pct', 'Nora Valle,80,5.4'],
      [
        ['ferritin', 80, 'ng/mL', undefined],
        ['hba1c', 5.4, 'pct', undefined],
      ],
    ],
    [
      ['Patient,WBC_10_3_uL,LDL,LDL flag,LDL unit', 'Nora Valle,6.5,170,H,mg/dL'],
      [
        ['wbc', 6.5, '10*3/uL', undefined],
        ['ldl', 170, 'mg/dL', 'H'],
      ],
    ],
    [['Test,Previous,Current,Units', 'Potassium,4.1,4.9,mmol/L'], [['potassium', 4.9, 'mmol/L', undefined]]],
    [['Test;Vorwert;Aktuell;Einheit', 'Kalium;4,1;4,9;mmol/l'], [['potassium', 4.9, 'mmol/l', undefined]]],
    [
      ['Analyte,Concentration (ng/mL)', 'Ferritin,80', 'Testosterone,4.5'],
      [
        ['ferritin', 80, 'ng/mL', undefined],
        ['total_testosterone', 4.5, 'ng/mL', undefined],
      ],
    ],
    [
      ['Analyte,Concentration (ng/mL),Unit', 'Ferritin,80,ug/L', 'Testosterone,4.5,nmol/L'],
      [
        ['ferritin', 80, 'ug/L', undefined],
        ['Testosterone', 'severalValues'],
      ],
    ],
    [
      ['Test,Result,Unit,Reporting unit', 'Sodium,140,mmol/L,mEq/L', 'Calcium,2.3,mmol/L,mEq/L'],
      [
        ['sodium', 140, 'mmol/L', undefined],
        ['Calcium', 'unknownUnit'],
      ],
    ],
    [
      ['Test;Ergebnis;Einheit;Referenzbereich;Bewertung', 'TSH;2,1;mU/l;0,4-4,2;', 'Ferritin;1.250;µg/l;15 - 150;++'],
      [
        ['tsh', 2.1, 'mU/l', undefined],
        ['ferritin', 1250, 'µg/l', 'HH'],
      ],
    ],
    [['Test,Result,Unit', 'Sodium,140,mmol/L', 'Legend: H = high, L = low'], [['sodium', 140, 'mmol/L', undefined]]],
  ])('%s', async (lines, found) => {
    expect(await becameOf(...lines)).toEqual(found)
  })
})

describe('the range of a sibling', () => {
  const byId = new Map(biomarkers.map((one) => [one.id, one]))

  test('has a source for each of its limits', () => {
    for (const { of, source } of siblings)
      expect([byId.has(of), /\d{4}|tests? [A-Z]|Laboratories|Hospital|Tietz|insert/.test(source)], of).toEqual([
        true,
        true,
      ])
  })

  test.each([
    ['X^Testosterone^L||9|ng/dL|5.2-20.7', 'otherRange'],
    ['X^Testosterone^L||450|ng/dL|240-950', ['total_testosterone', 450]],
    // The interval of CRP in Japan; those of hs-CRP elsewhere end at 1.0 and 1.5.
    ['X^CRP^L||0.31|mg/dL|0.00-0.14|H', ['crp', 0.31]],
    ['X^CRP^L||0.05|mg/dL|0-0.14', ['crp', 0.05]],
    ['X^C-reactive protein^L||3.1|mg/L|0.0-1.4|H', ['crp', 3.1]],
    ['X^CRP^L||0.05|mg/dL|<0.10', 'otherRange'],
    ['X^CRP^L||0.8|mg/L|0.0-1.0', 'otherRange'],
    ['X^CRP^L||0.05|mg/dL|0.01-0.14', 'otherRange'],
    ['X^CRP^L||0.8|mg/L|<1.4', 'otherRange'],
    ['X^Testosterone^L||25|ng/dL|8-60', ['total_testosterone', 25]],
    ['X^Free testosterone^L||450|pg/mL|80-600', 'otherRange'],
    ['X^PSA^L||0.3|ng/mL|<0.9', 'otherRange'],
    ['X^PSA^L||0.9|ng/mL|<2.5', ['psa', 0.9]],
    ['X^Free PSA^L||0.9|ng/mL|<4.0', 'otherRange'],
    ['X^CRP^L||0.4|mg/L|<1.0', 'otherRange'],
    ['X^CRP^L||0.4|mg/L|<5.0', ['crp', 0.4]],
  ])('makes its value wait, and that of its own does not: %s', async (obx, found) => {
    expect(await readObx(`OBX|1|NM|${obx}||||F`)).toEqual(found)
  })
})
