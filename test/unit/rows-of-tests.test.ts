import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { remarkOf } from '@kitlane/lab-reader/parse/remark'
import { isSelfMeasured } from '@kitlane/lab-reader/parse/sample-words'
import { describe, expect, it } from 'vitest'

async function becameOf(bytes: string) {
  const { reports } = await parseBytes(Buffer.from(bytes), { maxPages: 9 })
  return reports.flatMap(({ observations }) => {
    const { results, unmatched } = identifyObservations(observations, biomarkers)
    return [
      ...results.map((one) => [one.biomarkerId, 'value' in one ? one.value : one.finding.value]),
      ...unmatched.map(({ name, code }) => [name, code]),
    ]
  })
}
const ofTable = (...lines: string[]) => becameOf(lines.join('\n'))
const ofRequest = (name: string, specimen: string, ...obx: string[]) =>
  becameOf(
    [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||X||Tester^Bo||19800229|F',
      `OBR|1||ACC77|A^${name}^L|||20260402081500||||||||${specimen}`,
      ...obx,
    ].join('\r'),
  )

describe('a note that a test says nothing of this person or sample', () => {
  it.each([
    'Hemoglobin variant detected. HbA1c is not valid in this patient, suggest fructosamine.',
    'eGFR is not applicable in this patient.',
    'HbA1c unsuitable for this patient',
    'Result inaccurate in this sample',
    'HbA1c should not be used for this patient',
    'HbA1c ist bei diesem Patienten nicht aussagekräftig',
    'Für diese Probe ungeeignet, nicht verwertbar bei dieser Probe',
    'HbA1c non interprétable chez ce patient',
    'HbA1c no es válida en este paciente',
    'HbA1c non è attendibile in questo paziente',
    'HbA1c não é confiável neste paciente',
  ])('may not be used: %s', (note) => {
    expect(annuls(note)).toBe(true)
  })

  it.each([
    'Not valid in pregnancy.',
    'The equation is not valid in children.',
    'Not suitable for patients on dialysis',
    'In dieser Probe nicht nachweisbar',
    'Ikke påvist i denne prøve',
    'Not detected in this sample',
  ])('is none: %s', (note) => {
    expect(annuls(note)).toBe(false)
  })

  it('and a variant of hemoglobin alone is looked at', () => {
    expect(remarkOf('Hemoglobin variant detected.')).toBe('unknown')
    expect(remarkOf('Possible Hb variant')).toBe('unknown')
    expect(remarkOf('No hemoglobin variant detected by this method')).toBe('ordinary')
  })
})

describe('a remark of ordinary words', () => {
  it.each([
    'WBC not corrected for nucleated red cells',
    'Result does not correlate with clinical picture',
    'Recent transfusion',
    'Patient was recently transfused',
    'Platelets estimated from smear',
    'HDL by direct method affected by paraprotein',
    'Glucose measured 6 hours after collection',
    'Messung erst 6 Stunden nach Abnahme',
    'HbF elevated, HbA1c may be low',
    'Cortisol measured while on prednisolone',
  ])('may doubt the value: %s', (remark) => {
    expect(remarkOf(remark)).not.toBe('ordinary')
  })

  it.each([
    'WBC corrected for nucleated red cells',
    'Not affected by hemoglobin variants',
    'Correlate with the clinical picture',
    'Analyzed on Roche cobas',
  ])('says how it was measured: %s', (remark) => {
    expect(remarkOf(remark)).toBe('ordinary')
  })
})

describe('what somebody measured at home', () => {
  it.each([
    'Autocontrollo domiciliare, valori riferiti dal paziente',
    'Misurata a casa',
    'Autosurveillance glycémique',
    'Valeurs déclarées par le patient',
    'Autocontrol',
    'Medido en casa por el paciente',
    'Selbstkontrolle',
    'Vom Patienten angegeben',
    'Zelfmeting',
    'Hjemmemåling',
    'Egenmätning',
  ])('is none of the laboratory: %s', (text) => {
    expect(isSelfMeasured(text)).toBe(true)
  })

  it.each([
    'Prelievo domiciliare',
    'Prélèvement à domicile',
    'Extracción en domicilio',
    'Entnahme zu Hause',
    'Egenkontroll',
  ])('is not where a sample was taken: %s', (text) => {
    expect(isSelfMeasured(text)).toBe(false)
  })
})

