import { defineRoute } from '../../../platform/http/route.ts'
import { ReceivedResults, receivedParams } from './schema.ts'
import { findReceivedOfAll } from './service.ts'

export const getReceivedDocumentOfAll = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/received-documents/:documentID',
  tag: 'Operator: review',
  summary: 'Get all results of a message or file as they were sent',
  description: 'What it says: see the same of a business.',
  scope: 'review',
  params: receivedParams,
  answers: { 200: ReceivedResults },
  errors: ['RESULT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params }) => ({ status: 200, body: await findReceivedOfAll(tx, params.documentID) }),
})
