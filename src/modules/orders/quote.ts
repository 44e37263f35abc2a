import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { PriceBook } from '../catalogue/prices.ts'
import { needed } from '../credits/rules.ts'
import { decideRequests, needsApproval, notOrderable, type OrderDecision, type RowProblem } from './decision.ts'
import { findCharge } from './payment/pay-request.ts'
import type { OrderRequest } from './request.ts'
import { becomesJob, linesOf, quantityOf } from './rules.ts'
import type { FaultyRow } from './schema.ts'
import { lockTerms } from './terms.ts'

export interface Quote {
  valid: boolean
  kits: number
  outcome: 'placed' | 'job' | 'pending' | 'refused'
  credits: { type: string; needed: number; available: number; remaining: number }[]
  charge?: { amount: number; currency: string }
  payment?: 'credits' | 'card' | 'pending' | 'refused'
  approvalNeeded?: true
  refusal?: { code: string; message: string }
  rows?: { row: number; valid: boolean; errors: ErrorDetail[] }[]
}

/**
 * Prices a request and says what placing it would do, without placing or locking anything. It reads the terms and decides
 * as `createOrders` does. `faults` are its rows that are no valid orders; the others are priced.
 * @throws PAYMENT_METHOD_NOT_FOUND
 */
export async function quote(tx: Tx, request: OrderRequest, faults: readonly FaultyRow[] = []): Promise<Quote> {
  const { realm } = tx
  // With placements "under way", of which there are none here, terms are read and not locked.
  const terms = await lockTerms(tx, [{ realm, request }], [])
  const { prices } = terms.of(realm.id)
  const total = request.orders.length + faults.length
  const faulty = new Set(faults.map(({ row }) => row))
  const rows = Array.from({ length: total }, (_, row) => row).filter((row) => !faulty.has(row))
  const problems = [
    ...faults.flatMap(({ row, errors }) => errors.map((error) => ({ ...error, row }))),
    ...notOrderable(request, prices, rows),
  ]
  const [decided] = problems.length > 0 ? [] : decideRequests([{ realm, request }], terms)
  const described = decided && (await describeDecision(tx, request, decided.decision, prices))
  const isPaidByCredits = described?.payment === 'credits'
  const lines = linesOf(request.orders)
  const credits = [...needed(lines)].map(([kitType, amount]) => {
    const available = terms.locks.balances.find(realm.id, kitType)?.available ?? 0
    const remaining = isPaidByCredits ? available - amount : available
    return { type: publicKitType(kitType), needed: amount, available, remaining }
  })
  return {
    valid: described !== undefined && described.outcome !== 'refused',
    kits: quantityOf(lines),
    credits,
    ...(described ?? { outcome: 'refused' }),
    ...((request.isBulk || problems.length > 0) && { rows: checkedRows(total, problems) }),
  }
}

type Described = Pick<Quote, 'outcome' | 'payment' | 'refusal' | 'charge' | 'approvalNeeded'>

/** What a decision would do, in the words of a quote. */
async function describeDecision(
  tx: Tx,
  request: OrderRequest,
  decision: OrderDecision,
  prices: PriceBook,
): Promise<Described> {
  if (decision.kind === 'refuse') return refused(decision.error)
  const waits = request.orders.some((order) => needsApproval(order, prices))
  const approvalNeeded = waits && { approvalNeeded: true as const }
  const placed = becomesJob(request) ? 'job' : waits ? 'pending' : 'placed'
  if (decision.kind === 'charge') {
    try {
      const { price } = await findCharge(tx, request, { decision, prices })
      return { outcome: placed, payment: 'card', charge: { amount: price.amountMinor, currency: price.currency } }
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'PAYMENT_METHOD_NOT_FOUND') throw error
      return refused(error)
    }
  }
  if (decision.method === 'credits') return { outcome: placed, payment: 'credits', ...approvalNeeded }
  const payment = decision.kind === 'place' && decision.pay ? 'card' : 'pending'
  const outcome = decision.kind === 'job' ? 'job' : 'pending'
  return { outcome, payment, ...chargeOf(request, prices), ...approvalNeeded }
}

const refused = ({ code, message }: AppError): Described => ({
  outcome: 'refused',
  payment: 'refused',
  refusal: { code, message },
})

/** What all of it costs; nothing where its orders are priced in several currencies. */
function chargeOf(request: OrderRequest, prices: PriceBook): Pick<Described, 'charge'> {
  try {
    const { amountMinor, currency } = prices.price(linesOf(request.orders))
    return { charge: { amount: amountMinor, currency } }
  } catch (error) {
    if (error instanceof AppError) return {}
    throw error
  }
}

function checkedRows(rows: number, problems: readonly RowProblem[]) {
  const byRow = Map.groupBy(problems, (problem) => problem.row)
  return Array.from({ length: rows }, (_, row) => {
    const errors = (byRow.get(row) ?? []).map(({ message, path }) => ({ message, path }))
    return { row, valid: errors.length === 0, errors }
  })
}
