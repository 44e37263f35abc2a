import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'

const read = (...lines: string[]) => parseBytes(Buffer.from(lines.join('\n')), { maxPages: 1 })

/** Each result with its value and unit, and why the others wait; "refused" where nothing is read of the file. */
async function becameOf(...lines: string[]): Promise<string[]> {
  const file = await read(...lines).catch(() => undefined)
  if (!file) return ['refused']
  return file.reports
    .map((report) => identifyReport(report, biomarkers))
    .flatMap(({ results, unmatched }) => [
      ...results.map((one) =>
        'value' in one ? `${one.biomarkerId} ${one.value} ${one.unit}` : `${one.biomarkerId} ${one.finding.value}`,
      ),
      ...unmatched.map(({ name, valueText, code }) => `${name} ${valueText}: ${code}`),
    ])
}

describe('columns of a table that are headed by units', () => {
  test('have each its own values, and its own range', async () => {
    const rows = ['Neutrófilos;58,0;3480;45 - 70;1800 - 7000', 'Linfócitos;31,0;1860;20 - 45;1000 - 3500']
    expect(await becameOf('Exame;%;/mm3;VR (%);VR (/mm3)', ...rows)).toEqual([
      ...['neutrophils_pct 58 %', 'lymphocytes_pct 31 %'],
      ...['neutrophils_abs 3480 /mm3', 'lymphocytes_abs 1860 /mm3'],
    ])
    const { reports } = await read('Exame;%;/mm3;VR (%);VR (/mm3)', ...rows)
    expect(reports.flatMap(({ observations }) => observations.map(({ range }) => range))).toEqual([
      ...[
        { low: 45, high: 70 },
        { low: 20, high: 45 },
      ],
      ...[
        { low: 1800, high: 7000 },
        { low: 1000, high: 3500 },
      ],
    ])
  })

  test('are read where there is one of them', async () => {
    expect(await becameOf('Allergen;Code;kU/l;Klasse', 'Gesamt-IgE;;212;')).toEqual(['ige_total 212 kU/l'])
  })

  test('give no value twice, and none of two that differ', async () => {
    const [one, ...others] = await becameOf('Test,mg/dL,mmol/L', 'Glucose,90,5.0')
    expect([one, others.length]).toEqual(['glucose 90 mg/dL', 0])
    expect(await becameOf('Test,mg/dL,mmol/L', 'Glucose,90,8.0')).toEqual([
      'Glucose 90: differentValues',
      'Glucose 8.0: differentValues',
    ])
  })

  test.each([
    // A change, a percentile, an earlier value, a column that is not known.
    ['Test,%', 'Hematocrit,42'],
    ['Test,mg/dL,Before', 'Glucose,90,99'],
    ['Test,mg/dL,Run 2', 'Glucose,90,99'],
    ['Test,mg/dL,mg/dL', 'Glucose,90,99'],
  ])('are no results where they may be something else: %s', async (heading, row) => {
    expect(await becameOf(heading, row)).toEqual(['refused'])
  })
})

describe('columns of a table that are headed by specimens', () => {
  const rows = ['Sodiu;mmol/L;140;96', 'Glucoză;mmol/L;5,1;', 'Feritină;ng/mL;29,4;']

  test('have each the values of its own', async () => {
    expect(await becameOf('Analit;UM;Ser 0311-1;Urină 0311-2', ...rows)).toEqual([
      ...['sodium 140 mmol/L', 'glucose 5.1 mmol/L', 'ferritin 29.4 ng/mL', 'sodium_urine 96 mmol/L'],
    ])
    expect(await becameOf('Test,Unit,Plasma,CSF', 'Glucose,mmol/L,5.1,3.2')).toEqual([
      'glucose 5.1 mmol/L',
      'Glucose 3.2: otherSpecimen',
    ])
  })

  test.each(['Test;Unit;Serum 1;Serum 2', 'Test;Unit;Serum;Limit', 'Test;Unit;Serum range;Urine range'])(
    'are no results where a heading says anything else: %s',
    async (heading) => {
      expect(await becameOf(heading, 'Sodium;mmol/L;140;96')).toEqual(['refused'])
    },
  )
})

