import { AppError, type ErrorDetail } from '../../platform/errors.ts'
import type { PriceBook } from '../catalogue/prices.ts'
import { fromLegacy, type NewOrder, toOrders } from '../orders/rules.ts'
import type { CreateOrder, LegacyOrder } from '../orders/schema.ts'

/** What was asked for, whichever way it came in. */
export interface OrderRequest {
  orders: NewOrder[]
  /** One order per row, or the one order of `kit_types`. */
  isBulk: boolean
  paymentMethod?: string
  /** purchase_with_attached_payment */
  flag?: boolean
}

/** The body of create-order as a request. */
export function requestOf(body: CreateOrder): OrderRequest {
  return { orders: toOrders(body), isBulk: body.bulkUploadData !== undefined, ...paymentOf(body) }
}

/** The legacy, flat body as a request. */
export function legacyRequestOf(body: LegacyOrder): OrderRequest {
  return { orders: [fromLegacy(body)], isBulk: false, ...paymentOf(body) }
}

const paymentOf = ({ paymentMethod, purchase_with_attached_payment: flag }: CreateOrder | LegacyOrder) => ({
  paymentMethod,
  flag,
})

export type RowProblem = ErrorDetail & { row: number }

/** One problem for each order with a kit type that the business may not order; `rows` says in which row each order came. */
export function notProvisioned(
  { orders, isBulk }: OrderRequest,
  prices: PriceBook,
  rows: readonly number[] = [...orders.keys()],
): RowProblem[] {
  const problem = (row: number): RowProblem => ({
    row,
    message: 'This kit type is not provisioned for the business',
    path: isBulk ? `bulkUploadData.${row}.kit_type` : 'kit_types',
    code: 'KIT_TYPE_NOT_PROVISIONED',
  })
  return orders.flatMap((order, index) =>
    order.items.every((item) => prices.has(item.kitType)) ? [] : [problem(rows[index] ?? index)],
  )
}

/** @throws KIT_TYPE_NOT_PROVISIONED */
export function assertProvisioned(request: OrderRequest, prices: PriceBook): void {
  const problems = notProvisioned(request, prices)
  if (problems.length === 0) return
  const details = problems.slice(0, 1000).map(({ row: _, ...detail }) => detail)
  throw new AppError('KIT_TYPE_NOT_PROVISIONED', 'A kit type is not provisioned for the business', { details })
}

export const linesOf = (orders: readonly NewOrder[]) => orders.flatMap((order) => order.items)
export const kitTypesOf = (orders: readonly NewOrder[]) => linesOf(orders).map((line) => line.kitType)
