import { AppError } from '../../domain/errors.ts'
import { recipientOf } from '../../modules/orders/request.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { recordStep } from './announce.ts'
import { type ShopOrderRow, selectShopOrder, updateShopOrder } from './order-queries.ts'
import { SHOPS_JOB } from './place.ts'
import { releasable } from './rules.ts'
import type { RetryShopOrder } from './schema.ts'

/** @throws SHOP_ORDER_NOT_FOUND */
export async function findShopOrder(tx: Tx, shopId: string, id: string, lock: 'none' | 'update' = 'none') {
  const row = await selectShopOrder(tx, id, lock)
  if (row?.shopId !== shopId) throw new AppError('SHOP_ORDER_NOT_FOUND', 'There is no such order of this shop')
  return row
}

const illegal = (message: string, { status }: ShopOrderRow): AppError =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current: status, allowed: [] } })

/**
 * Looks at an order again, with the recipient that a person put right, also if it is from before the connection, or the doubt that it
 * waits for is decided by that; or tells the shop again, where tracking could not be written back.
 * @throws SHOP_ORDER_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function retry(
  tx: Tx,
  shopId: string,
  id: string,
  recipient?: RetryShopOrder['recipient'],
): Promise<void> {
  const row = await findShopOrder(tx, shopId, id, 'update')
  if (row.paymentId) throw illegal('Its card is being charged: try again in a minute', row)
  if (row.erased) throw illegal('Its person was erased: nothing is sent any more', row)
  const isPlacedWithProblem = row.orderId !== null && row.tellCode !== null
  if (row.orderId && !isPlacedWithProblem) throw illegal('Its order is placed: change that one', row)
  const corrected = recipient ? recipientOf(recipient) : row.corrected
  const released = row.reason && releasable.includes(row.reason) ? [...row.released, row.reason] : row.released
  await updateShopOrder(tx, {
    ...row,
    ...(isPlacedWithProblem
      ? { tellOpen: true, tellAttempts: 0, tellDueAt: null }
      : { corrected, released, isRequested: true, attempts: 0, dueAt: tx.now }),
    ...(row.reason === 'dismissed' && { status: 'waiting' as const, reason: null }),
  })
  await recordStep(tx, 'retried', row, recipient ? { fields: ['recipient'] } : {})
  await tx.enqueue(SHOPS_JOB, {})
}

/** A person has seen to an order: nothing more is done with it by itself. @throws SHOP_ORDER_NOT_FOUND, ILLEGAL_TRANSITION */
export async function dismiss(tx: Tx, shopId: string, id: string): Promise<void> {
  const row = await findShopOrder(tx, shopId, id, 'update')
  if (!['waiting', 'retrying', 'failed', 'unpaid'].includes(row.status))
    throw illegal('It does not wait for anybody', row)
  const seen: ShopOrderRow = row.orderId
    ? { ...row, status: 'placed', reason: null }
    : { ...row, status: 'skipped', reason: 'dismissed', dueAt: null }
  await updateShopOrder(tx, seen)
  await recordStep(tx, 'dismissed', row, { reason: row.reason })
}
