import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const read = (...lines: string[]) => parseBytes(Buffer.from(lines.join('\n')), { maxPages: 1 })
const people = async (...lines: string[]) =>
  (await read(...lines)).reports.map(({ patient, collectedDate, observations }) => [
    patient?.name,
    collectedDate,
    ...observations.map(({ name, value, because }) => `${name} ${value ?? because}`),
  ])

describe('a second person below the first table', () => {
  it.each([
    [',', 'Patient', 'Collected', 'Test,Result,Unit'],
    [';', 'Patient', 'Entnahme', 'Untersuchung;Ergebnis;Einheit'],
    [';', 'Nom', 'Prélevé le', 'Analyse;Résultat;Unité'],
    [';', 'Paciente', 'Fecha extracción', 'Prueba;Resultado;Unidad'],
    [',', 'Name', 'Collection date', 'Test,Result,Unit'],
  ])('has its own name, day and values, whatever stands between (%s %s)', async (mark, person, day, head) => {
    const block = (name: string, on: string, result: string) => [
      [person, name].join(mark),
      [day, on].join(mark),
      head,
      [result, '4', 'mmol/L'].join(mark),
    ]
    const file = [...block('Jane Doe', '2026-02-28', 'Sodium'), '', ...block('John Roe', '2026-02-27', 'Potassium')]
    expect(await people(...file)).toEqual([
      ['Jane Doe', '2026-02-28', 'Sodium 4'],
      ['John Roe', '2026-02-27', 'Potassium 4'],
    ])
    expect((await read(...file)).reports.every(({ isOfSeveral }) => isOfSeveral)).toBe(true)
  })

  it.each([
    ...['Patient ID', 'NHS Number', 'Patient Identifier', 'Hospital No.', 'Patienten-ID', 'Patientennummer'],
    ...['ID paciente', 'Codice paziente', 'Patient MRN', 'PID', 'UHID', 'Personnummer', 'Codice fiscale', 'Donor ID'],
    ...['Sample ID', 'Sample Number', 'Specimen No', 'Barcode', 'Tube barcode', 'Probennummer', 'Auftragsnummer'],
    ...['Lab Number', 'Order ID', 'Nº de muestra', "Numéro d'échantillon", 'Codice campione'],
  ])('is distinguished by a column of numbers, whatever it is called (%s)', async (heading) => {
    const rows = ['A4101,Sodium,140,mmol/L', 'A4102,Potassium,4.9,mmol/L']
    expect(await people(`${heading},Test,Result,Unit`, ...rows)).toEqual([
      [undefined, undefined, 'Sodium 140'],
      [undefined, undefined, 'Potassium 4.9'],
    ])
  })

  it('is distinguished where only a line names it, without its day', async () => {
    const head = ['Patient: Jane Doe', 'Collected: 2026-02-28', 'Test,Result,Unit', 'Sodium,140,mmol/L']
    expect(await people(...head, 'Patient: John Roe', 'Potassium,4.9,mmol/L')).toEqual([
      ['Jane Doe', '2026-02-28', 'Sodium 140'],
      ['John Roe', undefined, 'Potassium 4.9'],
    ])
  })

  it('waits as a whole, with both names, where the names may stand below their values', async () => {
    const rows = ['Test,Result,Unit', 'Sodium,140,mmol/L', 'Patient: Jane Doe', 'Potassium,4.9,mmol/L']
    const found = (await people(...rows, 'Patient: John Roe', 'Chloride,101,mmol/L')).flat().join(' ')
    expect(found).toMatch(/Sodium Patient: Jane Doe; Patient: John Roe/)
    expect(found).not.toMatch(/Sodium 140|Potassium 4.9|Chloride 101/)
  })

  it('waits with both names where two stand above one table', async () => {
    const file = ['Patient,Jane Doe', 'Patient,John Roe', 'Test,Result,Unit', 'Sodium,140,mmol/L']
    expect((await read(...file)).reports).toMatchObject([{ isOfSeveral: true }])
    expect(await people(...file)).toEqual([['Jane Doe', undefined, 'Sodium Patient: Jane Doe; Patient: John Roe']])
  })

  it('is distinguished in a table with a sample a row, too', async () => {
    const head = 'Collected,Sodium (mmol/L),Potassium (mmol/L)'
    const jane = ['Patient,Jane Doe', head, '2026-02-28,140,4.1']
    expect(await people(...jane, 'Patient,John Roe', head, '2026-02-27,141,4.2')).toEqual([
      ['Jane Doe', '2026-02-28', 'Sodium 140', 'Potassium 4.1'],
      ['John Roe', '2026-02-27', 'Sodium 141', 'Potassium 4.2'],
    ])
  })

  it('is nobody else where the same name stands on the next page', async () => {
    const page = ['Patient,Jane Doe', 'Collected,2026-02-28', 'Test,Result,Unit']
    expect(await people(...page, 'Sodium,140,mmol/L', ...page, 'Potassium,4.9,mmol/L')).toEqual([
      ['Jane Doe', '2026-02-28', 'Sodium 140', 'Potassium 4.9'],
    ])
  })
})