describe('a column of times after a dose or a load', () => {
  it('leaves what was taken before, and lets what came later wait', async () => {
    expect(
      await ofTable(
        'Time,Test,Result,Unit',
        'Baseline,Glucose,88,mg/dL',
        '30 min after glucagon,Glucose,171,mg/dL',
        'Baseline,Sodium,140,mmol/L',
      ),
    ).toEqual([
      ['glucose', 88],
      ['sodium', 140],
      ['Glucose', 'otherSpecimenSection'],
    ])
  })

  it.each([
    ['Time', '60 min'],
    ['Timepoint', '2 h'],
    ['Time', 'T120'],
    ['Zeit (min)', '30'],
    ['Minutes', '90'],
    ['Tiempo', '60 minutos'],
    ['Remark', '1 h after 75 g glucose'],
  ])('holds a single row: %s %s', async (heading, cell) => {
    expect(
      await ofTable(`Test,Result,Unit,${heading}`, `Glucose,142,mg/dL,${cell}`, 'Sodium,140,mmol/L,'),
    ).toContainEqual(['Glucose', 'otherSpecimenSection'])
  })

  it.each([
    ['Time', '08:15'],
    ['Time', '815'],
    ['Time', '8:15 am'],
    ['Minutes', '0'],
    ['Time', '0 min'],
  ])('is no time of the day, and no beginning: %s %s', async (heading, cell) => {
    expect(
      await ofTable(`Test,Result,Unit,${heading}`, `Glucose,92,mg/dL,${cell}`, `Sodium,140,mmol/L,${cell}`),
    ).toContainEqual(['glucose', 92])
  })
})

describe('answers', () => {
  it.each(['Interpretation', 'Beurteilung', 'Finding', 'Interpretación'])(
    'stand under %s where a table has no other column of values',
    async (heading) => {
      expect(
        await ofTable(
          `Test;${heading};Reference`,
          'HBsAg;Non-reactive;Non-reactive',
          'HCV antibody;Reactive;Non-reactive',
        ),
      ).toEqual([
        ['hbsag', 'negative'],
        ['hepatitis_c_antibody', 'positive'],
      ])
    },
  )

  it('are none beside a column of values', async () => {
    expect(
      await ofTable('Test;Result;Interpretation;Reference', 'HBsAg;0.2;Non-reactive;Non-reactive', 'TSH;2.1;;'),
    ).not.toContainEqual(['hbsag', 'negative'])
  })

  it('in words about a number are no number', async () => {
    expect(await ofTable('Test;Interpretation', 'Potassium;High', 'Sodium;Normal')).toEqual([
      ['Potassium', 'notANumber'],
      ['Sodium', 'notANumber'],
    ])
  })
})

describe('a Czech or Slovak table', () => {
  it('is read', async () => {
    expect(
      await ofTable(
        'Vyšetření;Výsledek;Jednotka;Referenční meze',
        'Glukóza;5,1;mmol/l;3,9 - 5,6',
        'Sodík;140;mmol/l;137 - 145',
        'Draslík;4,2;mmol/l;3,8 - 5,1',
        'Kyselina močová;310;µmol/l;202 - 417',
      ),
    ).toEqual([
      ['glucose', 5.1],
      ['sodium', 140],
      ['potassium', 4.2],
      ['uric_acid', 310],
    ])
    expect(
      await ofTable('Vyšetrenie;Výsledok;Jednotka', 'Sodík;140;mmol/l', 'Vápnik;2,31;mmol/l', 'Draslík;4,2;mmol/l'),
    ).toHaveLength(3)
  })

  it('waits where it says another material, a state or a remark that is not known', async () => {
    expect(
      await ofTable(
        'Vyšetření;Výsledek;Jednotka;Materiál;Stav;Poznámka',
        'Sodík;77;mmol/l;moč;konečný;',
        'Draslík;5,9;mmol/l;sérum;zrušeno;',
        'Vápník;2,3;mmol/l;sérum;konečný;vzorek hemolytický, výsledek nelze použít',
        'Hořčík;0,8;mmol/l;sérum;konečný;',
      ),
    ).toEqual([
      ['sodium_urine', 77],
      ['magnesium', 0.8],
      ['Draslík', 'cancelled'],
      ['Vápník', 'unknownRemark'],
    ])
  })
})

