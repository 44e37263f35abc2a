import type { Line } from '../credits/rules.ts'
import type { NewOrder, OrderRequest } from './request.ts'
import { ASYNC_ROWS } from './schema.ts'

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

/** Kits of all lines. */
export const quantityOf = (items: readonly Line[]): number => items.reduce((sum, item) => sum + item.quantity, 0)

/** One kit for each credit. */
export const kitsOf = ({ id, items }: { id: string; items: readonly Line[] }): { orderId: string; kitType: string }[] =>
  items.flatMap(({ kitType, quantity }) => Array.from({ length: quantity }, () => ({ orderId: id, kitType })))
