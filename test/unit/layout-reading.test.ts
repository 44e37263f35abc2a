import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { Layout } from '@kitlane/lab-reader/parse/layout'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { Refusal } from '@kitlane/lab-reader/parse/refusal'
import { describe, expect, it } from 'vitest'
import { makePdf, type Printed } from '../samples/make-pdf.ts'
import { heading, results, row, top, welshTemplate } from '../samples/welsh-sheet.ts'

const welsh = Layout.parse(welshTemplate)
const pageOf = (lines: Printed[]) => makePdf([{ lines }])
const sheet = () => pageOf([...top, heading, ...results])

async function read(bytes: Uint8Array, layouts: Layout[]) {
  try {
    const file = await parseBytes(bytes, { maxPages: 9, layouts })
    const all = file.reports.map(({ observations }) => identifyObservations(observations, biomarkers))
    const right = all.flatMap((one) =>
      one.results.map((result) => [result.biomarkerId, 'value' in result && result.value]),
    )
    const waiting = all.flatMap((one) => one.unmatched.map(({ name, code }) => [name, code]))
    return { right, waiting, file }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.needsReview, layout: error.layout, right: [], waiting: [] }
    throw error
  }
}

const english: Printed[] = [
  [[36, 'Plover Laboratory']],
  [[36, 'Date Collected: 2025-03-04']],
  row('Test', 'Result', 'Previous', 'Units', 'Reference range'),
  row('Glucose', '92', '105', 'mg/dL', '70 - 99'),
]

