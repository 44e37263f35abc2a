import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { matchName } from '@kitlane/lab-reader/facts/guarded-match'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { labelledDay, linesOfText } from '@kitlane/lab-reader/parse/pdf/head'
import { SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import { describe, expect, test } from 'vitest'
import { checksOf } from '../../src/modules/reports/checks/checks.ts'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { makePdf } from '../samples/make-pdf.ts'

async function read(bytes: string | Uint8Array) {
  const { reports, notes } = await parseBytes(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, { maxPages: 9 })
  const identified = reports.map((report) => identifyReport(report, biomarkers))
  const became = identified.flatMap(({ results, unmatched }) => [
    ...results.map((one) => [one.biomarkerId, 'finding' in one ? one.finding.value : one.value] as const),
    ...unmatched.map(({ name, code }) => [name, code] as const),
  ])
  return { reports, notes, became: Object.fromEntries(became), days: identified.map((one) => one.collectedDate) }
}
const csv = (...lines: string[]) => read(lines.join('\n'))
const page = (...lines: string[]) => ({
  font: 'regular',
  lines: lines.map((line) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }): [number, string] => [36 + index * 5, text]),
  ),
})
const pdf = async (...lines: string[]) => read(await makePdf([page(...lines)]))
const hl7 = (...segments: string[]) =>
  read(
    ['MSH|^~\\&|LAB|X|KITS|Y|20260312||ORU^R01|1|P|2.5.1', 'PID|1||X||Example^Robin||19780914|F', ...segments].join(
      '\r',
    ),
  )

describe('a document that shows what one looks like becomes no result', () => {
  const table = ['Test,Result,Unit', 'Glucose,92,mg/dL', 'TSH,1.9,mIU/L']
  const lines = ['Test        Result    Units', 'Glucose     92        mg/dL', 'TSH         1.9       mIU/L']
  test.each<[string, () => ReturnType<typeof read>]>([
    ['above a table', () => csv('# SAMPLE DATA FOR TRAINING ONLY', ...table)],
    ['below a table', () => csv(...table, '', 'Demonstration data')],
    ['above a page', () => pdf('Harbor Lab', 'Nur für Schulungszwecke', ...lines)],
    ['below a page', () => pdf('Harbor Lab', ...lines, 'Données fictives')],
    [
      'across a row of a page',
      () => pdf('Harbor Lab', ...lines.slice(0, 2), 'TSH         1.9       mIU/L     FOR DEMONSTRATION ONLY'),
    ],
    [
      'on a request',
      () =>
        hl7(
          'OBR|1||A1|CHEM^Chemistry^L|||20260311',
          'NTE|1||Fictitious patient',
          'OBX|1|NM|GLU^Glucose^L||92|mg/dL|||||F',
          'OBX|2|NM|TSH^TSH^L||1.9|mIU/L|||||F',
        ),
    ],
  ])('%s', async (_, made) => {
    const { became } = await made()
    expect(became).not.toHaveProperty('glucose')
    expect(became).not.toHaveProperty('tsh')
  })
})

describe('a second page of somebody else', () => {
  test.each([
    ['Patiënt: R. Voorbeeld     Geboren: 14-09-1978', 'Patiënt: J. Monster     Geboren: 20-02-1951'],
    ['Patientin: Robin Beispiel     Geboren am: 14.09.1978', 'Patientin: Ada Muster     Geboren am: 20.02.1951'],
    ['Patient: Robin Example     Born 14 Sep 1978', 'Patient: Robin Example     Born 20 Feb 1951'],
    ['Patient : Robin Exemple     Né(e) le : 14/09/1978', 'Patient : Ada Exemple     Né(e) le : 20/02/1951'],
    ['Cliënt: R. Voorbeeld', 'Cliënt: J. Monster'],
  ])('makes the document one of several people: %s, %s', async (first, second) => {
    const rows = ['Test        Result    Units', 'Ferritin    52        ug/L']
    const bytes = await makePdf([page('Laboratory', first, ...rows), page('Laboratory', second, ...rows)])
    expect((await read(bytes)).notes).toContain(SEVERAL_PEOPLE)
  })
})

