import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as businesses from '../../businesses/service.ts'
import { selectProvisionedPanels, type UnitPrice } from '../../catalogue/queries.ts'
import { maybeFindMethod } from '../methods.ts'
import type { PaymentMethod } from '../methods-queries.ts'
import { methodMissing, methodUnknown } from '../rules.ts'
import { type ChargeStarted, startPayment } from '../start.ts'

/** Credits to buy, by the internal kit type. What the payment keeps until it is settled. */
export interface Purchase {
  kitType: string
  amount: number
  unitMinor: number
}

/** What credits of a kit type cost: the price of its kit. @throws KIT_TYPE_NOT_PROVISIONED, PAYMENT_FAILED without a price */
export async function creditPrice(tx: Tx, kitType: string): Promise<UnitPrice> {
  const panel = (await selectProvisionedPanels(tx)).find((one) => one.kitType === kitType)
  if (!panel) throw new AppError('KIT_TYPE_NOT_PROVISIONED', 'This kit type is not provisioned for the business')
  // A gateway refuses a charge of nothing.
  if (panel.priceMinor === 0) throw new AppError('PAYMENT_FAILED', 'These credits have no price; the operator sets one')
  return panel
}

/** The card that pays. @throws PURCHASING_DISABLED, PAYMENT_METHOD_MISSING, PAYMENT_METHOD_NOT_FOUND */
export async function payingMethod(tx: Tx, methodId?: string): Promise<PaymentMethod> {
  if (!(await businesses.settings(tx)).purchasingEnabled) {
    throw new AppError('PURCHASING_DISABLED', 'Purchasing is disabled in the settings')
  }
  const method = await maybeFindMethod(tx, methodId)
  if (!method) throw methodId === undefined ? methodMissing() : methodUnknown()
  return method
}

/**
 * Starts to buy credits for a person who asked; the card is charged after the commit (`settlePurchase`).
 * @throws KIT_TYPE_NOT_PROVISIONED, PURCHASING_DISABLED, PAYMENT_METHOD_MISSING, PAYMENT_METHOD_NOT_FOUND, PAYMENT_FAILED
 */
export async function buyCredits(
  tx: Tx,
  {
    kitType,
    amount,
    methodId,
    idempotencyKey,
  }: {
    kitType: string
    amount: number
    methodId: string | undefined
    idempotencyKey: string | undefined
  },
): Promise<ChargeStarted> {
  const price = await creditPrice(tx, kitType)
  const method = await payingMethod(tx, methodId)
  return startPurchase(tx, { purpose: 'credits', kitType, amount, price, method, idempotencyKey })
}

/** Requests the payment of credits. */
export function startPurchase(
  tx: Tx,
  {
    purpose,
    kitType,
    amount,
    price,
    method,
    idempotencyKey,
  }: {
    purpose: 'credits' | 'top_up'
    kitType: string
    amount: number
    price: UnitPrice
    method: PaymentMethod
    idempotencyKey?: string | undefined
  },
): Promise<ChargeStarted> {
  const request: Purchase = { kitType, amount, unitMinor: price.priceMinor }
  const cost = { amountMinor: amount * price.priceMinor, currency: price.currency }
  return startPayment(tx, {
    purpose,
    method,
    ...cost,
    request,
    onDecline: 'refuse',
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  })
}
