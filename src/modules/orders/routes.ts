import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { orderId } from '../../domain/id-fields.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type Columns, CSV, CSV_WORDS, chosen, csvColumns, csvFile, wantsCsv } from '../../platform/http/csv.ts'
import {
  anyOf,
  anyOfTexts,
  byCreation,
  commaParameter,
  dateOrTimestamp,
  emailFilter,
  externalIdFilter,
  identifiersIn,
  nextUpdatedSince,
  Pagination,
  pagination,
  paging,
  rangeEnd,
  rangeStart,
  searchText,
  updatedSince,
} from '../../platform/http/fields.ts'
import { joinsGroup } from '../../platform/http/group-commit.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { customerIdFilter } from '../customers/schema.ts'
import { mayReadTests } from '../identity/rules.ts'
import { kitStatuses, sampleStatuses } from '../kits/lifecycle.ts'
import { cancel } from './cancel.ts'
import { idsOfPersonalOrders } from './health-access.ts'
import type { OrderFilter } from './list-queries.ts'
import { orderNotFound } from './lock.ts'
import { find, findTest, list, listAfter, maybeFind, orderReads } from './read.ts'
import { Order } from './schema.ts'

const tag = 'Orders'

export const getOrder = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/orders/:id',
  tag,
  summary: 'Get an order',
  description: 'A live token also reads a test order that it placed with `is_test_order` (`isTest: true`), by its ID.',
  scope: 'orders:read',
  params: z.object({ id: orderId }),
  answers: { 200: Order },
  errors: ['ORDER_NOT_FOUND'],
  groupCommit: joinsGroup(orderReads, ({ params }: { params: { id: string } }) => params.id),
  accesses: { reads: 'order', ids: (order) => idsOfPersonalOrders([order]) },
  handler: async ({ tx, params, access }) => {
    const order = await maybeFind(tx, params.id)
    if (order) return { status: 200, body: order }
    if (!mayReadTests(access)) throw orderNotFound()
    const test = (tx: Tx) => findTest(tx, params.id, access.actor)
    return { after: async (_outside, twin) => ({ status: 200 as const, body: await twin.open(test) }) }
  },
})

const ListOrders = z.object({
  ...paging(50, 250),
  q: searchText.optional(),
  kitStatus: anyOf(kitStatuses),
  sampleStatus: anyOf(sampleStatuses),
  orderDateStart: dateOrTimestamp.optional(),
  orderDateEnd: dateOrTimestamp.optional().describe('Without a time: the end of that day, UTC.'),
  startDate: dateOrTimestamp.optional().describe('Same as orderDateStart.'),
  endDate: dateOrTimestamp.optional().describe('Same as orderDateEnd.'),
  registrationDateStart: dateOrTimestamp.optional(),
  registrationDateEnd: dateOrTimestamp.optional().describe('Without a time: the end of that day, UTC.'),
  registeredTo: emailFilter
    .optional()
    .describe('E-mail or customer ID of the person a kit is registered to; several by comma.'),
  customerID: customerIdFilter
    .optional()
    .describe('Orders with a kit that is registered to one of these people; up to 50 by comma.'),
  email: emailFilter.optional().describe("The recipient's; several by comma."),
  sku: anyOfTexts(50).describe('An order with any line of that kit type; several by comma.'),
  externalID: externalIdFilter.optional(),
  status: anyOf(['created', 'pending', 'canceled']),
  orderID: commaParameter(250).optional().describe('Up to 250.'),
  updatedSince: updatedSince.optional(),
  sort: byCreation,
  columns: csvColumns,
})

function filterOf(query: Omit<z.output<typeof ListOrders>, 'page' | 'size' | 'sort' | 'columns'>): OrderFilter {
  return {
    text: query.q,
    ids: query.orderID?.map(normalizeId),
    kitStatuses: query.kitStatus,
    sampleStatuses: query.sampleStatus,
    createdFrom: rangeStart(query.orderDateStart ?? query.startDate),
    createdTo: rangeEnd(query.orderDateEnd ?? query.endDate),
    registeredFrom: rangeStart(query.registrationDateStart),
    registeredTo: rangeEnd(query.registrationDateEnd),
    registeredKeys: query.registeredTo,
    customerIds: query.customerID,
    kitTypes: query.sku?.map(internalKitType),
    recipientEmails: query.email,
    externalIds: query.externalID && identifiersIn(query.externalID),
    statuses: query.status,
    updatedSince: rangeStart(query.updatedSince),
  }
}

/** The columns of a list of orders as CSV. */
const orderColumns: Columns<Order> = {
  orderID: (order) => order.orderID,
  createdDate: (order) => order.createdDate,
  status: (order) => order.status,
  orderStatus: (order) => order.orderStatus,
  sku: (order) => order.sku,
  quantity: (order) => order.quantity,
  recipientName: (order) => order.recipientName,
  recipientEmail: (order) => order.recipientEmail,
  recipientPhone: (order) => order.recipientPhone,
  street1: (order) => order.recipientAddress?.street1,
  street2: (order) => order.recipientAddress?.street2,
  city: (order) => order.recipientAddress?.city,
  state: (order) => order.recipientAddress?.state,
  zip: (order) => order.recipientAddress?.zip,
  country: (order) => order.recipientAddress?.country,
  externalID: (order) => order.externalID,
  externalTags: (order) => order.externalTags.join(', '),
  paymentMethod: (order) => order.payment.method,
  paymentStatus: (order) => order.payment.status,
  amount: (order) => order.payment.amount,
  currency: (order) => order.payment.currency,
  kitIDs: (order) => order.kits.map((kit) => kit.kitID).join(' '),
  registeredToEmail: (order) => order.registeredTo?.email,
  customerID: (order) => order.registeredTo?.customerID,
}

export const listOrders = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/orders',
  tag,
  summary: 'List orders',
  effects: ['sends-out'],
  description: `Newest first, unless \`sort\` says otherwise. Filters are combined with AND; those about kits match an order with at least one such kit. ${CSV_WORDS}`,
  scope: 'orders:read',
  query: ListOrders,
  answers: { 200: z.object({ data: z.array(Order), pagination: Pagination }) },
  documents: [CSV],
  accesses: { lists: 'order', ids: ({ data }) => idsOfPersonalOrders(data) },
  needsProof: (_, accept) => wantsCsv(accept),
  handler: async ({ tx, accept, query: { page, size, sort, columns, ...query } }) => {
    const filter = filterOf(query)
    const isOldestFirst = sort === 'createdDate'
    if (wantsCsv(accept)) {
      return csvFile('orders', chosen(orderColumns, columns), (tx, last, size) =>
        listAfter(tx, filter, { id: last?.orderID, size, isOldestFirst }),
      )
    }
    const { total, orders } = await list(tx, filter, { page, size, isOldestFirst })
    const body = { data: orders, pagination: pagination(page, size, total) }
    return { status: 200, body, headers: { vary: 'Accept', ...nextUpdatedSince(tx) } }
  },
})

export const cancelOrder = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/orders/:id/cancel',
  tag,
  summary: 'Cancel an order',
  effects: [],
  description: 'While every kit is still `preparing`. Refunds the credits, or the charge.',
  scope: 'orders:write',
  params: z.object({ id: orderId }),
  answers: { 200: Order },
  errors: ['ORDER_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { reads: 'order', ids: (order) => idsOfPersonalOrders([order]) },
  handler: async ({ tx, params }) => {
    await cancel(tx, params.id)
    return { status: 200, body: await find(tx, params.id) }
  },
})
