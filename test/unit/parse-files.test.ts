import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { type Identified, identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import type { Observation, ParsedFile } from '@kitlane/lab-reader/parse/parsed'
import { sniff } from '@kitlane/lab-reader/parse/sniff'
import { describe, expect, test } from 'vitest'
import { newKitId } from '../../src/domain/ids.ts'
import { makePdf, makeScan, type Page, type Printed } from '../samples/make-pdf.ts'
import { generic, labcorp, labcorpExpected, quest, questExpected } from '../samples/pdf-pages.ts'

const kitId = newKitId()
const sample = (name: string) =>
  Buffer.from(readFileSync(new URL(`../samples/${name}`, import.meta.url), 'utf8').replace('KIT_ID', kitId))
const parse = (bytes: Uint8Array) => parseBytes(bytes, { maxPages: 100 })
const withKit = (pages: Page[]): Page[] => JSON.parse(JSON.stringify(pages).replace('KIT_ID', kitId))

const identifiedIn = (file: ParsedFile): Identified[] =>
  file.reports.map(({ observations, patient }) => identifyObservations(observations, biomarkers, { sex: patient?.sex }))
const values = ({ results }: Identified) =>
  results.map((result) => [result.biomarkerId, 'finding' in result ? result.finding.value : result.value])
const reasonOf = (one: Identified | undefined, name: string) =>
  one?.unmatched.find((left) => left.name === name)?.reason
const named = (observations: readonly Observation[], name: string) => observations.find((one) => one.name === name)

describe('what a file is', () => {
  test.each([
    ['lipids-metric.hl7', 'hl7v2'],
    ['bundle.json', 'fhir'],
    ['decimal-comma.csv', 'csv'],
    ['wide.csv', 'csv'],
    ['by-day.csv', 'csv'],
  ])('%s is %s by its content', (name, format) => {
    expect(sniff(sample(name))).toBe(format)
  })

  test.each(['lipids-metric.hl7', 'decimal-comma.csv', 'bundle.json'])(
    '%s is the same with the Ctrl-Z of DOS at its end',
    async (name) => {
      const bytes = sample(name)
      expect(sniff(Buffer.concat([bytes, Buffer.from('\x1a')]))).toBe(sniff(bytes))
      expect(await parse(Buffer.concat([bytes, Buffer.from('\r\n\x1a')]))).toEqual(await parse(bytes))
      expect(await parse(Buffer.concat([bytes, Buffer.from('\x1a\x1a')]))).toEqual(await parse(bytes))
    },
  )

  test('is recognised by its first bytes', async () => {
    expect(sniff(await makeScan())).toBe('pdf')
    expect(sniff(Buffer.from('\x0bMSH|^~\\&|A\r'))).toBe('hl7v2')
    expect(sniff(Buffer.from([0x50, 0x4b, 3, 4, 1, 2]))).toBe('zip')
    expect(sniff(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toBe('image')
    expect(sniff(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image')
    expect(sniff(Buffer.from('\0\0\0\x18ftypheic'))).toBe('image')
    for (const text of ['', 'hello', '{"a":1}', '<html>', '\0\x01\x02'])
      expect(sniff(Buffer.from(text))).toBe('unknown')
    expect(sniff(Buffer.alloc(65536, '\x0b'))).toBe('unknown')
  })
})

describe('HL7 v2', () => {
  test('is read with its byte order mark, structured numbers, ranges, notes and corrections', async () => {
    const file = await parse(sample('lipids-metric.hl7'))
    const [report] = file.reports
    expect(report).toMatchObject({
      collectedDate: '2025-03-04',
      resultedDate: '2025-03-05',
      accession: 'FILLER9',
      patient: { name: 'Jamie Doe', dateOfBirth: '1980-02-03', sex: 'F' },
      status: 'corrected',
      specimenErrors: ['HEMOLYSIS'],
    })
    const observations = report?.observations ?? []
    expect(observations[0]).toMatchObject({
      name: 'Cholesterol [Moles/volume] in Serum or Plasma',
      loinc: '14647-2',
      value: 5.17,
      unit: 'mmol/L',
      range: { low: 3, high: 5.2 },
      section: 'Lipids & sugar / SER Serum',
      position: 'OBX 1, line 5',
    })
    expect(named(observations, 'HDL Cholesterol')).toMatchObject({ comment: 'Fasting sample 12 hours' })
    expect(named(observations, 'Triglycerides')).toMatchObject({ value: 50, comparator: '<', valueText: '<50' })
    expect(named(observations, 'Hemoglobin')?.value).toBeUndefined()
    const [one] = identifiedIn(file)
    expect(reasonOf(one, 'Potassium')).toBe(
      'The LOINC code and the name mean different biomarkers: ask the laboratory which one is right',
    )
    expect(reasonOf(one, 'Lipoprotein(a)')).toMatch(/mass and amount have no fixed ratio/)
    expect(reasonOf(one, 'Creatinine')).toMatch(/check digit/)
    expect(reasonOf(one, 'AST')).toBe('The result is still to come: wait for it')
    expect(one?.converted.find(({ name }) => name === 'Hemoglobin A1c')).toEqual({
      name: 'Hemoglobin A1c',
      from: 'mmol/mol',
      to: '%',
      factor: 0.09148,
      offset: 2.152,
    })
  })

  test('means the same with CR, LF or CRLF, in MLLP bytes or not', async () => {
    const text = sample('lipids-metric.hl7').toString('utf8').replace('\uFEFF', '')
    const forms = [
      text.replaceAll('\n', '\r'),
      text.replaceAll('\n', '\r\n'),
      `\x0b${text.replaceAll('\n', '\r')}\x1c\r`,
    ]
    const expected = identifiedIn(await parse(Buffer.from(text))).map(values)
    for (const form of forms) expect(identifiedIn(await parse(Buffer.from(form))).map(values)).toEqual(expected)
  })

  test('reads a number with its unit or flag in a text, unless another field or its own point contradicts', async () => {
    const read = async (value: string, unit = '', flag = '') => {
      const text = `MSH|^~\\&|A|B|C|D|20250306||ORU^R01|1|P|2.5\rOBX|1|ST|2276-4^Ferritin^LN||${value}|${unit}||${flag}|||F`
      const [observation] = (await parseBytes(Buffer.from(text), { maxPages: 1 })).reports[0]?.observations ?? []
      return [observation?.value, observation?.unit, observation?.flag]
    }
    expect(await read('112 ng/mL')).toEqual([112, 'ng/mL', undefined])
    expect(await read('112 H', 'ng/mL')).toEqual([112, 'ng/mL', 'H'])
    expect(await read('112*', 'ng/mL', 'H')).toEqual([112, 'ng/mL', 'H'])
    expect(await read('112*', 'ng/mL')).toEqual([undefined, 'ng/mL', undefined])
    expect(await read('112 L', 'ng/mL', 'H')).toEqual([undefined, 'ng/mL', 'H'])
    expect(await read('112 mg/dL', 'ng/mL')).toEqual([undefined, 'ng/mL', undefined])
    expect(await read('1.250 ng/mL')).toEqual([undefined, undefined, undefined])
  })

  test('takes the delimiters from MSH, and several days are several reports', async () => {
    const { reports } = await parse(sample('urine-and-two-days.hl7'))
    expect(reports.map(({ collectedDate }) => collectedDate)).toEqual(['2025-03-04', '2025-06-04'])
  })

  test('tells specimen errors and preliminary results', async () => {
    const { reports } = await parse(sample('qns.hl7'))
    expect(reports[0]).toMatchObject({ status: 'preliminary', specimenErrors: ['QNS', 'HEMOLYSIS'] })
  })

  test('finds a kit ID only in the fields of an order number or specimen', async () => {
    const text = sample('qns.hl7').toString('utf8')
    expect((await parse(Buffer.from(text.replace('|B1|', `|${kitId.toLowerCase()}|`)))).reports[0]?.kitId).toBe(kitId)
    expect((await parse(Buffer.from(text.replace('QNS', kitId)))).reports[0]?.kitId).toBeUndefined()
  })

  test('unescapes text and refuses messages without results', async () => {
    const text =
      'MSH|^~\\&|A|B|C|D|20250306||ORU^R01|1|P|2.5\rOBR|1|||X^A\\S\\B\\E\\\\X26\\C^L\rOBX|1|NM|1^Iron^L||90|ug/dL|||||F\r'
    expect((await parse(Buffer.from(text))).reports[0]?.observations[0]?.section).toBe('A^B\\&C')
    await expect(parse(Buffer.from(text.replace('ORU^R01', 'ADT^A01')))).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
    })
    await expect(parse(Buffer.from(text.replace(/OBX.*\r/, '')))).rejects.toMatchObject({ code: 'NOTHING_FOUND' })
  })
})

describe('FHIR R4', () => {
  test('reads a Bundle with contained, urn:uuid and relative references and says what it left out', async () => {
    const { reports, notes } = await parse(sample('bundle.json'))
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatchObject({
      collectedDate: '2025-03-04',
      resultedDate: '2025-03-06',
      patient: { name: 'Jamie Doe', dateOfBirth: '1980-02-03', sex: 'F' },
      status: 'corrected',
    })
    expect(notes).toEqual([
      '1 result is only referred to and not in the file',
      'A result with the status entered-in-error was taken back',
      expect.stringContaining('1 observation that no laboratory made, such as vital signs, was left out'),
    ])
    const observations = reports[0]?.observations ?? []
    expect(named(observations, 'TSH')).toMatchObject({ value: 0.01, comparator: '<', status: 'corrected' })
    expect(named(observations, 'Ferritin')).toMatchObject({ status: 'entered-in-error' })
    expect(named(observations, 'Ferritin')).not.toHaveProperty('value')
    expect(named(observations, 'Estradiol')?.range).toBeUndefined()
    expect(named(observations, 'Sodium')).toMatchObject({ valueText: 'specimen clotted' })
    expect(named(observations, 'Hemoglobin')?.unit).toBe('g/dL or g/L')
  })

  test('has nothing to import in a DiagnosticReport without its Observations', async () => {
    await expect(parse(sample('report-alone.json'))).rejects.toMatchObject({ code: 'NOTHING_FOUND' })
  })

  test('reads a single Observation', async () => {
    const one = {
      resourceType: 'Observation',
      status: 'final',
      code: { text: 'Iron' },
      effectiveDateTime: '2025-03-04',
    }
    const bytes = Buffer.from(JSON.stringify({ ...one, valueQuantity: { value: 90, unit: 'ug/dL' } }))
    expect(identifiedIn(await parse(bytes)).map(values)).toEqual([[['iron', 90]]])
  })
})

describe('the text beside a value', () => {
  const ofPotassium = (text: string) => ({
    ...{ resourceType: 'Observation', status: 'final', code: { text: 'Potassium' } },
    ...{ effectiveDateTime: '2026-03-11', valueQuantity: { value: 4.52, unit: 'mmol/L' } },
    text: { status: 'generated', div: `<div>${text}</div>` },
  })
  test.each([
    ['Potassium 5.4 mmol/L', []],
    ['Potassium: <b>5.4</b> mmol/L (3.5-5.1 mmol/L)', []],
    ['Potassium 4.5 mmol/L', [['potassium', 4.52]]],
    ['Potassium 4,52 mmol/L, 11 March 2026', [['potassium', 4.52]]],
    ['Expected: 3.5-5.1 mmol/L', [['potassium', 4.52]]],
    ['Potassium of 11 March 2026', [['potassium', 4.52]]],
  ])('a narrative that says “%s” lets a potassium of 4.52 mmol/L be %j', async (text, read) => {
    const [one] = identifiedIn(await parse(Buffer.from(JSON.stringify(ofPotassium(text)))))
    expect(one && values(one)).toEqual(read)
  })

  const message = (...notes: string[]) =>
    [
      'MSH|^~\\&|LIS|LAB|KITS|OPS|20260312104500||ORU^R01|1|P|2.5.1',
      'PID|1||H-1||Example^Robin||19780914|F',
      'OBR|1|||THY^Thyroid panel|||20260311081500||||||||SER|||||||20260312100000|||F',
      'OBX|1|NM|TSH^TSH^L||0.02|mIU/L|0.27-4.20|L|||F',
      ...(notes[0] ? [`NTE|1||${notes[0]}`] : []),
      'OBX|2|NM|FT4^Free T4^L||29.8|pmol/L|12.0-22.0|H|||F',
      ...(notes[1] ? [`NTE|1||${notes[1]}`] : []),
    ].join('\r')
  const markers = async (text: string) =>
    identifiedIn(await parse(Buffer.from(text))).flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId))
  test('a note in HL7 that withdraws several results takes those above it, and no others', async () => {
    expect(await markers(message())).toEqual(['tsh', 'free_t4'])
    expect(await markers(message('', 'Thyroid results withdrawn, biotin interference'))).toEqual([])
    expect(await markers(message('Results withdrawn, biotin interference', ''))).toEqual(['free_t4'])
    expect(await markers(message('', 'Free T4 result withdrawn'))).toEqual(['tsh'])
  })

  test('two places of one infection are two answers, of which a person sees the second', async () => {
    const order = (at: number, specimen: string) => [
      `OBR|${at}|||CT^Chlamydia|||20260311081500||||||||${specimen}|||||||20260312100000|||F`,
      'OBX|1|CE|CT^Chlamydia trachomatis RNA^L||ND^Not detected^L||||||F',
    ]
    const [head = '', person = ''] = message().split('\r')
    const of = async (...specimens: string[]) => {
      const lines = [head, person, ...specimens.flatMap((one, at) => order(at + 1, one))]
      const [one] = identifiedIn(await parse(Buffer.from(lines.join('\r'))))
      return [one?.results.length, one?.unmatched.length]
    }
    expect(await of('UR^First void urine', 'UR^First void urine')).toEqual([1, 0])
    expect(await of('UR^First void urine', 'THRT^Throat swab')).toEqual([1, 1])
  })
})

describe('CSV', () => {
  test('in long form gives one report per day, keeps formulas as text and quoted lines together', async () => {
    const { reports, notes } = await parse(sample('long-two-days.csv'))
    expect(reports.map(({ collectedDate }) => collectedDate)).toEqual(['2025-03-04', '2025-06-05'])
    expect(reports[0]).toMatchObject({ patient: { name: 'Doe, Jamie', dateOfBirth: '1980-02-13', sex: 'F' } })
    expect(notes).toEqual([])
    const observations = reports[0]?.observations ?? []
    expect(named(observations, 'eGFR')).toMatchObject({ valueText: '=60+30', position: 'row 5' })
    expect(named(observations, 'eGFR')?.value).toBeUndefined()
    expect(named(observations, 'Cholesterol, Total')).toMatchObject({ flag: 'H', range: { low: null, high: 200 } })
    expect(named(observations, 'Vitamin B12')?.value).toBe(1250)
  })

  test('understands decimal commas, and takes the meaning of two that lies near the printed range', async () => {
    const [one] = identifiedIn(await parse(sample('decimal-comma.csv')))
    expect(one && values(one)).toEqual([
      ['glucose', 5.1],
      ['creatinine', 79.6],
      ['hemoglobin', 13.5],
      ['ferritin', 45],
      ['tsh', 0.01],
      ['platelets', 1250],
    ])
  })

  test('in wide form takes names and units from the headings and the kit from its column', async () => {
    const { reports } = await parse(sample('wide.csv'))
    expect(reports[0]).toMatchObject({ kitId, collectedDate: '2025-03-04' })
    expect(reports[0]?.observations[0]).toMatchObject({
      name: 'Glucose',
      value: 91,
      unit: 'mg/dL',
      position: 'row 2, column 3',
    })
    expect(reports[1]?.kitId).toBeUndefined()
  })

  test('with one column per day gives one report per day', async () => {
    const { reports } = await parse(sample('by-day.csv'))
    expect(reports.map(({ collectedDate, specimenErrors }) => [collectedDate, specimenErrors])).toEqual([
      ['2025-03-04', []],
      ['2025-06-04', ['HEMOLYSIS']],
    ])
  })

  test('of several people says so', async () => {
    const { notes } = await parse(Buffer.from('Patient,Test,Result,Unit\nA B,Iron,90,ug/dL\nC D,Iron,95,ug/dL\n'))
    expect(notes).toEqual(['The file names more than one person'])
  })

  test('does not guess whether day or month comes first', async () => {
    const file = await parse(Buffer.from('Date,Test,Result,Unit\n03/04/2025,Iron,90,ug/dL\n05/06/2025,Iron,95,ug/dL\n'))
    expect(file.reports.map(({ collectedDate }) => collectedDate)).toEqual([undefined, undefined])
    expect(file.notes).toEqual([
      'A day of collection could not be read for certain: ask the laboratory which number is the month, or which day it means',
    ])
  })

  test('reads a day that has only one meaning, whatever the others mean', async () => {
    const file = await parse(Buffer.from('Date,Test,Result,Unit\n13/04/2025,Iron,90,ug/dL\n04/14/2025,Zinc,95,ug/dL\n'))
    expect(file.reports.map(({ collectedDate }) => collectedDate)).toEqual(['2025-04-13', '2025-04-14'])
  })

  test('of two tables side by side reads both, and neither where a line above names whose the second one is', async () => {
    const table = 'Test,Result,Unit,,Test,Result,Unit\nSodium,141,mmol/L,,Hemoglobin,14.2,g/dL\n'
    const read = async (text: string) => identifiedIn(await parse(Buffer.from(text))).flatMap(values)
    expect(await read(`${table}Potassium,4.5,mmol/L,,,,\n`)).toEqual([
      ['sodium', 141],
      ['potassium', 4.5],
      ['hemoglobin', 14.2],
    ])
    expect(await read(`Robin Example,,,,Jona Sample,,\n${table}`)).toEqual([])
  })

  test('with an open quote fails instead of swallowing rows', async () => {
    const bytes = Buffer.from('Test,Result,Unit\nIron,90,ug/dL\n"Zinc,80,ug/dL\nTSH,2,mIU/L\n')
    await expect(parse(bytes)).rejects.toMatchObject({ code: 'PARSE_FAILED' })
  })
})

describe('PDF', () => {
  test('in the manner of Labcorp is read without previous results, comments and urine', async () => {
    const file = await parse(await makePdf(labcorp))
    expect(file.reports).toHaveLength(1)
    expect(file.reports[0]).toMatchObject({
      collectedDate: '2025-03-04',
      resultedDate: '2025-03-06',
      accession: '123-456-7890-0',
      patient: { name: 'Doe, Jamie', dateOfBirth: '1980-02-03', sex: 'F' },
    })
    const [one] = identifiedIn(file)
    expect(one && values(one)).toEqual(labcorpExpected)
    expect(named(file.reports[0]?.observations ?? [], 'Hemoglobin')).toMatchObject({
      flag: 'L',
      range: { low: 11.1, high: 15.9 },
    })
  })

  test('in the manner of Quest takes flags from columns, units from ranges and names from two lines', async () => {
    const file = await parse(await makePdf(quest))
    const [one] = identifiedIn(file)
    expect(one && values(one).sort()).toEqual([...questExpected].sort())
    // Of the table of several days, the column of this collection counts, with the same values.
    expect(file.notes).toEqual([])
    const observations = file.reports[0]?.observations ?? []
    expect(named(observations, 'CHOLESTEROL, TOTAL')).toMatchObject({ flag: 'H', unit: 'mg/dL' })
    expect(named(observations, 'VITAMIN D,25-OH,TOTAL, IA')).toMatchObject({ value: 22, flag: 'L' })
    expect(named(observations, 'ESTRADIOL')?.range).toBeUndefined()
  })

  test('with a table of its own is read, one report per day of collection, with the kit ID', async () => {
    const file = await parse(await makePdf(withKit(generic)))
    expect(file.reports.map((report) => [report.collectedDate, report.kitId])).toEqual([
      ['2025-03-04', kitId],
      ['2025-06-04', kitId],
    ])
  })

  test('without columns takes a day above results as theirs, and one that has two meanings makes them wait', async () => {
    const read = async (day: string) => {
      const texts = ['Patient: Doe, Jamie', 'Collected: 21-Mar-2025', 'Sodium 139 mmol/L [133 - 146]', day]
      const lines = [...texts, 'Potassium 4.1 mmol/L [3.5 - 5.3]'].map((text): Printed => [[36, text]])
      const { reports } = await parseBytes(await makePdf([{ lines }]), { maxPages: 9 })
      return reports.map(({ collectedDate, observations }) => [collectedDate, observations.map(({ value }) => value)])
    }
    expect(await read('12-Mar-2024')).toEqual([
      ['2025-03-21', [139]],
      ['2024-03-12', [4.1]],
    ])
    expect(await read('03/04/2024')).toEqual([['2025-03-21', [139, undefined]]])
  })

  test('without text is a scan for a person', async () => {
    await expect(parse(await makeScan())).rejects.toMatchObject({ code: 'NEEDS_REVIEW', needsReview: 'scan' })
  })

  test('without a single row that is understood is for a person, of a known laboratory too', async () => {
    const letter = (name: string): Page[] => [
      { lines: [[[40, `${name} thanks you for your visit to our patient centre.`]]] },
    ]
    for (const house of ['Quest Diagnostics', 'Some house'])
      await expect(parse(await makePdf(letter(house)))).rejects.toMatchObject({ needsReview: 'layout' })
  })

  test('says that a table was there of which no row could be read', async () => {
    const heads: Page['lines'][number] = [
      [36, 'Test'],
      [200, 'Result'],
      [410, 'Units'],
      [470, 'Reference Interval'],
    ]
    const row: Page['lines'][number] = [
      [36, 'Iron'],
      [200, '90'],
      [410, 'ug/dL'],
    ]
    const { notes } = await parse(await makePdf([{ lines: [heads, row] }, { lines: [heads, [[36, 'Nothing here.']]] }]))
    expect(notes).toContain('Page 2 holds a table of which no row could be read')
  })

  test('does not read a raised footnote as a digit, and takes the laboratory code off a name', async () => {
    const heads: Page['lines'][number] = [
      [36, 'Test'],
      [200, 'Result'],
      [410, 'Units'],
      [470, 'Reference Interval'],
    ]
    const pages: Page[] = [
      {
        lines: [
          heads,
          [
            [36, 'Glucose'],
            [200, '91'],
            [410, 'mg/dL'],
            [470, '70-99'],
          ],
          [
            [36, 'Sodium'],
            [68, '01', 5],
            [200, '140'],
            [410, 'mmol/L'],
            [470, '135-145'],
          ],
          [
            [36, 'Potassium'],
            [200, '4.1'],
            [212.6, '1', 5],
            [410, 'mmol/L'],
            [470, '3.5-5.1'],
          ],
        ],
      },
    ]
    const [one] = identifiedIn(await parse(await makePdf(pages)))
    expect(one && values(one)).toEqual([
      ['glucose', 91],
      ['sodium', 140],
    ])
    expect(reasonOf(one, 'Potassium')).toBe('The result is not a plain number: read it, and say what it means')
  })

  const page = (...lines: string[]): Page[] => [
    {
      lines: lines.map((line) =>
        [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }): Printed[number] => [36 + index * 4.6, text]),
      ),
    },
  ]
  const markersOf = async (...lines: string[]) =>
    identifiedIn(await parse(await makePdf(page(...lines)))).flatMap(({ results }) =>
      results.map(({ biomarkerId }) => biomarkerId),
    )

  test.each([
    ['24-h-Urin', []],
    ['24 h Urin', []],
    ['24h-Sammelurin', []],
    ['Serum', ['calcium']],
  ])('of the material %s reads as values of blood: %j', async (material, read) => {
    const found = await markersOf(
      'Labor Nord          Graz',
      `Entnahme: 18.03.2026     Material: ${material}     Volumen: 1850 ml`,
      'Analyse                     Ergebnis     Einheit       Referenz',
      'Calcium                     2,4          mmol/l        2,2 - 2,6',
    )
    expect(found).toEqual(read)
  })

  test('a flag stuck to its number is read beside a unit and a range, and waits where the range contradicts it', async () => {
    const found = await markersOf(
      'Lakeshore Hospital          Erie, PA',
      'Collected: 03/19/2026 06:40',
      'TEST                  RESULT      UNITS        REFERENCE',
      'SODIUM                134L        mmol/L       136-145',
      'GLUCOSE               88H         mg/dL        70-99',
      'BUN                   22H         mg/dL',
    )
    expect(found).toEqual(['sodium'])
  })

  test('a note below a section that withdraws its results takes them all, and none of the next section', async () => {
    const withNote = (note: string) =>
      markersOf(
        'Hillside Laboratory          Cork',
        'Collected: 18 February 2026',
        'Test                   Result       Units        Reference',
        'THYROID',
        'TSH                    0.02         mIU/L        0.27 - 4.20',
        'Free T4                29.8         pmol/L       12.0 - 22.0',
        `   ${note}`,
        'IRON',
        'Ferritin               54           ug/L         15 - 150',
      )
    expect(await withNote('Thyroid results withdrawn: biotin interference suspected.')).toEqual(['ferritin'])
    expect(await withNote('Free T4 result withdrawn: biotin interference suspected.')).toEqual(['tsh', 'ferritin'])
  })

  test('of two tubes of two days beside one another leaves neither out', async () => {
    const lines = [
      'Point Laboratory          Tweed',
      'Two specimens are reported here.',
      '                      Specimen 1        Specimen 2        Units        Reference',
      'Collected             16/04/2026        23/04/2026',
      'Potassium             5.6               4.6               mmol/L       3.5 - 5.2',
      'Sodium                138               139               mmol/L       135 - 145',
    ]
    await expect(makePdf(page(...lines)).then(parse)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
  })

  test('does not take a value between the current and the previous column', async () => {
    const pages: Page[] = [
      {
        lines: [
          [
            [36, 'Test'],
            [200, 'Result'],
            [240, 'Previous Result'],
            [410, 'Units'],
            [470, 'Reference Interval'],
          ],
          [
            [36, 'Glucose'],
            [221, '140'],
            [410, 'mg/dL'],
            [470, '70-99'],
          ],
          [
            [36, 'Sodium'],
            [200, '140'],
            [410, 'mmol/L'],
            [470, '135-145'],
          ],
        ],
      },
    ]
    const file = await parse(await makePdf(pages))
    const [one] = identifiedIn(file)
    expect(one && values(one)).toEqual([['sodium', 140]])
    expect(reasonOf(one, 'Glucose')).toMatch(/which one is the current one is not certain/)
  })
})

