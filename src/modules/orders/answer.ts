import { paymentFailed } from '../payments/rules.ts'
import type { Created } from './schema.ts'

/** What became of a request. A payment keeps it for the caller's retry, so its shape is stored. */
export type OrderOutcome =
  | { kind: 'placed'; orderIds: string[]; pending: boolean }
  | { kind: 'job'; jobId: string }
  | { kind: 'declined'; code: string }

export type OrderAnswer =
  | { status: 201; body: Created; headers?: Record<string, string> }
  | { status: 202; body: { jobId: string }; headers: Record<string, string> }

/** What the caller of create-order reads. @throws PAYMENT_FAILED */
export function answerOf(outcome: OrderOutcome, isBulk: boolean): OrderAnswer {
  if (outcome.kind === 'declined') throw paymentFailed(outcome.code)
  if (outcome.kind === 'job') {
    const { jobId } = outcome
    return { status: 202, body: { jobId }, headers: { location: `/api/v1/bulk-order-jobs/${jobId}` } }
  }
  const { orderIds, pending } = outcome
  const [orderId = ''] = orderIds
  const ids = isBulk ? { orderIds } : { orderId }
  return { status: 201, body: pending ? { pending: true, ...ids } : ids }
}
