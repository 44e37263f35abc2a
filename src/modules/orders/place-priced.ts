import type { Tx } from '../../platform/database/tx.ts'
import { priceBook, priceBookOf } from '../catalogue/prices.ts'
import type { UnitPrice } from '../catalogue/queries.ts'
import type { OrderOutcome } from './answer.ts'
import { acceptJob } from './bulk/accept.ts'
import { notOrderableError } from './decision.ts'
import { placeOrders } from './placement.ts'
import type { OrderRequest } from './request.ts'
import { becomesJob } from './rules.ts'

/** A request with the prices at which it was made: what its card is charged, or what it costs when it is paid later. */
export type PricedRequest = OrderRequest & { prices: UnitPrice[] }

/** Places a request whose payment is decided: at once, or from 20 rows on by a job. */
export async function placePriced(
  tx: Tx,
  request: PricedRequest,
  payment: { method: 'card'; paymentId: string } | { method: 'later' },
): Promise<OrderOutcome> {
  const { orders, prices } = request
  if (becomesJob(request)) return acceptJob(tx, orders, { payment, prices })
  const orderIds = await placeOrders(tx, orders, { ...payment, price: priceBookOf(prices).price })
  return { kind: 'placed', orderIds, pending: payment.method === 'later' }
}

/**
 * Places orders that are paid later, whatever the credits: for a business that someone else orders for.
 * @throws KIT_TYPE_NOT_PROVISIONED, ORDER_NOT_ALLOWED; VALIDATION_FAILED where kits are priced in several currencies
 */
export async function placeLater(tx: Tx, request: OrderRequest): Promise<OrderOutcome> {
  const prices = await priceBook(tx)
  const refusal = notOrderableError(request, prices)
  if (refusal) throw refusal
  return placePriced(tx, { ...request, prices: prices.units }, { method: 'later' })
}
