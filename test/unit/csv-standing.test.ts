import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const read = (...lines: string[]) => parseBytes(Buffer.from(lines.join('\n')), { maxPages: 1 })
const observed = async (...lines: string[]) =>
  (await read(...lines)).reports.flatMap(({ observations }) => observations)

describe('a column that says whether a result counts', () => {
  const column = async (heading: string, cell: string) => {
    const [sodium] = await observed(`Test,Result,Unit,${heading}`, `Sodium,140,mmol/L,${cell}`, 'Iron,90,ug/dL,')
    return sodium?.value ?? sodium?.because
  }

  it.each([
    ['Released', 'N'],
    ['Cancelled', 'Y'],
    ['Validated', 'No'],
    ['Valid', '0'],
    ['Verified', 'no'],
    ['Verified', 'pending'],
    ['Excluded', 'x'],
    ['Freigabe', 'nein'],
    ['Storno', 'x'],
    ['Validation', 'not validated'],
    ['Validation', 'rerun'],
    ['QC status', 'Not OK'],
    ['Action', 'Cancel'],
    ['Action', 'Repeat'],
    ['QA verdict', 'on hold'],
    ['Event', 'Withdrawn'],
    ['Clinic code', 'rejected by QA'],
    ['Error code', 'E12'],
    ['Reported in error', 'yes'],
    ['Validé', 'non'],
    ['Annulé', 'oui'],
    ['Validado', 'no'],
    ['Anulado', 'sí'],
    ['Validato', 'no'],
    ['Godkendt', 'nej'],
    ['Data source', 'Smartwatch'],
    ['Source', 'home kit'],
  ])('makes it wait and shows itself: %s %s', async (heading, cell) => {
    expect(await column(heading, cell)).toBe(`${heading}: ${cell}`)
  })

  it.each([
    ['Released', 'Y'],
    ['Released', ''],
    ['Cancelled', 'N'],
    ['Cancelled', ''],
    ['Validated', 'Dr. Meier'],
    ['Validated', '2026-03-01'],
    ['Valid', '1'],
    ['Excluded', 'no'],
    ['Freigabe', 'ja'],
    ['Storno', ''],
    ['QC status', 'Pass'],
    ['Action', 'None'],
    ['Error code', '0'],
    ['Error', '0.3'],
    ['Final', 'F'],
    ['Annulé', 'non'],
    ['Validado', 'sí'],
  ])('leaves it as it is: %s %s', async (heading, cell) => {
    expect(await column(heading, cell)).toBe(140)
  })

  it('is no result of a wide table', async () => {
    const rows = ['Sample ID,Sodium (mmol/L),Iron (ug/dL),Released,Confidence', 'A1,140,90,Y,0.99', 'A2,141,91,N,']
    expect((await observed(...rows)).map(({ name, value }) => [name, value])).toEqual([
      ['Sodium', 140],
      ['Iron', 90],
      ['Sodium', undefined],
      ['Iron', undefined],
    ])
  })
})

describe('a row that takes a value back', () => {
  const counting = async (...rows: string[]) =>
    (await observed('Accession,Test,Result,Unit,Action,Deleted', ...rows)).flatMap(({ value }) => value ?? [])

  it('takes back that of another row, in whatever order, also without its number', async () => {
    const [added, other] = ['A1,Potassium,6.4,mmol/L,ADD,', 'A1,Sodium,139,mmol/L,ADD,']
    const rows = ['A1,Potassium,6.4,mmol/L,DELETE,', 'A1,Potassium,,mmol/L,Remove,', 'A1,potassium,6.4,mmol/L,,Y']
    for (const row of rows) {
      expect(await counting(added, other, row)).toEqual([139])
      expect(await counting(row, added, other)).toEqual([139])
    }
  })

  it('takes back all where it names no test', async () => {
    expect(await counting('A1,Sodium,139,mmol/L,ADD,', 'A1,Iron,90,ug/dL,ADD,', ',,,,VOID,')).toEqual([])
  })

  it('leaves that of another sample, and another value', async () => {
    const deleted = 'A1,Potassium,6.4,mmol/L,DELETE,'
    expect(await counting('A2,Potassium,6.4,mmol/L,ADD,', deleted)).toEqual([6.4])
    expect(await counting('A1,Potassium,4.4,mmol/L,ADD,', deleted)).toEqual([4.4])
  })
})

