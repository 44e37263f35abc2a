import { translatorOf } from '../../domain/translations/translator.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import type { Document } from '../../platform/http/answer.ts'
import { type Columns, csvOf } from '../../platform/http/csv.ts'
import { drawInThread } from '../../platform/pdf/draw-in-thread.ts'
import { ink, page } from '../../platform/pdf/paper.ts'
import { Sheet } from '../../platform/pdf/sheet.ts'
import { type RecallKitOfAllRow, selectKitsOfAll } from './kit-queries.ts'
import type { Recall } from './schema.ts'
import { find } from './service.ts'

const columns: Columns<RecallKitOfAllRow> = {
  kitID: (kit) => kit.kitId,
  orderID: (kit) => kit.orderId,
  business: (kit) => kit.businessName,
  businessID: (kit) => kit.businessId,
  customerID: (kit) => kit.customerId ?? undefined,
  stage: (kit) => kit.stage ?? undefined,
  done: (kit) => kit.deeds.join(' '),
  replacedBy: (kit) => kit.replacedBy ?? undefined,
  released: (kit) => kit.releasedAt !== null,
  due: (kit) => kit.doneAt === null,
  recalledDate: (kit) => kit.foundAt.toISOString(),
}

const EVERY = 2_000_000

/** All kits of a recall as a file. @throws RECALL_NOT_FOUND */
export async function recallCsv(tx: SystemTx, id: string): Promise<Document> {
  await find(tx, id)
  const { rows } = await selectKitsOfAll(tx, { recallIds: [id], page: 0, size: EVERY })
  return csvOf(`recall-${id}`, columns, rows)
}

interface Printed {
  recall: Recall
  /** Of those whose person nobody wrote to, the first ones. */
  untold: { kits: string[]; total: number }
  at: Date
}

const MOST_UNTOLD = 200

/** The report of a recall on paper. @throws RECALL_NOT_FOUND */
export async function recallPdf(tx: SystemTx, id: string): Promise<Document> {
  const recall = await find(tx, id)
  const filter = { recallIds: [id], isTold: false, page: 0, size: MOST_UNTOLD }
  const { rows, total } = await selectKitsOfAll(tx, filter)
  const untold = { kits: rows.map((row) => `${row.kitId} ${row.businessName}`), total }
  const body = await drawInThread(new URL('./report.ts', import.meta.url), { recall, untold, at: tx.now })
  const headers = { vary: 'Accept', 'content-disposition': `attachment; filename="recall-${id}.pdf"` }
  return { status: 200, document: { contentType: 'application/pdf', body }, headers }
}

const subjects = {
  componentLot: 'Lot of a component',
  kitLot: 'Lot of kits',
  run: 'Run of a laboratory',
  reagentLot: 'Lot of a reagent',
} as const

const stageNames = {
  notPacked: 'Not packed: the shipment was taken back',
  undelivered: 'Not delivered: nobody has it',
  withRecipient: 'With the recipient, not registered',
  registered: 'Registered, without a sample',
  sampleUnderWay: 'Sample under way',
  atLaboratory: 'Sample at the laboratory',
  inReview: 'Results, not published',
  published: 'Results, published',
  settled: 'Canceled, or the sample was rejected before',
} as const

/** A4, its fonts inside, its structure tagged for screen readers. */
export function draw({ recall, untold, at }: Printed): Promise<Buffer> {
  const title = `Recall ${recall.id}`
  const sheet = new Sheet({ title, author: 'Kitlane', at: new Date(at) }, translatorOf('en'))
  sheet.block('H1', 40, (y) =>
    sheet.write('Report of a recall', page.left, y, { width: page.width, size: 20, font: 'bold' }),
  )
  facts(sheet, 'What is recalled', [
    [subjects[recall.kind], `${recall.subject} ${recall.lot}`.trim()],
    ['Grade', recall.grade ?? 'not given'],
    ['Reason', recall.reason],
    ['What is done', recall.actions.join(', ')],
  ])
  facts(sheet, 'How far it is', [
    ['Number', recall.id],
    ['State', recall.state],
    ['Begun', `${recall.createdDate} by ${recall.by}`],
    ['Done', recall.finishedDate ?? 'not yet'],
    ['Closed', recall.closedDate ?? 'not yet'],
    ['Report made', new Date(at).toISOString()],
  ])
  facts(sheet, 'Kits', [
    ['Found', String(recall.kits)],
    ...recall.stages.map(({ stage, kits }) => [stageNames[stage], String(kits)] as const),
    ['Still due', String(recall.due)],
    ['Person told', String(recall.told)],
    ['Replaced', String(recall.replaced)],
    ['Released', String(recall.released)],
  ])
  facts(sheet, 'Kits whose person was not written to', [
    ['In all', String(untold.total)],
    ...untold.kits.map((kit, index) => [String(index + 1), kit] as const),
    ['', untold.total > untold.kits.length ? 'The others are in the CSV of this recall.' : ''],
  ])
  return sheet.finish((number, count) =>
    sheet.write(`${title}   Page ${number} of ${count}`, page.left, 799, {
      width: page.width,
      size: 7,
      color: ink.soft,
    }),
  )
}

function facts(sheet: Sheet, heading: string, rows: readonly (readonly [string, string])[]): void {
  sheet.need(40)
  sheet.y += 8
  sheet.block('H2', 18, (y) => sheet.write(heading, page.left, y, { width: page.width, size: 11, font: 'bold' }))
  for (const [name, value] of rows.filter((row) => row[1] !== '')) {
    const height = Math.max(sheet.measure(value, 300, 10), sheet.measure(name, 200, 10)) + 5
    sheet.need(height)
    sheet.block('P', height, (y) => {
      sheet.write(name, page.left, y, { width: 200, size: 10, color: ink.soft })
      sheet.write(value, page.left + 210, y, { width: 300, size: 10 })
    })
  }
}