describe('columns of a table that are headed by people', () => {
  const rows = ['FSH;mUI/mL;6,8;4,1', 'AMH;ng/mL;2,7;', 'Testosterona total;ng/mL;0,31;5,4']

  test('give the person, who is named, the values of the first one alone', async () => {
    const heading = 'Determinación;Unidades;Paciente (Robin Ejemplo);Pareja (J. Muestra)'
    expect(await becameOf(heading, ...rows)).toEqual([
      ...['fsh 6.8 mUI/mL', 'amh 2.7 ng/mL', 'total_testosterone 0.31 ng/mL'],
      ...['FSH 4,1: notOwn', 'Testosterona total 5,4: notOwn'],
    ])
    const { reports } = await read(heading, ...rows)
    expect(reports.map(({ patient }) => patient?.name)).toEqual(['Robin Ejemplo', undefined])
  })

  test.each([
    'Determinación;Unidades;Paciente;Pareja',
    'Determinación;Unidades;Robin Ejemplo;J. Muestra',
    'Determinación;Unidades;Paciente (Robin Ejemplo);Paciente (Jon Muestra)',
    'Determinación;Unidades;Pareja (J. Muestra);Donante (M. Prueba)',
  ])('are of nobody where it is not said who is who: %s', async (heading) => {
    expect(await becameOf(heading, ...rows)).toEqual(['refused'])
  })
})

describe('a table below headings of portals and laboratories', () => {
  test.each([
    ['Épreuve,Résultat,Unités,Intervalle de référence', 'Sodium,139,mmol/L,135 - 145'],
    ['Metoda,Výsledek,Jednotka,Meze', 'S_Sodík,139,mmol/L,136 - 145'],
    ['Messgröße,Wert,Einheit,Referenz', 'Natrium,139,mmol/L,136 - 145'],
    ['Tahlil,Sonuç,Sonuç Birimi,Referans Değeri', 'Sodyum,139,mmol/L,136 - 145'],
    ['Code,Term,Value,Units,Range low,Range high', '44I5.,Serum sodium,139,mmol/L,136,145'],
    ["Marker,You,Unit,Members' average,Your goal,Optimal zone", 'Sodium,139,mmol/L,141,140,138 - 142'],
  ])('is read: %s', async (heading, row) => {
    expect(await becameOf(heading, row)).toEqual(['sodium 139 mmol/L'])
  })

  test.each([
    ["Marker,Unit,Members' average", 'Sodium,mmol/L,141'],
    ['Marker,Unit,Your goal', 'Sodium,mmol/L,141'],
    ['Marker,Unit,You,Partner', 'Sodium,mmol/L,141,139'],
  ])('has no results in columns of others or of goals: %s', async (heading, row) => {
    expect(await becameOf(heading, row)).toEqual(['refused'])
  })
})

describe('a result beside its reading and its dilution', () => {
  test.each(['Instrument reading', 'Raw reading', 'Measured', 'Rohwert'])(
    'is read where it is the product of both: %s',
    async (heading) => {
      const table = `Test,${heading},Dilution,Reported result,Unit`
      for (const dilution of ['10', '1:10', 'x10'])
        expect(await becameOf(table, `Ferritin,412,${dilution},4120,ng/mL`)).toEqual(['ferritin 4120 ng/mL'])
      expect(await becameOf(table, 'Ferritin,41.2,neat,41.2,ng/mL')).toEqual(['ferritin 41.2 ng/mL'])
    },
  )

  test.each([
    // The dilution was not counted, was counted twice, or nobody can say.
    'Ferritin,412,10,412,ng/mL',
    'Ferritin,412,10,41200,ng/mL',
    'Ferritin,,10,4120,ng/mL',
    'Ferritin,412,1:10 or 1:100,4120,ng/mL',
  ])('waits where it is not: %s', async (row) => {
    const [one = ''] = await becameOf('Test,Raw reading,Dilution,Reported result,Unit', row)
    expect(one).toMatch(/: contradicted$/)
  })

  test('waits where another column has another result', async () => {
    const [one = ''] = await becameOf('Test,Result,Dilution,Reported result,Unit', 'Ferritin,412,10,4120,ng/mL')
    expect(one).toMatch(/^Ferritin /)
  })
})

