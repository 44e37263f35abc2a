import { z } from 'zod'
import { anyOf, Pagination, pagination, paging } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { customerIdFilter } from '../../customers/schema.ts'
import { toErased } from '../erase.ts'
import { CustomerErased } from '../schema.ts'
import { requestKinds, requestStatuses } from './rules.ts'
import { DataRequest, Refusal, requestParams } from './schema.ts'
import * as requests from './service.ts'

const tag = 'Customers'

export const listDataRequests = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/data-requests',
  tag,
  summary: 'List what people asked for about their data',
  description:
    'On their own pages people ask for a copy of their data, or for its erasure. Open requests come first, the one that waits longest at the top. `data_request.created` tells of each.',
  scope: 'customers:read',
  query: z.object({
    ...paging(50, 250),
    status: anyOf(requestStatuses),
    kind: anyOf(requestKinds),
    customerID: customerIdFilter.optional(),
  }),
  answers: { 200: z.object({ data: z.array(DataRequest), pagination: Pagination }) },
  accesses: { lists: 'customer', ids: ({ data }) => data.map(({ customerID }) => String(customerID)) },
  handler: async ({ tx, query: { page, size, status, kind, customerID } }) => {
    const filter = { statuses: status, kinds: kind, customerIds: customerID }
    const { requests: data, total } = await requests.listRequests(tx, filter, { page, size })
    return { status: 200, body: { data, pagination: pagination(page, size, total) } }
  },
})

const answering = {
  audience: 'business',
  method: 'POST',
  tag,
  scope: 'customers:write',
  params: requestParams,
} as const
const reads = { reads: 'customer', ids: ({ customerID }: DataRequest) => [String(customerID)] } as const

export const grantCopyOfData = defineRoute({
  ...answering,
  path: '/data-requests/:dataRequestID/copy',
  summary: 'Give a person the copy that they asked for',
  effects: ['sends-out'],
  grants: ['copy'],
  description:
    'They get an e-mail, and can download the copy on their pages for 30 days. It is made when they do, as `GET /customers/:id/export` would be, with what is published.',
  answers: { 200: DataRequest },
  errors: ['DATA_REQUEST_NOT_FOUND', 'DATA_REQUEST_CLOSED'],
  accesses: reads,
  needsProof: true,
  handler: async ({ tx, params }) => ({ status: 200, body: await requests.grantCopy(tx, params.dataRequestID) }),
})

export const grantErasure = defineRoute({
  ...answering,
  path: '/data-requests/:dataRequestID/erasure',
  summary: 'Erase a person who asked for it',
  effects: ['deletes'],
  description: 'Cannot be undone: it does what `DELETE /customers/:id` does. The request is gone with the person.',
  answers: { 200: CustomerErased },
  errors: ['DATA_REQUEST_NOT_FOUND', 'DATA_REQUEST_CLOSED', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params }) => ({
    status: 200,
    body: toErased(await requests.grantErasure(tx, params.dataRequestID)),
  }),
})

export const refuseDataRequest = defineRoute({
  ...answering,
  path: '/data-requests/:dataRequestID/refusal',
  summary: 'Refuse what a person asked for',
  effects: ['publishes'],
  description: 'They get an e-mail, and read the reason on their pages. They may ask again.',
  body: Refusal,
  answers: { 200: DataRequest },
  errors: ['DATA_REQUEST_NOT_FOUND', 'DATA_REQUEST_CLOSED'],
  accesses: reads,
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await requests.refuseRequest(tx, params.dataRequestID, body.reason),
  }),
})
