import { anyText } from '../../platform/http/fields.ts'
import { operatorRoute } from '../../platform/http/operator-route.ts'
import { selectEntries, type Whose } from './queries.ts'
import {
  AuditQuery,
  filterOf,
  OperatorAuditEntry,
  page,
  pageOf,
  shownToOperator,
  VerificationResult,
} from './schema.ts'
import { verifyAudit } from './seal.ts'
import { countBusinesses } from './seal-queries.ts'

const tag = 'Operator: audit'
const scope = 'audit'

export const listAllAudit = operatorRoute({
  method: 'GET',
  path: '/audit',
  id: 'listOperatorAudit',
  tag,
  summary: 'List who did what, newest first',
  description: 'Of all businesses, and of none: sign-ins and the staff.',
  scope,
  query: AuditQuery.extend({
    businessID: anyText(64).optional().describe('`none` for what is of no business.'),
  }),
  responses: { 200: pageOf(OperatorAuditEntry) },
  handler: async ({ tx, query }) => {
    const { businessID: businessId } = query
    const whose: Whose = businessId === undefined ? 'everybody' : businessId === 'none' ? 'nobody' : { businessId }
    const { entries, total } = await selectEntries(tx, whose, filterOf(query))
    return { status: 200, body: page(entries.map(shownToOperator), query, total) }
  },
})

export const getAuditVerification = operatorRoute({
  method: 'GET',
  path: '/audit/verification',
  id: 'verifyAudit',
  tag,
  summary: 'Verify that the audit was not changed',
  description: 'Computes every seal anew. What is new is sealed each minute.',
  scope,
  responses: { 200: VerificationResult },
  handler: async ({ tx }) => ({
    status: 200,
    body: { businesses: await countBusinesses(tx), ...(await verifyAudit(tx)) },
  }),
})