describe('a layout template', () => {
  it('makes a PDF with unknown headings readable, which waits without it', async () => {
    expect((await read(await sheet(), [])).right).toEqual([])
    const { right, waiting, file } = await read(await sheet(), [welsh])
    expect(right).toEqual([
      ['glucose', 92],
      ['triglycerides', 101],
      ['potassium', 4.321],
    ])
    expect(waiting).toEqual([])
    expect(file).toMatchObject({
      layout: 'Sokol laboratory',
      notes: ['Read with the layout template "Sokol laboratory"'],
    })
    expect(file?.reports).toMatchObject([
      { collectedDate: '2025-05-04', patient: { name: 'Jamie Doe', dateOfBirth: '1980-03-02' } },
    ])
  })

  it('changes nothing about a document that it does not recognise', async () => {
    const greedy = Layout.parse({
      ...welsh,
      columns: [
        { heading: 'Test', is: 'name' },
        { heading: 'Result', is: 'ignored' },
        { heading: 'Units', is: 'value' },
      ],
    })
    const bytes = await pageOf(english)
    expect(await read(bytes, [greedy, welsh])).toEqual(await read(bytes, []))
    const [first, second] = [await sheet(), await pageOf([...top.slice(1), heading, ...results])]
    expect((await read(first, [welsh])).right).toHaveLength(3)
    expect((await read(second, [welsh])).right).toEqual([])
  })

  it('of two that fit, none is used', async () => {
    const { right } = await read(await sheet(), [welsh, { ...welsh, name: 'Another' }])
    expect(right).toEqual([])
  })

  it('never makes a number certain that the document contradicts', async () => {
    const withPoints = [...results, row('Creatinine', '0.91', '', 'mg/dL', '0.57 - 1.00')]
    const { right, waiting } = await read(await pageOf([...top, heading, ...withPoints]), [welsh])
    expect(right).toEqual(expect.arrayContaining([['glucose', 92]]))
    expect(waiting).toContainEqual(['Potassium', 'uncertainNumber'])
    // A point and three digits stay in doubt where commas are decimal.
    const printed = [row('Glucose', '92', '', 'mg/dL', '70 - 99'), row('TSH', '1.250', '', 'mIU/L', '')]
    expect((await read(await pageOf([...top, heading, ...printed]), [welsh])).waiting).toEqual([
      ['TSH', 'uncertainNumber'],
    ])
  })

  it('never makes a day certain that the document contradicts', async () => {
    const american = { ...welsh, dayOrder: 'month-first' as const }
    expect((await read(await sheet(), [american])).file?.reports[0]?.collectedDate).toBeUndefined()
  })

  it('never overrides the plausibility, the unit or the specimen', async () => {
    const odd = [
      ...results,
      row('LDL Cholesterol', '9500', '', 'mg/dL', ''),
      row('HDL Cholesterol', '55', '', 'furlong', ''),
    ]
    const { waiting } = await read(await pageOf([...top, heading, ...odd]), [welsh])
    expect(waiting.map(([name]) => name)).toEqual(['LDL Cholesterol', 'HDL Cholesterol'])
    const urine = await pageOf([...top, [[36, 'Specimen: Urine']], heading, ...results])
    const { right } = await read(urine, [{ ...welsh, ignoredLines: ['Specimen'] }])
    expect(right.map(([id]) => id)).toEqual(['glucose_urine', 'potassium_urine'])
  })

  it('cannot make goals or previous results the result, nor take a result away', async () => {
    const lying = Layout.parse({
      ...welsh,
      columns: [
        { heading: 'Prawf', is: 'name' },
        { heading: 'Previous', is: 'value' },
        { heading: 'Canlyniad', is: 'ignored' },
        { heading: 'Uned', is: 'unit' },
      ],
      ignoredLines: ['Glucose', 'Triglycerides'],
    })
    const mixed = row('Prawf', 'Canlyniad', 'Previous', 'Uned', 'Ystod')
    expect((await read(await pageOf([...top, mixed, ...results]), [lying])).right).toEqual([])
    const ignoring = { ...welsh, ignoredLines: ['Glucose'] }
    expect((await read(await sheet(), [ignoring])).right).toContainEqual(['glucose', 92])
  })

  it('ends a table at a title; what looks like a result below it waits', async () => {
    const end: Printed[] = [[[36, 'Esboniad i uwagi']], row('Sodium', '140', '', 'mmol/L', '135 - 145')]
    const { right, waiting } = await read(await pageOf([...top, heading, ...results, ...end]), [welsh])
    expect(right).toHaveLength(3)
    expect(waiting).toEqual([['Sodium', 'unreadable']])
  })

  it('says that it was recognised where nothing could be read', async () => {
    const { refused, layout } = await read(await pageOf([...top, ...results]), [welsh])
    expect({ refused, layout }).toEqual({ refused: 'layout', layout: 'Sokol laboratory' })
  })

  it('makes a CSV with unknown headings readable, which waits without it', async () => {
    const csv = Buffer.from(
      'Laboratorio Sokol\nPrawf;Canlyniad;Uned;Ystod;Casglwyd;Claf\nGlucose;92;mg/dL;70-99;04/05/2025;Jamie Doe\nPotassium;4,321;mmol/L;3,500-5,100;04/05/2025;Jamie Doe\n',
    )
    const { ignoredLines: _i, endTitles: _e, ...rest } = welsh
    const layout = Layout.parse({
      ...{ ...rest, format: 'csv', recognisedBy: ['Laboratorio Sokol', 'Prawf'] },
      columns: [
        { heading: 'Prawf', is: 'name' },
        { heading: 'Canlyniad', is: 'value' },
        { heading: 'Uned', is: 'unit' },
        { heading: 'Ystod', is: 'range' },
      ],
      labels: { collected: 'Casglwyd', patient: 'Claf' },
    })
    expect((await read(csv, [])).right).toEqual([])
    const { right, file } = await read(csv, [layout])
    expect(right).toEqual([
      ['glucose', 92],
      ['potassium', 4.321],
    ])
    expect(file?.reports).toMatchObject([{ collectedDate: '2025-05-04', patient: { name: 'Jamie Doe' } }])
    const contradicting = Buffer.from(csv.toString().replace('92;', '92.5;'))
    expect((await read(contradicting, [layout])).waiting).toEqual([['Potassium', 'uncertainNumber']])
  })

  it.each([
    ['texts too short to tell documents apart', { recognisedBy: ['lab'] }, 'at least 6 letters'],
    ['no text to recognise it by', { recognisedBy: [] }, 'at least one text'],
    [
      'a heading twice',
      {
        columns: [
          { heading: 'A', is: 'name' },
          { heading: 'a', is: 'value' },
        ],
      },
      'once',
    ],
    ['a name with a path in it', { name: '../x' }, 'A name has'],
    ['an unknown field', { pattern: '(a+)+$' }, 'pattern'],
    ['lines to ignore in a CSV', { format: 'csv' }, 'Only a PDF'],
  ])('is refused in words: %s', (_, change, words) => {
    const { error } = Layout.safeParse({ ...welsh, ...change })
    expect(JSON.stringify(error?.issues)).toContain(words)
  })
})
