import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type PriceBook, priceBook, priceBookOf, type UnitPrice } from '../catalogue/prices.ts'
import * as credits from '../credits/service.ts'
import { maybeFindMethod, methodMissing, methodUnknown } from '../payments/methods.ts'
import type { PaymentDecision } from '../payments/rules.ts'
import * as bulk from './bulk/service.ts'
import { takeIn } from './group.ts'
import { startPayment } from './payment/start.ts'
import { type Payment, place } from './placement.ts'
import { isAsync, linesOf, notProvisionedError, type OrderRequest } from './request.ts'
import { openTerms } from './terms.ts'

/** What became of a request. */
export type Outcome =
  | { kind: 'placed'; orderIds: string[]; pending: boolean }
  | { kind: 'job'; jobId: string }
  | { kind: 'declined'; code: string }

/** A request that is done, or one that waits for a card to be charged after the commit. */
export type Ordering = Outcome | { kind: 'charging'; paymentId: string }

/**
 * Decides once how the whole request is paid and places all of it, or nothing; 20 rows or more become a job.
 * `idempotencyKey` is the caller's, whose answer waits where a card has to be charged first.
 * @throws KIT_TYPE_NOT_PROVISIONED, NOT_ENOUGH_CREDITS, PAYMENT_METHOD_MISSING, PURCHASING_DISABLED
 */
export async function createOrders(tx: Tx, request: OrderRequest, idempotencyKey?: string): Promise<Ordering> {
  const { realm, actor } = tx
  const opened = await openTerms(tx, [{ realm, request }])
  const { verdicts, writes } = await takeIn(tx, [{ realm, actor, request }], opened)
  await Promise.all(writes)
  const [taken] = verdicts
  if (!taken) throw new Error('a request got no verdict')
  const { verdict, placed } = taken
  const { prices } = opened.termsOf(realm.id)
  if (placed) return { kind: 'placed', ...placed }
  if (verdict.kind === 'refuse') throw verdict.error
  if (verdict.kind === 'charge') return startCharge(tx, request, verdict.decision, prices, idempotencyKey)
  if (verdict.method === 'later') return acceptJob(tx, request, { payment: 'later', prices: prices.units })
  const id = bulk.newJobId()
  await credits.reserve(tx, opened.books.balances, id, linesOf(request.orders))
  return acceptJob(tx, request, { id, payment: 'credits', prices: prices.units })
}

/**
 * Places orders that are paid later, whatever the credits: for a business that someone else orders for.
 * @throws KIT_TYPE_NOT_PROVISIONED; VALIDATION_FAILED where kits are priced in several currencies
 */
export async function placeLater(tx: Tx, request: OrderRequest): Promise<Outcome> {
  const prices = await priceBook(tx)
  const unknown = notProvisionedError(request, prices)
  if (unknown) throw unknown
  return placePending(tx, request, prices)
}

async function placeNow(tx: Tx, { orders }: OrderRequest, payment: Payment): Promise<Outcome> {
  return { kind: 'placed', orderIds: await place(tx, orders, payment), pending: payment.method === 'later' }
}

/** Orders that wait for their payment; many of them, too, are placed by a job. */
export async function placePending(tx: Tx, request: OrderRequest, prices: PriceBook): Promise<Outcome> {
  if (!isAsync(request)) return placeNow(tx, request, { method: 'later', price: prices.price })
  return acceptJob(tx, request, { payment: 'later', prices: prices.units })
}

async function acceptJob(
  tx: Tx,
  { orders }: OrderRequest,
  job: Omit<bulk.NewJob, 'id' | 'orders'> & { id?: string },
): Promise<Outcome> {
  const { id = bulk.newJobId() } = job
  await bulk.accept(tx, { ...job, id, orders })
  return { kind: 'job', jobId: id }
}

async function startCharge(
  tx: Tx,
  request: OrderRequest,
  decision: PaymentDecision & { kind: 'charge' },
  prices: PriceBook,
  idempotencyKey: string | undefined,
): Promise<Ordering> {
  const method = await maybeFindMethod(tx, decision.methodId)
  if (!method) throw decision.methodId === undefined ? methodMissing() : methodUnknown()
  const price = prices.price(linesOf(request.orders))
  // A card cannot be charged nothing.
  if (price.amountMinor === 0) throw new AppError('PAYMENT_FAILED', 'These kits have no price; the operator sets one')
  const paymentId = await startPayment(tx, {
    purpose: isAsync(request) ? 'bulk' : 'orders',
    onDecline: decision.onDecline,
    method,
    ...price,
    request: { ...request, prices: prices.units } satisfies PricedRequest,
    idempotencyKey,
  })
  return { kind: 'charging', paymentId }
}

/** A request as it is kept while its card is charged: at the prices that the card was asked for. */
export type PricedRequest = OrderRequest & { prices: UnitPrice[] }

/** What a charged card pays for: orders at once, or a job. */
export function placePaid(tx: Tx, request: PricedRequest, paymentId: string): Promise<Outcome> {
  const { prices } = request
  if (isAsync(request)) return acceptJob(tx, request, { payment: 'card', paymentId, prices })
  return placeNow(tx, request, { method: 'card', paymentId, price: priceBookOf(prices).price })
}
