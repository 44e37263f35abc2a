// Measures reports per second: JSON against the same statements through plain pg, PDF against plain pdfkit.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import PDFDocument from 'pdfkit'
import { Pool, type PoolConfig } from 'pg'
import { Agent } from 'undici'
import { draw as drawReport } from '../src/modules/reports/render/pdf.ts'
import type { BareOrder } from './reports/bare.ts'
import { vaultWith } from './reports/keys.ts'
import { writeSample } from './reports/sample.ts'
import { startSubject } from './reports/subject.ts'

const { values } = parseArgs({
  options: {
    history: { type: 'string', default: '50' },
    reads: { type: 'string', default: '200' },
    pdfs: { type: 'string', default: '12' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
})
const [history, reads, pdfs, rounds] = [values.history, values.reads, values.pdfs, values.rounds].map(Number) as [
  number,
  number,
  number,
  number,
]
const say = (line: string) => console.log(line)

interface Rates {
  ours: number[]
  bare: number[]
}

const subject = await startSubject(process.env.TEST_DATABASE_URL)
const { db, origin, token, encryptionKey } = subject
const agent = new Agent({ connections: 10, pipelining: 1 })
try {
  const { user, host, port, database, password } = db as unknown as Record<string, unknown>
  const connection = { user, host, port, database, password: password ?? undefined }
  const keyPool = new Pool({ ...connection, max: 1 } as PoolConfig)
  const sample = await writeSample(db, subject.business, history, vaultWith(keyPool, encryptionKey))
  await keyPool.end()
  const path = `/api/v1/customers/${sample.customerId}/reports/${sample.reportId}`
  const get = async (accept: string) => {
    const headers = { authorization: `Token ${token}`, accept }
    const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode !== 200) throw new Error(bytes.toString())
    return bytes
  }
  const ourRate = async (accept: string, count: number, concurrency: number) => {
    await concurrently(Math.ceil(count / 10), concurrency, () => get(accept))
    const started = performance.now()
    await concurrently(count, concurrency, () => get(accept))
    return (count / (performance.now() - started)) * 1000
  }
  const text = (await get('application/json')).toString()
  say(`${subject.database}; a customer with ${history} reports of ${sample.markers} biomarkers; ${rounds} rounds`)
  const owner = { id: 1, name: 'Ada Byron', dateOfBirth: '1985-03-10', gender: 'F' as const }
  const drawn = await drawnFor({
    report: JSON.parse(text),
    owner,
    business: { id: 'biz', name: 'Proof', color: null },
    mode: 'live',
    issuedAt: new Date('2026-01-01T00:00:00Z'),
    changedAt: new Date('2026-01-01T00:00:00Z'),
  })
  const json: Rates = { ours: [], bare: [] }
  const pdf: Rates = { ours: [], bare: [] }
  // The first round only warms up compilers and planners.
  for (let round = 0; round <= rounds; round++) {
    const measured = {
      bareJson: await bareRate({ kind: 'json', count: reads, concurrency: 10, connection, encryptionKey, sample }),
      json: await ourRate('application/json', reads, 10),
      barePdf: await bareRate({ kind: 'pdf', count: pdfs, concurrency: 1, ...drawn }),
      pdf: await ourRate('application/pdf', pdfs, 2),
    }
    if (round === 0) continue
    json.bare.push(measured.bareJson)
    json.ours.push(measured.json)
    pdf.bare.push(measured.barePdf)
    pdf.ours.push(measured.pdf)
  }
  report(`JSON, ${text.length} bytes`, 'bare pg', json)
  report(`PDF, ${drawn.pages} pages, ${drawn.texts.length} texts, ${drawn.shapes} shapes`, 'bare pdfkit', pdf)
  if (values.json) await writeFile(values.json, `${JSON.stringify({ history, json, pdf }, null, 2)}\n`)
} finally {
  await agent.close()
  await subject.stop()
}

/** Counts what a report draws, by wrapping the calls to pdfkit. */
async function drawnFor(printable: Parameters<typeof drawReport>[0]) {
  const { text, fill, stroke, addPage } = PDFDocument.prototype
  const drawn = { texts: [] as string[], shapes: 0, pages: 0 }
  Object.assign(PDFDocument.prototype, {
    text(this: PDFKit.PDFDocument, ...given: Parameters<typeof text>) {
      drawn.texts.push(String(given[0]))
      return text.apply(this, given)
    },
    fill(this: PDFKit.PDFDocument, color: string) {
      drawn.shapes++
      return fill.call(this, color)
    },
    stroke(this: PDFKit.PDFDocument, color: string) {
      drawn.shapes++
      return stroke.call(this, color)
    },
    addPage(this: PDFKit.PDFDocument) {
      drawn.pages++
      return addPage.call(this)
    },
  })
  await drawReport(printable)
  Object.assign(PDFDocument.prototype, { text, fill, stroke, addPage })
  return drawn
}

async function concurrently(count: number, concurrency: number, act: () => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next++ < count) await act()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

async function bareRate(order: BareOrder): Promise<number> {
  const child = fork(fileURLToPath(new URL('./reports/bare.ts', import.meta.url)), [JSON.stringify(order)])
  const [ms] = await once(child, 'message')
  await once(child, 'exit')
  return (order.count / ms) * 1000
}

function report(what: string, other: string, { ours, bare }: Rates): void {
  const ratios = ours.map((rate, round) => rate / (bare[round] ?? Number.NaN))
  say(`${what}: per second ${spread(ours)}; ${other} ${spread(bare)}; ratio ${spread(ratios, 2)}`)
}

function spread(numbers: readonly number[], digits = 1): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (index: number) => (sorted[index] ?? Number.NaN).toFixed(digits)
  return `${at(Math.floor(sorted.length / 2))} (${at(0)} to ${at(sorted.length - 1)})`
}