test('haemolysis in the condition of a FHIR specimen holds the report of its potassium', async () => {
  const condition = [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0493', code: 'HEM', display: 'Hemolyzed' }] },
  ]
  const entry = [
    { resourceType: 'Specimen', id: 's', type: { text: 'Serum' }, condition },
    {
      ...{ resourceType: 'Observation', status: 'final', specimen: { reference: 'Specimen/s' } },
      ...{ code: { coding: [{ system: 'http://loinc.org', code: '2823-3', display: 'Potassium' }] } },
      ...{ valueQuantity: { value: 6.6, unit: 'mmol/L' }, effectiveDateTime: '2026-03-11' },
    },
  ].map((resource) => ({ resource }))
  const { reports, became } = await read(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }))
  expect(became).toEqual({ potassium: 6.6 })
  const [report] = reports
  const results = [{ biomarkerId: 'potassium', value: 6.6, unit: 'mmol/L' }]
  const subject = { sex: 'F' as const, ageYears: 40 }
  const labErrors = report?.specimenErrors ?? []
  const { entries } = judgeReport({ catalogue: biomarkers, panel: [], results, previous: [], labErrors, subject })
  const about = { entries, catalogue: biomarkers, labErrors, previous: new Map(), origin: report?.origin }
  expect(checksOf(about)).toMatchObject([{ code: 'haemolysis', holds: true }])
})

describe('a note that annuls', () => {
  const obx = (name: string, value: string) => `OBX|1|NM|X^${name}^L||${value}|mmol/L|||||F`
  const among = (note: string) =>
    hl7(
      'OBR|1||A1|ELEC^Electrolytes^L|||20260311',
      obx('Sodium', '140'),
      obx('Potassium', '6.3'),
      obx('Phosphorus', '1.1'),
      `OBX|9|TX|C^Comment^L||${note}||||||F`,
    )

  test('among the results of a message is about the test that it names', async () => {
    const { became } = await among('Delayed separation: the potassium is not reliable.')
    expect(became).toMatchObject({ sodium: 140, Potassium: 'annulled', phosphorus: 1.1 })
  })

  test.each([
    'Potassium and phosphate are not reliable.',
    'Contaminated by the drip, potassium is not reliable.',
    'All results invalid, potassium above all.',
  ])('is about all where it may be: %s', async (note) => {
    expect(Object.values((await among(note)).became).filter((one) => one === 'annulled')).toHaveLength(3)
  })

  test('below a page is about the values whose names have its number, and the others of the page are read', async () => {
    const page = (first: string, second: string) =>
      pdf(
        'Laboratorio',
        'Esame              Risultato   Unità     Riferimento',
        'Trigliceridi (1)   84          mg/dL     < 150',
        'Lipoproteina (a) (2)   22      nmol/L    < 75',
        'Glucosio (1)       90          mg/dL     70 - 100',
        `(1) ${first}   (2) ${second}`,
      )
    const names = { triglycerides: 84, glucose: 90 }
    expect((await page('Metodo enzimatico', 'Immunoturbidimetria')).became).toEqual({ ...names, lp_a: 22 })
    const waits = await page('Metodo enzimatico', 'Il campione era molto caldo')
    expect(waits.became).toMatchObject({ triglycerides: 84, 'Lipoproteina (a) (2)': 'unaccounted' })
    const all = await page('Il campione era molto caldo', 'Immunoturbidimetria')
    expect(all.became).toMatchObject({ 'Trigliceridi (1)': 'unaccounted', lp_a: 22 })
  })

  test('below a page is about the values whose names have its star, unless it speaks of all', async () => {
    const starred = (note: string) =>
      pdf(
        ...[
          'Patient: Robin Example',
          'Test           Result   Units    Reference',
          'Sodium         140      mmol/L   136 - 145',
        ],
        ...[
          'Potassium *    5.9      mmol/L   3.5 - 5.1',
          'Creatinine     0.81     mg/dL    0.57 - 1.00',
          '',
          `* ${note}`,
        ],
      )
    const hemolyzed = await starred('Specimen grossly hemolyzed. Result is unreliable; please recollect.')
    expect(hemolyzed.became).toEqual({ sodium: 140, creatinine: 0.81, 'Potassium *': 'annulled' })
    expect((await starred('All results are unreliable.')).became).toMatchObject({ Sodium: 'annulled' })
    expect((await starred('Method: ISE')).became).toEqual({ sodium: 140, potassium: 5.9, creatinine: 0.81 })
  })

  test('is about the value with its letter, and about all where none has it', async () => {
    const rows = (mark: string) =>
      csv(
        'Test,Result,Unit',
        'Sodium,138,mmol/L',
        `Potassium,5.9${mark},mmol/L`,
        '',
        'c = Specimen grossly hemolyzed. Result not valid.',
      )
    expect((await rows(' c')).became).toMatchObject({ sodium: 138, Potassium: 'annulled' })
    expect((await rows('')).became).toMatchObject({ Sodium: 'annulled', Potassium: 'annulled' })
  })
})