/** The [biomarker, value] pairs that each of our own files must give, over all its reports. */
const expected: [string, () => Promise<Uint8Array> | Uint8Array, [string, number | string][]][] = [
  ['labcorp.pdf', () => makePdf(labcorp), labcorpExpected],
  ['quest.pdf', () => makePdf(quest), questExpected],
  [
    'generic.pdf',
    () => makePdf(generic),
    [
      ['ferritin', 45],
      ['vitamin_b12', 310],
      ['total_testosterone', 5.2],
      ['free_testosterone', 1.1],
      ['crp', 2.2],
      ['ferritin', 12],
    ],
  ],
  [
    'lipids-metric.hl7',
    () => sample('lipids-metric.hl7'),
    [
      ['total_cholesterol', 5.17],
      ['hdl', 58],
      ['triglycerides', 50],
      ['hba1c', 39],
      ['tsh', 20],
      ['platelets', 221],
      ['co2', 24],
    ],
  ],
  [
    'urine-and-two-days.hl7',
    () => sample('urine-and-two-days.hl7'),
    [
      ['glucose_urine', 15],
      ['glucose', 91],
      ['calcium_ionized', 1.2],
    ],
  ],
  ['qns.hl7', () => sample('qns.hl7'), [['albumin', 44]]],
  [
    'bundle.json',
    () => sample('bundle.json'),
    [
      ['glucose', 91.4],
      ['tsh', 0.01],
      ['creatinine', 79.6],
      ['estradiol', 95],
      ['total_cholesterol', 182],
      ['hepatitis_c_antibody', 'negative'],
    ],
  ],
  [
    'long-two-days.csv',
    () => sample('long-two-days.csv'),
    [
      ['glucose', 92],
      ['total_cholesterol', 215],
      ['vitamin_b12', 1250],
      ['wbc', 6],
      ['glucose', 99],
      ['crp', 3.2],
      ['hs_crp', 0.2],
    ],
  ],
  [
    'decimal-comma.csv',
    () => sample('decimal-comma.csv'),
    [
      ['glucose', 5.1],
      ['creatinine', 79.6],
      ['hemoglobin', 13.5],
      ['ferritin', 45],
      ['tsh', 0.01],
      ['platelets', 1250],
    ],
  ],
  [
    'wide.csv',
    () => sample('wide.csv'),
    [
      ['glucose', 91],
      ['hdl', 58],
      ['hba1c', 5.4],
      ['lymphocytes_pct', 31],
      ['ldl_hdl_ratio', 1.7],
      ['glucose', 95],
      ['hba1c', 4],
      ['lymphocytes_pct', 30],
      ['ldl_hdl_ratio', 1.8],
    ],
  ],
  [
    'by-day.csv',
    () => sample('by-day.csv'),
    [
      ['sodium', 139],
      ['potassium', 4.1],
      ['iron', 90],
      ['sodium', 141],
      ['potassium', 5.6],
    ],
  ],
]

test('every row of our own files is right or left for a person, and none is wrong', async () => {
  const table = ['file                     rows right wrong left']
  for (const [name, bytes, wanted] of expected) {
    const file = await parse(await bytes())
    const all = identifiedIn(file)
    const rows = file.reports.reduce((sum, { observations }) => sum + observations.length, 0)
    const open = wanted.map(String)
    const found = all.flatMap(values).map(String)
    const right = found.filter((one) => {
      const at = open.indexOf(one)
      if (at >= 0) open.splice(at, 1)
      return at >= 0
    })
    const left = all.reduce((sum, { unmatched }) => sum + unmatched.length, 0)
    const cells = [rows, right.length, found.length - right.length, left].map((cell) => String(cell).padStart(5))
    table.push(`${name.padEnd(24)}${cells.join(' ')}`)
    expect({ name, found }).toEqual({ name, found: right })
    expect({ name, missing: open }).toEqual({ name, missing: [] })
  }
  process.stdout.write(`${table.join('\n')}\n`)
})
