import type { ErrorDetail } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as businesses from '../businesses/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { priceBook } from '../catalogue/prices.ts'
import { needed } from '../credits/rules.ts'
import * as credits from '../credits/service.ts'
import { maybeFindMethod } from '../payments/methods.ts'
import { decidePayment, methodUnknown, type PaymentDecision } from '../payments/rules.ts'
import { notProvisioned, paymentRefusal, type RowProblem } from './decision.ts'
import type { OrderRequest } from './request.ts'
import { linesOf, quantityOf } from './rules.ts'
import type { FaultyRow } from './schema.ts'

export interface Quote {
  valid: boolean
  kits: number
  credits: { type: string; needed: number; available: number }[]
  charge?: { amount: number; currency: string }
  payment?: 'credits' | 'card' | 'pending' | 'refused'
  refusal?: { code: string; message: string }
  rows?: { row: number; valid: boolean; errors: ErrorDetail[] }[]
}

/**
 * Prices a request and says whether it would be placed, without placing anything.
 * `faults` are its rows that are no valid orders; the others are priced.
 */
export async function quote(tx: Tx, request: OrderRequest, faults: readonly FaultyRow[] = []): Promise<Quote> {
  const { paymentMethod } = request
  if (paymentMethod?.startsWith('pm_') && !(await maybeFindMethod(tx, paymentMethod))) throw methodUnknown()
  const prices = await priceBook(tx)
  const total = request.orders.length + faults.length
  const faulty = new Set(faults.map(({ row }) => row))
  const rows = Array.from({ length: total }, (_, row) => row).filter((row) => !faulty.has(row))
  const problems = [
    ...faults.flatMap(({ row, errors }) => errors.map((error) => ({ ...error, row }))),
    ...notProvisioned(request, prices, rows),
  ]
  const lines = linesOf(request.orders)
  const available = await credits.available(tx)
  const demand = [...needed(lines)].map(([kitType, amount]) => ({
    type: publicKitType(kitType),
    needed: amount,
    available: available.get(kitType) ?? 0,
  }))
  const decision = decidePayment({
    paymentMethod,
    flag: request.flag,
    covered: demand.every((entry) => entry.available >= entry.needed),
    settings: await businesses.settings(tx),
    hasMethod: (await maybeFindMethod(tx)) !== undefined,
  })
  const byCard = problems.length === 0 && (decision.kind === 'charge' || decision.kind === 'pending')
  const price = byCard ? prices.price(lines) : undefined
  return {
    valid: problems.length === 0 && decision.kind !== 'refuse',
    kits: quantityOf(lines),
    credits: demand,
    ...(problems.length === 0 && paymentOf(decision)),
    ...(price && { charge: { amount: price.amountMinor, currency: price.currency } }),
    ...((request.isBulk || problems.length > 0) && { rows: checkedRows(total, problems) }),
  }
}

const kinds = { credits: 'credits', charge: 'card', pending: 'pending' } as const

function paymentOf(decision: PaymentDecision): Pick<Quote, 'payment' | 'refusal'> {
  if (decision.kind !== 'refuse') return { payment: kinds[decision.kind] }
  const { code, message } = paymentRefusal(decision)
  return { payment: 'refused', refusal: { code, message } }
}

function checkedRows(rows: number, problems: readonly RowProblem[]) {
  const byRow = Map.groupBy(problems, (problem) => problem.row)
  return Array.from({ length: rows }, (_, row) => {
    const errors = (byRow.get(row) ?? []).map(({ message, path }) => ({ message, path }))
    return { row, valid: errors.length === 0, errors }
  })
}
