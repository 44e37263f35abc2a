import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { describe, expect, it } from 'vitest'

const read = (...lines: string[]) => parseBytes(Buffer.from(lines.join('\n')), { maxPages: 1 })
const observed = async (...lines: string[]): Promise<Observation[]> =>
  (await read(...lines)).reports.flatMap(({ observations }) => observations)
const valued = async (...lines: string[]) =>
  (await observed(...lines)).map(({ name, value, flag }) => [name, value, flag])

describe('a row with more cells than headings', () => {
  it('waits with all of its text: a decimal comma without quotes moves every value behind it', async () => {
    const wide = await observed('Patient,Glucose (mmol/L),Cholesterol (mmol/L)', 'A,5,3,4,1')
    expect(wide.map(({ value, doubt, raw }) => [value, doubt, raw])).toEqual([
      [undefined, 'shifted', 'A | 5 | 3 | 4 | 1'],
      [undefined, 'shifted', 'A | 5 | 3 | 4 | 1'],
    ])
    const ratio = await observed('Test,Result', 'TC/HDL Ratio,3,5', 'LDL/HDL Ratio,2.1,')
    expect(ratio.map(({ value, doubt }) => [value, doubt])).toEqual([
      [undefined, 'shifted'],
      [2.1, undefined],
    ])
  })

  it('waits where its value is missing', async () => {
    const [first, rest] = await observed('Test,Result,Unit', 'Sodium,140,mmol/L', 'Glucose,,5,3,mmol/L')
    expect([first?.value, rest?.doubt]).toEqual([140, 'notCounted'])
  })
})

describe('a row without a value', () => {
  const head = 'Test,Result,Unit,Range,Flag,Status,Comment'

  it('is kept where its status or a comment says why', async () => {
    const rows = [
      'Sodium,140,mmol/L,136-145,,Final,',
      'Potassium,,mmol/L,3.5-5.1,,Cancelled,',
      'Iron,,,,,,Tube was broken',
    ]
    const [, potassium, iron] = await observed(head, ...rows)
    expect(potassium).toMatchObject({ name: 'Potassium', valueText: '', status: 'cancelled' })
    expect(iron).toMatchObject({
      name: 'Iron',
      valueText: '',
      comment: 'Tube was broken',
      raw: expect.stringMatching(/broken/),
    })
    expect(await observed(head, ...rows, 'ALT,,U/L,<40,,Final,')).toHaveLength(3)
  })

  it('is counted where its value stands in another column', async () => {
    const [, unread] = await observed('Test,Result,Unit', 'Sodium,140,mmol/L', 'Potassium,,4.1')
    expect(unread?.doubt).toBe('notCounted')
  })
})

describe('the columns of an interface', () => {
  it('are known where their headings are one word, and where words and numbers stand apart', async () => {
    const head = 'COLLECTIONDATE,TESTNAME,TEXT_RESULT,NUMERIC_RESULT,UNIT,REFRANGELOW,REFRANGEHIGH'
    const rows = ['2026-03-11,HBsAg,Negative,,,,', '2026-03-11,Sodium,,140,mmol/L,136,145']
    const { reports } = await read(head, ...rows)
    expect(reports[0]?.collectedDate).toBe('2026-03-11')
    const [word, number] = reports[0]?.observations ?? []
    expect([word?.valueText, number?.value, number?.range]).toEqual(['Negative', 140, { low: 136, high: 145 }])
  })

  it('keep an answer in words that stands under an unknown heading', async () => {
    const [, unread] = await observed('Test,Result,Unit,Extra', 'Sodium,140,mmol/L,', 'HBsAg,,,Positive')
    expect(unread?.doubt).toBe('notCounted')
  })

  it('are never taken from a row of results, so that none above it is lost', async () => {
    const rows = ['S,Platelets,125,10*3/uL', 'U,Potassium,48,mmol/L', 'S,Sodium,140,mmol/L']
    await expect(read('Matter,What,How much,Of', ...rows)).rejects.toThrow()
  })
})

describe('a table with a sample a row', () => {
  it('has its units in a row below the names, whether that row says so or not', async () => {
    for (const first of ['', 'Units']) {
      const [sodium, hba1c] = await observed('Sample ID,Sodium,HbA1c', `${first},mmol/L,%`, 'A1,140,5.4')
      expect([sodium?.value, sodium?.unit, hba1c?.unit]).toEqual([140, 'mmol/L', '%'])
    }
    expect(await observed('Sample ID,Sodium,HbA1c', 'A1,140,5.4', 'A2,141,%')).toHaveLength(4)
  })
})

