import type { Reversal } from '../../../domain/payment-gateway.ts'

export interface KnownReversal extends Omit<Reversal, 'ref' | 'ownKey'> {
  /** Credits that were revoked for it. */
  creditsTaken: number
  /** Credits that are owed for it, and were spent already. */
  creditsWaiting: number
  hasCreditNote: boolean
}

/** Whether the money is with the holder of the card now. */
export const isBack = (state: Reversal['state']): boolean => state === 'done' || state === 'open' || state === 'lost'

/** What of a payment went back at the gateway: never more than was charged. */
export const sumBack = (reversals: readonly Pick<Reversal, 'state' | 'amountMinor'>[], charged: number): number =>
  Math.min(
    charged,
    reversals.reduce((sum, { state, amountMinor }) => sum + (isBack(state) ? amountMinor : 0), 0),
  )

const DAY_MS = 86_400_000
const LOOKED_BACK_MS = 7 * DAY_MS
// A bank decides a dispute within three months: https://docs.stripe.com/disputes/how-disputes-work
const DISPUTES_LOOKED_BACK_MS = 120 * DAY_MS
const WHOLE_AT_HOUR = 3

/** From when on refunds and disputes are listed: each hour the new ones, and once a night every dispute that may still change. */
export function lookBack(now: Date): { since: Date; disputesSince: Date } {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const since = before(LOOKED_BACK_MS)
  return { since, disputesSince: now.getUTCHours() === WHOLE_AT_HOUR ? before(DISPUTES_LOOKED_BACK_MS) : since }
}
