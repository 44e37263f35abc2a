import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Price, PriceBook } from '../../catalogue/prices.ts'
import { maybeFindMethod } from '../../payments/methods.ts'
import type { PaymentMethod } from '../../payments/methods-queries.ts'
import { methodMissing, methodUnknown } from '../../payments/rules.ts'
import { type ChargeStarted, startPayment } from '../../payments/start.ts'
import type { ChargeDecision } from '../decision.ts'
import type { PricedRequest } from '../place-priced.ts'
import type { OrderRequest } from '../request.ts'
import { becomesJob, linesOf } from '../rules.ts'

/**
 * Starts the payment of a request by card; its orders are placed once the card is charged.
 * @throws PAYMENT_METHOD_MISSING, PAYMENT_METHOD_NOT_FOUND, PAYMENT_FAILED
 */
export async function payRequestByCard(
  tx: Tx,
  request: OrderRequest,
  {
    decision,
    prices,
    idempotencyKey,
  }: { decision: ChargeDecision; prices: PriceBook; idempotencyKey: string | undefined },
): Promise<ChargeStarted> {
  const { method, price } = await findCharge(tx, request, { decision, prices })
  return startPayment(tx, {
    purpose: becomesJob(request) ? 'bulk' : 'orders',
    onDecline: decision.onDecline,
    method,
    ...price,
    request: { ...request, prices: prices.units } satisfies PricedRequest,
    idempotencyKey,
  })
}

/** The card that a request is charged to, and how much. @throws PAYMENT_METHOD_MISSING, PAYMENT_METHOD_NOT_FOUND, PAYMENT_FAILED */
export async function findCharge(
  tx: Tx,
  { orders }: OrderRequest,
  { decision, prices }: { decision: ChargeDecision; prices: PriceBook },
): Promise<{ method: PaymentMethod; price: Price }> {
  const method = await maybeFindMethod(tx, decision.methodId)
  if (!method) throw decision.methodId === undefined ? methodMissing() : methodUnknown()
  const price = prices.price(linesOf(orders))
  // A gateway refuses a charge of nothing.
  if (price.amountMinor === 0) throw new AppError('PAYMENT_FAILED', 'These kits have no price; the operator sets one')
  return { method, price }
}
