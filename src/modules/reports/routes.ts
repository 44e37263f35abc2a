import { z } from 'zod'
import { reportId } from '../../platform/http/fields.ts'
import { route } from '../../platform/http/route.ts'
import { customerKey } from '../customers/schema.ts'
import { FHIR, PDF, preferred } from './render/negotiate.ts'
import { Report } from './schema.ts'
import { serve } from './serve.ts'

export const getReport = route({
  method: 'GET',
  path: '/customers/:customerID/reports/:reportID',
  id: 'getReport',
  tag: 'Reports',
  summary: 'Get a report',
  description: `Only a published report: any other answers as if there were none. A correction makes a new version; the old ones stay readable with \`version\`, and \`details.changes\` says what differs from the version before. \`historic\` holds the values of all of the customer's published reports.

\`Accept: ${FHIR}\` gives a FHIR R4 Bundle of a DiagnosticReport and what it refers to, \`Accept: ${PDF}\` a report to print, with the person's name; anything else gives JSON.`,
  scope: 'reports:read',
  params: z.object({ customerID: customerKey, reportID: reportId }),
  query: z.object({
    version: z.coerce.number().int().min(1).max(1_000_000).optional().describe('From 1; default: the newest.'),
  }),
  responses: { 200: Report },
  documents: [FHIR, PDF],
  errors: ['REPORT_NOT_FOUND'],
  handler: async ({ tx, params, query, accept, access }) => {
    const served = await serve(tx, {
      customer: params.customerID,
      reportId: params.reportID,
      version: query.version,
      format: preferred(accept),
      businessName: access.businessName,
    })
    const headers = { vary: 'Accept' }
    if ('report' in served) return { status: 200, body: served.report, headers }
    const name = `attachment; filename="report-${params.reportID}.pdf"`
    const disposition = served.contentType === PDF ? { 'content-disposition': name } : undefined
    return { status: 200, document: served, headers: { ...headers, ...disposition } }
  },
})
