import { z } from 'zod'
import type { Tx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import {
  dateOrTimestamp,
  orderId,
  Pagination,
  pagination,
  paging,
  rangeEnd,
  rangeStart,
  text,
} from '../../platform/http/fields.ts'
import { deprecationHeaders } from '../../platform/http/register.ts'
import { type Access, type Deprecation, route } from '../../platform/http/route.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { kitStatuses, sampleStatuses } from '../kits/lifecycle.ts'
import { cancel } from './cancel.ts'
import { createOrders, type OrderRequest, type Outcome, quote } from './create.ts'
import { find, list } from './read.ts'
import { fromLegacy, toOrders } from './rules.ts'
import { ASYNC_ROWS, Created, CreateOrder, DryRun, LegacyOrder, Order } from './schema.ts'

const tag = 'Orders'

const legacyDeprecation: Deprecation = {
  since: '2026-01-01T00:00:00Z',
  sunset: '2028-01-01T00:00:00Z',
  successor: '/api/v1/create-order',
}

const isTrue = z.enum(['true', 'false', '1', '0']).transform((value) => value === 'true' || value === '1')
const query = z.object({ dryRun: isTrue.optional().describe('true: validate and price only, create nothing.') })
type Body = { is_test_order?: boolean; paymentMethod?: string; purchase_with_attached_payment?: boolean }

/** `is_test_order` on a live token places the order in the sandbox of the same business. */
const orderRealm = ({ body }: { body: Body }, access: Access) =>
  body.is_test_order && access.realm.mode === 'live' ? access.twin : access.realm

const toRequest = (orders: OrderRequest['orders'], isBulk: boolean, body: Body): OrderRequest => ({
  orders,
  isBulk,
  paymentMethod: body.paymentMethod,
  flag: body.purchase_with_attached_payment,
})

const testOrderHeaders = (body: Body, access: Access) =>
  body.is_test_order && access.realm.mode === 'live' ? deprecationHeaders(legacyDeprecation) : {}

function toCreated({ orderIds, pending }: Outcome, isBulk: boolean): Created {
  const [orderId = ''] = orderIds
  const ids = isBulk ? { orderIds } : { orderId }
  return pending ? { pending: true, ...ids } : ids
}

async function perform(tx: Tx, request: OrderRequest, dryRun: boolean | undefined) {
  if (dryRun) return { status: 200 as const, body: await quote(tx, request) }
  return { status: 201 as const, body: toCreated(await createOrders(tx, request), request.isBulk) }
}

const errors = [
  'VALIDATION_FAILED',
  'KIT_TYPE_NOT_PROVISIONED',
  'NOT_ENOUGH_CREDITS',
  'PAYMENT_METHOD_MISSING',
  'PURCHASING_DISABLED',
  'PAYMENT_FAILED',
] as const

export const createOrder = route({
  method: 'POST',
  path: '/create-order',
  id: 'createOrder',
  tag,
  summary: 'Create an order, or several',
  description:
    'One order with `kit_types`, or one order per row with `bulkUploadData`. Bulk is all or nothing; one decision on payment covers the whole request. Kits ship to the recipient as soon as the order is paid.',
  scope: 'orders:write',
  query,
  body: CreateOrder,
  bodyLimitBytes: 10 * 1024 * 1024,
  responses: { 200: DryRun, 201: Created },
  errors: [...errors],
  realm: orderRealm,
  handler: async ({ tx, access, body, query }) => {
    const isBulk = body.bulkUploadData !== undefined
    if ((body.bulkUploadData?.length ?? 0) >= ASYNC_ROWS && !query.dryRun) {
      throw new AppError('VALIDATION_FAILED', `Bulk requests of ${ASYNC_ROWS} rows or more are not available yet`)
    }
    const answer = await perform(tx, toRequest(toOrders(body), isBulk, body), query.dryRun)
    return { ...answer, headers: testOrderHeaders(body, access) }
  },
})

export const createLegacyOrder = route({
  method: 'POST',
  path: '/legacy/create-order',
  id: 'createLegacyOrder',
  tag,
  summary: 'Create an order (legacy, flat payload)',
  description: 'Deprecated: use POST /api/v1/create-order. Same rules, same answers.',
  scope: 'orders:write',
  query,
  body: LegacyOrder,
  responses: { 200: DryRun, 201: Created },
  errors: [...errors],
  deprecated: legacyDeprecation,
  realm: orderRealm,
  handler: ({ tx, body, query }) => perform(tx, toRequest([fromLegacy(body)], false, body), query.dryRun),
})

export const getOrder = route({
  method: 'GET',
  path: '/orders/:id',
  id: 'getOrder',
  tag,
  summary: 'Get an order',
  scope: 'orders:read',
  params: z.object({ id: orderId }),
  responses: { 200: Order },
  errors: ['ORDER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await find(tx, params.id) }),
})

export const listOrders = route({
  method: 'GET',
  path: '/orders',
  id: 'listOrders',
  tag,
  summary: 'List orders',
  description:
    'Newest first. Filters are combined with AND; those about kits match an order with at least one such kit.',
  scope: 'orders:read',
  query: z.object({
    ...paging(50, 250),
    kitStatus: z.enum(kitStatuses).optional(),
    sampleStatus: z.enum(sampleStatuses).optional(),
    orderDateStart: dateOrTimestamp.optional(),
    orderDateEnd: dateOrTimestamp.optional().describe('Without a time: the end of that day, UTC.'),
    registrationDateStart: dateOrTimestamp.optional(),
    registrationDateEnd: dateOrTimestamp.optional().describe('Without a time: the end of that day, UTC.'),
    registeredTo: text(254).optional().describe('E-mail or customer ID of the person a kit is registered to.'),
    sku: text(100).optional().describe('An order with any line of that kit type.'),
    externalID: text(255).optional(),
    status: z.enum(['created', 'pending', 'canceled']).optional(),
  }),
  responses: { 200: z.object({ data: z.array(Order), pagination: Pagination }) },
  handler: async ({ tx, query: { page, size, ...filter } }) => {
    const { registeredTo } = filter
    const isCustomerId = registeredTo !== undefined && /^\d{1,15}$/.test(registeredTo)
    const { total, orders } = await list(
      tx,
      {
        kitStatus: filter.kitStatus,
        sampleStatus: filter.sampleStatus,
        createdFrom: rangeStart(filter.orderDateStart),
        createdTo: rangeEnd(filter.orderDateEnd),
        registeredFrom: rangeStart(filter.registrationDateStart),
        registeredTo: rangeEnd(filter.registrationDateEnd),
        registeredEmail: isCustomerId ? undefined : registeredTo,
        registeredCustomerId: isCustomerId ? Number(registeredTo) : undefined,
        kitType: filter.sku && internalKitType(filter.sku),
        externalId: filter.externalID,
        status: filter.status,
      },
      page,
      size,
    )
    return { status: 200, body: { data: orders, pagination: pagination(page, size, total) } }
  },
})

export const cancelOrder = route({
  method: 'POST',
  path: '/orders/:id/cancel',
  id: 'cancelOrder',
  tag,
  summary: 'Cancel an order',
  description: 'While every kit is still `preparing`. Refunds the credits.',
  scope: 'orders:write',
  params: z.object({ id: orderId }),
  responses: { 200: Order },
  errors: ['ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => {
    await cancel(tx, params.id)
    return { status: 200, body: await find(tx, params.id) }
  },
})