test('a note names the vital signs that were left out', async () => {
  const coded = (code: string, display: string) => ({ coding: [{ system: 'http://loinc.org', code, display }] })
  const quantity = { valueQuantity: { value: 122, unit: 'mmHg' } }
  const entry = [
    {
      ...{ resourceType: 'Observation', status: 'final', code: coded('2276-4', 'Ferritin') },
      valueQuantity: { value: 17, unit: 'ng/mL' },
    },
    {
      ...{ resourceType: 'Observation', status: 'final', code: coded('85354-9', 'Blood pressure panel') },
      category: [{ coding: [{ code: 'vital-signs' }] }],
      component: [{ code: coded('8480-6', 'Systolic blood pressure'), ...quantity }],
    },
  ].map((resource) => ({ resource }))
  const { notes } = await read(JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry }))
  expect(notes.join()).toContain('Systolic blood pressure')
})

describe('a name is known', () => {
  test.each([
    ['TSH (tirotropina)', 'tsh'],
    ['B-Hb (hemoglobiini / hemoglobin)', 'hemoglobin'],
    ['Eozinofil % (EOS%)', 'eosinophils_pct'],
    ['肌酸酐 Creatinine', 'creatinine'],
    ['S_Glukóza', 'glucose'],
    ['P -GT', 'ggt'],
    ['Neutrófilos (absoluto)', 'neutrophils_abs'],
    ['Velocidade de sedimentação (1.ª hora)', 'esr'],
    ['Metylmalonsyre', 'mma'],
  ])('where what stands in brackets or beside it means the same: %s', (name, id) => {
    expect(matchName(biomarkers, name)?.biomarker.id).toBe(id)
  })

  test.each([
    ...[
      'Calcium (ionised)',
      'Urea (BUN)',
      'Vitamin B12 (active)',
      'Glucose (HbA1c)',
      'Testosterone (bioavailable)',
      'U_Glukóza',
    ],
    ...[
      'Platelets (citrate tube)',
      '尿 Creatinine',
      '尿酸 Urea',
      'Iron (TIBC)',
      'Insulin (C-peptide)',
      'Cortisol (evening)',
    ],
  ])('and not where it means something else: %s', (name) => {
    expect(matchName(biomarkers, name)).toBeUndefined()
  })

  test('by the specimen that it names, or that is named beside it, where the catalogue has one of that', async () => {
    const rows = [
      'Test;Result;Unit;Specimen',
      'Faecal calprotectin;18;µg/g;Stool',
      'Alpha-1-Antitrypsin;0,18;mg/g;Stuhl',
      'Cortisol;14,2;nmol/L;Saliva',
    ]
    expect((await csv(...rows)).became).toMatchObject({
      calprotectin: 18,
      alpha1_antitrypsin_stool: 0.18,
      cortisol_saliva: 14.2,
    })
    expect((await csv(...rows.slice(0, 1), 'Testosterone;48;pg/mL;Saliva', 'Albumin;36;g/L;Stool')).became).toEqual({
      ...{ Testosterone: 'otherSpecimen', Albumin: 'otherSpecimen' },
    })
  })

  test('PCR is a protein where it has a concentration', async () => {
    expect((await csv('Esame;Risultato;U.M.', 'PCR;0,6;mg/L', 'TSH;2,1;mUI/L')).became).toMatchObject({ crp: 0.6 })
    expect((await csv('Test;Result;Unit', 'PCR;12;cycles', 'TSH;2.1;mIU/L')).became).not.toHaveProperty('crp')
  })
})

