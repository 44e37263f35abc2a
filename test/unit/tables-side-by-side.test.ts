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
    ['Specimen: Serum', 'Specimen: Urine', 'otherSpecimen'],
  ])('have each its own day, person and specimen: %s %s', async (left, right, code) => {
    expect(await titled(left, right)).toMatchObject({
      values: ['potassium', 'sodium'],
      waiting: { Hemoglobin: code, WBC: code },
    })
  })

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
