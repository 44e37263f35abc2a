import { AppError } from '../../domain/errors.ts'
import { cancel } from '../../modules/orders/cancel.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { announceTrouble, emailTrouble, recordStep } from './announce.ts'
import { type ShopOrderRow, updateShopOrder } from './order-queries.ts'

/** Cancels the order that was placed, while it is not packed. After that a person decides. */
export async function cancelPlaced(tx: Tx, row: ShopOrderRow): Promise<void> {
  try {
    if (row.orderId) await cancel(tx, row.orderId)
  } catch (error) {
    // Nothing was written yet. One that the business canceled itself is as the shop wants it.
    if (!(error instanceof AppError) || error.code !== 'ILLEGAL_TRANSITION') throw error
    if (error.extra?.current !== 'canceled') return waitFor(tx, row, 'canceled_too_late')
  }
  const canceled: ShopOrderRow = { ...row, status: 'canceled', reason: null, tellOpen: false, dueAt: null }
  await updateShopOrder(tx, canceled)
  await recordStep(tx, 'canceled', canceled)
}

/** Has an order wait for a person, who hears of it once. */
export async function waitFor(tx: Tx, row: ShopOrderRow, reason: string): Promise<void> {
  const waiting: ShopOrderRow = { ...row, status: 'waiting', reason, dueAt: null }
  await updateShopOrder(tx, waiting)
  if (row.status === 'waiting' && row.reason === reason) return
  await announceTrouble(tx, waiting, reason)
  await emailTrouble(tx, waiting, reason)
}
