import type { Tx } from '../../platform/database/tx.ts'
import { AppError, type ErrorDetail } from '../../platform/errors.ts'
import type { Settings } from '../businesses/schema.ts'
import * as businesses from '../businesses/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { type ProvisionedPanel, provisioned } from '../catalogue/service.ts'
import { type Line, needed } from '../credits/rules.ts'
import * as credits from '../credits/service.ts'
import { decidePayment, type PaymentDecision } from '../payments/rules.ts'
import { type Payment, type Price, place } from './place.ts'
import { type NewOrder, quantityOf } from './rules.ts'

export interface OrderRequest {
  orders: NewOrder[]
  /** One order per row, or the one order of `kit_types`. */
  isBulk: boolean
  paymentMethod?: string
  /** purchase_with_attached_payment */
  flag?: boolean
}

export interface Outcome {
  orderIds: string[]
  pending: boolean
}

type Panels = Map<string, ProvisionedPanel>
type RowProblem = ErrorDetail & { row: number }

/**
 * Decides once how the whole request is paid and places all of it, or nothing.
 * @throws KIT_TYPE_NOT_PROVISIONED, NOT_ENOUGH_CREDITS, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED
 */
export async function createOrders(tx: Tx, request: OrderRequest): Promise<Outcome> {
  const panels = await panelsOf(tx)
  const problems = notProvisioned(request, panels)
  if (problems.length > 0) {
    const details = problems.map(({ row: _, ...detail }) => detail)
    throw new AppError('KIT_TYPE_NOT_PROVISIONED', 'A kit type is not provisioned for the business', { details })
  }
  const lines = request.orders.flatMap((order) => order.items)
  const settings = await businesses.settings(tx)
  // The lock that orders of one business wait for: taken as late as possible.
  const wallet = await credits.openWallet(
    tx,
    lines.map((line) => line.kitType),
  )
  const decision = decide(settings, request, wallet.covers(lines))
  const payment: Payment =
    decision.kind === 'credits'
      ? { method: 'credits', wallet }
      : { method: 'later', price: (items) => priceOf(items, panels) }
  const orderIds = await place(tx, request.orders, payment)
  return { orderIds, pending: payment.method === 'later' }
}

function decide(
  settings: Settings,
  { paymentMethod, flag }: OrderRequest,
  covered: boolean,
): Extract<PaymentDecision, { kind: 'credits' | 'pending' }> {
  const decision = decidePayment({ paymentMethod, flag, covered, settings, hasMethod: false })
  if (decision.kind === 'refuse') throw refusal(decision.code, decision.status)
  if (decision.kind === 'charge') throw refusal('PAYMENT_METHOD_MISSING', 409)
  return decision
}

function refusal(code: (PaymentDecision & { kind: 'refuse' })['code'], status: 400 | 409): AppError {
  if (code === 'NOT_ENOUGH_CREDITS') return credits.notEnough(status)
  if (code === 'PURCHASING_DISABLED') {
    return new AppError(
      'PURCHASING_DISABLED',
      'Credits do not cover the order and purchasing is disabled in the settings',
    )
  }
  return new AppError('PAYMENT_METHOD_MISSING', 'No payment method is attached to the business')
}

async function panelsOf(tx: Tx): Promise<Panels> {
  return new Map((await provisioned(tx)).map((panel) => [panel.kitType, panel]))
}

/** One problem for each order, by the row it came in, with a kit type that the business may not order. */
function notProvisioned({ orders, isBulk }: OrderRequest, panels: Panels): RowProblem[] {
  const problem = (row: number): RowProblem => ({
    row,
    message: 'This kit type is not provisioned for the business',
    path: isBulk ? `bulkUploadData.${row}.kit_type` : 'kit_types',
    code: 'KIT_TYPE_NOT_PROVISIONED',
  })
  return orders.flatMap((order, row) => (order.items.every((item) => panels.has(item.kitType)) ? [] : [problem(row)]))
}

/** What the kits cost by card. One currency for all: the operator's. */
function priceOf(items: readonly Line[], panels: Panels): Price {
  let amountMinor = 0
  let currency = ''
  for (const { kitType, quantity } of items) {
    const panel = panels.get(kitType)
    if (!panel) throw new Error(`${kitType} is not provisioned`)
    amountMinor += panel.priceMinor * quantity
    currency = panel.currency
  }
  return { amountMinor, currency }
}

export interface Quote {
  valid: boolean
  kits: number
  credits: { type: string; needed: number; available: number }[]
  charge?: { amount: number; currency: string }
  rows?: { row: number; valid: boolean; errors: ErrorDetail[] }[]
}

/** Prices a request and says whether it would be placed, without placing anything. */
export async function quote(tx: Tx, request: OrderRequest): Promise<Quote> {
  const panels = await panelsOf(tx)
  const problems = notProvisioned(request, panels)
  const lines = request.orders.flatMap((order) => order.items)
  const available = await credits.available(tx)
  const demand = [...needed(lines)].map(([kitType, amount]) => ({
    type: publicKitType(kitType),
    needed: amount,
    available: available.get(kitType) ?? 0,
  }))
  const covered = demand.every((entry) => entry.available >= entry.needed)
  const settings = await businesses.settings(tx)
  const { paymentMethod, flag } = request
  const decision = decidePayment({ paymentMethod, flag, covered, settings, hasMethod: false })
  const byCard = problems.length === 0 && (decision.kind === 'charge' || decision.kind === 'pending')
  const price = byCard ? priceOf(lines, panels) : undefined
  return {
    valid: problems.length === 0 && decision.kind !== 'refuse',
    kits: quantityOf(lines),
    credits: demand,
    ...(price && { charge: { amount: price.amountMinor, currency: price.currency } }),
    ...(request.isBulk && { rows: request.orders.map((_, row) => rowVerdict(row, problems)) }),
  }
}

function rowVerdict(row: number, problems: readonly RowProblem[]) {
  const errors = problems.filter((problem) => problem.row === row).map(({ message, path }) => ({ message, path }))
  return { row, valid: errors.length === 0, errors }
}
