import { AppError } from '../../domain/errors.ts'
import { covers, needed } from '../credits/rules.ts'
import * as credits from '../credits/service.ts'
import { methodMissing } from '../payments/methods.ts'
import { decidePayment, type PaymentDecision } from '../payments/rules.ts'
import { isAsync, linesOf, notProvisionedError, type OrderRequest } from './request.ts'
import type { Terms } from './terms.ts'

/** How a request is answered: placed now, refused, or by what takes more than a transaction (a card, a job). */
export type Verdict =
  | { kind: 'place'; method: 'credits' | 'later' }
  | { kind: 'refuse'; error: AppError }
  | { kind: 'charge'; decision: PaymentDecision & { kind: 'charge' } }
  | { kind: 'job'; method: 'credits' | 'later' }

/** Credits that are left of each type. */
export interface Left {
  available(kitType: string): number
  take(kitType: string, amount: number): void
}

/** Decides one request. Those before it have taken their credits from `left`; this one takes its own. */
export function decide(request: OrderRequest, { prices, settings, hasMethod }: Terms, left: Left): Verdict {
  const unknown = notProvisionedError(request, prices)
  if (unknown) return { kind: 'refuse', error: unknown }
  const { paymentMethod, flag } = request
  const demand = needed(linesOf(request.orders))
  const covered = covers(left.available, demand)
  const decision = decidePayment({ paymentMethod, flag, covered, settings, hasMethod })
  switch (decision.kind) {
    case 'refuse':
      return { kind: 'refuse', error: refusal(decision) }
    case 'charge':
      return { kind: 'charge', decision }
    case 'credits':
      for (const [kitType, amount] of demand) left.take(kitType, amount)
      return { kind: isAsync(request) ? 'job' : 'place', method: 'credits' }
    case 'pending':
      return isAsync(request) ? { kind: 'job', method: 'later' } : laterIfPriced(request, prices)
  }
}

/** An order that is paid later needs one price. */
function laterIfPriced(request: OrderRequest, prices: Terms['prices']): Verdict {
  try {
    for (const { items } of request.orders) prices.price(items)
    return { kind: 'place', method: 'later' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'refuse', error }
  }
}

/** Why a request is not paid, and so not placed. */
export function refusal({ code, status }: PaymentDecision & { kind: 'refuse' }): AppError {
  if (code === 'NOT_ENOUGH_CREDITS') return credits.notEnough(status)
  if (code === 'PAYMENT_METHOD_MISSING') return methodMissing()
  return new AppError(
    'PURCHASING_DISABLED',
    'Credits do not cover the order and purchasing is disabled in the settings',
  )
}

/** What is left of balances while requests are decided one after the other. */
export function leftOf(find: (kitType: string) => { available: number } | undefined): Left {
  const taken = new Map<string, number>()
  return {
    available: (kitType) => (find(kitType)?.available ?? 0) - (taken.get(kitType) ?? 0),
    take: (kitType, amount) => void taken.set(kitType, (taken.get(kitType) ?? 0) + amount),
  }
}
