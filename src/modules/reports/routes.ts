import { z } from 'zod'
import { reportId } from '../../platform/http/fields.ts'
import { route } from '../../platform/http/route.ts'
import { customerKey } from '../customers/schema.ts'
import { findPublished } from './read.ts'
import { Report } from './schema.ts'

export const getReport = route({
  method: 'GET',
  path: '/customers/:customerID/reports/:reportID',
  id: 'getReport',
  tag: 'Reports',
  summary: 'Get a report',
  description:
    "Only a published report: any other answers as if there were none. A correction makes a new version; the old ones stay readable with `version`. `historic` holds the values of all of the customer's published reports.",
  scope: 'reports:read',
  params: z.object({ customerID: customerKey, reportID: reportId }),
  query: z.object({
    version: z.coerce.number().int().min(1).max(1_000_000).optional().describe('From 1; default: the newest.'),
  }),
  responses: { 200: Report },
  errors: ['REPORT_NOT_FOUND'],
  handler: async ({ tx, params, query }) => ({
    status: 200,
    body: await findPublished(tx, params.customerID, params.reportID, query.version),
  }),
})
