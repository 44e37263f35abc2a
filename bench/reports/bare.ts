// The baselines. JSON: the same statements through pg, without HTTP, token, realm or audit. PDF: pdfkit with as many
// texts and shapes, and the same fonts, already parsed. The order is JSON on the command line.
import PDFDocument from 'pdfkit'
import { Pool, types } from 'pg'
import { findPublishedReport } from '../../src/modules/reports/read/find.ts'
import { db } from '../../src/platform/database/sql.ts'
import type { Tx } from '../../src/platform/database/tx.ts'
import { parsedFonts, registerFont } from '../../src/platform/pdf/fonts.ts'
import { vaultWith } from './keys.ts'
import type { Sample } from './sample.ts'

export type BareOrder = { count: number; concurrency: number } & (
  | { kind: 'json'; connection: object; encryptionKey: string; sample: Sample }
  | { kind: 'pdf'; texts: string[]; shapes: number; pages: number }
)

const order: BareOrder = JSON.parse(process.argv[2] ?? '')
const work = order.kind === 'json' ? jsonWork(order) : pdfWork(order)
// A tenth of the count warms up and is not measured.
await run(Math.ceil(order.count / 10))
const started = performance.now()
await run(order.count)
process.send?.(performance.now() - started)
await work.end()
process.disconnect()

async function run(count: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next++ < count) await work.one()
  }
  await Promise.all(Array.from({ length: order.concurrency }, worker))
}

function jsonWork({ connection, encryptionKey, sample, concurrency }: Extract<BareOrder, { kind: 'json' }>) {
  for (const oid of [20, 1082]) types.setTypeParser(oid, oid === 20 ? Number : (text) => text)
  const pool = new Pool({ ...connection, max: concurrency + 1 })
  const vault = vaultWith(pool, encryptionKey)
  return {
    async one() {
      const client = await pool.connect()
      const rows = async (query: Parameters<Tx['rows']>[0]) => {
        if ('text' in query) return (await client.query(query.text, query.values as unknown[])).rows
        const { sql, parameters } = 'isRawBuilder' in query ? query.compile(db) : query.compile()
        return (await client.query(sql, parameters as unknown[])).rows
      }
      const tx = {
        realm: { id: sample.realmId },
        vault,
        rows,
        maybeRow: async (query: never) => (await rows(query))[0],
      }
      const { report } = await findPublishedReport(tx as unknown as Tx, String(sample.customerId), sample.reportId)
      client.release()
      return JSON.stringify(report)
    },
    end: () => pool.end(),
  }
}

function pdfWork({ texts, shapes, pages }: Extract<BareOrder, { kind: 'pdf' }>) {
  return {
    async one() {
      const doc = new PDFDocument({ size: 'A4', margin: 0, font: '', bufferPages: true })
      registerFont(doc, 'x', parsedFonts().regular)
      doc.font('x', 8)
      for (let page = 0; page < pages; page++) {
        if (page > 0) doc.addPage()
        const here = <T>(all: readonly T[]) => all.slice((page * all.length) / pages, ((page + 1) * all.length) / pages)
        for (const [n, text] of here(texts).entries())
          doc.fillColor('#1f2933').text(text, 40 + (n % 4) * 130, 40 + n * 4, { width: 190 })
        for (let n = 0; n < shapes / pages; n++) doc.rect(300, 40 + n * 2, 30, 6).fill('#3b9c74')
      }
      doc.end()
      const chunks: Buffer[] = []
      for await (const chunk of doc) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    end: async () => {},
  }
}
