import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import PdfDocument from 'pdfkit'
import { expect, it } from 'vitest'

/** A PDF without columns: each line is one text, as simple programs write them. */
function printed(lines: readonly string[]): Promise<Buffer> {
  const document = new PdfDocument()
  const parts: Buffer[] = []
  return new Promise((resolve) => {
    document.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)))
    for (const line of lines) document.text(line)
    document.end()
  })
}

async function read(lines: readonly string[]) {
  const { reports } = await parseBytes(await printed(lines), { maxPages: 5 })
  return reports.map(({ collectedDate, observations }) => ({
    collectedDate,
    results: observations.map(({ name, value, unit, range, flag, doubt }) => [name, value, unit, range, flag, doubt]),
  }))
}

it('a PDF that prints each result on a line of text is read, with or without headings, colons and flags', async () => {
  const [report, ...others] = await read([
    'Laboratory report',
    'Collected: 2026-01-05',
    'Test Result Units Reference Range',
    'Glucose 91 mg/dL 70-99',
    'Total Cholesterol: 212 mg/dL (0 - 200) H',
    'HDL Cholesterol 55 mg/dL >40',
    'TSH 2.1 mIU/L 0.4 - 4.0',
    'Hemoglobin A1c 5.4 %',
  ])
  expect(others).toEqual([])
  expect(report).toEqual({
    collectedDate: '2026-01-05',
    results: [
      ['Glucose', 91, 'mg/dL', { low: 70, high: 99 }, undefined, undefined],
      ['Total Cholesterol', 212, 'mg/dL', { low: 0, high: 200 }, 'H', undefined],
      ['HDL Cholesterol', 55, 'mg/dL', { low: 40, high: null, lowExclusive: true }, undefined, undefined],
      ['TSH', 2.1, 'mIU/L', { low: 0.4, high: 4 }, undefined, undefined],
      ['Hemoglobin A1c', 5.4, '%', undefined, undefined, undefined],
    ],
  })
})

it('prose, earlier values and what has no unit that is known stay with a person', async () => {
  const lines = [
    'Dear patient, here is what we found when you visited us in our clinic.',
    'Previous Glucose 91 mg/dL',
    'Invoice 2026 paid',
    'Room 12 floor',
  ]
  await expect(read(lines)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
})

it('a document without a day of collection, or with a line that may be a result without its unit, stays with a person', async () => {
  const results = ['Glucose 91 mg/dL 70-99', 'TSH 2.1 mIU/L 0.4 - 4.0']
  await expect(read(results)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
  await expect(read(['Collected: 2026-01-05', ...results, 'Ferritin 88'])).rejects.toMatchObject({
    code: 'NEEDS_REVIEW',
  })
})

it.each([
  ['a unit that is not known', 'Ferritin 88 foo 10-20'],
  ['words after the unit', 'TSH 2.1 mIU/L fasting'],
  ['a colon and no unit', 'Ferritin: 88'],
])('a line that may be a result, with %s, leaves the document to a person: it is not passed over', async (_, line) => {
  const lines = ['Collected: 2026-01-05', 'Glucose 91 mg/dL 70-99', line]
  await expect(read(lines)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
})

it('what is named a mean or an average is a result; what was measured before is none', async () => {
  const [report] = await read([
    'Patient ID: 4711',
    'Page 1 of 1',
    'Collected: 2026-01-05',
    'Mean corpuscular volume 88 fL 80-96',
    'Average glucose 105 mg/dL',
    'Previous glucose 91 mg/dL',
  ])
  expect(report?.results.map(([name]) => name)).toEqual(['Mean corpuscular volume', 'Average glucose'])
})

it('of several days of collection nobody guesses which line is of which', async () => {
  const lines = ['Collected: 2026-01-05', 'Glucose 91 mg/dL 70-99', 'Collected: 2026-02-05', 'Glucose 95 mg/dL 70-99']
  await expect(read(lines)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
})
