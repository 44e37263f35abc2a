import type { Tx } from '../../../platform/database/tx.ts'
import { type RequestPayment, requestPayment } from '../../payments/service.ts'

/** The job that finishes a payment. */
export const SETTLE_JOB = 'checkout.settle'

// After a crash the caller's retry waits for this. Asking the gateway a second time while the first still waits does no harm.
const SETTLE_AFTER_MS = 10_000

/** Notes that a card is to be charged, and who looks after it should this process die before it is. Returns the payment's ID. */
export async function startPayment(tx: Tx, payment: RequestPayment): Promise<string> {
  const paymentId = await requestPayment(tx, payment)
  const startAfter = new Date(tx.now.getTime() + SETTLE_AFTER_MS)
  await tx.enqueue(SETTLE_JOB, { realm: tx.realm, paymentId }, { startAfter })
  return paymentId
}
