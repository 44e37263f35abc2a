import type { Tx } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { priceBook, priceBookOf } from '../../catalogue/prices.ts'
import { selectPayment } from '../../payments/queries.ts'
import { pricedLines } from '../../payments/receipts/rules.ts'
import { captureUsed } from '../../payments/service.ts'
import { notOrderableError } from '../decision.ts'
import { type OrderPayment, placeOrders } from '../placement.ts'
import { selectItemsPaidBy, sumPaidByCard } from '../queries.ts'
import { type JobRow, type RowResult, selectJob, selectPendingRows, updateRows } from './queries.ts'
import { endJob, isEnded } from './service.ts'

// The commit is a small part of the work of so many rows, and preparing them holds the event loop for about 10 ms.
const CHUNK_ROWS = 100

/**
 * Places the rows of a job until none is left, then settles its payment and ends it. A chunk is one transaction that locks
 * the job and takes rows that are still pending: killed at any point, or run twice at once, it repeats and loses nothing.
 */
export async function placeRows(
  ports: RealmPorts,
  jobId: string,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<void> {
  let size = CHUNK_ROWS
  for (;;) {
    signal.throwIfAborted()
    const limit = size
    try {
      if ((await ports.open((tx) => placeChunk(tx, jobId, limit))) === 0) break
      size = Math.min(CHUNK_ROWS, size * 2)
    } catch (err) {
      // One row can make its chunk fail: halve the chunk until the row is alone, then only that row fails.
      if (!isFaultOfRows(err)) throw err
      if (limit > 1) size = Math.ceil(limit / 2)
      else await ports.open((tx) => failNextRow(tx, jobId, err, log))
    }
  }
  await finishJob(ports, jobId)
}

/** Whether the database refused the rows themselves (classes 22 and 23), and was not just away or busy. */
export function isFaultOfRows(err: unknown): boolean {
  const { code } = err as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

/** Places the next rows of a job. Returns how many rows this finished. */
async function placeChunk(tx: Tx, jobId: string, limit: number): Promise<number> {
  const job = await selectJob(tx, jobId, 'update')
  if (!job || isEnded(job)) return 0
  const rows = await selectPendingRows(tx, jobId, limit)
  if (rows.length === 0) return 0
  const offered = await priceBook(tx)
  const refusals = new Map(
    rows.flatMap(({ row, request }) => {
      const refusal = notOrderableError({ orders: [request], isBulk: true }, offered)
      return refusal ? [[row, { code: refusal.code, message: refusal.message }] as const] : []
    }),
  )
  const orderable = rows.filter(({ row }) => !refusals.has(row))
  const orders = orderable.map(({ request }) => request)
  const ids = orders.length > 0 ? await placeOrders(tx, orders, paymentOf(job), job.placedBy ?? undefined) : []
  const placed = new Map(orderable.map(({ row }, index) => [row, ids[index]]))
  const results = rows.map(({ row }): RowResult => ({ row, orderId: placed.get(row), error: refusals.get(row) }))
  await updateRows(tx, jobId, results)
  return rows.length
}

function paymentOf(job: JobRow): OrderPayment {
  if (job.payment === 'credits') return { method: 'credits', jobId: job.id }
  const { price } = priceBookOf(job.prices)
  if (job.payment === 'card' && job.paymentId) return { method: 'card', paymentId: job.paymentId, price }
  return { method: 'later', price }
}

async function failNextRow(tx: Tx, jobId: string, err: unknown, log: Logger): Promise<void> {
  const job = await selectJob(tx, jobId, 'update')
  if (!job || isEnded(job)) return
  const [next] = await selectPendingRows(tx, jobId, 1)
  if (!next) return
  log.error({ err }, 'a row of a bulk job could not be placed')
  const error = { code: 'INTERNAL', message: 'This row could not be placed' }
  await updateRows(tx, jobId, [{ row: next.row, error }])
}

/** Captures what the placed orders cost, then ends the job. */
async function finishJob(ports: RealmPorts, jobId: string): Promise<void> {
  const job = await ports.open((tx) => selectJob(tx, jobId))
  if (job?.paymentId) {
    const { paymentId, prices } = job
    const used = await ports.open((tx) => sumPaidByCard(tx, paymentId))
    const linesOf = async (tx: Tx) => pricedLines(await selectItemsPaidBy(tx, paymentId), prices)
    await captureUsed(ports, paymentId, used, linesOf)
  }
  await ports.open(async (tx) => {
    const job = await selectJob(tx, jobId, 'update')
    if (!job || isEnded(job)) return
    if (job.paymentId && (await selectPayment(tx, job.paymentId)).state === 'authorised') {
      throw new Error(`the card of job ${jobId} is not settled yet`)
    }
    await endJob(tx, job, 'completed')
  })
}
