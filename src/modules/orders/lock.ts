import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type LockedOrder, selectOrderForUpdate } from './queries.ts'

/** An order, locked until the transaction ends. @throws ORDER_NOT_FOUND */
export async function lockOrder(tx: Tx, id: string): Promise<LockedOrder> {
  const order = await selectOrderForUpdate(tx, id)
  if (!order) throw orderNotFound()
  return order
}

export const orderNotFound = (): AppError => new AppError('ORDER_NOT_FOUND', 'There is no such order')

/** The refusal of what an order in its current state does not allow. */
export const illegalTransition = (message: string, current: string): AppError =>
  new AppError('ILLEGAL_TRANSITION', message, { extra: { current, allowed: [] } })
