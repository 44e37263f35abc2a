import type { Place } from '@kitlane/display/postal-address'
import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import {
  type Asked,
  orderRefusalSentence,
  type PanelRules,
  type Refusal,
  refusalsOf,
} from '../catalogue/eligibility.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import type { PriceBook } from '../catalogue/prices.ts'
import { covers, type Line, needed, notEnoughCredits } from '../credits/rules.ts'
import { decidePayment, methodMissing, type PaymentDecision } from '../payments/rules.ts'
import type { NewOrder, OrderRequest } from './request.ts'
import { becomesJob, linesOf } from './rules.ts'
import { ASYNC_ROWS } from './schema.ts'
import type { LockedTerms, Terms } from './terms.ts'

/** What is done with a request. A charge and a job take more than the transaction that decides. */
export type OrderDecision =
  /** `pay`: how orders are paid that a provider has to approve first; absent: later. */
  | { kind: 'place'; method: 'credits' | 'later'; pay?: string }
  | { kind: 'job'; method: 'credits' | 'later' }
  | ChargeDecision
  | { kind: 'refuse'; error: AppError }

export type ChargeDecision = PaymentDecision & { kind: 'charge' }

export type Decided<R> = R & { decision: OrderDecision }

/** Decides requests in order of arrival: each can spend the credits that those before it in its realm have left. */
export function decideRequests<R extends { realm: { id: number }; request: OrderRequest }>(
  requests: readonly R[],
  { of, locks }: LockedTerms,
): Decided<R>[] {
  const credits = new Map<number, RemainingCredits>()
  return requests.map((placementRequest) => {
    const { realm, request } = placementRequest
    const remaining = credits.get(realm.id) ?? remainingCredits((kitType) => locks.balances.find(realm.id, kitType))
    credits.set(realm.id, remaining)
    return { ...placementRequest, decision: decideRequest(request, of(realm.id), remaining) }
  })
}

function decideRequest(
  request: OrderRequest,
  { prices, settings, hasMethod }: Terms,
  remaining: RemainingCredits,
): OrderDecision {
  const refusal = notOrderableError(request, prices)
  if (refusal) return { kind: 'refuse', error: refusal }
  const { paymentMethod, flag } = request
  const waiting = request.orders.filter((order) => needsApproval(order, prices))
  const demand = needed(linesOf(request.orders))
  const covered = covers(remaining.available, demand)
  const decision = decidePayment({ paymentMethod, flag, covered, settings, hasMethod })
  switch (decision.kind) {
    case 'refuse':
      return { kind: 'refuse', error: paymentRefusal(decision) }
    case 'charge': {
      if (waiting.length === 0) return decision
      // One charge cannot be made in part now and in part whenever a provider approves.
      if (becomesJob(request) || waiting.length < request.orders.length)
        return { kind: 'refuse', error: notByOneCard(waiting.length === request.orders.length) }
      return ifPriced(waiting, prices, { kind: 'place', method: 'later', pay: decision.methodId ?? 'card' })
    }
    case 'credits': {
      const taken = request.orders.filter((order) => !waiting.includes(order))
      for (const [kitType, amount] of needed(linesOf(taken))) remaining.take(kitType, amount)
      if (becomesJob(request)) return { kind: 'job', method: 'credits' }
      return ifPriced(waiting, prices, { kind: 'place', method: 'credits', pay: 'credits' })
    }
    case 'pending':
      return becomesJob(request)
        ? { kind: 'job', method: 'later' }
        : ifPriced(request.orders, prices, { kind: 'place', method: 'later' })
  }
}

/** Whether a provider approves an order before anything is made or paid. */
export const needsApproval = ({ items }: NewOrder, prices: PriceBook): boolean =>
  items.some(({ kitType }) => prices.rules(kitType)?.providerNeeded)

const notByOneCard = (isAll: boolean) =>
  new AppError(
    'ORDER_NOT_ALLOWED',
    isAll
      ? `A provider approves these orders first, and a card pays for no job of them: send fewer than ${ASYNC_ROWS} rows in a request, or pay with credits`
      : 'A card pays at once, and a provider approves some of these orders first: send those in a request of their own, or pay with credits',
  )

/** An order that is paid later needs one price. */
function ifPriced(orders: readonly NewOrder[], prices: PriceBook, decision: OrderDecision): OrderDecision {
  try {
    for (const { items } of orders) prices.price(items)
    return decision
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'refuse', error }
  }
}

