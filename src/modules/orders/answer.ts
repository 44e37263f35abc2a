import { paymentFailed } from '../payments/service.ts'
import type { Outcome } from './create.ts'
import type { Created } from './schema.ts'

export type OrderAnswer =
  | { status: 201; body: Created; headers?: Record<string, string> }
  | { status: 202; body: { jobId: string }; headers: Record<string, string> }

/** What the caller of create-order reads. @throws PAYMENT_FAILED */
export function answerOf(outcome: Outcome, isBulk: boolean): OrderAnswer {
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