describe('an allergen whose code stands in a column of its own', () => {
  const heading = 'Allergen;Code;kU/l;Klasse'

  test('is read where the name is the one of its code', async () => {
    const rows = ['Katzenepithel;e1;<0,10;0', 'Hausstaubmilbe (D. pteronyssinus);d1;4,82;3', 'Birke;t3;18,6;4']
    expect(await becameOf(heading, ...rows)).toEqual([
      ...['ige_cat_dander 0.1 kU/l', 'ige_d_pteronyss 4.82 kU/l', 'ige_silver_birch 18.6 kU/l'],
    ])
  })

  test.each(['Katzenepithel;e5;4,82;3', 'Birke;;4,82;3', 'Birke;17;4,82;3'])(
    'waits where it is not: %s',
    async (row) => {
      expect(await becameOf(heading, row)).toEqual([`${row.split(';')[0]} 4,82: unknownName`])
    },
  )
})

test('of a record system each row waits that does not come from a laboratory', async () => {
  const heading = 'Sample date,Code,Term,Value,Units,Source'
  const became = await becameOf(heading, '2026-03-11,44I5.,Serum sodium,139,mmol/L,Pathology link')
  expect(became).toEqual(['sodium 139 mmol/L'])
  for (const source of ['Told at consultation', 'Patient app', 'Home link'])
    expect(await becameOf(heading, `2026-03-11,44I5.,Serum sodium,139,mmol/L,${source}`)).not.toEqual(became)
})

test('what an occupational table measured elsewhere than in its employee waits', async () => {
  const heading = 'Sample no;Origin;Analyte;Result;Unit'
  const rows = [
    '1;Employee, venous blood;Lead;4.8;ug/dL',
    '2;Tap water, hall 2;Lead;7.1;ug/L',
    '3;Hall air;Lead;7.1;ug/L',
    '4;Employee, urine;Creatinine;9.6;mmol/L',
  ]
  const became = await becameOf(heading, ...rows)
  expect(became.filter((one) => /^[a-z]/.test(one))).toEqual(['lead_blood 4.8 ug/dL', 'creatinine_urine 9.6 mmol/L'])
  expect(became).toHaveLength(4)
})

describe('a column beside columns of days', () => {
  const beside = (heading: string, cell = '6.71') =>
    becameOf(`Analyte,Unit,2026-02-16,2026-05-18,${heading}`, `Cholesterol,mmol/L,5.9,5.2,${cell}`)

  test.each(['Control serum L2', 'QC level 1', 'Kontrollserum', 'Suero control'])(
    'that is headed by control material holds no result of the person, and waits: %s',
    async (heading) => {
      expect((await beside(heading)).toSorted()).toEqual([
        'Cholesterol 6.71: notOwn',
        'total_cholesterol 5.2 mmol/L',
        'total_cholesterol 5.9 mmol/L',
      ])
    },
  )

  test('whose heading is not known is not lost: its numbers wait', async () => {
    expect(await beside('Third visit')).toContain('Cholesterol 6.71: severalValues')
  })

  test.each(['Change since last', 'Previous'])('of changes or earlier values holds no result: %s', async (heading) => {
    expect((await beside(heading)).toSorted()).toEqual(['total_cholesterol 5.2 mmol/L', 'total_cholesterol 5.9 mmol/L'])
  })
})