describe('the day of collection', () => {
  test.each([
    ['Date de prélèvement;Analyse;Résultat;Unité', '11/03/2026;Ferritine;64;µg/L', '2026-03-11'],
    ['Data prelievo;Esame;Risultato;U.M.', '11/03/2026;Ferritina;64;ng/mL', '2026-03-11'],
    ['Datum afname;Bepaling;Uitslag;Eenheid', '11-03-2026;Hemoglobine;8,3;mmol/l', '2026-03-11'],
    ['Provtid;Analys;Resultat;Enhet', '2026-03-11 08:05;P-Ferritin;29;µg/L', '2026-03-11'],
    ['Collection date;Test;Result;Unit', '11/03/2569;Ferritin;64;ng/mL', '2026-03-11'],
    // The month may stand first.
    ['Collected;Test;Result;Unit', '11/03/2026;Ferritin;64;ng/mL', undefined],
    ['Fecha;Prueba;Resultado;Unidad', '11/03/2026;Ferritina;64;ng/mL', undefined],
    ['Date;Test / Analyse;Result / Résultat;Unit', '11/03/2026;Ferritin;64;ng/mL', undefined],
  ])('has its order by the language of the file, or none: %s', async (heading, row, day) => {
    expect((await csv(heading, row)).days).toEqual([day])
  })

  test.each([
    ['Entnahme / Prélèvement / Prelievo: 11.03.2026', '2026-03-11'],
    ['採血日: 令和8年3月11日', '2026-03-11'],
    ['Näyte otettu / Provet taget: 11.3.2026 klo 8.05', '2026-03-11'],
    ['採檢日期: 115/03/11 08:15', '2026-03-11'],
    ['Collected: 2026-Mar-11 08:10', '2026-03-11'],
    ['Collected: 11/Mar/2026 08:10  Reported: 12/Mar/2026 17:45', '2026-03-11'],
    ['Specimen B26.0914  Taken 11 Mar 2026 08:15  Serum', '2026-03-11'],
    ['Collected / Received: 11 Mar 2026', undefined],
    ['Last dose taken 11 Mar 2026', undefined],
  ])('stands behind its label on a page: %s', (line, day) => {
    expect(labelledDay(linesOfText([line.split('  ')]), 0, 'collected', 'day-first')).toBe(day)
  })

  test('has its order by the commas of the file where it stands in a line of its own', async () => {
    const rows = ['SORO;;', 'Análise;Resultado;Unidade', 'Creatinina;0,82;mg/dL']
    expect((await csv('Data da colheita: 11/03/2026;;', ...rows)).days).toEqual(['2026-03-11'])
  })

  test.each([
    ['Ημερομηνία αιμοληψίας: 11/03/2026', 'Εξέταση     Αποτέλεσμα   Μονάδες', '2026-03-11'],
    ['Staalafname: 11/03/2026', 'Onderzoek   Resultaat    Eenheid', '2026-03-11'],
    ['Collected: 11/03/2026', 'Test        Result       Units', undefined],
  ])('has the order of the language of its page: %s, %s', async (label, heading, day) => {
    expect((await pdf('Laboratory', label, heading, 'Ferritin    52           ug/L')).days).toEqual([day])
  })
})

