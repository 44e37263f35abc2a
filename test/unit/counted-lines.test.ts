import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { SEVERAL_PEOPLE } from '@kitlane/lab-reader/parse/person'
import { describe, expect, it } from 'vitest'
import { makePdf, type Printed } from '../samples/make-pdf.ts'

const read = (content: string | Buffer) => parseBytes(Buffer.from(content), { maxPages: 10 })
const observed = async (content: string | Buffer) => (await read(content)).reports.flatMap((one) => one.observations)
const doubts = async (content: string | Buffer) => (await observed(content)).map(({ name, doubt }) => [name, doubt])

const observation = (name: string, value: number, more: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: name },
  valueQuantity: { value, unit: 'mmol/L' },
  ...more,
})
const fhir = (...resources: object[]) =>
  JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) })

const five = (...cells: string[]): Printed =>
  cells.flatMap((text, index): Printed => (text === '' ? [] : [[[36, 200, 280, 350, 480][index] ?? 0, text]]))
const head: Printed[] = [
  [
    [36, 'Patient: Doe, Jamie'],
    [300, 'DOB: 1980-02-03'],
  ],
  [[36, 'Collected: 2025-03-04']],
]
const table = [five('Test', 'Result', 'Units', 'Reference Range'), five('Glucose', '91', 'mg/dL', '70-99')]

describe('lines that look like results are counted apart from the reading of them:', () => {
  it('a FHIR Observation in a resource that is not read waits for a person', async () => {
    const hidden = { resourceType: 'Composition', status: 'final', contained: [observation('Potassium', 7.9)] }
    expect(await doubts(fhir(observation('Sodium', 140), hidden))).toEqual([
      ['Sodium', undefined],
      ['1 line that looks like a result and was not read', 'notCounted'],
    ])
    expect(await doubts(fhir(observation('Sodium', 140), observation('Potassium', 4)))).toHaveLength(2)
  })

  it('results that a FHIR report only refers to wait for a person', async () => {
    const report = {
      resourceType: 'DiagnosticReport',
      status: 'final',
      code: { text: 'Panel' },
      result: [{ reference: 'Observation/a' }, { reference: 'Observation/b' }, { reference: 'Observation/c' }],
    }
    const found = await doubts(fhir(report, observation('Sodium', 140, { id: 'a' })))
    expect(found).toContainEqual(['2 lines that look like results and were not read', 'notCounted'])
  })

  it('a FHIR result of a status that is not known is kept without its number, as is that of such a report', async () => {
    const unknown = observation('Sodium', 140, { id: 'a', status: 'unknown' })
    expect(await observed(fhir(unknown))).toMatchObject([{ valueText: '140', doubt: 'unknownStatus' }])
    expect((await observed(fhir(unknown)))[0]).not.toHaveProperty('value')
    const result = [{ reference: 'Observation/a' }]
    const report = { resourceType: 'DiagnosticReport', status: 'unknown', code: { text: 'Panel' }, result }
    const whole = await observed(fhir(report, { ...unknown, status: 'final' }))
    expect(whole).toMatchObject([{ valueText: '140', doubt: 'unknownStatus' }])
  })

  it('vital signs are left out by rule, and counted as that', async () => {
    const category = [{ coding: [{ code: 'vital-signs' }] }]
    const file = await read(fhir(observation('Sodium', 140), observation('Pulse', 70, { category })))
    expect([file.leftOut, file.missing]).toEqual([1, 0])
  })

  it('each OBX of a message is one', async () => {
    const message = [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      'PID|1||77||Doe^Jamie||19800203|F',
      'OBR|1|X|A1|P^Panel^L|||20260401083000',
      ...['W', 'D', 'X', 'I', 'F'].map((status, at) => `OBX|${at}|NM|X^Sodium ${at}^L||140|mmol/L|||||${status}`),
    ].join('\r')
    const file = await read(message)
    expect([file.reports[0]?.observations.length, file.missing, file.leftOut]).toEqual([5, 0, 0])
  })

  it('a number of a table that stands under an unknown heading, without a result, waits for a person', async () => {
    const rows = ['Test,Result,Zahl X,Unit', 'Sodium,140,,mmol/L', 'Potassium,,7.9,mmol/L', 'Chloride,,,mmol/L']
    expect(await doubts(rows.join('\n'))).toEqual([
      ['Sodium', undefined],
      ['1 line that looks like a result and was not read', 'notCounted'],
    ])
  })

  it('a line of a PDF outside of its tables that reads like a result waits for a person', async () => {
    const stray: Printed[] = [
      [[36, 'Potassium 7.9 mmol/L 3.5-5.1']],
      [[36, 'Values above 126 mg/dL may mean diabetes.']],
    ]
    const pdf = await makePdf([{ lines: [...head, ...stray, ...table] }])
    expect(await doubts(pdf)).toEqual([
      ['Glucose', undefined],
      ['Potassium 7.9 mmol/L 3.5-5.1', 'unreadable'],
    ])
    expect(await doubts(await makePdf([{ lines: [...head, ...table] }]))).toHaveLength(1)
  })

  it('each of two values of a test waits by itself, where columns do not say which one counts', async () => {
    const methods: Printed[] = [
      five('Test', 'Present method', 'New method', 'Units', 'Reference'),
      five('PSA', '3.8', '5.1', 'ug/L', 'see note'),
    ]
    const found = await observed(await makePdf([{ lines: [...head, ...methods, [[36, 'Chemistry']], ...table] }]))
    expect(found).toMatchObject([
      { name: 'Glucose', value: 91 },
      { name: 'PSA', valueText: expect.stringMatching(/^3\.8\b/), doubt: 'unreadable' },
      { name: 'PSA', valueText: expect.stringMatching(/^5\.1\b/), doubt: 'unreadable' },
    ])
  })
})