describe('a request', () => {
  it('of random urine is one of urine at rest', async () => {
    expect(
      await ofRequest(
        'Urine, random',
        'UR',
        'OBX|1|NM|2955-3^Sodium, urine^LN||77|mmol/L|||||F',
        'OBX|2|NM|2951-2^Sodium^LN||140|mmol/L|||||F',
      ),
    ).toEqual([
      ['sodium_urine', 77],
      ['Sodium', 'otherSpecimen'],
    ])
    expect(await ofRequest('Glucose, random', 'SER', 'OBX|1|NM|2345-7^Glucose^LN||140|mg/dL|||||F')).toEqual([
      ['Glucose', 'otherSpecimenSection'],
    ])
    expect(await ofRequest('Chemistry', 'Random urine', 'OBX|1|NM|X^Sodium^L||118|mmol/L|||||F')).toEqual([
      ['Sodium', 'otherSpecimen'],
    ])
    expect(
      await ofRequest('Urine, 24 hour', 'UR', 'OBX|1|NM|2955-3^Sodium, urine^LN||77|mmol/L|||||F'),
    ).not.toContainEqual(['sodium_urine', 77])
  })

  it('for the level of a drug holds no other test', async () => {
    const creatinine = 'OBX|1|NM|2160-0^Creatinine^LN||1.04|mg/dL|0.5-1.1||||F'
    for (const name of ['Vancomycin levels', 'Digoxin level', 'Lithium'])
      expect(await ofRequest(name, 'SER', creatinine)).toEqual([['creatinine', 1.04]])
    expect(await ofRequest('Digoxin level after dialysate washout', 'SER', creatinine)).toEqual([
      ['Creatinine', expect.any(String)],
    ])
  })

  it('for hCG and its beta subunit together is neither of both alone', async () => {
    expect(await ofRequest('hCG', 'SER', 'OBX|1|NM|X^hCG+beta^L||48210|mIU/mL|<5|H|||F')).toEqual([
      ['hcg_total_beta', 48210],
    ])
  })
})

describe('a request for newborns', () => {
  const bilirubin = (title: string, born: string) =>
    becameOf(
      [
        'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
        `PID|1||X||Tester^Boy||${born}|M`,
        `OBR|1||ACC77|N^${title}^L|||20260402081500||||||||SER`,
        'OBX|1|NM|1975-2^Bilirubin total^LN||7.4|mg/dL|||||F',
      ].join('\r'),
    )

  it.each(['Bilirubin, newborn', 'Newborn bilirubin', 'Neonatal bilirubin'])(
    'is that of a newborn: %s',
    async (title) => {
      expect(await bilirubin(title, '20260401')).toEqual([['bilirubin_total', 7.4]])
    },
  )

  it.each([
    ['Newborn bilirubin', '19800229'],
    ['Newborn bilirubin', ''],
    ['Baby of Nora Tester', '20260401'],
    ['Cord blood, newborn', '20260401'],
    ['Newborn, twin', '20260401'],
    ['Donor for newborn', '20260401'],
  ])('is not one of somebody else: %s, born %s', async (title, born) => {
    expect(await bilirubin(title, born)).toEqual([['Bilirubin total', 'notOwn']])
  })
})
