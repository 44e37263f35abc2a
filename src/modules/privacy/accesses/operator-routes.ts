import { z } from 'zod'
import { anyText } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import * as businesses from '../../businesses/service.ts'
import { customerKey } from '../../customers/schema.ts'
import { accessesIn } from './report.ts'
import { AccessesQuery, PersonalAccesses } from './schema.ts'

export const listAccessesOfCustomer = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/businesses/:businessID/customers/:id/accesses',
  tag: 'Operator: audit',
  summary: 'List who saw the data of a customer of a business',
  description:
    'What the business sees under `/api/v1/customers/:id/accesses`. The business sees that the operator asked.',
  scope: 'audit',
  params: z.object({ businessID: anyText(200), id: customerKey }),
  query: AccessesQuery.extend({ mode: z.enum(['live', 'sandbox']).default('live') }),
  answers: { 200: PersonalAccesses },
  errors: ['BUSINESS_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
  handler: async ({ tx, params, query }) => {
    const { id } = await businesses.find(tx, params.businessID)
    const realm = (await businesses.realmsOf(tx, id))[query.mode]
    return { status: 200, body: await accessesIn(tx, realm, params.id, query) }
  },
})