describe('a row of a table', () => {
  it.each(['Standard', 'Blank', 'QC', 'BLK', 'Control', 'Training', 'Linearity 3'])(
    'is none of the person where its type says %s',
    async (type) => {
      const rows = ['Test,Type,Result,Unit', `Sodium,${type},120,mmol/L`, 'Sodium,Sample,139,mmol/L']
      expect((await observed(...rows)).map(({ value }) => value)).toEqual([undefined, 139])
    },
  )

  it.each(['imputed', 'estimated from population', 'Simulated'])(
    'is no measurement where a cell says %s',
    async (cell) => {
      const rows = [
        'Test,Result,Unit,Type',
        `Sodium,120,mmol/L,${cell}`,
        'Iron,90,ug/dL,measured',
        'LDL,90,mg/dL,calculated',
      ]
      expect((await observed(...rows)).map(({ value }) => value)).toEqual([undefined, 90, 90])
    },
  )

  it('is of another fluid where its site says so, and not where a site is that of a laboratory', async () => {
    const rows = ['Test,Result,Unit,Site', 'LDH,911,U/L,Right pleura', 'Iron,90,ug/dL,Left arm', 'ALT,22,U/L,Boston']
    expect((await observed(...rows)).map(({ value }) => value)).toEqual([undefined, 90, 22])
  })

  it('says under any heading what was in its sample', async () => {
    const { reports } = await read('Test,Result,Unit,Sample condition', 'LDH,512,U/L,Haemolysed 2+', 'ALT,22,U/L,OK')
    expect(reports.flatMap(({ specimenErrors }) => specimenErrors)).toEqual(['HEMOLYSIS'])
  })
})

const around = async (line: string, where: 'above' | 'below') => {
  const table = ['Test,Result,Unit', 'Sodium,140,mmol/L']
  const [sodium] = await observed('Patient,Jane Doe', ...(where === 'above' ? [line, ...table] : [...table, line]))
  return sodium
}
const places = ['above', 'below'] as const

describe.each(places)('a line %s the table', (where) => {
  it.each([
    'Report status,Preliminary',
    'Status: preliminary',
    'Report type,Interim',
    'PRELIMINARY REPORT - final report to follow',
    'VORLÄUFIGER BEFUND',
    'INFORME PROVISIONAL',
    'Résultat provisoire',
  ])('makes the results preliminary: %s', async (line) => {
    expect(await around(line, where)).toMatchObject({ value: 140, status: 'preliminary' })
  })

  it.each([
    'Status,Cancelled',
    'Status: Draft',
    'DRAFT',
    'NOT FOR CLINICAL USE',
    'TEST PATIENT - DO NOT FILE',
    'Unauthorised results',
    'Results not yet authorised',
    'Specimen,Control serum level 2',
    'Patient type,Donor',
    'Note: sodium corrected from 140 to 128 mmol/L',
    'Fehlmessung',
    'Ergebnisse nicht freigegeben',
    'Uitslag vervallen',
    'Resultado no valorable',
    'Resultado não válido',
  ])('makes the results wait: %s', async (line) => {
    expect(await around(line, where)).toMatchObject({ because: line.replace(',', ': '), status: 'final' })
  })

  it.each([
    'Status,Final',
    'Report type,Laboratory report',
    'Sample type,Serum',
    'Patient type,Outpatient',
    'Drafted by Dr. Meier',
    'This test was developed and its performance characteristics determined by ABC.',
    'This report shall not be reproduced except in full.',
    'Dieser Befund wurde elektronisch erstellt und ist ohne Unterschrift gültig.',
    'Samples are discarded after 7 days.',
    'Interpretation must be made by a physician.',
    'Not valid without signature.',
    'Previous report (01.01.2026) was cancelled',
  ])('leaves them final: %s', async (line) => {
    expect(await around(line, where)).toMatchObject({ value: 140, status: 'final' })
  })
})

describe('a footer', () => {
  it('says of which specimen all of it is', async () => {
    expect(await around('Sample type: urine', 'below')).toMatchObject({ specimen: 'urine' })
  })
})

describe('a title among the rows', () => {
  const head = ['Patient,Jane Doe', 'Test,Result,Unit', 'Sodium,140,mmol/L']

  it.each([
    'Partner / Father',
    'After dexamethasone',
    'Nach Dexamethason',
    'Specimen: Control serum level 2',
    'Cancelled tests',
    'Stornierte Untersuchungen',
  ])('makes what stands below it wait, and nothing above: %s', async (title) => {
    const [sodium, below] = await observed(...head, `${title},,`, 'Ferritin,80,ng/mL')
    expect([sodium?.value, below?.value, below?.because]).toEqual([140, undefined, title])
  })

  it('of tests still to come leaves the others as they are', async () => {
    const [sodium, ...others] = await observed(...head, 'Pending tests,,', 'Potassium,,')
    expect([sodium?.value, others.map(({ status }) => status)]).toEqual([140, ['pending']])
  })
})

