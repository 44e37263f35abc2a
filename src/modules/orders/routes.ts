import { z } from 'zod'
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
import { route } from '../../platform/http/route.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { kitStatuses, sampleStatuses } from '../kits/lifecycle.ts'
import { cancel } from './cancel.ts'
import { find, list } from './read.ts'
import { Order } from './schema.ts'

const tag = 'Orders'

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
  description: 'While every kit is still `preparing`. Refunds the credits, or the charge.',
  scope: 'orders:write',
  params: z.object({ id: orderId }),
  responses: { 200: Order },
  errors: ['ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  handler: async ({ tx, params }) => {
    await cancel(tx, params.id)
    return { status: 200, body: await find(tx, params.id) }
  },
})
