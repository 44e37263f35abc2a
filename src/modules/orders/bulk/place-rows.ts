import type { Tx } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { priceBook, priceBookOf } from '../../catalogue/prices.ts'
import { findPayment, settleAuthorisation } from '../../payments/service.ts'
import { type Payment, place } from '../placement.ts'
import { type JobRow, nextRows, type RowResult, saveResults, selectJob, usedMinor } from './queries.ts'
import { end, isEnded } from './service.ts'

// Large enough that the commit is a small part of the work, small enough that a chunk takes well below a second.
const CHUNK_ROWS = 200

/**
 * Places the rows of a job until none is left, then settles what pays for it. A chunk is one transaction that locks the
 * job and takes rows that are still pending: killed at any point, or run twice at once, it repeats and loses nothing.
 */
export async function work(
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
      // One row can spoil its chunk: halve until it stands alone, then it fails by itself.
      if (!isOwnFault(err)) throw err
      if (limit > 1) size = Math.ceil(limit / 2)
      else await ports.open((tx) => failNext(tx, jobId, err, log))
    }
  }
  await settle(ports, jobId)
}

/** What the database refused because of the rows themselves (classes 22 and 23), not because it was away or busy. */
function isOwnFault(err: unknown): boolean {
  const { code } = err as { code?: unknown }
  return typeof code === 'string' && /^2[23]/.test(code)
}

/** Places the next rows of a job; returns how many were dealt with. */
async function placeChunk(tx: Tx, jobId: string, limit: number): Promise<number> {
  const job = await selectJob(tx, jobId, 'update')
  if (!job || isEnded(job)) return 0
  const rows = await nextRows(tx, jobId, limit)
  if (rows.length === 0) return 0
  const offered = await priceBook(tx)
  const orderable = rows.filter(({ request }) => request.items.every((item) => offered.has(item.kitType)))
  const orders = orderable.map(({ request }) => request)
  const ids = orders.length > 0 ? await place(tx, orders, paymentOf(job)) : []
  const placed = new Map(orderable.map(({ row }, index) => [row, ids[index]]))
  const error = { code: 'KIT_TYPE_NOT_PROVISIONED', message: 'This kit type is no longer provisioned for the business' }
  const results = rows.map(({ row }): RowResult => {
    const orderId = placed.get(row)
    return orderId ? { row, orderId } : { row, error }
  })
  await saveResults(tx, jobId, results)
  return rows.length
}

function paymentOf(job: JobRow): Payment {
  if (job.payment === 'credits') return { method: 'credits', jobId: job.id }
  const { price } = priceBookOf(job.prices)
  if (job.payment === 'card' && job.paymentId) return { method: 'card', paymentId: job.paymentId, price }
  return { method: 'later', price }
}

async function failNext(tx: Tx, jobId: string, err: unknown, log: Logger): Promise<void> {
  const job = await selectJob(tx, jobId, 'update')
  if (!job || isEnded(job)) return
  const [next] = await nextRows(tx, jobId, 1)
  if (!next) return
  log.error({ err }, 'a row of a bulk job could not be placed')
  const error = { code: 'INTERNAL', message: 'This row could not be placed' }
  await saveResults(tx, jobId, [{ row: next.row, error }])
}

/** Takes from the card what was placed, then ends the job. */
async function settle(ports: RealmPorts, jobId: string): Promise<void> {
  const paymentId = await ports.open(async (tx) => (await selectJob(tx, jobId))?.paymentId)
  if (paymentId) {
    const used = await ports.open((tx) => usedMinor(tx, paymentId))
    await settleAuthorisation(ports, paymentId, used)
  }
  await ports.open(async (tx) => {
    const job = await selectJob(tx, jobId, 'update')
    if (!job || isEnded(job)) return
    if (job.paymentId && (await findPayment(tx, job.paymentId)).state === 'authorised') {
      throw new Error(`the card of job ${jobId} is not settled yet`)
    }
    await end(tx, job, 'completed')
  })
}
