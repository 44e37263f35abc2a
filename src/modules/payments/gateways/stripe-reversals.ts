import type Stripe from 'stripe'
import type { Gateway, Reversal } from '../../../domain/payment-gateway.ts'
import { isRefusal, unknownOutcome } from './stripe-errors.ts'

/** How many of each kind are looked through at once. */
const MOST = 1000

type Fields = Record<string, unknown>

const idOf = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null ? (value as Fields).id : value
  return typeof id === 'string' ? id : undefined
}

const disputeStates: Readonly<Record<string, Reversal['state']>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  // Of older versions: the charge was refunded before, and the refund counts.
  charge_refunded: 'won',
  won: 'won',
  prevented: 'won',
  lost: 'lost',
}

/** A refund or a dispute as Stripe shows it; undefined for anything else, and for a refund with `ownKey` that is not failed: ours. */
export function reversalOf(object: object, ownKey: string): Reversal | undefined {
  const { object: type, id, amount, status, reason, metadata, payment_intent: intent } = object as Fields
  const ref = idOf(intent)
  if (typeof id !== 'string' || typeof amount !== 'number' || amount < 1 || !ref) return undefined
  const shared = { id, ref, amountMinor: amount, reason: typeof reason === 'string' ? reason : undefined }
  if (type === 'dispute') return { ...shared, kind: 'dispute', state: disputeStates[String(status)] ?? 'open' }
  if (type !== 'refund') return undefined
  const key = (metadata as Fields | null)?.[ownKey]
  const isFailed = status === 'failed' || status === 'canceled'
  if (typeof key !== 'string') return { ...shared, kind: 'refund', state: isFailed ? 'failed' : 'done' }
  return isFailed ? { ...shared, kind: 'refund', state: 'failed', ownKey: key } : undefined
}

export interface ReversalsOptions {
  refunds: Stripe['refunds']
  disputes: Stripe['disputes']
  ownKey: string
}

/** https://docs.stripe.com/api/refunds/list and https://docs.stripe.com/api/disputes/list */
export function stripeReversals({ refunds, disputes, ownKey }: ReversalsOptions): Required<Pick<Gateway, 'reversals'>> {
  return {
    async reversals(of) {
      const wanted = (since: Date) => ({ created: { gte: Math.floor(since.getTime() / 1000) } })
      const one = 'ref' in of ? { payment_intent: of.ref } : undefined
      const [refundQuery, disputeQuery] = 'ref' in of ? [one, one] : [wanted(of.since), wanted(of.disputesSince)]
      const found = [
        ...(await collected(refunds.list({ ...refundQuery, limit: 100 }))),
        ...(await collected(disputes.list({ ...disputeQuery, limit: 100 }))),
      ]
      return found.flatMap((object) => reversalOf(object, ownKey) ?? [])
    },
  }
}

/** A restricted key may lack the right to read one of the two lists: the other one counts all the same. */
async function collected(list: AsyncIterable<object>): Promise<object[]> {
  const found: object[] = []
  try {
    for await (const object of list) {
      found.push(object)
      if (found.length >= MOST) break
    }
  } catch (err) {
    if (!isRefusal(err)) throw unknownOutcome(err)
  }
  return found
}