describe('a table of another language', () => {
  it.each([
    ['Bepaling;Uitslag;Eenheid;Referentiewaarden;Opmerkingen', 'Natrium;140;mmol/L;135-145;Hemolyse'],
    ['Exame;Resultado;Unidade;Valores de referência;Observações', 'Sódio;140;mmol/L;135-145;Amostra hemolisada'],
    ['Prueba;Resultado;Unidades;Valores de referencia;Observaciones', 'Sodio;140;mmol/L;135-145;Muestra hemolizada'],
  ])('is read with its ranges and comments: %s', async (head, row) => {
    const [one] = await observed(head, row)
    expect([one?.value, one?.unit, one?.range, one?.comment]).toEqual([
      140,
      'mmol/L',
      { low: 135, high: 145 },
      row.split(';')[4] || undefined,
    ])
  })

  it.each([
    ['Befundstatus', 'vorläufig', 'preliminary'],
    ['Estado', 'pendiente', 'pending'],
    ['Statut', 'corrigé', 'corrected'],
    ['Stato', 'annullato', 'cancelled'],
  ])('says the state of a result in its words: %s %s', async (heading, word, status) => {
    const [one] = await observed(`Test;Result;Unit;${heading}`, `Sodium;140;mmol/L;${word}`)
    expect([one?.status, one?.doubt]).toEqual([status, undefined])
  })
})

describe('a line that lists tests still to come', () => {
  it('makes each of them wait, and leaves the others as they are', async () => {
    const all = await observed('Test,Result,Unit', 'Sodium,140,mmol/L', '"Tests pending: TSH, Vitamin D"')
    expect(all.map(({ name, value, status }) => [name, value ?? status])).toEqual([
      ['Sodium', 140],
      ['TSH', 'pending'],
      ['Vitamin D', 'pending'],
    ])
  })
})

describe('what a column says of the sample', () => {
  it('goes with each value: its hour, whether the person had fasted, and what was noted', async () => {
    const head = 'Name,Collected,Fasting,Test,Result,Unit,Comment'
    const rows = [
      'Nora Valle,2026-02-28 8:05,Yes,Cortisol,15,ug/dL,',
      'Nora Valle,2026-02-28 11:00 PM,no,Cortisol,3,ug/dL,taken at home',
    ]
    const all = await observed(head, ...rows)
    expect(all.map(({ collectedDate, fasting, said }) => [collectedDate, fasting, said?.comment])).toEqual([
      ['2026-02-28T08:05', true, undefined],
      ['2026-02-28T23:00', false, 'taken at home'],
    ])
  })

  it.each([
    ['Hemolysis index', '350', true],
    ['H-Index', '3+', true],
    ['Hämolyse', 'stark', true],
    ['Hemolysis index', '0', false],
    ['Hemolysis', 'none', false],
    ['Potassium', '350', false],
  ])('is heard where it says that the red cells had burst: %s %s', async (heading, cell, is) => {
    const { reports } = await read(`Test,Result,Unit,${heading}`, `Sodium,140,mmol/L,${cell}`)
    expect(reports[0]?.specimenErrors).toEqual(is ? ['HEMOLYSIS'] : [])
  })
})

describe('rows of ranges in a table with a sample a row', () => {
  const ranges = async (...rows: string[]) =>
    (await observed('Name,DOB,HbA1c,Ferritin', ...rows, 'Nora Valle,1975-06-16,5.4,80')).map(
      ({ unit, range, rangeText }) => [unit, range ?? rangeText],
    )

  it.each([
    [
      ['Unit,,%,ng/mL', 'Reference,,<5.7,15-150'],
      { low: null, high: 5.7, highExclusive: true },
      { low: 15, high: 150 },
    ],
    [['Referenzbereich,,4.0-5.7,15-150', 'Einheit,,%,ng/mL'], { low: 4, high: 5.7 }, { low: 15, high: 150 }],
    [[',,%,ng/mL', ',,4.0-5.7,15-150'], { low: 4, high: 5.7 }, { low: 15, high: 150 }],
    [['Unit,,%,ng/mL', 'Lower limit,,4,15', 'Upper limit,,5.7,150'], { low: 4, high: 5.7 }, { low: 15, high: 150 }],
    [['Unit,,%,ng/mL', 'ULN,,5.7,150'], { low: null, high: 5.7 }, { low: null, high: 150 }],
    [['Unit,,%,ng/mL', 'Mean,,5.5,80', 'LOD,,2,<1'], undefined, undefined],
    [
      ['Unit,,%,ng/mL', 'Reference (F),,<5.7,15-150', 'Reference (M),,<5.7,30-400'],
      'F: <5.7; M: <5.7',
      'F: 15-150; M: 30-400',
    ],
  ])('are the ranges of what stands below them: %s', async (rows, hba1c, ferritin) => {
    expect(await ranges(...rows)).toEqual([
      ['%', hba1c],
      ['ng/mL', ferritin],
    ])
  })
})

