import { anyOfTexts } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { selectEntries, type Whose } from './queries.ts'
import * as schema from './schema.ts'
import { countBusinesses } from './seal-queries.ts'
import * as seals from './verify.ts'

const tag = 'Operator: audit'
const scope = 'audit'

export const listOperatorAudit = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/audit',
  tag,
  summary: 'List who did what, newest first',
  description: 'Of all businesses, and of none: sign-ins and the staff.',
  scope,
  query: schema.AuditQuery.extend({
    businessID: anyOfTexts(50).describe('Of these businesses, by comma; `none` for what is of no business.'),
  }),
  answers: { 200: schema.pageOf(schema.OperatorAuditEntry) },
  handler: async ({ tx, query }) => {
    const { businessID: ids } = query
    const businessIds = ids?.filter((id) => id !== 'none')
    const whose: Whose = businessIds ? { businessIds, orNobody: businessIds.length !== ids?.length } : 'everybody'
    const { entries, total } = await selectEntries(tx, whose, schema.filterOf(query))
    return { status: 200, body: schema.page(entries.map(schema.shownToOperator), query, total) }
  },
})

export const verifyAudit = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/audit/verification',
  tag,
  summary: 'Verify that the audit was not changed',
  description: 'Recomputes every seal. What is new is sealed each minute.',
  scope,
  answers: { 200: schema.VerificationResult },
  handler: async ({ tx }) => ({
    status: 200,
    body: { businesses: await countBusinesses(tx), ...(await seals.verifyAudit(tx)) },
  }),
})