describe('a day of collection further down', () => {
  const head = ['Patient,Jane Doe', 'Collected,2026-02-28', 'Test,Result,Unit', 'Sodium,140,mmol/L']

  it('counts for the rows below it', async () => {
    for (const line of ['Collected 2025-11-10', 'Collected: 2025-11-10', 'Collected,2025-11-10'])
      expect(await people(...head, line, 'Potassium,4.1,mmol/L')).toEqual([
        ['Jane Doe', '2026-02-28', 'Sodium 140'],
        ['Jane Doe', '2025-11-10', 'Potassium 4.1'],
      ])
  })

  it('makes all wait where it is a footer that says another day, and fills in what the head lacks', async () => {
    expect(await people(...head, 'Collected: 2026-01-15', 'Page 1 of 1')).toEqual([
      ['Jane Doe', '2026-02-28', 'Sodium Collected: 2026-02-28; Collected: 2026-01-15'],
    ])
    expect(await people(...head, 'Collected: 2026-02-28')).toEqual([['Jane Doe', '2026-02-28', 'Sodium 140']])
    const below = ['Patient: Jane Doe / DOB 1980-01-01', 'Collected: 2026-02-28']
    expect(await people(...head.slice(2), ...below)).toEqual([['Jane Doe', '2026-02-28', 'Sodium 140']])
  })
})

describe('given and family name in two columns', () => {
  it.each([
    'Name,Vorname,Geburtsdatum,Analyt,Wert',
    'Surname,Given names,DOB,Test,Result',
    'Nom,Prénom,Date de naissance,Analyse,Résultat',
    'Apellidos,Nombre,Fecha nacimiento,Prueba,Resultado',
    'Last name,First name,DOB,Test,Result',
    'Surname,Forename,DOB,Test,Result',
    'Cognome,Nome,Data di nascita,Esame,Risultato',
    'Efternavn,Fornavn,Fødselsdato,Undersøgelse,Resultat',
  ])('keep twins apart: %s', async (head) => {
    const { reports } = await read(head, 'Doe,Jane,1980-01-02,Sodium,140', 'Doe,Mary,1980-01-02,Potassium,4')
    expect(reports.map(({ patient }) => patient?.name)).toEqual(['Jane Doe', 'Mary Doe'])
    expect(reports.every(({ isOfSeveral }) => isOfSeveral)).toBe(true)
  })

  it('add nothing to a whole name', async () => {
    const rows = ['Patient,First name,Last name,Test,Result', 'Jane Doe,Jane,Doe,Sodium,140']
    expect(await people(...rows)).toEqual([['Jane Doe', undefined, 'Sodium 140']])
  })
})

describe('labels above what they say', () => {
  it.each([
    ['Name,DOB,Collected', 'Jane Doe,1980-01-01,2026-02-28'],
    [
      'Patient ID,Patient name,Date of birth,Sex,Collection date,Report date',
      '1,Jane Doe,1980-01-01,F,2026-02-28,2026-03-01',
    ],
    ['Name,Geburtsdatum,Entnahmedatum', 'Jane Doe,01.01.1980,28.02.2026'],
    ['Patient,Jane Doe,Née le,01/01/1980', 'Prélevé le,28/02/2026'],
    ['Patient: Jane Doe; geb. 01.01.1980', 'Entnahme: 28.02.2026'],
    ['"Patient: Jane Doe, DOB 1980-01-01"', 'Collected: 2026-02-28'],
    ['Paciente,Jane Doe', 'Fecha nacimiento,01/01/1980,Fecha extracción,28/02/2026'],
  ])('give the person and never a birth as the day of collection: %s', async (...head) => {
    const { reports } = await read(...head, 'Test,Result,Unit', 'Sodium,140,mmol/L')
    expect(reports).toMatchObject([
      { patient: { name: 'Jane Doe', dateOfBirth: '1980-01-01' }, collectedDate: '2026-02-28' },
    ])
  })
})