describe('a name alone below a title of tests that were not done', () => {
  it('is a test that waits, until the next panel begins', async () => {
    const rows = [
      'Sodium,140,mmol/L',
      'Pending tests',
      'Potassium,,',
      'Ferritin',
      'Hematology',
      'MCV,90,fL',
      'Cancelled tests',
      'TSH,,',
    ]
    const all = await observed('Test,Result,Unit', ...rows, 'Cortisol,15,ug/dL')
    expect(all.map(({ name, value, status, doubt }) => [name, value ?? (status === 'final' ? doubt : status)])).toEqual(
      [
        ['Sodium', 140],
        ['Potassium', 'pending'],
        ['Ferritin', 'pending'],
        ['MCV', 90],
        ['TSH', 'cancelled'],
        ['Cortisol', 'otherPart'],
      ],
    )
  })
})

describe('a column "Sample"', () => {
  it('names the specimen, unless it counts the tubes', async () => {
    const rows = [
      'S-1,Sodium,140,mmol/L',
      'Urine,Sodium,88,mmol/L',
      'Drain 2,Sodium,70,mmol/L',
      '258459007,Iron,9,ug/dL',
    ]
    const specimens = (await observed('Sample,Test,Result,Unit', ...rows)).map(({ specimen }) => specimen)
    expect(specimens).toEqual([undefined, 'Urine', 'Drain 2', '258459007'])
  })
})

describe('a heading in the middle of a table', () => {
  it('counts for the rows below it, and is no result', async () => {
    const lines = [
      'Test,Result,Unit,Range',
      'Glucose,95,mg/dL,70-99',
      'Test,Range,Unit,Result',
      'Potassium,3.5-5.1,mmol/L,4.1',
    ]
    expect(await valued(...lines)).toEqual([
      ['Glucose', 95, undefined],
      ['Potassium', 4.1, undefined],
    ])
  })

  it('of one cell is a title: what stands under the name of a specimen is of it', async () => {
    const [first, second] = await observed(
      'Test,Result,Unit,Range',
      'Glucose,95,mg/dL,70-99',
      'Urine',
      'Glucose,5,mg/dL,<15',
    )
    expect(first).not.toHaveProperty('section')
    expect(second).toMatchObject({ section: 'Urine' })
  })
})

describe('a value without a name', () => {
  it('is kept, and is no title', async () => {
    const [, value] = await observed('Test,Result,Unit', 'Sodium,140,mmol/L', ',4.1,')
    expect(value).toMatchObject({ name: '', valueText: '4.1' })
    const [first] = await observed('Result,Test,Unit', '4.1,,', '140,Sodium,mmol/L')
    expect(first).toMatchObject({ name: '', valueText: '4.1' })
  })
})

describe('the flags of a laboratory', () => {
  it.each(['Interpretation', 'Assessment'])('are read in a column that holds nothing else: %s', async (heading) => {
    const lines = [
      `Test,Result,Unit,Range,${heading}`,
      'Glucose,95,mg/dL,70-99,High',
      'Sodium,140,mmol/L,136-145,Normal',
    ]
    expect(await valued(...lines)).toEqual([
      ['Glucose', 95, 'H'],
      ['Sodium', 140, 'N'],
    ])
  })

  it('are not made of letters that may mean anything', async () => {
    const lines = ['Test,Result,Unit,Fasting,Note', 'Glucose,95,mg/dL,N,High tea before', 'Sodium,140,mmol/L,N,']
    expect((await observed(...lines)).map(({ flag }) => flag)).toEqual([undefined, undefined])
  })
})

