import type { SystemTx } from '../../../platform/database/tx.ts'
import { freeLeftKeys } from '../../../platform/http/abandoned-keys.ts'
import { TOP_UP_JOB } from '../../credits/top-up-request.ts'
import { openPaymentKeys, selectStaleRefunds, touchStalePayments } from '../../payments/queries.ts'
import { REFUND_JOB } from '../../payments/refunds.ts'
import { SETTLE_JOB } from '../../payments/start.ts'
import { selectDueTopUps } from '../../payments/top-ups/queries.ts'
import { PLACE_JOB } from '../bulk/accept.ts'
import { selectUnsettledJobs, touchStaleJobs } from '../bulk/queries.ts'

// Longer than a gateway may take to answer: what is older was left behind by a crash.
const STALE_AFTER_MS = 30_000
const BATCH = 1000

/**
 * Enqueues what a crash left unfinished: payments, bulk jobs, refunds and top-ups whose own job is gone. Frees the idempotency keys
 * of requests that died. Each enqueued job does nothing if its work is done in the meantime.
 */
export async function sweepPayments(tx: SystemTx): Promise<void> {
  const before = new Date(tx.now.getTime() - STALE_AFTER_MS)
  const payments = await touchStalePayments(tx, before)
  const jobs = await touchStaleJobs(tx, before)
  const ended = await selectUnsettledJobs(tx, BATCH)
  const refunds = await selectStaleRefunds(tx, before, BATCH)
  const topUps = await selectDueTopUps(tx, BATCH)
  await freeLeftKeys(tx, openPaymentKeys)
  for (const { realm, id } of payments) await tx.enqueue(SETTLE_JOB, { realm, paymentId: id })
  for (const { realm, id } of [...jobs, ...ended]) await tx.enqueue(PLACE_JOB, { realm, jobId: id })
  for (const { realm, id } of refunds) await tx.enqueue(REFUND_JOB, { realm, orderId: id })
  for (const topUp of topUps) await tx.enqueue(TOP_UP_JOB, topUp)
}