describe('a row of nobody', () => {
  const withRow = (label: string) =>
    read('Name,DOB,Collected,HbA1c (%),CRP (mg/L)', 'Jane Doe,1980-01-01,2026-02-28,5.4,2', `${label},,,5.7,5`)

  it.each(['Reference range', 'Lower limit', 'Referenzbereich', 'Valeurs de référence'])(
    'is left out and counted, where it holds the ranges of the columns: %s',
    async (label) => {
      const file = await withRow(label)
      expect(file.reports).toMatchObject([{ patient: { name: 'Jane Doe' } }])
      expect([file.reports.length, file.leftOut, file.notes]).toEqual([1, 1, []])
    },
  )

  it.each(['Mean', 'LOD', 'Mittelwert', 'Media', 'Standard deviation'])(
    'is left out, counted and named, where it holds means or limits of the method: %s',
    async (label) => {
      const file = await withRow(label)
      expect([file.reports.length, file.leftOut]).toEqual([1, 1])
      expect(file.notes).toEqual([
        `Left out, as no results of this sample; look there if one is missing: row 3 (${label})`,
      ])
    },
  )

  it.each(['Previous', 'Vorwert', 'Tidligere', '前回値'])(
    'waits as an earlier result and names no person: %s',
    async (label) => {
      const { reports } = await withRow(label)
      expect(reports.map(({ patient }) => patient?.name)).toEqual(['Jane Doe', undefined])
      expect(reports[1]?.observations.map(({ doubt, value }) => [doubt, value])).toEqual([
        ['earlierOrGoal', undefined],
        ['earlierOrGoal', undefined],
      ])
    },
  )

  it.each(['QC1', 'Control', 'Blank', 'Kontrolle 2', 'Calibrateur', 'BioRad Level 1'])(
    'waits and names no person, where it is of the run: %s',
    async (label) => {
      const file = await read('Name,DOB,Glucose (mg/dL),CRP (mg/L)', 'Jane Doe,1980-01-01,92,2', `${label},,101,5`)
      const [jane, run] = file.reports
      expect([jane?.observations[0]?.value, file.notes]).toEqual([92, []])
      expect([run?.patient, ...(run?.observations ?? []).map(({ doubt }) => doubt)]).toEqual([
        undefined,
        'notOwn',
        'notOwn',
      ])
    },
  )

  it('waits in a table of kits and of tubes, too', async () => {
    for (const head of ['Kit ID', 'Sample ID']) {
      const file = await read(`${head},Glucose (mg/dL),CRP (mg/L)`, 'A1,92,2', 'Std 1,101,5', 'Mean,95,3')
      const found = file.reports.flatMap(({ observations }) => observations.map(({ value, doubt }) => value ?? doubt))
      expect([found, file.leftOut]).toEqual([[92, 2, 'notOwn', 'notOwn'], 1])
    }
  })

  it.each([
    ['has no day', 'Name;Collected;Sodium (mmol/l);Iron (µg/l)', 'Anna Blank;2026-03-11;140;90', 'Zone;;138;95'],
    ['has no number', 'ID;Sodium (mmol/l);Iron (µg/l)', 'N-2207;140;90', 'Zone;138;95'],
    ['has no number', 'Kit ID;Sodium (mmol/l);Iron (µg/l)', 'N-2207;140;90', ';138;95'],
  ])('waits where it %s, though the others of its table have one', async (lack, ...rows) => {
    const { reports } = await read(...rows)
    const found = reports.flatMap(({ observations }) => observations.map(({ value, because }) => value ?? because))
    const because = `The row ${lack}, unlike the others`
    expect(found).toEqual([140, 90, because, because])
  })

  it.each(['EXAMPLE - do not edit', 'Example row', 'Beispielzeile, bitte löschen', 'EJEMPLO (no borrar)'])(
    'waits alone, without its person, where it shows how to fill in the others: %s',
    async (label) => {
      const rows = [`${label};Jane Doe;2020-01-01;140;90`, 'K-40417;Robin Example;2026-03-11;139;95']
      const { reports } = await read('Sample ID;Patient;Collected;Sodium (mmol/l);Iron (µg/l)', ...rows)
      expect(reports.map(({ patient, isOfSeveral }) => [patient?.name, isOfSeveral])).toEqual([
        [undefined, undefined],
        ['Robin Example', undefined],
      ])
      const values = reports.flatMap(({ observations }) => observations.map(({ value, doubt }) => value ?? doubt))
      expect(values).toEqual(['notOwn', 'notOwn', 139, 95])
    },
  )

  it('is of a person where its number is one of a sample', async () => {
    const { reports } = await read(
      'Sample ID,Sodium (mmol/l),Iron (µg/l)',
      'Sample no. 12,140,90',
      'Sample no 13,139,95',
    )
    expect(reports.flatMap(({ observations }) => observations.map(({ value }) => value))).toEqual([140, 90, 139, 95])
  })

  it('waits in a list where it has neither the sample nor the day that most have', async () => {
    const rows = ['K1,2026-03-11,Sodium,140,mmol/L', 'K1,2026-03-11,Iron,90,ug/dL', ',,Potassium,4.1,mmol/L']
    const { reports } = await read('Kit,Collected,Test,Result,Unit', ...rows)
    const found = reports.flatMap(({ observations }) => observations.map(({ value, because }) => value ?? because))
    expect(found).toEqual([140, 90, 'The row has no day, unlike the others'])
  })

  it('waits where others have a name; a person called Blank is one', async () => {
    const rows = ['Name,DOB,Test,Result', 'Anna Blank,1980-01-01,Sodium,140', ',,Potassium,4.1']
    expect(await people(...rows)).toEqual([
      ['Anna Blank', undefined, 'Sodium 140'],
      [undefined, undefined, 'Potassium The row names nobody, unlike the others'],
    ])
  })
})

