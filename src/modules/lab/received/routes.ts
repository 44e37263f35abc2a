import { defineRoute } from '../../../platform/http/route.ts'
import { ReceivedResults, receivedParams } from './schema.ts'
import { findReceived } from './service.ts'

export const getReceivedDocument = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/received-documents/:documentID',
  tag: 'Results that wait',
  summary: 'Get all results of a message or file as they were sent',
  description:
    'Matched or not, each with what became of it, and how many of the lines that look like results were assessed, wait or were dismissed. `document` of a result that waits has its ID.',
  scope: 'reports:review',
  params: receivedParams,
  answers: { 200: ReceivedResults },
  errors: ['RESULT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params }) => ({ status: 200, body: await findReceived(tx, params.documentID) }),
})