/** Why a request cannot be paid and is therefore not placed. */
function paymentRefusal({ code, status }: PaymentDecision & { kind: 'refuse' }): AppError {
  if (code === 'NOT_ENOUGH_CREDITS') return notEnoughCredits(status)
  if (code === 'PAYMENT_METHOD_MISSING') return methodMissing()
  return new AppError(
    'PURCHASING_DISABLED',
    'Credits do not cover the order and purchasing is disabled in the settings',
  )
}

export type RowProblem = ErrorDetail & { row: number }

/** The problem of a kit type that the business may not order. */
export const unprovisioned = (path: string): ErrorDetail => ({
  message: 'This kit type is not provisioned for the business',
  path,
  code: 'KIT_TYPE_NOT_PROVISIONED',
})

/** Why an order of its panels is refused, with the field that is wrong. */
function refusals(
  { items, recipient: { address } }: NewOrder,
  prices: PriceBook,
): { field: Refusal; message: string }[] {
  return items.flatMap(({ kitType, quantity }) => {
    const rules = prices.rules(kitType)
    const found = rules ? refusalsOf(rules, { address, quantity }) : []
    return found.map((field) => ({
      field,
      message: rules ? orderRefusalSentence(field, publicKitType(kitType), rules) : '',
    }))
  })
}

/** Why what was ordered could not be ordered now: a panel may be offered in fewer places than it was. */
export function refusalOf(
  rules: readonly (PanelRules & { kitType: string })[],
  items: readonly Line[],
  address: Place | null,
  person?: Asked['person'],
): string | undefined {
  const quantities = new Map(items.map(({ kitType, quantity }) => [kitType, quantity]))
  for (const { kitType, ...of } of address ? rules : []) {
    const quantity = quantities.get(kitType)
    const [refusal] = address && quantity ? refusalsOf(of, { address, quantity, person }) : []
    if (refusal) return orderRefusalSentence(refusal, publicKitType(kitType), of)
  }
  return undefined
}

/** One problem for each order with a kit type that the business may not order, or not there, or not so many; `rows` has the row of each order. */
export function notOrderable(
  { orders, isBulk, kitTypeField = 'kit_types', addressField = 'recipient.address' }: OrderRequest,
  prices: PriceBook,
  rows: readonly number[] = [...orders.keys()],
): RowProblem[] {
  const isFlat = isBulk || kitTypeField !== 'kit_types'
  return orders.flatMap((order, index): RowProblem[] => {
    const row = rows[index] ?? index
    const at = isBulk ? `bulkUploadData.${row}.` : ''
    if (!order.items.every((item) => prices.has(item.kitType))) {
      return [{ row, ...unprovisioned(isBulk ? `${at}kit_type` : kitTypeField) }]
    }
    return refusals(order, prices).map(({ field, message }) => {
      const path = isFlat ? `${at}${field}` : field === 'quantity' ? kitTypeField : `${addressField}.${field}`
      return { row, message, path, code: 'ORDER_NOT_ALLOWED' }
    })
  })
}

/** The refusal of a request with a kit type that the business may not order like this; undefined where it may order all. */
export function notOrderableError(request: OrderRequest, prices: PriceBook): AppError | undefined {
  const problems = notOrderable(request, prices)
  const [first] = problems
  if (!first) return undefined
  const details = problems.slice(0, 1000).map(({ row: _, ...detail }) => detail)
  return problems.some(({ code }) => code === 'KIT_TYPE_NOT_PROVISIONED')
    ? new AppError('KIT_TYPE_NOT_PROVISIONED', 'A kit type is not provisioned for the business', { details })
    : new AppError('ORDER_NOT_ALLOWED', first.message, { details })
}

interface RemainingCredits {
  available(kitType: string): number
  take(kitType: string, amount: number): void
}

/** Credits that are left while requests are decided; the balances themselves stay as they are. */
function remainingCredits(find: (kitType: string) => { available: number } | undefined): RemainingCredits {
  const taken = new Map<string, number>()
  const takenOf = (kitType: string) => taken.get(kitType) ?? 0
  return {
    available: (kitType) => (find(kitType)?.available ?? 0) - takenOf(kitType),
    take: (kitType, amount) => void taken.set(kitType, takenOf(kitType) + amount),
  }
}
