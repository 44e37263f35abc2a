import { z } from 'zod'
import { defineRoute, defineRoutes } from '../../../platform/http/route.ts'
import { kitParams } from '../../kits/schema.ts'
import { ReceivedResults, receivedParams } from './schema.ts'
import { findReceived, realmOfDocument, receivedOfKit } from './service.ts'

export const { business: getReceivedDocument, operator: getReceivedDocumentOfAll } = defineRoutes({
  audiences: {
    business: { tag: 'Results that wait', scope: 'reports:review' },
    operator: { tag: 'Operator: review', scope: 'review' },
  },
  realmOf: (tx, { params }) => realmOfDocument(tx, params.documentID),
  method: 'GET',
  path: '/received-documents/:documentID',
  summary: 'Get all results of a message or file as they were sent',
  description:
    'Matched or not, each with what became of it, and how many of the lines that look like results were assessed, wait or were dismissed. `document` of a result that waits has its ID.',
  params: receivedParams,
  answers: { 200: ReceivedResults },
  errors: ['RESULT_NOT_FOUND'],
  accesses: { reads: 'customer', ids: ({ customerID }) => [String(customerID)] },
  handler: async ({ tx, params }) => ({ status: 200, body: await findReceived(tx, params.documentID) }),
})

export const listReceivedDocuments = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits/:kitID/received-documents',
  tag: 'Results that wait',
  summary: 'List all that laboratories sent for a kit',
  description:
    'In the order of arrival, with the times and status of the laboratory. If `became` is `superseded`, it changed nothing: a corrected, final or newer result stood, or the laboratory had taken it back.',
  scope: 'reports:review',
  params: kitParams,
  answers: { 200: z.object({ data: z.array(ReceivedResults) }) },
  errors: ['KIT_NOT_FOUND'],
  accesses: { reads: 'kit', id: ({ params }) => params.kitID },
  handler: async ({ tx, params }) => ({ status: 200, body: { data: await receivedOfKit(tx, params.kitID) } }),
})