describe('a star behind a value whose legend says that it may not be used', () => {
  const doubts = async (star: string, legend: string) =>
    (await observed('Analys;Resultat;Enhet', 'S-Ferritin;38;µg/L', `S-Kobalamin;214${star};pmol/L`, legend)).map(
      ({ name, doubt }) => [name, doubt],
    )
  it.each([
    ['*', '* Provmängden räckte inte till; värdet är uppskattat och bör inte användas.'],
    ['*', '* Result not reliable;;'],
    [' *', '* valeur douteuse; ne doit pas être utilisée;'],
    ['†', '† Der Wert ist unsicher; nicht verwertbar;'],
  ])('holds that value and no other: %s, %s', async (star, legend) => {
    const [ferritin, cobalamin, ...others] = await doubts(star, legend)
    expect(ferritin).toEqual(['S-Ferritin', undefined])
    expect(cobalamin?.[1]).toMatch(/annulled|unaccounted/)
    expect(others).toEqual([])
  })

  it('is a flag where it says that it marks what is out of range, and holds all where it speaks of the sample', async () => {
    expect((await doubts('*', '* outside the reference interval;;')).map(([, doubt]) => doubt)).toEqual([
      undefined,
      undefined,
    ])
    expect((await doubts('*', '* Sample mixed up;;')).map(([, doubt]) => doubt)).toEqual(['annulled', 'annulled'])
  })
})

describe('a table in a language of its own', () => {
  it('knows a corrected row below the one that was taken back', async () => {
    const rows = ['Anulado - troca de tubo;Potássio;6,3;mmol/L', 'Corrigido;Potássio;4,4;mmol/L']
    const read = await observed('Estado;Análise;Resultado;Unidade', ...rows)
    expect(read.map(({ value, status }) => [value, status])).toEqual([
      [undefined, 'final'],
      [4.4, 'corrected'],
    ])
  })

  it('knows the minutes after a load by their unit in the heading', async () => {
    const rows = ['Glukóza;0;4,9;mmol/l', 'Glukóza;60;9,7;mmol/l']
    const read = await observed('Vyšetření;Čas po zátěži (min);Výsledek;Jednotka', ...rows)
    expect(read.map(({ doubt }) => doubt)).toEqual([undefined, 'otherSpecimenSection'])
  })

  it('knows the day and the row of ranges of a Turkish table of samples', async () => {
    const rows = ['Birim\t\tmg/dL\tU/L', 'Referans\t\t74 - 106\t< 35', '2605\t2026-05-18\t92\t17']
    const file = await read(['Numune No', 'Alınma Tarihi', 'Glukoz', 'ALT'].join('\t'), ...rows)
    expect(file.reports.map(({ collectedDate }) => collectedDate)).toEqual(['2026-05-18'])
    expect(file.reports[0]?.observations.map(({ value, rangeText }) => [value, rangeText])).toEqual([
      [92, '74 - 106'],
      [17, '< 35'],
    ])
  })
})

describe('what a table says beside its results', () => {
  const table = ['Test;Result;Unit;Comment', 'TSH;9.84;mIU/L;', 'Ferritin;57;ug/L;']
  const doubts = async (...lines: string[]) => (await observed(...lines)).map(({ doubt }) => doubt)

  it.each(['Patient: Rex;Owner: Valle;Species: Canine', 'Name;Rex;Species;Canine', 'Name;Robin;Specimen;QC material'])(
    'holds all where a field among others says that nothing is of a person: %s',
    async (head) => expect(await doubts(head, '', ...table)).toEqual(['notOwn', 'notOwn']),
  )

  it('holds the one that a remark beside another takes back', async () => {
    const said = 'TSH above was reported in error and is withdrawn'
    expect(await doubts(...table.slice(0, 2), `${table[2]}${said}`)).toEqual(['annulled', undefined])
    const [tsh, ferritin] = await doubts(...table, 'Correction;TSH should read 3.2 mIU/L;;')
    expect([tsh, ferritin]).toEqual(['annulled', undefined])
    expect(await doubts('Name;Robin;Species;Human', '', ...table)).toEqual([undefined, undefined])
  })
})

describe('a column of methods', () => {
  it('tells a search for an organism from one for its antibodies', async () => {
    const became = async (...row: string[]) => {
      const { reports } = await read('Material;Test;Result;Method', row.join(';'))
      return reports.flatMap((report) => identifyReport(report, biomarkers).results.map((one) => one.biomarkerId))
    }
    expect(await became('Vaginale uitstrijk', 'Chlamydia trachomatis', 'Niet aangetoond', 'PCR')).toEqual(['chlamydia'])
    expect(await became('Vaginale uitstrijk', 'Chlamydia trachomatis', 'Niet aangetoond', 'ELISA')).toEqual([])
    expect(await became('Serum', 'HCV', 'Not detected', 'RT-PCR')).not.toEqual(['hepatitis_c_antibody'])
    expect(await became('Serum', 'HCV', 'Not detected', 'CLIA')).toEqual(['hepatitis_c_antibody'])
  })
})