describe('"Name" beside "Test"', () => {
  it('is the person; alone it is the test', async () => {
    expect(await people('Name,Test,Result', 'Jane Doe,Sodium,140', 'John Roe,Sodium,141')).toEqual([
      ['Jane Doe', undefined, 'Sodium 140'],
      ['John Roe', undefined, 'Sodium 141'],
    ])
    expect(await people('Name,Result', 'Sodium,140')).toEqual([[undefined, undefined, 'Sodium 140']])
  })

  it('is the person in a wide table with a row of units, of which the first cells are empty', async () => {
    const rows = ['Name,DOB,Na,K,Fe', ',,mmol/L,mmol/L,ug/dL', 'Jane Doe,1980-01-01,140,4.9,90']
    const { reports } = await read(...rows)
    expect(reports).toMatchObject([{ patient: { name: 'Jane Doe' } }])
    expect(reports[0]?.observations.map(({ name, value, unit }) => [name, value, unit])).toEqual([
      ['Na', 140, 'mmol/L'],
      ['K', 4.9, 'mmol/L'],
      ['Fe', 90, 'ug/dL'],
    ])
  })
})

describe('a name in a line of its own, without a label', () => {
  const waiting = async (...lines: string[]) =>
    (await read(...lines)).reports.flatMap(({ observations }) =>
      observations.map(({ name, value, doubt, because }) => [name, value ?? doubt, because]),
    )
  const rows = ['Test,Result,Unit', 'Sodium,140,mmol/L']
  const below = ['Potassium,4.1,mmol/L', 'Hematology', 'MCV,90,fL']

  it.each(['Otto Berg', '"BERG, OTTO"', 'Otto Berg,1970-02-02,M'])(
    'makes what stands below it wait, where another person is known: %s',
    async (line) => {
      const name = line.split(/,(?=\d)/)[0]?.replaceAll('"', '')
      for (const above of [['Patient,Nora Valle'], ['Nora Valle']])
        expect(await waiting(...above, ...rows, line, ...below)).toEqual([
          ['Sodium', 140, undefined],
          ['Potassium', 'otherName', name],
          ['MCV', 'otherName', name],
        ])
    },
  )

  it.each(['VALLE NORA', 'Iron Studies', 'Liver Function', 'Großes Blutbild', 'Bilan Martial', 'CONTROL RANGE CHECK'])(
    'is none where it is that of the same person, or a title: %s',
    async (line) => {
      const read = await waiting('Patient,Nora Valle', ...rows, line, ...below)
      expect(read.map(([, value]) => value)).toEqual([140, 4.1, 90])
    },
  )
})

describe('two numbers of people in one column', () => {
  const rows = ['Jane Doe,1978-09-14,551,Sodium,139', 'Jane Doe,1978-09-14,552,Potassium,4.1']
  const isOfSeveral = async (heading: string) =>
    (await read(`Name,DOB,${heading},Test,Result`, ...rows)).reports.some((report) => report.isOfSeveral)

  it('are of two people of one name and birth date, unless they are of visits', async () => {
    expect(await isOfSeveral('MRN')).toBe(true)
    expect(await isOfSeveral('Fallnummer')).toBe(false)
  })
})
