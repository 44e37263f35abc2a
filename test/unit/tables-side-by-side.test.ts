import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, test } from 'vitest'
import { makePdf } from '../samples/make-pdf.ts'

const pointsOfLetter = 4.6
const edge = 36
const seam = 46

const pdf = (...printed: string[]) => {
  const lines = ['HARBOUR LAB', 'Patient: Robin Example     Collected: 2026-03-11     Page 1 of 1', '', ...printed]
  const placed = lines.map((line) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }): [number, string] => [
      edge + index * pointsOfLetter,
      text,
    ]),
  )
  return makePdf([{ font: 'regular', fontSize: 8, lines: placed }])
}
const tables = [
  'Test          Result  Unit     Range          Test          Result  Unit     Range',
  'Potassium     4.1     mmol/L   3.5-5.1        Hemoglobin    13.4    g/dL     12.0-16.0',
  'Sodium        139     mmol/L   136-145        WBC           6.2     10*3/uL  4.0-11.0',
]
const all = ['potassium', 'sodium', 'hemoglobin', 'wbc']

async function read(...lines: string[]) {
  const { reports } = await parseBytes(await pdf(...lines), { maxPages: 1 })
  const identified = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: identified.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: Object.fromEntries(identified.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
    days: reports.map(({ collectedDate }) => collectedDate),
  }
}
const titled = (left: string, right: string) => read(left.padEnd(seam) + right, ...tables)

describe('two tables side by side on a page', () => {
  test.each([
    ['', ''],
    ['Chemistry', 'Hematology'],
    ['Chemistry 2026-03-11', 'Hematology 2026-03-11'],
  ])('are both read below titles that say no other thing: %s %s', async (left, right) => {
    expect((await titled(left, right)).values).toEqual(all)
  })

  test.each([
    ['Today 2026-03-11', 'Before 2025-03-01', 'earlierOrGoal'],
    ['11 March 2026', '1 March 2025', 'earlierOrGoal'],
    ['', 'Otto Berg', 'otherName'],
    ['Serum', '24 h urine', 'otherSpecimenSection'],
    ['Specimen: Serum', 'Specimen: Saliva', 'otherSpecimen'],
  ])('have each its own day, person and specimen: %s %s', async (left, right, code) => {
    expect(await titled(left, right)).toMatchObject({
      values: ['potassium', 'sodium'],
      waiting: { Hemoglobin: code, WBC: code },
    })
  })

  test.each([
    ['Lipids', 'Liver', ['hdl', 'alt']],
    ['Chemistry', 'Blood count', ['hdl', 'alt']],
    ['Female', 'Male', undefined],
    ['Robin', 'Kim', undefined],
    ['Morning', 'Evening', undefined],
  ])(
    'of which each has its title above its names are read where both are panels: %s, %s',
    async (left, right, values) => {
      const heading = `${left.padEnd(14)}Result  Unit     ${right.padEnd(14)}Result  Unit`
      const found = read(heading, 'HDL           56      mg/dL    ALT           21      U/L')
      if (values) expect((await found).values).toEqual(values)
      else expect(await found.catch(() => ({ values: [] }))).toMatchObject({ values: [] })
    },
  )

  test('of two days of collection are two reports', async () => {
    expect((await titled('Collected: 2026-03-11', 'Collected: 2025-03-01')).days).toEqual(['2026-03-11', '2025-03-01'])
  })

  test('of two numbered visits wait, for which of both this sample is nobody says', async () => {
    expect(await titled('Visit 1', 'Visit 2')).toMatchObject({ values: [], waiting: { Potassium: 'otherPart' } })
  })

  test('of which one has no unit of its own lose no row', async () => {
    const { values, waiting } = await read(
      'Analyte       Value   Analyte       Value   Unit',
      'Potassium     4.1     Sodium        139     mmol/L',
      'Glucose       95      Creatinine    0.92    mg/dL',
    )
    expect(values).toEqual([])
    expect(Object.keys(waiting)).toEqual(['Potassium Sodium', 'Glucose Creatinine'])
  })
})

describe('two columns of results behind one of names', () => {
  const heading = 'Test          Result  Unit     Range       Result  Unit     Range'
  const twice = (glucose: string, titles = '              Conventional               SI') =>
    read(
      titles,
      heading,
      `Glucose       90      mg/dL    70-99       ${glucose.padEnd(8)}mmol/L   3.9-5.5`,
      'Creatinine    0.80    mg/dL    0.5-1.1     71      umol/L   44-97',
    )

  test('that say the same in two units give one result of each test', async () => {
    expect(await twice('5.0')).toMatchObject({ values: ['glucose', 'creatinine'], waiting: {} })
  })

  test('that differ wait', async () => {
    expect(await twice('7.1')).toMatchObject({ values: ['creatinine'], waiting: { Glucose: 'differentValues' } })
  })

  test('in one unit wait, for which of both this sample is nobody says', async () => {
    const row = 'Glucose       90      mg/dL    70-99       91      mg/dL    70-99'
    expect(
      await read('              Conventional               SI', heading, row, row.replace('Glucose', 'Calcium')),
    ).toMatchObject({ values: [] })
  })

  test('below titles that name no units wait', async () => {
    expect(await twice('5.0', '              Today                      Before')).toMatchObject({ values: [] })
  })
})

test('a cumulative table whose units are headed one line below its days is read of this day alone', async () => {
  const { values } = await read(
    'Date          15/01/2025    20/11/2025    11/03/2026',
    'Request no    25-101922     25-770318     26-881204     Units       Reference',
    'Sodium        141           139           140           mmol/L      135-145',
    'ALT           22            31            28            U/L         < 35',
  )
  expect(values).toEqual(['sodium', 'alt'])
})