describe('a comment beside a result', () => {
  it('makes a number wait that it calls below what can be measured', async () => {
    const reason = async (result: string, comment: string) => {
      const { reports } = await read('Test,Result,Unit,Comment', `Unheard of,${result},ng/mL,${comment}`)
      return reports.flatMap((report) => identifyReport(report, []).unmatched).map((one) => one.reason)
    }
    expect(await reason('80', 'below detection limit (LOD 200)')).toEqual([
      expect.stringContaining('may not be taken as it stands'),
    ])
    expect(await reason('<10', 'below detection limit')).toEqual([expect.stringContaining('name')])
  })
})

describe('columns that may both hold what is meant', () => {
  it('make the values wait, "Result 1" and "Result 2" with both shown', async () => {
    const [potassium] = await observed('Test,Result 1,Result 2,Unit', 'Potassium,4.1,4.9,mmol/L')
    expect(potassium).toMatchObject({ valueText: '4.1 / 4.9', doubt: 'severalValues' })
    const [sodium] = await observed('Test,Result 1,Unit', 'Sodium,140,mmol/L')
    expect(sodium?.value).toBe(140)
  })

  it('make the values wait, where a second unit is another one', async () => {
    const rows = ['Creatinine,0.9,mg/dL,umol/L', 'Ferritin,80,ng/mL,ug/L', 'Potassium,4.9,mmol/L,']
    const found = await observed('Test,Result,Unit,Reporting unit', ...rows)
    expect(found.map(({ value, doubt }) => value ?? doubt)).toEqual(['severalValues', 80, 4.9])
  })

  it('are not two days: received before it was collected makes it wait, with both', async () => {
    const row = (received: string) => ['Collected,Received,Test,Result', `2026-02-28,${received},Sodium,140`]
    expect(await observed(...row('2026-02-20'))).toMatchObject([
      { doubt: 'impossibleTimes', because: 'collected 2026-02-28, received 2026-02-20' },
    ])
    expect(await observed(...row('2026-03-01'))).toMatchObject([{ value: 140 }])
  })
})

describe('"Patient" under "Sample type"', () => {
  it('names no specimen, beside rows of controls', async () => {
    const rows = ['Patient,Sodium,140,mmol/L', 'Calibrator,Sodium,120,mmol/L']
    const found = await observed('Sample type,Test,Result,Unit', ...rows)
    expect(found.map(({ specimen, value, doubt }) => [specimen, value ?? doubt])).toEqual([
      [undefined, 140],
      ['Calibrator', 'notOwn'],
    ])
  })
})

describe('what stands instead of a number', () => {
  it.each([
    ['QNS', 'The sample was not enough for the test: a new one is needed'],
    ['#####', 'The spreadsheet cut the number off: export it again'],
    ['#N/A', 'The spreadsheet could not compute the value: ask the laboratory for it'],
    ['12 apples', 'The result is not a plain number: read it, and say what it means'],
  ])('is said in a sentence of its own: %s', async (text, reason) => {
    const { reports } = await read('Test,Result,Unit', `Unheard of,${text},mmol/L`)
    expect(reports.flatMap((report) => identifyReport(report, []).unmatched).map((one) => one.reason)).toEqual([reason])
  })

  it('may be nothing: a comment alone asks whether a value will follow', async () => {
    const { reports } = await read('Test,Result,Comment', 'Heard of,1,', 'Unheard of,,Sent by post')
    const [, nothing] = reports.flatMap((report) => identifyReport(report, []).unmatched)
    expect([nothing]).toMatchObject([{ reason: 'The laboratory sent no value: ask whether one will follow' }])
  })
})

describe('a file that is no table', () => {
  const utf16 = Buffer.from('Workbook', 'utf16le')
  it.each([
    ['', 'The file is empty'],
    ['\r\n \n', 'The file is empty'],
    ['PK\u0003\u0004…xl/workbook.xml', 'This is an Excel workbook: save it as CSV, and send that'],
    [Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), utf16]), /^This is an Excel workbook/],
    ['PK\u0003\u0004…results.csv', 'This is an archive: unpack it, and send the files in it'],
    ['<Bundle xmlns="http://hl7.org/fhir"/>', 'This is FHIR in XML: only FHIR in JSON can be read'],
    ['Dear laboratory', /^Only PDF with text/],
  ])('is refused by what it is: %s', async (text, message) => {
    await expect(parseBytes(Buffer.from(text), { maxPages: 1 })).rejects.toThrow(message)
  })
})
