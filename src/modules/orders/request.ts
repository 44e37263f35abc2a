import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import type { PriceBook } from '../catalogue/prices.ts'
import { fromLegacy, type NewOrder, toOrders } from './rules.ts'
import { ASYNC_ROWS, type CreateOrder, type LegacyOrder } from './schema.ts'

/** What was asked for, whichever way it came in. */
export interface OrderRequest {
  orders: NewOrder[]
  /** One order per row, or the one order of `kit_types`. */
  isBulk: boolean
  paymentMethod?: string
  /** purchase_with_attached_payment */
  flag?: boolean
  /** Where the caller said the kit type of a single order; default `kit_types`. */
  kitTypeField?: string
}

/** The body of create-order as a request. */
export function requestOf(body: CreateOrder): OrderRequest {
  return { orders: toOrders(body), isBulk: body.bulkUploadData !== undefined, ...paymentOf(body) }
}

/** The legacy, flat body as a request. */
export function legacyRequestOf(body: LegacyOrder): OrderRequest {
  return { orders: [fromLegacy(body)], isBulk: false, kitTypeField: 'kitType', ...paymentOf(body) }
}

const paymentOf = ({ paymentMethod, purchase_with_attached_payment: flag }: CreateOrder | LegacyOrder) => ({
  paymentMethod,
  flag,
})

export type RowProblem = ErrorDetail & { row: number }

/** One problem for each order with a kit type that the business may not order; `rows` says in which row each order came. */
export function notProvisioned(
  { orders, isBulk, kitTypeField = 'kit_types' }: OrderRequest,
  prices: PriceBook,
  rows: readonly number[] = [...orders.keys()],
): RowProblem[] {
  const problem = (row: number): RowProblem => ({
    row,
    message: 'This kit type is not provisioned for the business',
    path: isBulk ? `bulkUploadData.${row}.kit_type` : kitTypeField,
    code: 'KIT_TYPE_NOT_PROVISIONED',
  })
  return orders.flatMap((order, index) =>
    order.items.every((item) => prices.has(item.kitType)) ? [] : [problem(rows[index] ?? index)],
  )
}

/** The refusal of a request with a kit type that the business may not order; undefined where it may order all. */
export function notProvisionedError(request: OrderRequest, prices: PriceBook): AppError | undefined {
  const problems = notProvisioned(request, prices)
  if (problems.length === 0) return undefined
  const details = problems.slice(0, 1000).map(({ row: _, ...detail }) => detail)
  return new AppError('KIT_TYPE_NOT_PROVISIONED', 'A kit type is not provisioned for the business', { details })
}

/** Whether a request becomes a job. */
export const isAsync = ({ orders, isBulk }: OrderRequest): boolean => isBulk && orders.length >= ASYNC_ROWS

/** Whether a request can be placed without a card or a job, so that it may join a group. */
export const joins = (request: OrderRequest): boolean =>
  !isAsync(request) &&
  (request.paymentMethod === undefined ? request.flag !== true : NO_CARD.has(request.paymentMethod))
const NO_CARD = new Set(['credits', 'later'])

export const linesOf = (orders: readonly NewOrder[]) => orders.flatMap((order) => order.items)
export const kitTypesOf = (orders: readonly NewOrder[]) => linesOf(orders).map((line) => line.kitType)
