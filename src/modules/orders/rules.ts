import type { Line } from '../credits/rules.ts'
import type { NewOrder, OrderRequest } from './request.ts'
import { ASYNC_ROWS, type OrderStatus } from './schema.ts'

/** Whether a request becomes a job. */
export const becomesJob = ({ orders, isBulk }: OrderRequest): boolean => isBulk && orders.length >= ASYNC_ROWS

/** Whether a request can be placed without a card or a job, so that it may join a group. */
export const mayJoinGroup = (request: OrderRequest): boolean =>
  !becomesJob(request) &&
  (request.paymentMethod === undefined ? request.flag !== true : NO_CARD.has(request.paymentMethod))
const NO_CARD = new Set(['credits', 'later'])

/** The lines of all orders of a request. */
export const linesOf = (orders: readonly NewOrder[]): Line[] => orders.flatMap((order) => order.items)

/** The SKU of an order with several kit types. */
export const MIXED = 'MIXED'

export const skuOf = (items: readonly Line[]): string => (items.length === 1 && items[0] ? items[0].kitType : MIXED)

/** Kits of all lines. */
export const quantityOf = (items: readonly Line[]): number => items.reduce((sum, item) => sum + item.quantity, 0)

/** One kit for each credit. */
export const kitsOf = ({ id, items }: { id: string; items: readonly Line[] }): { orderId: string; kitType: string }[] =>
  items.flatMap(({ kitType, quantity }) => Array.from({ length: quantity }, () => ({ orderId: id, kitType })))

export interface KitState {
  kitStatus: string
  sampleStatus: string
  status: string
  replaced: boolean
}

const isException = (kit: KitState) =>
  kit.kitStatus.endsWith('Exception') || kit.sampleStatus.endsWith('Exception') || kit.sampleStatus === 'rejected'

/**
 * The fulfilment of an order, from its kits. `needs_review`: a person has to act, because a kit has an exception or was
 * rejected and is not replaced, or because its report waits for review.
 */
export function orderStatusOf(status: 'created' | 'pending' | 'canceled', kits: readonly KitState[]): OrderStatus {
  if (status !== 'created') return status
  const current = kits.filter((kit) => kit.kitStatus !== 'canceled' && !kit.replaced)
  if (current.length === 0) return 'canceled'
  if (current.some((kit) => isException(kit) || kit.status === 'inReview')) return 'needs_review'
  if (current.every((kit) => kit.status === 'published')) return 'completed'
  if (current.every((kit) => kit.kitStatus === 'preparing')) return 'preparing'
  return 'in_progress'
}
