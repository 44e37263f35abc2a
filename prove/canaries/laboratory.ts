import PDFDocument from 'pdfkit'
import type { Reply } from '../../test/harness/caller.ts'
import { type Journey, right, until } from './traveller.ts'

export const HL7 = { 'content-type': 'text/plain' }

export async function results({ live, operator, marks, step }: Journey, kitID: string, customerId: number) {
  const glucose = (more = {}) => ({ name: 'Glucose', value: marks.value(), unit: 'mg/dL', ...more })
  const reportID = await step('results as JSON', async () => {
    const unknown = { name: marks.word('unmatched results'), value: marks.word('unmatched results'), unit: 'U' }
    const sent = { kitID, results: [glucose(), unknown] }
    return right(await operator.post('/lab/results', sent, { 'idempotency-key': 'results' })).body.reports[0].reportID
  })
  await step('a corrected, critical result', async () => {
    const corrected = { kitID, status: 'corrected', results: [glucose({ flag: 'HH' })] }
    right(await operator.post('/lab/results', corrected))
  })
  await step('a result that is dealt with', async () => {
    const waiting = await operator.get(`/unassessed-results?kitID=${kitID}`)
    const note = `${marks.word('notes')} was told of it`
    right(await operator.post(`/unassessed-results/${waiting.body.data[0].id}/close`, { note }))
  })
  await step('a critical result that is acknowledged', async () => {
    const { data } = right(await operator.get(`/critical-results?reportID=${reportID}`)).body
    for (const { id, value } of data) {
      const given = { who: marks.word('notes'), readBack: value, note: marks.word('notes') }
      right(await operator.post(`/critical-results/${id}/acknowledge`, given))
    }
  })
  await step('a report that is published', async () => {
    const notified = { person: marks.word('notes'), at: new Date().toISOString() }
    right(await operator.post(`/reports/${reportID}/publish`, { notified }))
    right(await live.get(`/customers/${customerId}/reports/${reportID}`))
    right(await live.get(`/customers/${customerId}/export`))
  })
  await step('results as HL7', async () => {
    const message = hl7({ kit: kitID, born: '19530719', value: marks.value() })
    right(await operator.post('/lab/results', message, HL7))
  })
}

const hl7 = ({
  kit,
  born,
  value,
  name = '',
  test = '',
}: {
  kit: string
  born: string
  value: number
  name?: string
  test?: string
}) =>
  [
    'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
    `PID|1||77||${name}||${born}|F`,
    `OBR|1|${kit}|A1|P^Panel^L|||20260401083000`,
    `OBX|1|NM|X^Glucose^L||${value}|mg/dL|70-99|N|||F`,
    ...(test ? [`OBX|2|NM|Y^${test}^L||4|mg/dL||N|||F`] : []),
  ].join('\r')

export async function added({ live, marks, step }: Journey, userId: number) {
  const add = async (more: object) =>
    right(await live.post('/customer/add-data', { userId, date: '2026-01-15', ...more }))
  await step('a quiz', () => {
    const quizData = [{ question: marks.word('answers of a quiz', '?'), answer: marks.word('answers of a quiz') }]
    return add({ type: 'quiz', quizName: 'sleep', quizData })
  })
  await step('values of another laboratory', () => {
    const unknown = { name: marks.word('unmatched results'), result: 3, unit_of_measure: 'mg/dL' }
    const known = { name: 'glucose', result: marks.value(), unit_of_measure: 'mg/dL' }
    return add({ type: 'test', biomarkerData: [known, unknown] })
  })
}

export async function uploaded({ live, marks, step }: Journey, userId: number) {
  const upload = async (bytes: string | Buffer, type: string, more = {}): Promise<Reply['body']> => {
    const fileBlob = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    return right(await live.post('/customer/add-data', { type: 'file', userId, date: '2026-01-15', fileBlob, ...more }))
      .body
  }
  await step('a CSV file', () => {
    const rows = ['Test,Result,Units,Reference Range,Collected', `Glucose,${marks.value()},mg/dL,70-99,2026-03-05`]
    rows.push(`${marks.word('contents of files')},1,mg/dL,,2026-03-05`)
    return upload(rows.join('\n'), 'text/csv', { fileName: marks.word('names of files', '.csv') })
  })
  await step('a CSV file that a job reads', async () => {
    const rows = ['Test,Result,Units,Reference Range,Collected', `Glucose,${marks.value()},mg/dL,70-99,2026-03-06`]
    rows.push(`${marks.word('contents of files')},1,mg/dL,,2026-03-06`)
    const { jobId } = await upload(rows.join('\n'), 'text/csv', {
      async: true,
      fileName: marks.word('names of files', '.csv'),
    })
    await until(async () => (await live.get(`/customer/add-data/jobs/${jobId}`)).body.status === 'completed')
  })
  await step('a PDF file', async () => {
    const pdf = await pdfOf(
      ['Test   Result   Units', `Glucose   ${marks.value('contents of files')}   mg/dL`],
      marks.word('contents of files'),
    )
    return upload(pdf, 'application/pdf', { fileName: marks.word('names of files', '.pdf') })
  })
  await step('a file that waits for a person, with its pages', async () => {
    const name = `${marks.word('uploads that wait')}^${marks.word('uploads that wait')}`
    const test = marks.word('uploads that wait')
    const message = hl7({ kit: 'X', born: '19410111', value: marks.value('uploads that wait'), name, test })
    const waiting = await upload(message, 'text/plain', { fileName: marks.word('uploads that wait', '.hl7') })
    if (waiting.needsReview !== 'person') throw new Error(JSON.stringify(waiting))
    right(await live.get(`/uploads/${waiting.docId}`))
  })
  await step('a file that is dismissed', async () => {
    const name = `${marks.word('uploads that wait')}^Dora`
    const waiting = await upload(hl7({ kit: 'X', born: '19410112', value: 90, name }), 'text/plain')
    right(await live.post(`/uploads/${waiting.docId}/dismiss`, { reason: marks.word('notes') }))
  })
}

/** Uncompressed, with a subject. The numbers are drawn, so the text stands between operators. */
function pdfOf(lines: readonly string[], subject: string): Promise<Buffer> {
  const document = new PDFDocument({ compress: false, info: { Subject: subject } })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  for (const line of lines) document.text(line)
  document.end()
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
}

export async function messages({ operator, marks, step }: Journey) {
  await step('an HL7 message about nobody that is known', async () => {
    const name = `${marks.word('messages of laboratories')}^${marks.word('messages of laboratories')}`
    const value = marks.value('messages of laboratories')
    right(await operator.post('/lab/results', hl7({ kit: 'NOBODY', born: '19330311', value, name }), HL7))
  })
  await step('a FHIR message about nobody that is known', async () => {
    const observation = {
      resourceType: 'Observation',
      id: 'o1',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '13457-7', display: 'LDL Cholesterol' }] },
      valueQuantity: { value: marks.value('messages of laboratories'), unit: 'mg/dL' },
      note: [{ text: marks.word('messages of laboratories') }],
    }
    const report = {
      resourceType: 'DiagnosticReport',
      status: 'final',
      identifier: [{ value: 'K000000000' }],
      code: { text: 'Lipids' },
      effectiveDateTime: '2026-04-01T08:00:00Z',
      contained: [observation],
      result: [{ reference: '#o1' }],
    }
    right(await operator.post('/lab/results', report, { 'content-type': 'application/fhir+json' }))
  })
}
