import type { Tx } from '../../platform/database/tx.ts'
import { type RequestPayment, requestPayment } from './service.ts'

/** The job that settles a payment; the module orders runs it, since most payments are for orders. */
export const SETTLE_JOB = 'checkout.settle'

// After a crash the caller's retry waits for this. Asking the gateway again while it still works on the first call is safe.
const SETTLE_AFTER_MS = 10_000

/** A payment that is requested: the card is charged after the commit. */
export interface ChargeStarted {
  kind: 'charging'
  paymentId: string
}

/** Requests a payment, and enqueues the job that settles it if this process dies before it does. */
export async function startPayment(tx: Tx, payment: RequestPayment): Promise<ChargeStarted> {
  const paymentId = await requestPayment(tx, payment)
  const startAfter = new Date(tx.now.getTime() + SETTLE_AFTER_MS)
  await tx.enqueue(SETTLE_JOB, { realm: tx.realm, paymentId }, { startAfter })
  return { kind: 'charging', paymentId }
}