describe('a run of a research core', () => {
  it('holds its calibrator, pool and blank, and reads the sample of a person between them', async () => {
    const kinds = ['CAL-3,Calibrator', 'POOL-2,QC', 'SUBJ-0117 V1,Unknown', 'BLANK,Blank']
    const read = await observed('Sample,Type,Ferritin (ng/mL)', ...kinds.map((one, at) => `${one},${at + 50}`))
    const ferritin = read.filter(({ name }) => name === 'Ferritin')
    expect(ferritin.map(({ value, doubt }) => value ?? doubt)).toEqual(['notOwn', 'notOwn', 52, 'notOwn'])
    expect(ferritin[2]).not.toHaveProperty('specimen')
  })
})

describe('a table of specific IgE', () => {
  const head = 'Alérgeno;IgE específica;Unidad;Clase'
  it('holds the value whose class is another one, and says of each name that it is of IgE', async () => {
    const rows = await observed(
      head,
      'Gato;0,21;kU/L;5',
      'Cacahuete;0,94;kU/L;2',
      'Huevo;<0,10;kU/L;0',
      'Leche;0,2;kU/L;1',
    )
    expect(rows.map(({ name, alsoCalled, doubt }) => [name, alsoCalled?.[0], doubt])).toEqual([
      ['Gato', 'Gato IgE', 'contradicted'],
      ['Cacahuete', 'Cacahuete IgE', undefined],
      ['Huevo', 'Huevo IgE', undefined],
      ['Leche', 'Leche IgE', undefined],
    ])
    const beside = await observed('Test,Result,Unit,Class', 'Peanut IgE,14.2,kUA/L,3', 'Egg IgE,14.2,kUA/L,1')
    expect(beside.map(({ doubt }) => doubt)).toEqual([undefined, 'contradicted'])
  })
})

describe('a column whose heading is not known', () => {
  it('gives the comparator of a value, where it holds one', async () => {
    const rows = await observed('Test,Operator,Result,Unit', 'CRP,<,5,mg/L', 'TSH,>,100,mIU/L', 'Sodium,,140,mmol/L')
    expect(rows.map(({ comparator, value }) => [comparator, value])).toEqual([
      ['<', 5],
      ['>', 100],
      [undefined, 140],
    ])
  })

  it('gives the specimen, where it names one', async () => {
    const rows = await observed('Test,Source,Result,Unit', 'Glucose,Urine,98,mg/dL', 'Sodium,Westside,140,mmol/L')
    expect(rows.map(({ specimen }) => specimen)).toEqual(['Urine', undefined])
  })

  it('makes a value wait, where it says that it may not be used', async () => {
    const rows = await observed('Test,Result,Unit,QC', 'Glucose,98,mg/dL,Fail', 'Sodium,140,mmol/L,Pass')
    expect(rows.map(({ comment }) => comment)).toEqual(['Fail', undefined])
  })

  it('makes it wait, where it is one more column of results', async () => {
    const rows = await observed('Test,Result,Unit,Result 2', 'Glucose,98,mg/dL,198', 'Sodium,140,mmol/L,')
    expect(rows.map(({ valueText, doubt }) => [valueText, doubt])).toEqual([
      ['98 / 198', 'severalValues'],
      ['140', undefined],
    ])
  })
})

describe('the lines above a table', () => {
  it('say whose it is and when the sample was taken', async () => {
    const above = ['Patient,Nora Valle', 'Collection date,2026-03-01', '']
    const { reports } = await read(...above, 'Test,Result,Unit', 'Sodium,140,mmol/L')
    expect(reports[0]).toMatchObject({ collectedDate: '2026-03-01', patient: { name: 'Nora Valle' } })
  })
})

describe('a table with a sample in each row', () => {
  it('tells people apart by the column of names', async () => {
    const { reports, notes } = await read('Name,Glucose (mg/dL),LDL (mg/dL)', 'Nora Valle,95,', 'Otto Berg,,131')
    expect(reports.map(({ patient, observations }) => [patient?.name, observations.length])).toEqual([
      ['Nora Valle', 1],
      ['Otto Berg', 1],
    ])
    expect(notes).toContain('The file names more than one person')
  })

  it('is not what a table of tests with two columns of results is: a person reads it', async () => {
    await expect(read('Test,Run 1,Run 2,Unit', 'Glucose,95,99,mg/dL')).rejects.toMatchObject({ needsReview: 'layout' })
  })
})

describe('a heading without rows', () => {
  it('is a table that holds no results', async () => {
    await expect(read('Test,Result,Unit,Range')).rejects.toMatchObject({ code: 'NOTHING_FOUND' })
  })
})