describe('another person anywhere in a document sends all of it to a person:', () => {
  const robin = { resourceType: 'Patient', id: 'r', name: [{ text: 'Robin Roe' }], birthDate: '1991-07-08' }
  const jamie = { resourceType: 'Patient', id: 'j', name: [{ text: 'Jamie Doe' }], birthDate: '1980-02-03' }
  const of = (id: string) => ({ subject: { reference: `Patient/${id}` } })
  const pid = (id: string, name: string, born: string) => `PID|1||${id}||${name}||${born}|F`
  const obr = 'OBR|1|X|A1|P^Panel^L|||20260401083000'
  const obx = 'OBX|1|NM|X^Sodium^L||140|mmol/L'
  const hl7 = (...pids: string[]) =>
    ['MSH|^~\\&|LAB|X|K|Y|20260402120000||ORU^R01|1|P|2.5.1', ...pids.flatMap((one) => [one, obr, obx])].join('\r')
  const csv = (...rows: string[]) => ['Name,Date of Birth,Patient ID,Test,Result,Unit', ...rows].join('\n')

  it.each<[string, string, boolean]>([
    ['FHIR: two Patients', fhir(jamie, robin, observation('Sodium', 140, of('j'))), true],
    [
      'FHIR: a subject that the file does not describe',
      fhir(jamie, observation('Sodium', 140, of('x')), observation('Chloride', 100, of('j'))),
      true,
    ],
    [
      'FHIR: the subject of one report',
      fhir(jamie, observation('Sodium', 140, of('j')), {
        resourceType: 'DiagnosticReport',
        status: 'final',
        code: {},
        result: [],
        ...of('x'),
      }),
      true,
    ],
    ['FHIR: one Patient', fhir(jamie, observation('Sodium', 140, of('j'))), false],
    ['HL7: another name', hl7(pid('1', 'Doe^Jamie', '19800203'), pid('1', 'Roe^Robin', '19800203')), true],
    ['HL7: another birth date', hl7(pid('1', 'Doe^Jamie', '19800203'), pid('1', 'Doe^Jamie', '19810203')), true],
    ['HL7: another number only', hl7(pid('1', '', ''), pid('2', '', '')), true],
    ['HL7: the same person twice', hl7(pid('1', 'Doe^Jamie', '19800203'), pid('1', 'DOE^JAMIE^Q', '19800203')), false],
    [
      'CSV: another name in the last row',
      csv('Jamie Doe,1980-02-03,1,Sodium,140,mmol/L', 'Robin Roe,1980-02-03,1,Chloride,100,mmol/L'),
      true,
    ],
    [
      'CSV: another birth date',
      csv('Jamie Doe,1980-02-13,1,Sodium,140,mmol/L', 'Jamie Doe,1981-02-13,1,Chloride,100,mmol/L'),
      true,
    ],
    [
      'CSV: another person in a row without a result',
      csv('Jamie Doe,1980-02-13,1,Sodium,140,mmol/L', 'Robin Roe,1991-07-18,2,Chloride,,'),
      true,
    ],
    [
      'CSV: one person',
      csv('Jamie Doe,1980-02-13,1,Sodium,140,mmol/L', 'Jamie Doe,1980-02-13,1,Chloride,100,mmol/L'),
      false,
    ],
  ])('%s', async (_, content, isOfSeveral) => {
    const file = await read(content)
    expect([file.notes.includes(SEVERAL_PEOPLE), file.reports.every((one) => one.isOfSeveral === true)]).toEqual([
      isOfSeveral,
      isOfSeveral,
    ])
  })

  it.each([
    ['on the last page', 'Patient: Roe, Robin', 'DOB: 1980-02-03', true],
    ['with another birth date', 'Patient: Doe, Jamie', 'DOB: 1981-02-03', true],
    ['written in another way', 'Patient: Jamie Q. Doe', 'DOB: 1980-02-03', false],
  ])('PDF: a person %s', async (_, name, born, isOfSeveral) => {
    const second: Printed[] = [
      [
        [36, name],
        [300, born],
      ],
    ]
    const pdf = await makePdf([{ lines: [...head, ...table] }, { lines: second }, { lines: [...second, ...table] }])
    expect((await read(pdf)).notes.includes(SEVERAL_PEOPLE)).toBe(isOfSeveral)
  })
})