describe('a table is read by its headings', () => {
  test.each<[string, string[]]>([
    ['of Quest', ['Test Name,In Range,Out Of Range,Units', 'Ferritin,64,,ng/mL', 'TSH,,7.1,mIU/L']],
    ['of CDISC', ['USUBJID,LBTEST,LBORRES,LBORRESU,LBSPEC', 'S1,Ferritin,64,ng/mL,SERUM', 'S1,TSH,7.1,mIU/L,SERUM']],
    [
      'of OMOP',
      [
        'measurement_date,measurement_source_value,value_as_number,unit_source_value',
        '2026-03-11,Ferritin,64,ng/mL',
        '2026-03-11,TSH,7.1,mIU/L',
      ],
    ],
    [
      'in two languages',
      ['Analyse FR;Analyse NL;Résultat/Resultaat;Unité/Eenheid', 'Ferritine;Ferritine;64;ng/mL', 'TSH;TSH;7,1;mUI/L'],
    ],
  ])('%s', async (_, lines) => {
    expect((await csv(...lines)).became).toEqual({ ferritin: 64, tsh: 7.1 })
  })

  test('with an earlier result under a day, and with two languages in one word', async () => {
    const turkish = [
      'Test        Sonuç     Birim     Referans Aralığı    Önceki (12.09.2025)',
      'Ferritin    19        ng/mL     13 - 150            9',
    ]
    expect((await pdf('Laboratuvar', ...turkish)).became).toEqual({ ferritin: 19 })
    const belgian = [
      'Test        Resultaat/Résultat   Eenheid/Unité   Référence',
      'Ferritin    19                   ng/mL           13 - 150',
    ]
    expect((await pdf('Labo', ...belgian)).became).toEqual({ ferritin: 19 })
  })

  test.each<[string, Record<string, unknown>, ...string[]]>([
    [
      'with the intervals of men and women before the result',
      { ferritin: 24, Selenium: 'noUnit' },
      'Estudio       Hombres       Mujeres       Resultado   Unidades',
      'Ferritina     30 - 400      13 - 150      24          ng/mL',
      'Selenium      30            13            0.68',
    ],
    [
      'with the intervals of both sexes behind the units',
      { ferritin: 21, ck: 102 },
      'Analyte             Result    Unit      Male range          Female range',
      'Ferritin            21        ng/mL     30 - 400            13 - 150',
      'Creatine Kinase     102       U/L       40 - 320            25 - 200',
    ],
    [
      'in the plural in brackets, with the method in brackets below each name',
      { glucose: 96, ferritin: 24 },
      'Test Description    Value(s)   Unit(s)   Biological Reference Interval',
      'Glucose             96         mg/dL     70 - 100',
      '(Hexokinase)',
      'Ferritin            24         ng/mL     13 - 150',
      '(CLIA)',
    ],
    [
      'with names in two languages that have the letter of their specimen',
      { sodium: 141, potassium: 4.1, 'P-Natrium / U-Natrium': 'unknownName' },
      'Tutkimus / Undersökning     Tulos / Resultat   Yksikkö / Enhet',
      'P-Natrium / P-Natrium       141                mmol/l',
      'P-Kalium / P-Kalium         4,1                mmol/l',
      'P-Natrium / U-Natrium       96                 mmol/l',
    ],
  ])('%s', async (_, became, ...lines) => {
    expect((await pdf('Laboratory', ...lines)).became).toEqual(became)
  })

  describe('of several days', () => {
    const days = 'Analyse      05.01.26   12.02.26   18.03.26   Einheit   Referenz'
    const rows = ['Natrium      136        138        140        mmol/l    136 - 145']
    test('and words below them, of which one is the current one', async () => {
      const words = '             Vorwert    Vorwert    aktuell'
      expect(await pdf('Spital', 'geb. 14.09.1978', days, words, ...rows)).toMatchObject({
        became: { sodium: 140 },
        days: ['2026-03-18'],
      })
    })

    test.each([
      ['where none is the current one', '             Vorwert    Vorwert    Vorwert'],
      ['where two are', '             Vorwert    aktuell    aktuell'],
      ['where an earlier one is later', '             Vorwert    aktuell    Vorwert'],
      ['where one is of something else', '             Vorwert    Kontrolle  aktuell'],
      ['where one is not named', '             Vorwert               aktuell'],
      ['of a page that was collected on another', '             Vorwert    Vorwert    aktuell', 'Entnahme: 19.03.2026'],
    ])('but not %s', async (_, words, ...more) => {
      await expect(pdf('Spital', 'geb. 14.09.1978', ...more, days, words, ...rows)).rejects.toMatchObject({
        code: 'NEEDS_REVIEW',
      })
    })
  })

  test('or by the label before each number, with earlier results on lines of their own', async () => {
    const card = (name: string, ...fields: string[]) => [
      [name.padEnd(30), ...fields.map((one) => one.padEnd(26))].join(''),
      '   Material: soro          Método: enzimático',
      '   Resultados anteriores: 15/09/2025: 99     20/02/2025: 102',
    ]
    const { became, days } = await pdf(
      'Laboratório',
      'Data da coleta: 17/03/2026',
      ...card('GLICOSE', 'Resultado: 91 mg/dL', 'VR: 70 a 99 mg/dL'),
      ...card('FERRITINA', 'Resultado: 39,5 ng/mL'),
      ...card('CREATININA', 'Resultado: 0,76 mg/dL', 'Anterior: 0,91 mg/dL'),
      ...card('SÓDIO', 'Resultado: 140 / 141 mmol/L'),
    )
    expect(became).toEqual({ glucose: 91, ferritin: 39.5, CREATININA: 'unreadable', SÓDIO: 'unknownUnit' })
    expect(days).toEqual(['2026-03-17'])
  })

  test('and a column of women and one of men are of no single person where no other holds results', async () => {
    const couple = [
      'Test          Mujeres       Hombres       Unidades',
      'Ferritina     24            130           ng/mL',
    ]
    await expect(pdf('Laboratorio', ...couple)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
  })

  test('and a dilution beside a reported value in which it was not counted is asked about', async () => {
    const { became } = await csv(
      'Assay;Raw value;Dilution;Reported value;Unit',
      'Ferritin;88;1;88;ng/mL',
      'hCG;412;10;412;mIU/mL',
    )
    expect(became).toMatchObject({ ferritin: 88, hCG: 'contradicted' })
  })
})

test('what dries on a card is of dried blood, which comes from a finger', async () => {
  const { became } = await hl7(
    'OBR|1||A1|LIP^Lipid profile^L|||20260311||||||||BLDC^Dried blood spot card',
    'OBX|1|NM|X^HDL cholesterol^L||1.5|mmol/L|||||F',
  )
  expect(became).toEqual({ hdl: 1.5 })
  const capillary = await hl7(
    'OBR|1||A1|LIP^Lipid profile^L|||20260311||||||||BLDC^Capillary blood',
    'OBX|1|NM|X^HDL cholesterol^L||1.5|mmol/L|||||F',
  )
  expect(capillary.became).toEqual({ 'HDL cholesterol': 'otherSpecimen' })
})
